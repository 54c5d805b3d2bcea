"""Writes random programs: well formed, without undefined behaviour, with bounded numbers.

What C++ leaves open is left out: a side effect stands alone in its expression, or behind `&&`,
`||`, `?:` or a comma; what refers into a vector keeps it from growing; integers stay small and are
not negative; indices are taken modulo the size.
"""
from definitions import Definitions
from kinds import Array, Complex, Pair, Scope, Struct, Tuple, Variable, Vector, is_real
from tree import Argument, Line


class Generator(Definitions):
    """Makes one program from a seed."""

    def make(self):
        self.make_structs()
        functions = list(getattr(self, "members", []))
        self.classes = []
        if self.chance(0.25):
            self.define_classes(functions)
        for _ in range(self.random.randint(0, 4)):
            self.define_function(functions)
        if self.chance(0.3):
            self.cover("global constant")
            self.program.definitions.insert(0, Line(f"const double table0[3] = {{{self.literal('double')}, {self.literal('double')}, {self.literal('double')}}};"))
        scope = Scope([], (), functions, depth=3)
        reals = 0
        for _ in range(self.random.randint(1, 4)):
            type_ = self.weighted([(5, self.real()), (2, Array(self.real(), 2)), (2, Vector("double")), (1, "int"),
                                   (3, self.pick(*self.structs) if self.structs else "double"),
                                   (1, Vector(self.pick(*self.structs)) if self.structs else "double"),
                                   (1, Vector(Vector("double"))), (1, Pair("double", self.pick("double", "int"))),
                                   (1, Complex()), (1, Tuple(("double", "int", "double")))])
            values, count = [], 0
            for _ in range(self.program.points):
                text, n = self.constant(type_)
                values.append(text)
                count = max(count, n)
            if reals + count > 22:
                continue
            reals += count
            name = self.fresh("x")
            self.program.arguments.append(Argument(str(type_), name, values))
            scope.variables.append(Variable(name, type_, is_real(type_) or type_ == "int"))
        if reals == 0:
            name = self.fresh("x")
            self.program.arguments.append(Argument("double", name, [self.literal("double") for _ in range(self.program.points)]))
            scope.variables.append(Variable(name, "double"))
        if self.program.definitions and isinstance(self.program.definitions[0], Line) and "table0" in self.program.definitions[0].text:
            scope.variables.append(Variable("table0", Array("double", 3, True), False))
        result = self.weighted([(7, "double"), (1, self.real()), (1, Array("double", 2)), (1, Vector("double")),
                                (1, self.pick(*self.structs) if self.structs else "double"), (1, Pair("double", "double")),
                                (1, Complex()), (1, Tuple(("double", "double", "double")))])
        scope.result = result
        self.program.result = str(result)
        body = self.first_statements(scope) + self.block(scope, self.random.randint(4, 11))
        if is_real(result):
            parts = [self.leaf(scope, result) for _ in range(3)]
            body.append(Line(f"return {self.expression(scope, result, 2)} + {parts[0]} * {parts[1]} - {parts[2]};", True))
        else:
            body.append(Line(f"return {self.value(scope, result, 2)};", True))
        self.program.body = body
        return self.program

    def first_statements(self, scope):
        """What the body of the program begins with."""
        return []

    def constant(self, type_):
        """An initialiser of numbers alone, and how many reals it has."""
        if is_real(type_):
            return self.literal(type_), 1
        if type_ == "int":
            return str(self.random.randint(0, 5)), 0
        if isinstance(type_, Struct):
            parts = [self.constant(t) for _, t in type_.fields]
        elif isinstance(type_, Array):
            parts = [self.constant(type_.element) for _ in range(type_.size)]
        elif isinstance(type_, Pair):
            parts = [self.constant(type_.first), self.constant(type_.second)]
        elif isinstance(type_, Tuple):
            parts = [self.constant(t) for t in type_.elements]
        elif isinstance(type_, Complex):
            parts = [self.constant("double"), self.constant("double")]
        else:
            parts = [self.constant(type_.element) for _ in range(self.random.randint(1, 3))]
        return f"{type_}{{{', '.join(t for t, _ in parts)}}}", sum(n for _, n in parts)
