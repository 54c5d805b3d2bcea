"""Programs with containers and callables of the library that have no rules, exceptions that carry reals, threads."""
from kinds import Owner, Scope, Variable
from stored import Stored
from tree import Compound, Line

CARRIED = ("struct Carried {", ["double value;", "int code;", "double more[2];"])
SCALED = ("struct Scaled {", ["double& r;", "double k;", "~Scaled() { r = std::tanh(r * k); }"])
SHAPES = ("struct Shape {", ["virtual ~Shape() = default;", "virtual double area(double z) const = 0;", "virtual void grow(double) {}"])
ROUND = ("struct Round : virtual Shape {", ["double a;", "explicit Round(double z) : a(z) {}", "double area(double z) const override { return a * a * z; }",
                                            "void grow(double z) override { a = std::tanh(a + z); }"])
LONG = ("struct Long : virtual Shape {", ["float k = 0.5f;", "double c[2] = {1, 2};", "double area(double z) const override { return c[0] * c[1] + z; }",
                                          "void grow(double z) override { c[1] *= std::sin(z); }"])
PACK = ["template <class... T>", "double sum_of_squares(double start, const T&... more) {", "  ((start += more * more * 0.5), ...);", "  return std::tanh(start);", "}",
        "inline double folded(double z) { return z; }", "template <class... T>", "double folded(double z, const T&... more) {",
        "  return z * 0.5 + std::sin(folded(double(more)...) * z);", "}"]


