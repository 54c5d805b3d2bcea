"""Programs with what is stored under keys or behind one more pointer: maps, function values in containers, growing vectors, logs."""
from kinds import Owner, Scope, Variable
from memory import Memory
from tree import Compound, Line

LOG = ("struct Log {", ["std::string text;", "double sum = 0;", "int lines = 0;",
                        "void add(double z, const char* what) { sum += z; ++lines; text += what; text += std::to_string(lines); }"])


class Stored(Memory):
    FAMILIES = Memory.FAMILIES | {
        "maps": [(4, "map"), (6, "map_change"), (3, "map_loop"), (3, "map_find")],
        "functions": [(5, "functions"), (5, "function_stored")],
        "built": [(6, "built")],
        "grown": [(4, "grown"), (6, "grown_change"), (3, "grown_loop")],
        "logs": [(4, "log"), (6, "log_line"), (3, "log_use")],
    }

    def make(self):
        self.program.definitions.append(Compound([[LOG[0], [Line(t, True) for t in LOG[1]]]], "};", True))
        self.built = [self.define_built() for _ in range(self.random.randint(0, 2))]
        return super().make()

    # Maps ----------------------------------------------------------------------------------------

    def make_map(self, scope):
        name = self.fresh("m")
        text = self.chance(0.3)
        kind = "std::map<std::string, double>" if text else self.pick("std::map<int, double>", "std::unordered_map<int, double>")
        self.cover(kind.replace(", ", " to "))
        keys = ['"a"', '"b"'] if text else ["0", "1"]
        nodes = [Line(f"{kind} {name};")] + [Line(f"{name}[{key}] = {self.number(scope)};", True) for key in keys]
        scope.variables.append(Variable(name, Owner("texts" if text else "map"), captured=False))
        self.real_at(scope, *(f"{name}.at({key})" for key in keys))
        return nodes

    def key(self, scope, kind):
        """A key that may be new."""
        return self.pick('"a"', '"c"', '"d"') if kind == "texts" else self.index(scope, 5)

    def make_map_change(self, scope):
        found = self.owners(scope, "map", "texts", free=True)
        if not found or not self.few(scope):
            return None
        name, kind = (v := self.pick(*found)).name, v.type.kind
        key, text = self.key(scope, kind), self.number(scope)
        self.cover("map changed")
        gone = '"c"' if kind == "texts" else f"2 + {self.index(scope, 3)}"
        return [Line(self.pick(f"{name}[{key}] = std::tanh({text});", f"{name}[{key}] += {self.squashed(scope, 'double')};",
                               f"{name}[{key}] = std::tanh({name}[{key}] * {text});", f"{name}.erase({gone});",
                               f"{name}.insert({{{key}, {text}}});", f"{name}.emplace({key}, {text});",
                               f"if ({name}.count({key}) > 0) {name}.at({key}) *= 0.5;"))]

    def make_map_loop(self, scope):
        found = self.owners(scope, "map", "texts")
        # The order of an unordered map is the same for numbers and for jets.
        if not found or not self.may_loop(scope):
            return None
        v, k, e = self.pick(*found), self.fresh("k"), self.fresh("e")
        constant = self.chance(0.4)
        inner = self.loop_scope(scope, 3, Variable(e, "double", not constant, captured=False))
        inner.locked.add(v.name)
        self.cover("loop over a map")
        use = [] if v.type.kind == "texts" or constant else [Line(f"{e} = std::tanh({e} * (0.5 + {k} % 3));")]
        return [Compound([[f"for ({'const auto&' if constant else 'auto&'} [{k}, {e}] : {v.name}) {{",
                           use + self.block(inner, self.random.randint(1, 3))]])]

    def make_map_find(self, scope):
        found = self.owners(scope, "map", "texts")
        if not found or scope.depth <= 0:
            return None
        v, j = self.pick(*found), self.fresh("j")
        inner = scope.inner(depth=scope.depth - 1)
        inner.locked.add(v.name)
        self.real_at(inner, f"{j}->second")
        self.cover("find in a map")
        return [Compound([[f"if (auto {j} = {v.name}.find({self.key(scope, v.type.kind)}); {j} != {v.name}.end()) {{",
                           self.block(inner, self.random.randint(1, 2))]])]

    # Stored functions ----------------------------------------------------------------------------

    def make_functions(self, scope):
        name = self.fresh("f")
        self.cover("stored functions")
        many = []
        for _ in range(self.random.randint(1, 3)):
            z = self.fresh("z")
            inner = Scope([Variable(z, "double", False)], (), [], 1, "double")
            many.append(f"[](double {z}) -> double {{ return {self.expression(inner, 'double', 2)} + 0.5 * {z}; }}")
        scope.variables.append(Variable(name, Owner("functions"), captured=False))
        nodes = [Line(f"std::vector<std::function<double(double)>> {name};", True)]
        return [*nodes, *(Line(f"{name}.push_back({one});", True) for one in many)]

    def make_function_stored(self, scope):
        name = self.owner(scope, "functions")
        if not name or not self.few(scope):
            return None
        if self.chance(0.5):
            q, f = self.fresh("q"), self.fresh("e")
            self.cover("loop over stored functions")
            start = self.number(scope)
            scope.variables.append(Variable(q, "double"))
            return [Line(f"double {q} = {start};", True),
                    Compound([[f"for (const auto& {f} : {name}) {{", [Line(f"{q} = std::tanh({f}({q}));")]]])]
        self.cover("stored function called")
        index = self.index(scope, f"static_cast<int>({name}.size())")
        return self.result(scope, f"{name}[{index}]({self.number(scope)})")

    # Constructors with bodies ----------------------------------------------------------------------

    def define_built(self):
        name, z, n = f"{self.fresh('B')}x", self.fresh("z"), self.fresh("n")
        members = [self.fresh("pa") for _ in range(2)]
        values = self.fresh("v")
        scope = Scope([Variable(z, "double"), *(Variable(m, "double", captured=False) for m in members), Variable(n, "int", False)],
                      (), [], 2, "void")
        i = self.fresh("i")
        # In front of the rest, which may return early: an empty one is never read.
        body = [Compound([[f"for (int {i} = 0; {i} <= {n} % 3; ++{i}) {{", [Line(f"{values}.push_back({z} * {members[0]} + {i});", True)]]], "}", True)]
        body += self.block(scope, self.random.randint(1, 3))
        get = Scope([*(Variable(m, "double", False, captured=False) for m in members), Variable(z, "double")], (), [], 1, "double")
        self.program.definitions.append(Compound([
            [f"struct {name} {{", [Line(f"double {members[0]};", True), Line(f"double {members[1]} = 0.5;", True),
                                   Line(f"std::vector<double> {values};", True),
                                   Compound([[f"{name}(double {z}, int {n}) : {members[0]}({z}) {{", body]], "}", True),
                                   Line(f"double get(double {z}) const {{ return {self.expression(get, 'double', 2)} + {values}.back(); }}", True)]]],
            "};", True))
        return name, members, values

    def make_built(self, scope):
        if not self.built or not self.few(scope):
            return None
        type_, members, values = self.pick(*self.built)
        name = self.fresh("o")
        self.cover("constructor with a body")
        nodes = [Line(f"{type_} {name}({self.number(scope)}, {self.index(scope, 4)});")]
        self.real_at(scope, *(f"{name}.{m}" for m in members), f"{name}.{values}[0]")
        return nodes + (self.result(scope, f"{name}.get({self.number(scope)})") if self.chance(0.6) else [])

    # Vectors that grow behind a pointer ------------------------------------------------------------

    def make_grown(self, scope):
        name = self.fresh("m")
        self.cover("vector behind a pointer")
        nodes = [Line(f"auto {name} = std::make_unique<std::vector<double>>();", True),
                 Line(f"{name}->push_back({self.number(scope)});", True)]
        scope.variables.append(Variable(name, Owner("grown"), captured=False))
        self.real_at(scope, f"(*{name})[0]", f"{name}->back()")
        return nodes

    def make_grown_change(self, scope):
        name = self.owner(scope, "grown", free=True)
        if not name or not self.few(scope):
            return None
        self.cover("vector changed behind a pointer")
        text = self.number(scope)
        return [Line(self.pick(f"if ({name}->size() < 9) {name}->push_back({text});", f"if ({name}->size() > 1) {name}->pop_back();",
                               f"{name}->resize(1 + {self.index(scope, 4)});", f"{name}->assign(2, {text});",
                               f"(*{name})[{self.index(scope, f'static_cast<int>({name}->size())')}] *= 0.5;"))]

    def make_grown_loop(self, scope):
        name = self.owner(scope, "grown")
        if not name or not self.may_loop(scope):
            return None
        e = self.fresh("e")
        self.cover("loop over a vector behind a pointer")
        inner = self.loop_scope(scope, 3, Variable(e, "double"))
        inner.locked.add(name)
        return [Compound([[f"for (double{self.pick('&', '')} {e} : *{name}) {{", self.block(inner, self.random.randint(1, 3))]])]

    # Logs ------------------------------------------------------------------------------------------

    def make_log(self, scope):
        name = self.fresh("o")
        self.cover("log in an active object")
        scope.variables.append(Variable(name, Owner("log"), captured=False))
        self.real_at(scope, f"{name}.sum")
        return [Line(f"Log {name};")]

    def make_log_line(self, scope):
        name = self.owner(scope, "log", free=True)
        if not name or not self.few(scope):
            return None
        self.cover("line of a log")
        what = self.pick("ab", "-")
        return [Line(f'{name}.add({self.squashed(scope, "double")}, "{what}");')]

    def make_log_use(self, scope):
        name = self.owner(scope, "log")
        if not name or scope.depth <= 0:
            return None
        self.cover("choice by the text of a log")
        condition = self.pick(f"{name}.text.size() > 4", f"{name}.lines % 2 == 1", f'{name}.text == "ab1"', f"{name}.text.empty()")
        return [Compound([[f"if ({condition}) {{", self.block(scope.inner(depth=scope.depth - 1), self.random.randint(1, 2))]])]
