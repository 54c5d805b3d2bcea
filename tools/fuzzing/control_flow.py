"""Statements with statements inside, and jumps."""

from kinds import Array, Variable, Vector, holds_vector
from statements import Statements
from tree import Compound, Line


class ControlFlow(Statements):
    def make_if(self, scope):
        if scope.depth <= 0:
            return None
        inner = lambda: scope.inner(depth=scope.depth - 1)
        self.cover("if")
        parts = [[f"if ({self.condition(scope)}) {{", self.block(inner(), self.random.randint(1, 3))]]
        if self.chance(0.3):
            self.cover("else if")
            parts.append([f"}} else if ({self.condition(scope)}) {{", self.block(inner(), self.random.randint(1, 2))])
        if self.chance(0.5):
            parts.append(["} else {", self.block(inner(), self.random.randint(1, 2))])
        return [Compound(parts)]

    make_if_ = make_if

    def loop_scope(self, scope, trips, variable=None):
        inner = scope.inner(depth=scope.depth - 1, loop=True, switch=False, trips=scope.trips * trips)
        if variable:
            inner.variables.append(variable)
        return inner

    def loop_body(self, scope, trips, variable=None):
        return self.block(self.loop_scope(scope, trips, variable), self.random.randint(1, 4))

    def may_loop(self, scope):
        return scope.depth > 0 and scope.trips <= 24

    def make_for(self, scope):
        if not self.may_loop(scope):
            return None
        i = self.fresh("i")
        n = self.random.randint(0, 4)
        bound = str(n)
        form = self.pick("up", "up", "up", "down", "two", "stepping", "unsigned", "unequal", "variable")
        self.cover(f"for {form}")
        v = Variable(i, "int", False)
        if form == "variable":
            ints = self.integers(scope)
            if not ints:
                return None
            head = f"for (int {i} = 0; {i} < {self.pick(*ints)} % 5; ++{i}) {{"
        elif form == "up":
            head = f"for (int {i} = {self.random.randint(0, 1)}; {i} < {bound}; {self.pick(f'++{i}', f'{i}++')}) {{"
        elif form == "down":
            head = f"for (int {i} = {bound}; {i} > 0; --{i}) {{"
        elif form == "two":
            head = f"for (int {i} = 0; {i} <= {bound}; {i} += 2) {{"
        elif form == "unequal":
            head = f"for (int {i} = 0; {i} != {bound}; ++{i}) {{"
        elif form == "unsigned":
            vectors = [w for w in scope.variables if isinstance(w.type, Vector)]
            if not vectors:
                return None
            w = self.pick(*vectors)
            # Bodies may not make it grow: the loop would not end. Its size is small otherwise.
            head = f"for (int {i} = 0; {i} < static_cast<int>({w.name}.size()); ++{i}) {{"
            if self.chance(0.5):
                v.type = "size"
                head = f"for (std::size_t {i} = 0; {i} < {w.name}.size(){self.pick('', f' && {i} < 6')}; ++{i}) {{"
            inner = self.loop_scope(scope, 4, v)
            inner.locked.add(w.name)
            return [Compound([[head, self.block(inner, self.random.randint(1, 3))]])]
        else:
            v.writable = True  # may also be stepped by the body
            head = f"for (int {i} = 0; {i} < {bound}; ++{i}) {{"
            inner = self.loop_scope(scope, max(n, 1), Variable(i, "int", False))
            body = self.block(inner, self.random.randint(1, 3))
            body.insert(self.random.randrange(len(body) + 1), Line(f"if ({self.condition(scope)}) ++{i};"))
            return [Compound([[head, body]])]
        return [Compound([[head, self.loop_body(scope, max(n, 1), v)]])]

    make_for_ = make_for

    def make_while(self, scope):
        if not self.may_loop(scope):
            return None
        i = self.fresh("n")
        n = self.random.randint(1, 4)
        self.cover("while")
        inner = self.loop_scope(scope, n, Variable(i, "int", False))
        condition = self.pick(f"{i} < {n}", f"{i} < {n} && {self.condition(scope, 0)}",
                              f"{i}++ < {n}", f"({self.condition(scope, 0)} || {i} < 1) && {i} < {n}")
        body = self.block(inner, self.random.randint(1, 3))
        if "++" not in condition:
            body.insert(0, Line(f"++{i};", True))
        return [Line(f"int {i} = 0;"), Compound([[f"while ({condition}) {{", body]])]

    make_while_ = make_while

    def make_do(self, scope):
        if not self.may_loop(scope):
            return None
        i = self.fresh("n")
        n = self.random.randint(1, 4)
        self.cover("do")
        inner = self.loop_scope(scope, n, Variable(i, "int", False))
        body = [Line(f"++{i};", True)] + self.block(inner, self.random.randint(1, 3))
        condition = self.pick(f"{i} < {n}", f"{i} < {n} && {self.condition(scope, 0)}")
        return [Line(f"int {i} = 0;"), Compound([["do {", body]], f"}} while ({condition});")]

    make_do_ = make_do

    def make_forever(self, scope):
        if not self.may_loop(scope):
            return None
        i = self.fresh("n")
        n = self.random.randint(1, 4)
        self.cover("for (;;)")
        inner = self.loop_scope(scope, n, Variable(i, "int", False))
        body = [Line(f"if ({i}++ >= {n}) break;", True)] + self.block(inner, self.random.randint(1, 3))
        return [Line(f"int {i} = 0;"), Compound([[self.pick("for (;;) {", "while (true) {"), body]])]

    def make_real_loop(self, scope):
        if not self.may_loop(scope):
            return None
        t = self.fresh("t")
        self.cover("loop over a real")
        step = self.pick("0.3", f"0.3 + 0.1 * std::fabs(std::tanh({self.leaf(scope, 'double')}))")
        start = self.leaf(scope, "double")
        inner = self.loop_scope(scope, 4, Variable(t, "double", False))
        return [Compound([[f"for (double {t} = {self.pick('0', f'0.2 * std::tanh({start})')}; {t} < 1; {t} += {step}) {{",
                           self.block(inner, self.random.randint(1, 3))]])]

    def make_two_indices(self, scope):
        if not self.may_loop(scope):
            return None
        i, j = self.fresh("i"), self.fresh("i")
        n = self.random.randint(1, 5)
        self.cover("loop with two indices")
        inner = self.loop_scope(scope, (n + 1) // 2, Variable(i, "int", False))
        inner.variables.append(Variable(j, "int", False))
        return [Compound([[f"for (int {i} = 0, {j} = {n}; {i} < {j}; ++{i}, --{j}) {{",
                           self.block(inner, self.random.randint(1, 3))]])]

    def make_range_for(self, scope):
        if not self.may_loop(scope):
            return None
        found = [v for v in scope.variables if isinstance(v.type, (Array, Vector))]
        if not found:
            return None
        v = self.pick(*found)
        element = v.type.element
        if isinstance(element, Array) and element.c_style:
            return None
        name = self.fresh("e")
        by = self.pick("value", "reference", "const")
        seen, made = self.adaptors(scope, element) if self.chance(0.3) else ("", False)
        if made or (not v.writable and by == "reference"):
            by = self.pick("value", "const")
        self.cover(f"range-for by {by}")
        inner = self.loop_scope(scope, 3, Variable(name, element, by != "const"))
        inner.locked.add(v.name)
        if holds_vector(element) and by != "value":
            inner.locked.add(name)
        spelled = self.pick(str(element), "auto")
        head = {"value": f"{spelled} {name}", "reference": f"{spelled}& {name}", "const": f"const {spelled}& {name}"}[by]
        return [Compound([[f"for ({head} : {v.name}{seen}) {{", self.block(inner, self.random.randint(1, 3))]])]

    def adaptors(self, scope, element):
        """Adaptors of a range, and whether they make other elements."""
        text, made, filtered = "", False, False
        for _ in range(self.random.randint(1, 3)):
            real = element == "double" and self.few(scope)
            kind = self.pick("reverse", "take", "drop", "transform", "filter")
            if kind in ("take", "drop") and not filtered:
                text += f" | std::views::{kind}({self.random.randint(0, 3)})"
            elif kind == "transform" and real:
                text += f" | std::views::transform({self.function(scope, 1)})"
                made = True
            elif kind == "filter" and real:
                z = self.fresh("z")
                text += f" | std::views::filter([](const double& {z}) {{ return {z} > {self.literal('double')}; }})"
                filtered = True
            else:
                kind = "reverse"
                text += " | std::views::reverse"
            self.cover(f"std::views::{kind}")
        return text, made

    def make_switch(self, scope):
        if scope.depth <= 0:
            return None
        self.cover("switch")
        labels = self.random.sample(range(4), self.random.randint(1, 3))
        parts = []
        on = self.integer(scope)
        inner = lambda: scope.inner(depth=scope.depth - 1, switch=True)
        for n, label in enumerate(labels):
            head = f"case {label}: {{"
            if self.chance(0.2):
                self.cover("several labels")
                head = f"case {label + 10}: {head}"
            if parts:
                through = self.chance(0.35)
                if through:
                    self.cover("fall through")
                head = ("} [[fallthrough]]; " if through else "} break; ") + head
            parts.append([head, self.block(inner(), self.random.randint(1, 2))])
        if self.chance(0.5):
            parts.append([self.pick("} break;", "} [[fallthrough]];") + " default: {", self.block(inner(), self.random.randint(1, 2))])
        parts[0][0] = f"switch ({on}) {{ " + parts[0][0]
        return [Compound(parts, "} }")]

    make_switch_ = make_switch

    def make_leave(self, scope):
        if not scope.loop and not scope.switch:
            return None
        what = self.pick("break", "continue") if scope.loop else "break"
        if what == "continue" and not scope.loop:
            return None
        self.cover(what + (" in a switch in a loop" if scope.switch and scope.loop else ""))
        if self.chance(0.3):
            inner = scope.inner(depth=0)
            return [Compound([[f"if ({self.condition(scope)}) {{", self.block(inner, 1) + [Line(what + ";", True)]]])]
        return [Line(f"if ({self.condition(scope)}) {what};")]

    def make_return(self, scope):
        if scope.result is None or scope.trips > 1 and self.chance(0.3):
            return None
        self.cover("early return" + (" in a loop" if scope.loop else ""))
        if scope.result == "void":
            return [Line(f"if ({self.condition(scope)}) return;")]
        return [Line(f"if ({self.condition(scope)}) return {self.value(scope, scope.result, 1)};")]

    make_return_ = make_return

    def make_scope_block(self, scope):
        if scope.depth <= 0:
            return None
        return [Compound([["{", self.block(scope.inner(depth=scope.depth - 1), self.random.randint(1, 3))]])]

    def make_effect_condition(self, scope):
        if scope.depth <= 0:
            return None
        a = self.place(scope, "double", True)
        if not a:
            return None
        self.cover("effect in a condition")
        bump = [f for f in scope.functions if f.result == "bool"]
        effect = f"({a} = {self.squashed(scope, 'double')}) > {self.literal('double')}"
        if bump and self.chance(0.6):
            effect = f"{bump[0].name}({a})"
        form = self.pick(f"{effect}", f"{self.condition(scope, 0)} && {effect}", f"{self.condition(scope, 0)} || {effect}",
                         f"!({effect})", f"{self.condition(scope, 0)} && {effect} && {self.condition(scope, 0)}",
                         f"{effect} && {effect}")
        parts = [[f"if ({form}) {{", self.block(scope.inner(depth=scope.depth - 1), self.random.randint(1, 2))]]
        if self.chance(0.4):
            parts.append(["} else {", self.block(scope.inner(depth=scope.depth - 1), 1)])
        return [Compound(parts)]

    def make_invoked_lambda(self, scope):
        if scope.depth <= 0:
            return None
        name = self.fresh("q")
        self.cover("lambda called at once")
        inner = scope.inner(depth=scope.depth - 1, result="double", loop=False, switch=False)
        inner.locked |= {v.name for v in scope.variables if holds_vector(v.type)}
        body = self.block(inner, self.random.randint(1, 3)) + [Line(f"return {self.expression(inner, 'double', 1)};", True)]
        scope.variables.append(Variable(name, "double", False))
        return [Compound([[f"const double {name} = [&]() -> double {{", body]], "}();")]
