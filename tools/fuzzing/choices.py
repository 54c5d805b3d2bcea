"""Chance, types and places: what programs are made from."""
import random

from kinds import Array, Complex, Pair, Pointer, Polymorphic, Span, Struct, Tuple, Vector
from tree import Program


class Choices:
    def __init__(self, seed, name, mixed=None):
        self.random = random.Random(seed)
        self.used = 0
        self.program = Program(name)
        self.mixed = self.chance(0.2) if mixed is None else mixed
        self.program.mixed = self.mixed
        self.structs = []
        self.second = False  # second derivatives are taken, too

    # Choices -------------------------------------------------------------------------------------

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *options):
        return self.random.choice(options)

    def weighted(self, table):
        """One of the pairs (weight, thing)."""
        return self.random.choices([t for _, t in table], [w for w, _ in table])[0]

    def fresh(self, prefix):
        self.used += 1
        return f"{prefix}{self.used}"

    def cover(self, construct):
        self.program.covered.add(construct)

    # Types ---------------------------------------------------------------------------------------

    def real(self):
        return "float" if self.mixed and self.chance(0.35) else "double"

    def some_type(self, depth=2, growing=True):
        r = self.random.random()
        if depth == 0 or r < 0.3:
            return self.real()
        if r < 0.45 and self.structs:
            return self.pick(*self.structs)
        if r < 0.65:
            return Array(self.some_type(depth - 1), self.random.randint(2, 3))
        if r < 0.7:
            return Pair(self.some_type(depth - 1), self.pick(self.real(), "int"))
        if r < 0.75:
            return Tuple((self.real(), self.pick(self.real(), "int"), self.some_type(0)))
        if r < 0.8:
            return Complex()
        return Vector(self.some_type(depth - 1))

    def declared(self, type_, name):
        if isinstance(type_, Array) and type_.c_style:
            sizes = f"[{type_.size}]"
            while isinstance(type_.element, Array) and type_.element.c_style:
                type_ = type_.element
                sizes += f"[{type_.size}]"
            return f"{type_.element} {name}{sizes}"
        return f"{type_} {name}"

    # Places --------------------------------------------------------------------------------------

    def integers(self, scope, writable=False):
        found = []
        for v in scope.variables:
            if v.type == "int" and (v.writable or not writable):
                found.append(v.name)
            elif v.type == "size" and not writable:
                found.append(f"static_cast<int>({v.name})")
            elif isinstance(v.type, Struct) and not writable:
                found += [f"{v.name}.{n}" for n, t in v.type.fields if t == "int"]
            elif isinstance(v.type, Pair) and v.type.second == "int" and not writable:
                found.append(f"{v.name}.second")
            elif isinstance(v.type, Tuple) and v.type.elements[1] == "int" and not writable:
                found.append(f"std::get<1>({v.name})")
        return found

    def index(self, scope, size):
        """An index below `size`, a number or an expression without effects."""
        names = self.integers(scope)
        if names and self.chance(0.6):
            i = self.pick(*names)
            self.cover("index computed")
            return self.pick(f"{i} % {size}", f"({i} + {self.random.randint(1, 3)}) % {size}",
                             f"({i} * 3 + 1) % {size}")
        return str(self.random.randrange(size)) if isinstance(size, int) else "0"

    def descend(self, scope, text, type_, want):
        """A path from the place `text` to one of type `want`, or None."""
        while type_ != want:
            if isinstance(type_, (Struct, Polymorphic)):
                field, inner = self.pick(*type_.fields)
                text, type_ = f"{text}.{field}", inner
            elif isinstance(type_, Array):
                text, type_ = f"{text}[{self.index(scope, type_.size)}]", type_.element
            elif isinstance(type_, Complex):
                if want != "double":
                    return None
                text, type_ = f"{text}.{self.pick('real', 'imag')}()", "double"
            elif isinstance(type_, Tuple):
                k = self.random.randrange(len(type_.elements))
                text, type_ = f"std::get<{k}>({text})", type_.elements[k]
            elif isinstance(type_, Span):
                if want != "double":
                    return None
                index = self.index(scope, f"static_cast<int>({text}.size())")
                text, type_ = self.pick(f"{text}[{index}]", f"{text}.{self.pick('back', 'front')}()"), "double"
            elif isinstance(type_, Vector):
                r = self.random.random()
                if r < 0.15:
                    text = f"{text}.{self.pick('back', 'front')}()"
                elif r < 0.22:
                    text = f"{text}.at(0)"
                else:
                    if any(c in text for c in "[("):
                        text = f"{text}[0]"
                    else:
                        text = f"{text}[{self.index(scope, f'static_cast<int>({text}.size())')}]"
                type_ = type_.element
            elif isinstance(type_, Pair):
                which = self.pick("first", "second")
                text, type_ = f"{text}.{which}", getattr(type_, which)
            elif isinstance(type_, Pointer):
                if want != "double":
                    return None
                text = f"*{text}" if self.chance(0.3) or type_.size == 1 else f"{text}[{self.index(scope, type_.size)}]"
                type_ = "double"
            else:
                return None
        return text

    def place(self, scope, want, writable=False, tries=8):
        """An lvalue of type `want`, or None; its root with `rooted`."""
        found = self.rooted_place(scope, want, writable, tries)
        return found[0] if found else None

    def rooted_place(self, scope, want, writable=False, tries=8):
        candidates = [v for v in scope.variables if v.writable or not writable]
        if not candidates:
            return None
        for _ in range(tries):
            # The younger, the likelier: programs work on what they have just made.
            v = candidates[min(len(candidates) - 1,
                               int(len(candidates) * self.random.random() ** 0.7))]
            if isinstance(v.type, (Pointer, Span)) and writable and v.type.const:
                continue
            text = self.descend(scope, v.name, v.type, want)
            # The parts of a complex number are results of functions.
            if text is not None and not (writable and text.endswith((".real()", ".imag()"))):
                if text.startswith("*"):
                    text = f"({text})"
                return text, v
        return None
