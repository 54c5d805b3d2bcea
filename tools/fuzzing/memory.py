"""Programs with what lies behind pointers, and what may or may not be there: nodes, lists, optional, variant, deque, try blocks."""
import re

from generate import Generator
from kinds import Owner, Scope, Variable
from tree import Compound, Line

NODE = ("struct Node {", ["double a = 0;", "double b = 0;", "double c[2] = {};", "Node* other = nullptr;", "std::unique_ptr<Node> next;"])
KEEPER = ("struct Keeper {", ["double& r;", "double k;", "void add(double z) { r += k * z; k *= 0.9; }",
                              "double get() const { return r * k; }"])
CHECKED = ("double checked(double z) {", ["if (z > 1) throw std::range_error(\"above\");", "return z * z;"])


class Memory(Generator):
    """Each program has some of the families."""

    FAMILIES = {
        "nodes": [(5, "node"), (5, "list"), (6, "walk"), (2, "push"), (2, "pop"), (2, "exchange"), (2, "hand_over"), (2, "turn"),
                  (4, "wanderer"), (3, "reseat"), (2, "link_across"), (3, "across"), (3, "node_call")],
        "owners": [(4, "owned"), (3, "owned_again"), (4, "nodes"), (4, "nodes_loop"), (3, "nodes_change")],
        "shared": [(5, "shared"), (4, "shared_again"), (2, "weak")],
        "choices": [(5, "optional"), (5, "optional_change"), (5, "optional_use"), (4, "variant"), (5, "variant_change"), (4, "variant_use")],
        "deques": [(4, "deque"), (8, "deque_change"), (4, "deque_loop")],
        "throws": [(10, "try")],
        "keepers": [(8, "keeper")],
    }

    def make(self):
        for head, lines in (NODE, KEEPER):
            self.program.definitions.append(Compound([[head, [Line(t, True) for t in lines]]], "};", True))
        self.program.definitions.append(Compound([[CHECKED[0], [Line(t, True) for t in CHECKED[1]]]], "}", True))
        chosen = self.chosen_families()
        self.STATEMENTS = Generator.STATEMENTS + [row for family in chosen for row in self.FAMILIES[family]] * 2
        self.node_functions = []
        self.prelude(chosen)
        if {"nodes", "owners", "shared"} & set(chosen):
            for _ in range(self.random.randint(0, 2)):
                self.define_node_function()
        return super().make()

    def chosen_families(self):
        return self.random.sample(sorted(self.FAMILIES), self.random.randint(1, 3))

    def prelude(self, chosen):
        """Adds the definitions of the families `chosen`."""

    def define_node_function(self):
        name, n, z = self.fresh("h"), self.fresh("u"), self.fresh("z")
        recursive = self.chance(0.4)
        access = "->" if recursive else "."
        scope = Scope([Variable(z, "double"), Variable(f"{n}{access}a", "double", captured=False),
                       Variable(f"{n}{access}b", "double", captured=False)], (), [], 2, "double")
        nodes = [Line(f"if (!{n}) return {z};", True)] if recursive else []
        nodes += self.block(scope, self.random.randint(1, 3))
        text = self.expression(scope, "double", 2)
        if recursive:
            text = f"std::tanh({text}) + {name}({n}->next.get(), 0.5 * {self.leaf(scope, 'double')})"
        self.cover("function of a node")
        parameter = f"Node* {n}" if recursive else f"Node& {n}"
        self.program.definitions.append(Compound([[f"double {name}({parameter}, double {z}) {{", nodes + [Line(f"return {text};", True)]]]))
        self.node_functions.append((name, recursive))

    # Names ---------------------------------------------------------------------------------------

    def owners(self, scope, *kinds, free=False):
        found = [v for v in scope.variables if isinstance(v.type, Owner) and v.type.kind in kinds]
        return [v for v in found if not (free and self.is_locked(scope, v.name))]

    def is_locked(self, scope, name):
        return any(name in re.findall(r"\w+", text) for text in scope.locked)

    def owner(self, scope, *kinds, free=False):
        found = self.owners(scope, *kinds, free=free)
        return self.pick(*found).name if found else None

    def real_at(self, scope, *names):
        for name in names:
            scope.variables.append(Variable(name, "double", captured=False))

    def parts(self, node):
        return [f"{node}->a", f"{node}->b", f"{node}->c[{self.random.randrange(2)}]"]

    def set_parts(self, scope, node):
        return [Line(f"{part} = {self.squashed(scope, 'double')};") for part in self.parts(node) if self.chance(0.7)]

    def number(self, scope, depth=2):
        return f"double({self.expression(scope, 'double', depth)})"

    # Nodes ---------------------------------------------------------------------------------------

    def make_node(self, scope):
        name = self.fresh("m")
        self.cover("node")
        nodes = [Line(f"auto {name} = std::make_unique<Node>();")] + self.set_parts(scope, name)
        scope.variables.append(Variable(name, Owner("list"), captured=False))
        self.real_at(scope, *self.parts(name))
        return nodes

    def make_list(self, scope):
        if not self.few(scope):
            return None
        name, i, one = self.fresh("m"), self.fresh("i"), self.fresh("m")
        self.cover("list")
        inner = scope.inner(variables=scope.variables + [Variable(i, "int", False)], trips=scope.trips * 3)
        body = [Line(f"auto {one} = std::make_unique<Node>();", True)] + self.set_parts(inner, one)
        body += [Line(f"{one}->next = std::move({name});", True), Line(f"{name} = std::move({one});", True)]
        scope.variables.append(Variable(name, Owner("list"), captured=False))
        self.real_at(scope, *self.parts(name))
        return [Line(f"std::unique_ptr<Node> {name};"),
                Compound([[f"for (int {i} = 0; {i} < {self.random.randint(1, 4)}; ++{i}) {{", body]], "}", True)]

    def make_walk(self, scope):
        name = self.owner(scope, "list")
        if not name or not self.may_loop(scope):
            return None
        p = self.fresh("p")
        inner = self.loop_scope(scope, 3)
        inner.locked.add(name)
        self.real_at(inner, *self.parts(p))
        form = self.pick("for", "for", "const", "while")
        self.cover(f"walk {form}")
        if form == "const":
            for v in inner.variables[-3:]:
                v.writable = False
        body = self.block(inner, self.random.randint(1, 3))
        type_ = "const Node*" if form == "const" else "Node*"
        if form == "while":
            if "continue;" in "\n".join(Compound([["{", body]]).print(0)):
                return None
            return [Line(f"Node* {p} = {name}.get();"),
                    Compound([[f"while ({p}) {{", body + [Line(f"{p} = {p}->next.get();", True)]]])]
        return [Compound([[f"for ({type_} {p} = {name}.get(); {p}; {p} = {p}->next.get()) {{", body]])]

    def make_push(self, scope):
        name = self.owner(scope, "list", free=True)
        if not name or not self.few(scope):
            return None
        one = self.fresh("m")
        self.cover("push in front")
        return [Compound([["{", [Line(f"auto {one} = std::make_unique<Node>();", True)] + self.set_parts(scope, one)
                           + [Line(f"{one}->next = std::move({name});", True), Line(f"{name} = std::move({one});", True)]]])]

    def make_pop(self, scope):
        name = self.owner(scope, "list", free=True)
        if not name:
            return None
        self.cover("erase from a list")
        return [self.pick(Line(f"if ({name}->next) {name} = std::move({name}->next);"), Line(f"{name}->next.reset();"),
                          Line(f"if ({name}->next) {name}->next = std::move({name}->next->next);"))]

    def make_exchange(self, scope):
        found = self.owners(scope, "list", free=True)
        if len(found) < 2:
            return None
        a, b = (v.name for v in self.random.sample(found, 2))
        self.cover("links exchanged")
        return [Line(self.pick(f"std::swap({a}, {b});", f"{a}.swap({b});", f"std::swap({a}->next, {b}->next);",
                               f"std::swap({a}->a, {b}->b);"))]

    def make_hand_over(self, scope):
        found = self.owners(scope, "list", free=True)
        if len(found) < 2:
            return None
        a, b = (v.name for v in self.random.sample(found, 2))
        self.cover("node handed over")
        return [Compound([["{", [Line(f"{a} = std::move({b});", True), Line(f"{b} = std::make_unique<Node>();", True)]
                           + self.set_parts(scope, b)]])]

    def make_turn(self, scope):
        name = self.owner(scope, "list", free=True)
        if not name or not self.few(scope):
            return None
        done, rest = self.fresh("m"), self.fresh("m")
        self.cover("list turned around")
        return [Compound([["{", [Line(f"std::unique_ptr<Node> {done};", True), Compound([[f"while ({name}) {{", [
            Line(f"auto {rest} = std::move({name}->next);", True), Line(f"{name}->next = std::move({done});", True),
            Line(f"{done} = std::move({name});", True), Line(f"{name} = std::move({rest});", True)]]], "}", True),
            Line(f"{name} = std::move({done});", True)]]])]

    def make_wanderer(self, scope):
        found = self.owners(scope, "list")
        if not found:
            return None
        a, b = self.pick(*found).name, self.pick(*found).name
        w = self.fresh("w")
        self.cover("pointer by choice")
        scope.locked |= {a, b}
        parts = self.parts(w)
        nodes = [Line(f"Node* {w} = {self.condition(scope)} ? {a}.get() : {b}.get();")]
        scope.variables.append(Variable(w, Owner(f"wanderer {a} {b}"), captured=False))
        self.real_at(scope, *parts)
        return nodes

    def make_reseat(self, scope):
        found = [v for v in scope.variables if isinstance(v.type, Owner) and v.type.kind.startswith("wanderer")]
        found = [v for v in found if not self.is_locked(scope, v.name)]
        if not found:
            return None
        w = self.pick(*found)
        self.cover("pointer reassigned")
        onto = self.pick(*w.type.kind.split()[1:])
        move = self.pick(f"if ({w.name}->next) {w.name} = {w.name}->next.get();", f"{w.name} = {onto}.get();",
                         f"if ({self.condition(scope)}) {w.name} = {onto}.get();")
        return [Line(move)]

    def make_link_across(self, scope):
        found = self.owners(scope, "list")
        if len(found) < 2 or scope.depth < 3 or scope.loop:
            return None
        a, b = (v.name for v in self.random.sample(found, 2))
        scope.locked |= {a, b}
        self.cover("links back and forth")
        return [Line(f"{a}->other = {b}.get();"), Line(f"{b}->other = {self.pick(a, b)}.get();")]

    def make_across(self, scope):
        found = [v.name for v in self.owners(scope, "list") if self.is_locked(scope, v.name)]
        if not found or scope.depth < 2:
            return None
        name = self.pick(*found)
        self.cover("number behind two links")
        return [Line(f"if ({name}->other) {name}->other->{self.pick('a', 'b')} {self.pick('=', '+=', '-=')} {self.squashed(scope, 'double')};")]

    def make_node_call(self, scope):
        found = self.owners(scope, "list", "shared")
        if not found or not self.node_functions or not self.few(scope):
            return None
        name, recursive = self.pick(*self.node_functions)
        node = self.pick(*found).name
        self.cover("call with a node")
        return self.result(scope, f"{name}({f'{node}.get()' if recursive else f'*{node}'}, {self.number(scope)})")

    # Owners --------------------------------------------------------------------------------------

    def make_owned(self, scope):
        name = self.fresh("m")
        self.cover("number of its own")
        nodes = [Line(f"auto {name} = std::make_unique<double>({self.number(scope)});")]
        scope.variables.append(Variable(name, Owner("owned"), captured=False))
        self.real_at(scope, f"(*{name})")
        return nodes

    def make_owned_again(self, scope):
        name = self.owner(scope, "owned", free=True)
        if not name:
            return None
        self.cover("owner given another")
        text = self.number(scope)
        return [Line(self.pick(f"{name} = std::make_unique<double>({text});", f"{name}.reset(new double({text}));"))]

    def make_nodes(self, scope):
        if not self.few(scope):
            return None
        name, i = self.fresh("m"), self.fresh("i")
        self.cover("vector of owners")
        inner = scope.inner(variables=scope.variables + [Variable(i, "int", False)], trips=scope.trips * 3)
        body = [Line(f"{name}.push_back(std::make_unique<Node>());", True)] + self.set_parts(inner, f"{name}.back()")
        scope.variables.append(Variable(name, Owner("nodes"), captured=False))
        self.real_at(scope, f"{name}[0]->a", f"{name}.back()->b")
        return [Line(f"std::vector<std::unique_ptr<Node>> {name};"),
                Compound([[f"for (int {i} = 0; {i} < {self.random.randint(1, 4)}; ++{i}) {{", body]], "}", True)]

    def make_nodes_loop(self, scope):
        name = self.owner(scope, "nodes")
        if not name or not self.may_loop(scope):
            return None
        e = self.fresh("e")
        inner = self.loop_scope(scope, 3)
        inner.locked.add(name)
        self.real_at(inner, *self.parts(e))
        self.cover("range-for over owners")
        return [Compound([[f"for ({self.pick('auto&', 'const auto&')} {e} : {name}) {{", self.block(inner, self.random.randint(1, 3))]])]

    def make_nodes_change(self, scope):
        name = self.owner(scope, "nodes", free=True)
        if not name or not self.few(scope):
            return None
        self.cover("owners rearranged")
        at = f"static_cast<int>({name}.size())"
        return [Line(self.pick(
            f"if ({name}.size() > 1) {name}.erase({name}.begin() + {self.index(scope, at)});", f"if ({name}.size() > 1) {name}.pop_back();",
            f"std::reverse({name}.begin(), {name}.end());", f"std::swap({name}.front(), {name}.back());",
            f"if ({name}.size() < 9) {name}.push_back(std::make_unique<Node>());",
            f"std::rotate({name}.begin(), {name}.end() - 1, {name}.end());",
            f"std::swap({name}.front()->a, {name}.back()->b);"))]

    # Shared --------------------------------------------------------------------------------------

    def make_shared(self, scope):
        name = self.fresh("m")
        found = self.owners(scope, "shared")
        text = "std::make_shared<Node>()"
        if found and self.chance(0.6):
            self.cover("shared by choice")
            text = f"{self.condition(scope)} ? {self.pick(*found).name} : {self.pick(*found).name}" if self.chance(0.5) else self.pick(*found).name
        nodes = [Line(f"std::shared_ptr<Node> {name} = {text};")] + self.set_parts(scope, name)
        self.cover("shared node")
        scope.variables.append(Variable(name, Owner("shared"), captured=False))
        self.real_at(scope, *self.parts(name))
        return nodes

    def make_shared_again(self, scope):
        found = self.owners(scope, "shared", free=True)
        if len(found) < 2:
            return None
        a, b = (v.name for v in self.random.sample(found, 2))
        self.cover("shared reassigned")
        return [Line(self.pick(f"{a} = {b};", f"std::swap({a}, {b});", f"if ({self.condition(scope)}) {a} = {b};",
                               f"{a} = std::make_shared<Node>();"))]

    def make_weak(self, scope):
        name = self.owner(scope, "shared")
        if not name:
            return None
        w, p = self.fresh("w"), self.fresh("p")
        self.cover("weak")
        return [Line(f"const std::weak_ptr<Node> {w} = {name};"),
                Line(f"if (const auto {p} = {w}.lock()) {p}->{self.pick('a', 'b')} {self.pick('=', '+=')} {self.squashed(scope, 'double')};")]

    # Choices -------------------------------------------------------------------------------------

    def make_optional(self, scope):
        name = self.fresh("k")
        self.cover("optional")
        text = self.pick("", f" = {self.number(scope)}")
        nodes = [Line(f"std::optional<double> {name}{text};")]
        scope.variables.append(Variable(name, Owner("optional"), captured=False))
        return nodes

    def make_optional_change(self, scope):
        found = self.owners(scope, "optional", free=True)
        if not found:
            return None
        name, other = self.pick(*found).name, self.pick(*found).name
        self.cover("optional changed")
        return [Line(self.pick(f"{name} = {self.number(scope)};", f"if ({self.condition(scope)}) {name} = {self.number(scope)};",
                               f"{name}.reset();", f"{name} = std::nullopt;", f"{name} = {other};",
                               f"{name}.emplace({self.number(scope)});", f"std::swap({name}, {other});"))]

    def make_optional_use(self, scope):
        name = self.owner(scope, "optional")
        if not name:
            return None
        self.cover("optional used")
        if scope.depth > 0 and self.chance(0.5):
            inner = scope.inner(depth=scope.depth - 1)
            inner.locked.add(name)
            self.real_at(inner, f"(*{name})")
            parts = [[f"if ({name}) {{", self.block(inner, self.random.randint(1, 2))]]
            if self.chance(0.4):
                parts.append(["} else {", self.block(scope.inner(depth=scope.depth - 1), 1)])
            return [Compound(parts)]
        other = self.leaf(scope, "double")
        return self.result(scope, self.pick(f"{name}.value_or({self.number(scope, 1)})", f"{name} ? *{name} * {other} : {other} + 0.0",
                                            f"{name}.has_value() ? {name}.value() * 0.5 : {other} * 1.0"))

    def make_variant(self, scope):
        name = self.fresh("k")
        self.cover("variant")
        text = self.pick(self.number(scope), "3", f"std::pair<double, double>({self.number(scope)}, {self.number(scope, 1)})")
        nodes = [Line(f"std::variant<double, int, std::pair<double, double>> {name} = {text};")]
        scope.variables.append(Variable(name, Owner("variant"), captured=False))
        return nodes

    def make_variant_change(self, scope):
        found = self.owners(scope, "variant", free=True)
        if not found:
            return None
        name, other = self.pick(*found).name, self.pick(*found).name
        self.cover("variant changed")
        text = self.pick(self.number(scope), "2", f"std::pair<double, double>({self.number(scope)}, {self.number(scope, 1)})")
        return [Line(self.pick(f"{name} = {text};", f"if ({self.condition(scope)}) {name} = {text};", f"{name} = {other};"))]

    def make_variant_use(self, scope):
        name = self.owner(scope, "variant")
        if not name or scope.depth <= 0:
            return None
        self.cover("variant used")
        form = self.pick("get_if", "holds", "index", "visit")
        other = self.leaf(scope, "double")
        if form == "visit":
            z = self.fresh("z")
            return self.result(scope, f"std::visit([&](const auto& {z}) -> double {{ if constexpr (requires {{ {z}.first; }}) "
                                      f"return {z}.first * {z}.second; else return {z} * {other}; }}, {name})")
        if form == "index":
            return self.result(scope, f"{name}.index() == 0 ? std::get<0>({name}) * {other} : {other} + 0.0")
        inner = scope.inner(depth=scope.depth - 1)
        inner.locked.add(name)
        if form == "get_if":
            p = self.fresh("p")
            self.real_at(inner, f"(*{p})")
            return [Compound([[f"if (auto* {p} = std::get_if<double>(&{name})) {{", self.block(inner, self.random.randint(1, 2))]])]
        self.real_at(inner, f"std::get<2>({name}).first", f"std::get<2>({name}).second")
        return [Compound([[f"if (std::holds_alternative<std::pair<double, double>>({name})) {{", self.block(inner, self.random.randint(1, 2))]])]

    # Deques --------------------------------------------------------------------------------------

    def make_deque(self, scope):
        name = self.fresh("o")
        self.cover("deque")
        text = ", ".join(self.number(scope, 1) for _ in range(self.random.randint(1, 3)))
        nodes = [Line(f"std::deque<double> {name}{{{text}}};")]
        scope.variables.append(Variable(name, Owner("deque"), captured=False))
        self.real_at(scope, f"{name}.front()", f"{name}.back()", f"{name}[{name}.size() / 2]")
        return nodes

    def make_deque_change(self, scope):
        name = self.owner(scope, "deque", free=True)
        if not name or not self.few(scope):
            return None
        self.cover("deque changed")
        text = self.number(scope)
        return [Line(self.pick(f"if ({name}.size() < 9) {name}.push_back({text});", f"if ({name}.size() < 9) {name}.push_front({text});",
                               f"if ({name}.size() > 1) {name}.pop_front();", f"if ({name}.size() > 1) {name}.pop_back();",
                               f"if ({name}.size() > 2) {name}.pop_front();", f"{name}.at(0) += {text};"))]

    def make_deque_loop(self, scope):
        name = self.owner(scope, "deque")
        if not name or not self.may_loop(scope):
            return None
        e = self.fresh("e")
        self.cover("loop over a deque")
        inner = self.loop_scope(scope, 3, Variable(e, "double"))
        inner.locked.add(name)
        return [Compound([[f"for (double{self.pick('&', '&', '')} {e} : {name}) {{", self.block(inner, self.random.randint(1, 3))]])]

    # Exceptions, objects that keep references --------------------------------------------------------

    def make_try(self, scope):
        if scope.depth <= 0 or not self.few(scope):
            return None
        inner = scope.inner(depth=scope.depth - 1)
        # What a call has changed when it throws is not known.
        inner.functions = [f for f in scope.functions if f.pure and not f.prefix and all(how == "value" for _, how in f.parameters)]
        self.cover("try")
        body = self.block(inner, self.random.randint(1, 2))
        for _ in range(self.random.randint(1, 2)):
            body += self.pick(lambda: [Line(f"if ({self.condition(inner)}) throw std::range_error(\"here\");")],
                              lambda: self.result(inner, f"checked({self.number(inner)})"))()
            body += self.block(inner, self.random.randint(0, 2))
        caught = self.pick("...", "const std::exception&", "const std::range_error&")
        handler = self.block(scope.inner(depth=scope.depth - 1), self.random.randint(1, 2))
        return [Compound([["try {", body], [f"}} catch ({caught}) {{", handler]])]

    def make_keeper(self, scope):
        found = self.rooted_place(scope, "double", writable=True)
        if not found or scope.depth <= 0:
            return None
        place, root = found
        name = self.fresh("o")
        scope.locked |= {root.name, place}
        self.cover("object that keeps a reference")
        nodes = [Line(f"Keeper {name}{{{place}, {self.number(scope)}}};")]
        self.real_at(scope, f"{name}.k", f"{name}.r")
        nodes.append(Line(f"{name}.add({self.leaf(scope, 'double')});"))
        if self.chance(0.5):
            nodes += self.result(scope, f"{name}.get() * {self.leaf(scope, 'double')}")
        return nodes