class Containers(Stored):
    """Each program has some of the families."""

    FAMILIES = {
        "lists": [(5, "sequence"), (8, "sequence_change"), (4, "sequence_loop")],
        "ordered": [(5, "ordered"), (6, "ordered_change"), (4, "ordered_loop"), (3, "queue")],
        "arrays": [(5, "valarray"), (4, "valarray_change"), (3, "anything"), (2, "pool_vector")],
        "carried": [(8, "carried"), (4, "scaled")],
        "shapes": [(5, "shapes"), (4, "shape_loop")],
        "callables": [(4, "recursive"), (4, "bound"), (4, "table"), (4, "pack")],
        "parallel": [(5, "threads"), (4, "task"), (4, "team")],
        "nodes": Stored.FAMILIES["nodes"], "maps": Stored.FAMILIES["maps"], "functions": Stored.FAMILIES["functions"],
        "choices": Stored.FAMILIES["choices"],
    }

    def prelude(self, chosen):
        # The memory path has no rules for these.
        self.STATEMENTS = [row for row in self.STATEMENTS if row[1] not in ("nested_gradient", "checkpointed")]
        for head, lines in (CARRIED, SCALED, SHAPES, ROUND, LONG):
            self.program.definitions.append(Compound([[head, [Line(t, True) for t in lines]]], "};", True))
        self.program.definitions += [Line(t, True) for t in PACK]

    def chosen_families(self):
        # Parallel programs have no second derivatives.
        return [f for f in super().chosen_families() if not (self.second and f == "parallel")] or ["lists"]

    # Lists ---------------------------------------------------------------------------------------

    def numbers(self, scope, least=2, most=4):
        return ", ".join(self.number(scope, 1) for _ in range(self.random.randint(least, most)))

    def make_sequence(self, scope):
        if not self.few(scope):
            return None
        name, kind = self.fresh("o"), self.pick("list", "list", "forward_list", "deque")
        self.cover(f"std::{kind} of reals")
        nodes = [Line(f"std::{kind}<double> {name}{{{self.numbers(scope)}}};", True)]
        scope.variables.append(Variable(name, Owner(kind + " of reals"), captured=False))
        self.real_at(scope, f"{name}.front()", f"(*std::next({name}.begin()))")
        if kind != "forward_list":
            self.real_at(scope, f"{name}.back()")
        return nodes

    def make_sequence_change(self, scope):
        found = self.owners(scope, "list of reals", "forward_list of reals", "deque of reals", free=True)
        if not found or not self.few(scope):
            return None
        v = self.pick(*found)
        o, kind, text = v.name, v.type.kind.split()[0], self.number(scope)
        grows = f"if (std::distance({o}.begin(), {o}.end()) < 7) "
        shrinks = f"if (std::distance({o}.begin(), {o}.end()) > 2) "
        forms = [f"{grows}{o}.push_front({text});", f"{shrinks}{o}.pop_front();", f"std::reverse({o}.begin(), {o}.end());" if kind != "forward_list" else f"{o}.reverse();",
                 f"{o} = std::{kind}<double>({{{self.numbers(scope)}}});", f"{{ auto other = {o}; other.front() *= {self.leaf(scope, 'double')}; {o}.swap(other); }}"]
        if kind == "list":
            forms += [f"{o}.sort();", f"{grows}{o}.insert(std::next({o}.begin()), {text});", f"{shrinks}{o}.erase(std::next({o}.begin()));",
                      f"{grows}{{ std::list<double> more{{{text}, 1.5}}; {o}.splice({o}.begin(), more); }}",
                      f"{o}.splice({o}.end(), {o}, {o}.begin());", f"{grows}{{ std::list<double> more{{{text}}}; {o}.sort(); {o}.merge(more); }}",
                      f"{o}.sort([](double x, double y) {{ return x * x < y * y; }});"]
        if kind == "forward_list":
            forms += [f"{o}.sort();", f"{grows}{o}.insert_after({o}.begin(), {text});", f"{shrinks}{o}.erase_after({o}.begin());"]
        if kind == "deque":
            forms += [f"{grows}{o}.insert({o}.begin() + 1, 2, {text});", f"{shrinks}{o}.erase({o}.begin() + 1);", f"{o}.resize(5, {text});",
                      f"std::rotate({o}.begin(), {o}.begin() + 1, {o}.end());"]
        self.cover(f"std::{kind} of reals changed")
        return [Line(self.pick(*forms))]

    def make_sequence_loop(self, scope):
        found = self.owners(scope, "list of reals", "forward_list of reals", "deque of reals")
        if not found or not self.may_loop(scope):
            return None
        v, e = self.pick(*found), self.fresh("e")
        self.cover(f"loop over a {v.type.kind}")
        inner = self.loop_scope(scope, 4, Variable(e, "double"))
        inner.locked.add(v.name)
        if self.chance(0.3):
            return self.result(scope, f"std::accumulate({v.name}.begin(), {v.name}.end(), {self.number(scope, 1)}, "
                                      f"[&](double x, double y) {{ return std::tanh(x * y + {self.leaf(scope, 'double')}); }})")
        return [Compound([[f"for (double{self.pick('&', '&', '')} {e} : {v.name}) {{", self.block(inner, self.random.randint(1, 3))]])]

    # Sets and maps with real keys ------------------------------------------------------------------

    def make_ordered(self, scope):
        if not self.few(scope):
            return None
        name, kind = self.fresh("o"), self.pick("set", "multiset", "map", "set of pairs")
        self.cover(f"std::{kind} of reals")
        type_ = {"set": "std::set<double>", "multiset": "std::multiset<double, std::greater<>>", "map": "std::map<double, double>",
                 "set of pairs": "std::set<std::pair<double, int>>"}[kind]
        nodes = [Line(f"{type_} {name};", True)] + [Line(self.put(scope, name, kind), True) for _ in range(2)]
        scope.variables.append(Variable(name, Owner("ordered " + kind), captured=False))
        return nodes

    def put(self, scope, name, kind):
        text = self.number(scope)
        return {"map": f"{name}[{text}] = {self.number(scope, 1)};", "set of pairs": f"{name}.insert({{{text}, {self.index(scope, 4)}}});"}.get(kind, f"{name}.insert({text});")

    def make_ordered_change(self, scope):
        found = self.owners(scope, *("ordered " + k for k in ("set", "multiset", "map", "set of pairs")), free=True)
        if not found or not self.few(scope):
            return None
        v = self.pick(*found)
        kind = v.type.kind.removeprefix("ordered ")
        self.cover(f"std::{kind} of reals changed")
        forms = [f"if ({v.name}.size() < 7) {{ {self.put(scope, v.name, kind)} }}"] * 3 + [f"if ({v.name}.size() > 2) {v.name}.erase({v.name}.begin());"]
        if kind in ("set", "multiset"):
            forms.append(f"{{ auto node = {v.name}.extract({v.name}.begin()); node.value() = std::tanh(node.value() * 0.5) + {self.number(scope, 1)}; {v.name}.insert(std::move(node)); }}")
        if kind == "map":
            forms += [f"for (auto& [x, y] : {v.name}) y *= std::sin(x);", f"{v.name}.begin()->second += {self.number(scope)};"]
        return [Line(self.pick(*forms))]

    def make_ordered_loop(self, scope):
        found = self.owners(scope, *("ordered " + k for k in ("set", "multiset", "map", "set of pairs")))
        if not found or not self.may_loop(scope):
            return None
        v = self.pick(*found)
        kind = v.type.kind.removeprefix("ordered ")
        self.cover(f"loop over a std::{kind} of reals")
        if self.chance(0.3):
            at = self.pick("begin", "rbegin")
            part = {"map": f"->first * {v.name}.{at}()->second", "set of pairs": "->first"}.get(kind)
            return self.result(scope, f"{v.name}.{at}(){part}" if part else f"*{v.name}.{at}()")
        if kind == "map":
            k, e = self.fresh("k"), self.fresh("e")
            inner = self.loop_scope(scope, 4, Variable(e, "double"))
            inner.variables.append(Variable(k, "double", False))
            head = f"for (auto& [{k}, {e}] : {v.name}) {{"
        elif kind == "set of pairs":
            k, e = self.fresh("k"), self.fresh("e")
            inner = self.loop_scope(scope, 4, Variable(e, "int", False))
            inner.variables.append(Variable(k, "double", False))
            head = f"for (const auto& [{k}, {e}] : {v.name}) {{"
        else:
            e = self.fresh("e")
            inner = self.loop_scope(scope, 4, Variable(e, "double", False))
            head = f"for (const double& {e} : {v.name}) {{"
        inner.locked.add(v.name)
        return [Compound([[head, self.block(inner, self.random.randint(1, 3))]])]

    def make_queue(self, scope):
        if not self.may_loop(scope):
            return None
        o = self.fresh("o")
        kind = self.pick("priority_queue", "stack", "queue")
        self.cover(f"std::{kind} of reals")
        top = "front" if kind == "queue" else "top"
        nodes = [Line(f"std::{kind}<double> {o};", True)] + [Line(f"{o}.push({self.number(scope)});", k == 0) for k in range(3)]
        nodes += self.result(scope, self.number(scope, 1))
        q = nodes[-1].text.split()[1]
        body = [Line(f"{q} = std::tanh({q} * {o}.{top}() + {self.number(scope, 1)});"), Line(f"{o}.pop();", True)]
        if self.chance(0.4):
            body.append(Line(f"if ({o}.size() == 2) {{ {o}.push({q} * {self.leaf(scope, 'double')}); {o}.pop(); {o}.pop(); }}"))
        return nodes + [Compound([[f"while (!{o}.empty()) {{", body]])]

    # Value arrays, any, polymorphic allocators ------------------------------------------------------

    def make_valarray(self, scope):
        if not self.few(scope):
            return None
        name = self.fresh("o")
        self.cover("std::valarray")
        nodes = [Line(f"std::valarray<double> {name}{{{self.numbers(scope, 4, 4)}}};", True)]
        scope.variables.append(Variable(name, Owner("valarray"), captured=False))
        self.real_at(scope, f"{name}[{self.index(scope, 4)}]", f"{name}[0]")
        return nodes

    def make_valarray_change(self, scope):
        found = self.owners(scope, "valarray")
        if not found or not self.few(scope):
            return None
        o, other = self.pick(*found).name, self.pick(*found).name
        self.cover("std::valarray used")
        forms = [f"{o} = {o} * {other};", f"{o} -= {other};", f"{o} *= {self.leaf(scope, 'double')};", f"{o} += {other}.cshift(1);",
                 f"{o}[std::slice(0, 2, 2)] = std::valarray<double>({o}[std::slice(1, 2, 1)]);", f"{o} = {o}.apply([](double x) {{ return std::tanh(x); }});",
                 f"{o}[{o} > 0.25] = double({self.number(scope)});"]
        if self.chance(0.4):
            return self.result(scope, self.pick(f"{o}.sum()", f"({o} * {other}).sum()", f"std::tanh({o}.max() * {other}.min())"))
        return [Line(self.pick(*forms))]

    def make_anything(self, scope):
        if not self.few(scope):
            return None
        o = self.fresh("o")
        self.cover("std::any")
        nodes = [Line(f"std::any {o} = {self.number(scope)};", True)]
        if self.chance(0.6):
            nodes.append(Line(f"if ({self.condition(scope)}) {o} = std::vector<double>{{{self.numbers(scope)}}};"))
        if self.chance(0.5):
            nodes.append(Line(f"if (double* held = std::any_cast<double>(&{o})) *held *= {self.leaf(scope, 'double')};"))
        return nodes + self.result(scope, f"{o}.type() == typeid(double) ? std::any_cast<double>({o}) : {o}.type() == typeid(std::vector<double>) ? "
                                          f"std::any_cast<std::vector<double>&>({o}).back() : {self.literal('double')}")

    def make_pool_vector(self, scope):
        if not self.few(scope):
            return None
        o, b = self.fresh("o"), self.fresh("b")
        self.cover("std::pmr::vector")
        kind = self.pick("monotonic_buffer_resource", "unsynchronized_pool_resource")
        given = f"({b}x, sizeof {b}x)" if kind.startswith("mono") else ""
        nodes = [Line(f"alignas(16) std::byte {b}x[512];", True)] if given else []
        nodes += [Line(f"std::pmr::{kind} {b}p{given};", True), Line(f"std::pmr::vector<double> {o}({{{self.numbers(scope)}}}, &{b}p);", True)]
        nodes += [Line(f"{o}.push_back({self.number(scope)});") for _ in range(self.random.randint(0, 3))]
        self.real_at(scope, f"{o}[0]", f"{o}.back()")
        return nodes

    # Exceptions ------------------------------------------------------------------------------------

    def make_carried(self, scope):
        if scope.depth <= 0 or not self.few(scope):
            return None
        inner = scope.inner(depth=scope.depth - 1)
        x = self.fresh("x")
        form = self.pick("struct", "struct", "double", "rethrown", "pointer")
        self.cover(f"exception with reals: {form}")
        thrown = f"throw {self.number(inner)};" if form == "double" else f"throw Carried{{{self.number(inner)}, {self.index(inner, 3)}, {{{self.number(inner)}, 0.5}}}};"
        body = self.block(inner, self.random.randint(1, 2)) + [Line(f"if ({self.condition(inner)}) {thrown}")] + self.block(inner, 1)
        if self.chance(0.4):
            body.append(Line(thrown))
        handled = scope.inner(depth=scope.depth - 1)
        self.real_at(handled, *([x] if form == "double" else [f"{x}.value", f"{x}.more[0]"]))
        head = f"}} catch ({'double' if form == 'double' else 'Carried'}{self.pick('', '&')} {x}) {{"
        handler = self.block(handled, self.random.randint(1, 2))
        nodes = [Compound([["try {", body], [head, handler]])]
        if form == "rethrown":
            y = self.fresh("x")
            again = scope.inner(depth=max(0, scope.depth - 1))
            again.variables.append(Variable(f"{y}.value", "double", False, captured=False))
            handler.append(Line(f"if ({self.condition(handled)}) {{ {x}.value *= 0.5; throw; }}"))
            nodes[0].parts[1][0] = f"}} catch (Carried& {x}) {{"
            nodes = [Compound([["try {", nodes], [f"}} catch (const Carried& {y}) {{", self.block(again, 1)
                                                   + [Line(f"const double {self.fresh('q')} = {y}.value * {y}.more[1];")]]])]
        return nodes

    def make_scaled(self, scope):
        found = self.rooted_place(scope, "double", writable=True)
        if not found or scope.depth <= 0:
            return None
        place, root = found
        self.cover("destructor with an effect")
        inner = scope.inner(depth=scope.depth - 1)
        inner.locked |= {root.name, place}
        return [Compound([["{", [Line(f"const Scaled {self.fresh('o')}{{{place}, {self.number(scope, 1)}}};")] + self.block(inner, self.random.randint(1, 2))]])]

    # Virtual functions -------------------------------------------------------------------------------

    def make_shapes(self, scope):
        if not self.few(scope):
            return None
        o = self.fresh("o")
        self.cover("objects by their base")
        nodes = [Line(f"std::vector<std::unique_ptr<Shape>> {o};", True), Line(f"{o}.push_back(std::make_unique<Round>({self.number(scope)}));", True)]
        nodes += [Line(self.pick(f"{o}.emplace_back(new Long);", f"{o}.push_back(std::make_unique<Round>({self.number(scope)}));")) for _ in range(2)]
        scope.variables.append(Variable(o, Owner("shapes"), captured=False))
        return nodes

    def make_shape_loop(self, scope):
        o = self.owner(scope, "shapes")
        if not o or not self.few(scope):
            return None
        q, e = self.fresh("q"), self.fresh("e")
        self.cover("virtual calls")
        start = self.number(scope, 1)
        body = [Line(f"{q} = std::tanh({q} + {e}->area({self.number(scope, 1)}));"), Line(f"{e}->grow({q});")]
        if self.chance(0.4):
            body.append(Line(f"if (auto* one = dynamic_cast<Long*>({e}.get())) one->c[0] += {q};"))
        scope.variables.append(Variable(q, "double"))
        return [Line(f"double {q} = {start};", True), Compound([[f"for (const auto& {e} : {o}) {{", body]])]

    # Callables ---------------------------------------------------------------------------------------

    def make_recursive(self, scope):
        if not self.few(scope):
            return None
        f, n, z = self.fresh("f"), self.fresh("n"), self.fresh("z")
        self.cover("recursive function value")
        inner = scope.inner(variables=scope.variables + [Variable(z, "double"), Variable(n, "int", False)], depth=1, result="double", loop=False, switch=False, trips=8)
        inner.functions = [g for g in scope.functions if g.pure]
        body = [Line(f"if ({n} <= 0) return {z};", True)] + self.block(inner, self.random.randint(0, 2))
        body.append(Line(f"return std::tanh({f}({n} - {self.pick('1', '2')}, {self.expression(inner, 'double', 2)}) {self.pick('+', '*')} {z});", True))
        return [Line(f"std::function<double(int, double)> {f};", True), Compound([[f"{f} = [&](int {n}, double {z}) -> double {{", body]], "};", True),
                *self.result(scope, f"{f}({self.random.randint(1, 4)}, {self.number(scope)})")]

    def make_bound(self, scope):
        if not self.few(scope):
            return None
        f = self.fresh("f")
        self.cover("std::bind")
        inner = Scope([Variable("x", "double", False), Variable("y", "double", False)], (), [], 1, "double")
        given = self.pick(f"std::placeholders::_1, {self.number(scope)}", f"{self.number(scope)}, std::placeholders::_1")
        named = self.rooted_place(scope, "double", writable=True)
        if named and self.chance(0.4):
            scope.locked |= {named[1].name, named[0]}
            given = f"std::placeholders::_1, std::ref({named[0]})"
        return [Line(f"const auto {f} = std::bind([](double x, double y) {{ return std::tanh({self.expression(inner, 'double', 2)} + x * y); }}, {given});", True),
                *self.result(scope, f"{f}({self.number(scope)}) + {f}({self.leaf(scope, 'double')} * 0.5)")]

    def make_table(self, scope):
        if not self.few(scope):
            return None
        f = self.fresh("f")
        self.cover("table of functions")
        texts = []
        for _ in range(3):
            inner = Scope([Variable("x", "double", False)], (), [], 1, "double")
            texts.append(self.pick(f"+[](double x) -> double {{ return {self.expression(inner, 'double', 2)} + 0.5 * x; }}", "+[](double x) -> double { return x * x; }"))
        return [Line(f"double (*const {f}[3])(double) = {{{', '.join(texts)}}};", True),
                *self.result(scope, f"{f}[{self.index(scope, 3)}]({f}[{self.index(scope, 3)}]({self.number(scope)}))")]

    def make_pack(self, scope):
        if not self.few(scope):
            return None
        self.cover("variadic templates")
        numbers = ", ".join(self.number(scope, 1) for _ in range(self.random.randint(1, 4)))
        return self.result(scope, f"{self.pick('sum_of_squares', 'folded')}({numbers})")

    # Threads -----------------------------------------------------------------------------------------

    def parallel_body(self, scope, q):
        """What a thread does: writes only `q`."""
        inner = scope.inner(functions=[f for f in scope.functions if f.pure])
        i = self.fresh("i")
        return [Line(f"{q} = {self.number(inner)};", True),
                Compound([[f"for (int {i} = 0; {i} < 3; ++{i}) {{", [Line(f"{q} = std::tanh({q} * {self.number(inner)} + {i});")]]])]

    def make_threads(self, scope):
        if scope.trips > 4:
            return None
        self.cover("std::thread")
        names = [(self.fresh("q"), self.fresh("t")) for _ in range(self.random.randint(1, 3))]
        nodes, made = [], []
        for q, t in names:
            nodes.append(Line(f"double {q} = 0;", True))
            made.append(Compound([[f"std::thread {t}([&] {{", self.parallel_body(scope, q)]], "});", True))
        nodes += made + [Line(f"{t}.join();", True) for _, t in names]
        for q, _ in names:
            scope.variables.append(Variable(q, "double"))
        return nodes

    def make_task(self, scope):
        if scope.trips > 4:
            return None
        self.cover("std::async")
        t = self.fresh("t")
        inner = scope.inner(functions=[f for f in scope.functions if f.pure])
        return [Line(f"auto {t} = std::async(std::launch::async, [&]() -> double {{ return {self.number(inner, 3)}; }});", True), *self.result(scope, f"{t}.get()")]

    def make_team(self, scope):
        if scope.trips > 4 or scope.depth <= 0:
            return None
        self.cover("OpenMP")
        o, i, q = self.fresh("o"), self.fresh("i"), self.fresh("q")
        inner = scope.inner(variables=scope.variables + [Variable(i, "int", False)], functions=[f for f in scope.functions if f.pure])
        nodes = [Line(f"std::vector<double> {o}(6);", True), Line(f"double {q} = {self.number(scope, 1)};", True), Line(f"#pragma omp parallel for reduction(+ : {q}) num_threads(2)", True),
                 Compound([[f"for (int {i} = 0; {i} < 6; ++{i}) {{", [Line(f"{o}[{i}] = std::tanh({self.number(inner)});"), Line(f"{q} += {o}[{i}] * {self.number(inner, 1)};")]]], "}", True)]
        scope.variables.append(Variable(q, "double"))
        self.real_at(scope, f"{o}[{self.index(scope, 6)}]")
        return nodes
