"""The types of random programs, their variables and functions, and what may be named where."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple  # of (name, type)
    listed: bool  # has DDX_DIFFERENTIABLE

    def __str__(self):
        return self.name


@dataclasses.dataclass(frozen=True)
class Array:
    element: object
    size: int
    c_style: bool = False

    def __str__(self):
        return f"std::array<{self.element}, {self.size}>"


@dataclasses.dataclass(frozen=True)
class Vector:
    element: object

    def __str__(self):
        return f"std::vector<{self.element}>"


@dataclasses.dataclass(frozen=True)
class Pair:
    first: object
    second: object

    def __str__(self):
        return f"std::pair<{self.first}, {self.second}>"


@dataclasses.dataclass(frozen=True)
class Pointer:
    """Points to the first of at least `size` doubles."""
    size: int
    const: bool

    def __str__(self):
        return "const double*" if self.const else "double*"


@dataclasses.dataclass(frozen=True)
class Tuple:
    elements: tuple

    def __str__(self):
        return f"std::tuple<{', '.join(map(str, self.elements))}>"


@dataclasses.dataclass(frozen=True)
class Complex:
    def __str__(self):
        return "std::complex<double>"


@dataclasses.dataclass(frozen=True)
class Span:
    """Never empty."""
    const: bool

    def __str__(self):
        return f"std::span<{'const ' if self.const else ''}double>"


@dataclasses.dataclass(frozen=True)
class Polymorphic:
    """A class with virtual functions, made by a constructor from one real."""
    name: str
    fields: tuple  # of (name, type)
    base: object = None

    def __str__(self):
        return self.name


@dataclasses.dataclass(frozen=True)
class Owner:
    """What leads to others, or may be empty: it is locked where its parts have other names."""
    kind: str  # list, nodes, shared, choice, deque

    def __str__(self):
        return "auto"


@dataclasses.dataclass
class Variable:
    name: str
    type: object
    writable: bool = True
    captured: bool = True  # a lambda may hold a copy


@dataclasses.dataclass
class Function:
    """`parameters`: (type, how), how one of value, const, ref. `pure`: may stand anywhere."""
    name: str
    result: object
    parameters: list
    pure: bool
    prefix: str = ""  # what stands before the name in a call
    suffix: str = ""  # explicit template arguments


class Scope:
    """What may be named where a statement stands."""

    def __init__(self, variables=(), locked=(), functions=(), depth=3, result=None, loop=False,
                 switch=False, trips=1):
        self.variables = list(variables)
        self.locked = set(locked)  # vectors that may not change their size
        self.functions = list(functions)
        self.depth = depth
        self.result = result  # type that `return` needs; "void"
        self.loop = loop
        self.switch = switch
        self.trips = trips

    def inner(self, **changes):
        scope = Scope(self.variables, self.locked, self.functions, self.depth, self.result,
                      self.loop, self.switch, self.trips)
        for name, value in changes.items():
            setattr(scope, name, value)
        return scope


def is_real(type_):
    return type_ in ("double", "float")


def has_real(type_):
    if isinstance(type_, Struct):
        return any(has_real(t) for _, t in type_.fields)
    if isinstance(type_, (Array, Vector)):
        return has_real(type_.element)
    if isinstance(type_, Pair):
        return has_real(type_.first) or has_real(type_.second)
    if isinstance(type_, Tuple):
        return any(has_real(t) for t in type_.elements)
    return is_real(type_) or isinstance(type_, (Pointer, Complex, Span, Polymorphic))


def holds_vector(type_):
    if isinstance(type_, Struct):
        return any(holds_vector(t) for _, t in type_.fields)
    if isinstance(type_, Array):
        return holds_vector(type_.element)
    if isinstance(type_, Tuple):
        return any(holds_vector(t) for t in type_.elements)
    return isinstance(type_, (Vector, Owner))
