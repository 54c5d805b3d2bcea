"""Structs and functions beside the program."""

from indirect import Indirect
from kinds import Array, Function, Pair, Pointer, Polymorphic, Scope, Span, Struct, Variable, Vector, has_real, holds_vector, is_real
from tree import Compound, Line


class Definitions(Indirect):
    def make_structs(self):
        for _ in range(self.random.randint(0, 3)):
            name = "S" + str(len(self.structs)) + "x"
            fields = []
            for k in range(self.random.randint(1, 4)):
                type_ = self.weighted([(6, self.real()), (2, "int"), (2, Array(self.real(), 2)),
                                       (1, Vector("double")), (2, self.pick(*self.structs) if self.structs else "double")])
                fields.append((self.pick("p", "q", "r", "s") + chr(97 + k), type_))
            if not any(has_real(t) for _, t in fields):
                fields.append(("w", "double"))
            struct = Struct(name, tuple(fields), True)
            self.structs.append(struct)
            self.define_struct(struct)

    def define_struct(self, struct):
        members = [Line(f"{t} {n};", True) for n, t in struct.fields]
        scope = Scope([Variable(n, t) for n, t in struct.fields], depth=1, result="void")
        constant = Scope([Variable(n, t, False) for n, t in struct.fields], depth=1, result="double")
        constant.variables.append(Variable("by", "double"))
        scope.variables.append(Variable("by", "double"))
        self.members = getattr(self, "members", [])
        if self.chance(0.6):
            self.cover("member function")
            name = self.fresh("m")
            scope.locked |= {n for n, t in struct.fields if holds_vector(t)}
            members.append(Compound([[f"void {name}(double by) {{", self.block(scope, self.random.randint(1, 3))]]))
            self.members.append(Function(name, "void", [(struct, "ref"), ("double", "value")], False, "member"))
        if self.chance(0.6):
            self.cover("const member function")
            name = self.fresh("m")
            constant.locked |= {n for n, t in struct.fields if holds_vector(t)}
            body = self.block(constant, self.random.randint(0, 2))
            members.append(Compound([[f"double {name}(double by) const {{",
                                      body + [Line(f"return {self.expression(constant, 'double', 2)};", True)]]]))
            self.members.append(Function(name, "double", [(struct, "const-place"), ("double", "value")], True, "member"))
        real = [n for n, t in struct.fields if is_real(t)]
        if real and self.chance(0.4):
            self.cover("operator+")
            field = self.pick(*real)
            kind = dict(struct.fields)[field]
            members.append(Compound([[f"{struct} operator+(const {struct}& other) const {{",
                                      [Line(f"{struct} sum = *this;", True),
                                       Line(f"sum.{field} = {field} * other.{field} + {self.literal(kind)};"),
                                       Line("return sum;", True)]]]))
            self.members.append(Function("+", struct, [(struct, "const-place"), (struct, "const-place")], True, "operator"))
        reals = ", ".join(n for n, t in struct.fields if has_real(t))
        ints = ", ".join(n for n, t in struct.fields if not has_real(t))
        if struct.listed:
            members.append(Line(f"FUZZ_DIFFERENTIABLE({struct}, {reals})", True))
        self.program.definitions.append(Compound([[f"struct {struct} {{", members]], "};"))

    FUNCTIONS = ["plain", "plain", "changes_two", "const_and_reference", "recursive", "array", "array_const", "vector_const",
                 "vector", "vector_value", "struct", "struct_value", "pointer", "pointer_const", "takes_lambda", "template", "bump",
                 "mutual", "element", "pair", "auto_result", "span", "span_const", "iterators", "takes_function"]

    def define_function(self, functions):
        kind = self.pick(*self.FUNCTIONS)
        name = self.fresh("h")
        self.cover(f"function: {kind.replace('_', ' ')}")
        add = self.program.definitions.append
        statements = self.random.randint(1, 4)

        def body(scope, result):
            nodes = self.block(scope, statements)
            if result != "void":
                nodes.append(Line(f"return {self.value(scope, result, 2)};", True))
            return nodes

        def define(head, variables, result, parameters, pure, locked=(), **more):
            scope = Scope(variables, locked, functions, depth=2, result=result)
            add(Compound([[head + " {", body(scope, result)]]))
            functions.append(Function(name, result, parameters, pure, **more))

        a, b = self.fresh("u"), self.fresh("u")
        if kind == "plain":
            r, k = self.real(), self.pick(self.real(), "int")
            define(f"{r} {name}({r} {a}, {k} {b})", [Variable(a, r), Variable(b, k)], r, [(r, "value"), (k, "value")], True)
        elif kind == "changes_two":
            r = self.real()
            define(f"void {name}({r}& {a}, {r}& {b})", [Variable(a, r), Variable(b, r)], "void", [(r, "ref"), (r, "ref")], False)
        elif kind == "const_and_reference":
            r = self.real()
            define(f"{r} {name}(const {r}& {a}, {r}& {b})", [Variable(a, r, False), Variable(b, r)], r,
                   [(r, "const-place"), (r, "ref")], False)
        elif kind == "recursive":
            n = self.fresh("n")
            scope = Scope([Variable(a, "double"), Variable(n, "int", False)], (), [f for f in functions if f.prefix], 2, "double")
            stop = Line(f"if ({n} <= 0) return {self.expression(scope, 'double', 1)};", True)
            nodes = self.block(scope, self.random.randint(0, 2))
            again = f"{name}({self.expression(scope, 'double', 2)}, {n} - 1)"
            q = self.fresh("q")
            after = scope.inner()
            after.variables.append(Variable(q, "double"))
            rest = self.block(after, self.random.randint(0, 2))
            add(Compound([[f"double {name}(double {a}, int {n}) {{",
                           [stop] + nodes + [Line(f"double {q} = {again};")] + rest +
                           [Line(f"return {self.expression(after, 'double', 2)};", True)]]]))
            functions.append(Function(name, "double", [("double", "value"), ("small", "value")], True))
            self.recursive(functions)
        elif kind == "mutual":
            other = self.fresh("h")
            n = self.fresh("n")
            c = self.fresh("u")
            m = self.fresh("n")
            one = Scope([Variable(a, "double"), Variable(n, "int", False)], (), [], 1, "double")
            two = Scope([Variable(c, "double"), Variable(m, "int", False)], (), [], 1, "double")
            add(Line(f"double {other}(double {c}, int {m});", True))
            add(Compound([[f"double {name}(double {a}, int {n}) {{",
                           [Line(f"if ({n} <= 0) return {self.expression(one, 'double', 1)};", True)] + self.block(one, 1) +
                           [Line(f"return {self.expression(one, 'double', 1)} + {other}({self.expression(one, 'double', 1)}, {n} - 1);", True)]]]))
            add(Compound([[f"double {other}(double {c}, int {m}) {{",
                           [Line(f"if ({m} <= 0) return {self.expression(two, 'double', 1)};", True)] + self.block(two, 1) +
                           [Line(f"return {self.expression(two, 'double', 1)} * {name}({self.expression(two, 'double', 1)}, {m} - 1);", True)]]], fixed=True))
            functions.append(Function(name, "double", [("double", "value"), ("small", "value")], True))
            self.recursive(functions)
        elif kind in ("array", "array_const"):
            t = Array(self.real(), self.random.randint(2, 3))
            if kind == "array":
                define(f"void {name}({t}& {a}, double {b})", [Variable(a, t), Variable(b, "double")], "void", [(t, "ref"), ("double", "value")], False)
            else:
                define(f"double {name}(const {t}& {a}, double {b})", [Variable(a, t, False), Variable(b, "double")], "double",
                       [(t, "const"), ("double", "value")], True)
        elif kind == "vector_const":
            t = Vector(self.pick("double", *self.structs))
            define(f"double {name}(const {t}& {a})", [Variable(a, t, False)], "double", [(t, "const")], True)
        elif kind == "vector":
            t = Vector("double")
            define(f"void {name}({t}& {a})", [Variable(a, t)], "void", [(t, "ref")], False)
        elif kind == "vector_value":
            t = Vector("double")
            define(f"{t} {name}({t} {a}, double {b})", [Variable(a, t), Variable(b, "double")], t, [(t, "const"), ("double", "value")], True)
        elif kind == "struct" and self.structs:
            t = self.pick(*self.structs)
            locked = [a, b]
            define(f"void {name}({t}& {a}, {t}& {b})", [Variable(a, t), Variable(b, t)], "void", [(t, "ref"), (t, "ref")], False, locked)
        elif kind == "struct_value" and self.structs:
            t = self.pick(*self.structs)
            define(f"{t} {name}({t} {a}, const {t}& {b})", [Variable(a, t), Variable(b, t, False)], t, [(t, "const"), (t, "const")], True, [b])
        elif kind in ("pointer", "pointer_const"):
            t = Pointer(2, kind == "pointer_const")
            if t.const:
                define(f"double {name}(const double* {a}, double {b})", [Variable(a, t), Variable(b, "double")], "double", [(t, "value"), ("double", "value")], True)
            else:
                other = Pointer(2, True)
                c = self.fresh("u")
                define(f"void {name}(double* {a}, const double* {c}, double {b})", [Variable(a, t), Variable(c, other), Variable(b, "double")], "void",
                       [(t, "value"), (other, "value"), ("double", "value")], False)
        elif kind in ("span", "span_const"):
            t = Span(kind == "span_const")
            if t.const:
                define(f"double {name}({t} {a}, double {b})", [Variable(a, t), Variable(b, "double")], "double", [(t, "value"), ("double", "value")], True)
            else:
                define(f"void {name}({t} {a}, double {b})", [Variable(a, t), Variable(b, "double")], "void", [(t, "value"), ("double", "value")], False)
        elif kind == "iterators":
            c = self.fresh("j")
            scope = Scope([Variable(f"(*{a})", "double", False), Variable(c, "double")], (), [f for f in functions if f.pure], 1, "double", loop=True, trips=3)
            add(Compound([[f"template <class I> double {name}(I {a}, I {b}, double {c}) {{",
                           [Compound([[f"for (; {a} != {b}; ++{a}) {{", self.block(scope, statements) + [Line(f"{c} += *{a} * std::cos({c});")]]]),
                            Line(f"return {c};", True)]]]))
            functions.append(Function(name, "double", [("range", "value"), ("double", "value")], True))
        elif kind == "takes_function":
            scope = Scope([Variable(b, "double")], (), functions + [Function(a, "double", [("double", "value")], True, "lambda")], 2, "double")
            add(Compound([[f"double {name}({self.pick('const std::function<double(double)>&', 'std::function<double(double)>')} {a}, double {b}) {{", body(scope, "double")]]))
            functions.append(Function(name, "double", [("lambda", "value"), ("double", "value")], True))
        elif kind == "takes_lambda":
            scope = Scope([Variable(b, "double")], (), functions + [Function(a, "double", [("double", "value")], True, "lambda")], 2, "double")
            add(Compound([[f"template <class F> double {name}({self.pick('F', 'const F&', 'F&&')} {a}, double {b}) {{", body(scope, "double")]]))
            functions.append(Function(name, "double", [("lambda", "value"), ("double", "value")], True))
        elif kind == "template":
            define(f"template <class T> T {name}(T {a}, const T& {b})", [Variable(a, "double"), Variable(b, "double", False)], "double",
                   [("double", "value"), ("double", "const")], True, suffix="<double>")
        elif kind == "auto_result":
            scope = Scope([Variable(a, "double")], (), functions, 1, None)
            add(Compound([[f"auto {name}(const double {a}) {{", self.block(Scope([Variable(a, "double", False)], (), functions, 1, None), statements)
                           + [Line(f"return double({self.expression(scope, 'double', 2)});", True)]]]))
            functions.append(Function(name, "double", [("double", "value")], True))
        elif kind == "bump":
            scope = Scope([Variable(a, "double")], (), [], 1, None)
            add(Compound([[f"bool {name}(double& {a}) {{", self.block(scope, self.random.randint(1, 2))
                           + [Line(f"{a} = std::tanh({a}) + {self.literal('double')};"), Line(f"return {a} > {self.literal('double')};", True)]]]))
            functions.append(Function(name, "bool", [("double", "ref")], False))
        elif kind == "element":
            t = Array("double", 3)
            i = self.fresh("n")
            add(Compound([[f"double& {name}({t}& {a}, int {i}) {{",
                           ([Line(f"{a}[0] += {self.literal('double')} * {a}[1];")] if self.chance(0.4) else []) + [Line(f"return {a}[({i} + 1) % 3];", True)]]]))
            functions.append(Function(name, "reference", [(t, "ref"), ("int", "value")], False))
        elif kind == "pair":
            t = Pair("double", self.pick("double", "int"))
            define(f"{t} {name}(double {a}, const {t}& {b})", [Variable(a, "double"), Variable(b, t, False)], t, [("double", "value"), (t, "const")], True)

    def define_classes(self, functions):
        """A class with virtual functions, one that overrides them, and a function that calls them."""
        b, d = self.fresh("u"), self.fresh("u")
        base = Polymorphic("V0x", (("va", "double"),))
        derived = Polymorphic("W0x", (("va", "double"), ("wb", "double")), base)
        read, change, call = self.fresh("m"), self.fresh("m"), self.fresh("h")

        def members(type_, override):
            own = lambda writable: [Variable(n, t, writable) for n, t in type_.fields] + [Variable(b, "double")]
            reads = Scope(own(False), (), [], 1, "double")
            changes = Scope(own(True), (), [], 1, "void")
            first, last = ("", " override") if override else ("virtual ", "")
            return [Compound([[f"{first}double {read}(double {b}) const{last} {{", self.block(reads, 1)
                               + [Line(f"return {self.expression(reads, 'double', 2)};", True)]]]),
                    Compound([[f"{first}void {change}(double {b}){last} {{", self.block(changes, self.random.randint(1, 2))]])]

        self.cover("virtual functions")
        definitions = self.program.definitions
        definitions.append(Compound([["struct V0x {", [
            Line("double va;", True), Line(f"explicit V0x(double {d}) : va({d}) {{}}", True), Line("virtual ~V0x() = default;", True)]
            + members(base, False)]], "};"))
        definitions.append(Compound([["struct W0x : V0x {", [
            Line("double wb;", True), Line(f"explicit W0x(double {d}) : V0x({d} * 0.5), wb({d} * {d}) {{}}", True)]
            + members(derived, True)]], "};"))
        o = self.fresh("o")
        how = self.pick("const V0x&", "const V0x&", "V0x&")
        body = [Line(f"{o}.{change}({b});")] if how == "V0x&" else []
        definitions.append(Compound([[f"double {call}({how} {o}, double {b}) {{",
                                      body + [Line(f"return {o}.{read}({b}) * {b} + {o}.va;", True)]]]))
        for type_ in (base, derived):
            functions.append(Function(read, "double", [(type_, "const-place"), ("double", "value")], True, "member"))
            functions.append(Function(change, "void", [(type_, "ref"), ("double", "value")], False, "member"))
            functions.append(Function(call, "double", [(type_, "ref"), ("double", "value")], how != "V0x&"))
        self.classes = [base, derived]

    def recursive(self, functions):
        """The depth of the recursion just defined is a small number."""
        f = functions[-1]
        f.parameters[1] = ("small", "value")
