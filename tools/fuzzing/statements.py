"""Statements that declare, assign and call."""
import dataclasses

from expressions import Expressions
from kinds import Array, Function, Pair, Pointer, Struct, Tuple, Variable, Vector, holds_vector, is_real
from tree import Compound, Line


class Statements(Expressions):
    def block(self, scope, count):
        nodes = []
        for _ in range(count):
            nodes += self.statement(scope)
        return nodes

    STATEMENTS = [
        (14, "declare"), (10, "declare_object"), (3, "declare_integer"), (2, "declare_flag"),
        (4, "reference"), (2, "pointer"), (4, "bindings"), (6, "make_lambda"),
        (24, "assign"), (14, "compound"), (2, "chained"), (2, "increment"), (3, "select_place"),
        (2, "index_effect"), (5, "assign_object"), (3, "swap"), (5, "effect_call"), (3, "effect_value"), (1, "effect_argument"),
        (8, "vector"), (3, "integer_change"), (3, "comma"), (2, "local_struct_use"), (2, "element_reference"),
        (12, "if_"), (12, "for_"), (5, "while_"), (3, "do_"), (6, "range_for"), (2, "forever"),
        (2, "real_loop"), (2, "two_indices"), (6, "switch_"), (8, "leave"), (5, "return_"), (2, "scope_block"),
        (2, "effect_condition"), (1, "invoked_lambda"), (4, "move"), (4, "integer_pointer"), (12, "change_by_address"),
        (1, "copied_function"), (3, "exchanged_pointers"), (2, "made_of_arguments")]

    def statement(self, scope):
        for _ in range(20):
            rule = self.weighted(self.STATEMENTS)
            nodes = getattr(self, "make_" + rule.removeprefix("make_"))(scope)
            if nodes:
                return nodes
        return []

    def squashed(self, scope, kind):
        """Bounded in loops, where the same statement runs many times."""
        text = self.expression(scope, kind, self.random.randint(1, 3))
        if scope.trips > 1 and self.chance(0.6):
            return f"{self.pick('std::tanh', 'std::sin')}({text})"
        return text

    def make_declare(self, scope):
        kind = self.real()
        name = self.fresh("q")
        const = self.chance(0.3)
        text = self.squashed(scope, kind)
        if const and self.chance(0.4):
            self.cover("auto")
            nodes = [Line(f"const auto {name} = {kind}({text});")]
        else:
            nodes = [Line(f"{'const ' if const else ''}{kind} {name} = {text};")]
        scope.variables.append(Variable(name, kind, not const))
        return nodes

    def make_declare_object(self, scope):
        type_ = self.some_type()
        if is_real(type_):
            return None
        name = self.fresh("o")
        if isinstance(type_, Array) and self.chance(0.4):
            element = type_.element
            if isinstance(element, Array):
                element = dataclasses.replace(element, c_style=True)
                self.cover("C array of arrays")
            if not isinstance(element, (Array, Vector)) or getattr(element, "c_style", False):
                type_ = Array(element, type_.size, True)
        const = self.chance(0.15)
        self.cover(f"local {type(type_).__name__.lower()}"
                   + (f" of {'scalar' if is_real(type_.element) else type(type_.element).__name__.lower()}"
                      if isinstance(type_, (Array, Vector)) else ""))
        if isinstance(type_, Vector) and is_real(type_.element) and self.chance(0.25):
            self.cover("vector(n)")
            text = f"{type_} {name}({self.random.randint(1, 4)})"
        elif isinstance(type_, (Struct, Array)) and self.chance(0.12) and not holds_vector(type_):
            self.cover("zero-initialised object")
            text = f"{self.declared(type_, name)}{{}}"
        else:
            text = f"{'const ' if const else ''}{self.declared(type_, name)} = {self.value(scope, type_, 2)}"
            if isinstance(type_, Array) and type_.c_style:
                text = f"{'const ' if const else ''}{self.declared(type_, name)} = {self.c_list(scope, type_)}"
        scope.variables.append(Variable(name, type_, not (const and " = " in text and text.startswith("const"))))
        return [Line(text + ";")]

    def c_list(self, scope, type_):
        if isinstance(type_, Array) and type_.c_style:
            return "{" + ", ".join(self.c_list(scope, type_.element) for _ in range(type_.size)) + "}"
        return self.value(scope, type_, 1)

    def make_declare_integer(self, scope):
        name = self.fresh("n")
        text = self.integer(scope)
        scope.variables.append(Variable(name, "int", True))
        return [Line(f"int {name} = {text};")]

    def make_declare_flag(self, scope):
        name = self.fresh("b")
        text = self.condition(scope)
        scope.variables.append(Variable(name, "bool", False))
        return [Line(f"const bool {name} = {text};")]

    def make_reference(self, scope):
        type_ = self.pick("double", "double", self.some_type(1))
        found = self.rooted_place(scope, type_, writable=True)
        if not found:
            return None
        text, root = found
        const = self.chance(0.3)
        scope.locked.add(root.name)
        name = self.fresh("r")
        self.cover("const reference" if const else "reference")
        if isinstance(type_, Array) and type_.c_style:
            return None
        if const and is_real(type_) and self.chance(0.3):
            self.cover("reference to a temporary")
            text = self.expression(scope, type_, 2) + (" * 1.0f" if type_ == "float" else " * 1.0")
        # A reference to a vector would let it grow under other references.
        if holds_vector(type_):
            scope.locked.add(name)
        scope.variables.append(Variable(name, type_, not const))
        return [Line(f"{'const ' if const else ''}{type_}& {name} = {text};")]

    def make_pointer(self, scope):
        size = self.pick(1, 2)
        const = self.chance(0.3)
        text = self.pointer_argument(scope, Pointer(size, const))
        if not text:
            return None
        name = self.fresh("p")
        scope.locked.add(text)
        self.cover("pointer")
        scope.variables.append(Variable(name, Pointer(size, const)))
        return [Line(f"{'const ' if const else ''}double* {name} = {text};")]

    def make_bindings(self, scope):
        candidates = [v for v in scope.variables
                      if isinstance(v.type, (Struct, Pair, Tuple, Array))]
        if not candidates:
            return None
        v = self.pick(*candidates)
        if isinstance(v.type, Struct):
            types = [t for _, t in v.type.fields]
        elif isinstance(v.type, Pair):
            types = [v.type.first, v.type.second]
        elif isinstance(v.type, Tuple):
            types = list(v.type.elements)
        else:
            types = [v.type.element] * v.type.size
        names = [self.fresh("d") for _ in types]
        by = self.pick("auto", "auto&", "const auto&")
        if not v.writable and by == "auto&":
            by = "const auto&"
        if by != "auto":
            scope.locked.add(v.name)
        self.cover("structured binding" + (" by reference" if by != "auto" else ""))
        for name, type_ in zip(names, types):
            if holds_vector(type_):
                scope.locked.add(name)
            scope.variables.append(Variable(name, type_, by != "const auto&" and v.writable))
        return [Line(f"{by} [{', '.join(names)}] = {v.name};")]

    def make_lambda(self, scope):
        name = self.fresh("f")
        z = self.fresh("z")
        kind = self.pick("double", self.real())
        capture = self.pick("=", "&", "=", "&", "init", "mutable", "generic")
        inner = scope.inner(depth=min(1, scope.depth - 1), result=kind, loop=False, switch=False)
        # C arrays and references captured by copy, fine; vectors keep their size.
        inner.locked |= {v.name for v in scope.variables if holds_vector(v.type)}
        writable = capture in ("&", "mutable")
        inner.variables = [Variable(v.name, v.type, v.writable and writable) for v in scope.variables
                           if capture in ("&", "generic") and v.captured is False or
                           v.captured and not (isinstance(v.type, Pointer) and capture != "&")]
        inner.functions = [f for f in scope.functions if f.pure]
        if scope.trips > 8:
            inner.functions = []
        inner.trips = scope.trips
        inner.variables.append(Variable(z, kind))
        brackets = capture
        pure = capture in ("=", "init", "generic")
        tail = ""
        if capture == "init":
            k = self.fresh("k")
            brackets = f"=, {k} = {self.pick('double', kind)}({self.expression(scope, kind, 1)})"
            inner.variables.append(Variable(k, "double" if brackets.split(' = ')[1].startswith("double") else kind, False))
            inner.variables = [Variable(v.name, v.type, v.writable and v.name == z) for v in inner.variables]
        elif capture == "mutable":
            brackets, tail = "=", " mutable"
        elif capture == "generic":
            brackets = "&"
        if capture in ("&", "mutable"):
            body = self.block(inner, self.random.randint(1, 3))
        elif self.chance(0.4):
            body = self.block(inner, self.random.randint(1, 2))
        else:
            body = []
        self.cover(f"lambda {capture}")
        parameter = f"auto {z}" if capture == "generic" else f"{kind} {z}"
        node = Compound([[f"{'' if capture == 'mutable' else 'const '}auto {name} = [{brackets}]({parameter}){tail} -> {kind} {{",
                          body + [Line(f"return {self.expression(inner, kind, 2)};", True)]]], "};")
        for v in scope.variables:
            if capture in ("&", "generic") and isinstance(v.type, Vector):
                pass  # a reference to the vector itself: it may grow
        scope.functions.append(Function(name, kind, [(kind, "value")], pure, "lambda"))
        return [node]

    def make_assign(self, scope):
        kind = self.real()
        target = self.place(scope, kind, writable=True)
        return target and [Line(f"{target} = {self.squashed(scope, kind)};")]

    def make_compound(self, scope):
        kind = self.real()
        target = self.place(scope, kind, writable=True)
        if not target:
            return None
        op = self.pick("+=", "-=", "*=", "+=", "/=")
        self.cover(op)
        if op == "/=":
            d = self.leaf(scope, kind)
            one = "1.5f" if kind == "float" else "1.5"
            return [Line(f"{target} /= {one} + {d} * {d};")]
        text = self.squashed(scope, kind)
        if op == "*=" and scope.trips > 1:
            text = f"std::cos({text})"
        return [Line(f"{target} {op} {text};")]

    def make_chained(self, scope):
        kind = self.real()
        a, b = self.place(scope, kind, True), self.place(scope, kind, True)
        if not a or not b:
            return None
        self.cover("chained assignment")
        return [Line(f"{a} {self.pick('=', '+=', '-=')} {b} {self.pick('=', '+=')} {self.squashed(scope, kind)};")]

    def make_increment(self, scope):
        target = self.place(scope, self.real(), True)
        if not target:
            return None
        self.cover("++ of a real")
        return [Line(self.pick(f"++{target};", f"{target}--;", f"{target}++;"))]

    def make_select_place(self, scope):
        kind = self.real()
        a, b = self.place(scope, kind, True), self.place(scope, kind, True)
        if not a or not b:
            return None
        self.cover("conditional lvalue")
        return [Line(f"({self.condition(scope)} ? {a} : {b}) {self.pick('=', '+=', '*=')} {self.squashed(scope, kind)};")]

    def make_index_effect(self, scope):
        names = self.integers(scope, writable=True)
        arrays = [v for v in scope.variables if isinstance(v.type, Array) and is_real(v.type.element)]
        writable = [v for v in arrays if v.writable]
        if not names or not writable:
            return None
        i = self.pick(*names)
        v = self.pick(*writable)
        without = scope.inner(variables=[w for w in scope.variables if w.name != i])
        self.cover("a[i++]")
        i_text = self.pick(f"{i}++ % {v.type.size}", f"++{i} % {v.type.size}")
        return [Line(f"{v.name}[{i_text}] {self.pick('=', '+=')} {self.squashed(without, v.type.element)};")]

    def make_assign_object(self, scope):
        type_ = self.some_type()
        if is_real(type_):
            return None
        found = self.rooted_place(scope, type_, writable=True)
        if not found or holds_vector(type_) and found[1].name in scope.locked:
            return None
        if isinstance(found[1].type, Vector) and found[1].name in scope.locked and holds_vector(type_):
            return None
        self.cover("object assigned")
        return [Line(f"{found[0]} = {self.value(scope, type_, 2)};")]

    def make_swap(self, scope):
        type_ = self.pick(self.real(), self.some_type(1))
        a = self.rooted_place(scope, type_, True)
        b = self.rooted_place(scope, type_, True)
        if not a or not b or holds_vector(type_) and {a[1].name, b[1].name} & scope.locked:
            return None
        self.cover(f"std::swap of {'reals' if is_real(type_) else 'objects'}")
        return [Line(f"std::swap({a[0]}, {b[0]});")]

    def make_effect_call(self, scope):
        if scope.trips > 40:
            return None
        found = [f for f in scope.functions if not f.pure and f.result == "void"]
        if not found:
            return None
        call = self.call(scope, self.pick(*found))
        if call:
            self.cover("call that changes its arguments")
        return call and [Line(call + ";")]

    def make_effect_value(self, scope):
        if scope.trips > 40:
            return None
        found = [f for f in scope.functions if not f.pure and is_real(f.result)]
        if not found:
            return None
        f = self.pick(*found)
        call = self.call(scope, f)
        if not call:
            return None
        self.cover("call with a result that changes its arguments")
        form = self.pick("declare", "assign", "discard")
        if form == "discard":
            return [Line(call + ";")]
        if form == "assign":
            target = self.place(scope, f.result, True)
            # The target is found after the call; what it names must be no part of what changes.
            root = [v for v in scope.variables if v.name == target]
            return root and [Line(f"{target} {self.pick('=', '+=')} {call};")]
        name = self.fresh("q")
        nodes = [Line(f"{f.result} {name} = {call};")]
        scope.variables.append(Variable(name, f.result))
        return nodes

    def make_effect_argument(self, scope):
        """A reference is bound before the other argument changes what it refers to."""
        found = [f for f in scope.functions if not f.pure and f.result == "double"]
        bound = self.place(scope, "double")
        call = found and scope.trips <= 40 and self.call(scope, self.pick(*found))
        if not bound or not call or "[" in bound:
            return None
        self.cover("argument that changes another")
        name = self.fresh("q")
        scope.variables.append(Variable(name, "double"))
        text = ", ".join(self.random.sample([bound, call], 2))
        return [Line(f"double {name} = std::{self.pick('max', 'min')}<double>({text});")]

    def make_vector(self, scope):
        found = [v for v in scope.variables
                 if isinstance(v.type, Vector) and v.writable and v.name not in scope.locked]
        if not found or scope.trips > 64:
            return None
        v = self.pick(*found)
        element = v.type.element
        what = self.weighted([(5, "push_back"), (1, "emplace_back"), (3, "pop_back"), (2, "resize"), (1, "assign"),
                              (1, "clear"), (1, "own"), (1, "braces"), (1, "reserve")])
        self.cover(what)
        if what in ("push_back", "emplace_back"):
            return [Line(f"if ({v.name}.size() < 40) {v.name}.{what}({self.value(scope, element, 2)});")]
        if what == "pop_back":
            return [Line(f"if ({v.name}.size() > 1) {v.name}.pop_back();")]
        if what == "own":
            return [Line(f"if ({v.name}.size() < 40) {v.name}.push_back({v.name}.{self.pick('front', 'back')}());")]
        if what == "reserve":
            return [Line(f"{v.name}.reserve(8);")]
        if what == "braces":
            return [Line(f"{v.name} = {{{self.value(scope, element, 1)}, {self.value(scope, element, 1)}}};")]
        if what == "resize" and is_real(element):
            return [Line(f"{v.name}.resize({self.random.randint(1, 5)});")]
        if what == "assign" and is_real(element):
            one = "1.0f" if element == "float" else "1.0"  # the element may not be one of the vector itself
            return [Line(f"{v.name}.assign({self.random.randint(1, 4)}, {one} * {self.expression(scope, element, 1)});")]
        if what == "clear":
            text = self.value(self.without(scope, v), element, 1)
            if v.name not in text:
                return [Compound([["{", [Line(f"{v.name}.clear();", True), Line(f"{v.name}.push_back({text});", True)]]])]
        return None

    def without(self, scope, variable):
        """As `scope`, but nothing in it reads `variable`."""
        return scope.inner(variables=[v for v in scope.variables if v is not variable],
                           functions=[f for f in scope.functions if f.prefix != "lambda"])

    def make_integer_change(self, scope):
        names = self.integers(scope, writable=True)
        if not names:
            return None
        i = self.pick(*names)
        self.cover("integer changed")
        return [Line(self.pick(f"{i} = {self.integer(scope)};", f"++{i};", f"{i} = {i} * 5 % 7;", f"{i} += 2;"))]

    def make_integer_pointer(self, scope):
        names = self.integers(scope, writable=True)
        if not names:
            return None
        name = self.fresh("a")
        self.cover("pointer to an integer")
        scope.variables.append(Variable(name, "int*"))
        return [Line(f"int* const {name} = &{self.pick(*names)};")]

    def make_change_by_address(self, scope):
        found = [v.name for v in scope.variables if v.type == "int*"]
        if not found:
            return None
        a = self.pick(*found)
        self.cover("integer changed by its address")
        return [Line(self.pick(f"++*{a};", f"*{a} = *{a} * 3 % 7;", f"*{a} += {self.integer(scope)};"))]

    def make_copied_function(self, scope):
        place = self.place(scope, "double", True)
        if not place:
            return None
        one, other = self.fresh("g"), self.fresh("g")
        self.cover("copy of a mutable lambda")
        start, step = self.expression(scope, "double", 1), self.expression(scope, "double", 1)
        return [Compound([["{", [
            Line(f"std::function<double(double)> {one} = [state = double(std::sin({start}))](double by) mutable "
                 f"{{ state = 0.7 * state + by; return state; }};", True),
            Line(f"std::function<double(double)> {other} = {one};", True),
            Line(f"const double {one}first = {one}(std::tanh({step}));", True),
            Line(f"{place} += std::tanh({other}({one}first) * {one}(0.5));", True)]]])]

    def make_exchanged_pointers(self, scope):
        """Two arrays whose pointers exchange them, always or under a condition."""
        place = self.place(scope, "double", True)
        if not place or scope.trips > 24:
            return None
        p, q, a, b, t = (self.fresh(n) for n in "pqabt")
        holds = self.pick("double {}[3] = {{{}}};", "std::vector<double> {}{{{}}};")
        start = ".data()" if holds.startswith("std") else ""
        three = lambda: ", ".join(f"std::sin({self.expression(scope, 'double', 1)})" for _ in range(3))
        index = lambda: self.random.randint(0, 2)
        swap = self.pick(f"std::swap({p}, {q});", f"double* {t}third = {p}; {p} = {q}; {q} = {t}third;")
        step = lambda: Line(self.pick(
            f"{p}[{index()}] = 0.6 * {q}[{index()}] + std::tanh({self.expression(scope, 'double', 1)});",
            f"{q}[{index()}] += std::tanh({p}[{index()}] * {self.leaf(scope, 'double')});",
            f"for (int {t}k = 0; {t}k < 3; ++{t}k) {q}[{t}k] = std::sin({p}[({t}k + 1) % 3] + 0.5 * {q}[{t}k]);",
            f"const double {self.fresh('old')} = {p}[{index()}]; {q}[{index()}] -= 0.3 * {p}[{index()}];",
            f"{{ double* {t}one = {p}[0] < {q}[{index()}] ? {p} : {q}; {t}one[{index()}] = std::cos({t}one[1] * 0.8); }}"))
        self.cover("pointers exchanged")
        moves = [Line(swap, True)]
        if self.chance(0.4):
            self.cover("pointers exchanged under a condition")
            test = self.pick(f"{p}[0] < {q}[1]", self.condition(scope))
            moves = [Compound([[f"if ({test}) {{", moves], ["} else {", [step()]]])]
        body = [step() for _ in range(self.random.randint(1, 2))] + moves + [step() for _ in range(self.random.randint(0, 2))]
        return [Compound([["{", [
            Line(holds.format(a, three()), True), Line(holds.format(b, three()), True),
            Line(f"double* {p} = {a}{start};", True), Line(f"double* {q} = {b}{start};", True),
            Compound([[f"for (int {t} = 0; {t} < {self.random.randint(0, 5)}; ++{t}) {{", body]]),
            Line(f"{place} += std::tanh({p}[{index()}] * {q}[{index()}] + {a}[{index()}]);", True)]]])]

    def make_made_of_arguments(self, scope):
        """A class that no empty braces make, in the places where objects come to be."""
        place = self.place(scope, "double", True)
        if not place:
            return None
        c, v, t = (self.fresh(n) for n in "cvt")
        one = lambda: f"{c}(std::sin({self.expression(scope, 'double', 1)}))"
        self.cover("class without default constructor")
        form = self.pick(
            ([f"std::pair<{c}, int> {v}{{{one()}, 2}};"], f"{v}.first.held * {v}.second"),
            ([f"auto {v} = std::make_tuple({one()}, {one()});"], f"std::get<0>({v}).held * std::get<1>({v}).held"),
            ([f"std::vector<{c}> {v}(2, {one()});", f"{v}.insert({v}.begin(), {one()});"], f"{v}[0].held * {v}[2].held"),
            ([f"std::vector<std::pair<{c}, double>> {v};", f"for (int {t} = 0; {t} < 3; ++{t}) {v}.push_back({{{one()}, 0.5 * {t}}});"],
             f"{v}[1].first.held * {v}[2].second"),
            ([f"{c} {v} = {self.condition(scope)} ? {one()} : {one()};", f"{c} {v}b = std::move({v});"], f"{v}b.held * {v}b.held"),
            ([f"std::map<int, {c}> {v};", f"{v}.emplace(3, {one()});", f"{v}.insert({{1, {one()}}});"], f"{v}.at(1).held * {v}.at(3).held"))
        return [Compound([["{", [Line(f"struct {c} {{ double held; explicit {c}(double given) : held(given) {{}} }};", True)]
                           + [Line(text, True) for text in form[0]] + [Line(f"{place} += std::tanh({form[1]});", True)]]])]

    def make_comma(self, scope):
        kind = self.real()
        a, b = self.place(scope, kind, True), self.place(scope, kind, True)
        if not a or not b or "[" in a:
            return None
        self.cover("comma")
        return [Line(f"{a} = ({b} {self.pick('+=', '=')} {self.squashed(scope, kind)}, {self.expression(scope, kind, 1)});")]

    def make_element_reference(self, scope):
        found = [f for f in scope.functions if f.result == "reference"]
        if not found:
            return None
        call = self.call(scope, self.pick(*found))
        if not call:
            return None
        self.cover("assignment to a returned reference")
        # The right side comes first; what it calls must not change the target's index.
        return [Line(f"{call} {self.pick('=', '+=', '-=')} {self.squashed(scope, 'double')};")]

    def make_local_struct_use(self, scope):
        kind = self.real()
        found = [f for f in scope.functions if f.prefix == "operator"]
        if not found:
            return None
        f = self.pick(*found)
        call = self.call(scope, f)
        if not call or not f.pure:
            return None
        name = self.fresh("o")
        self.cover("overloaded operator")
        nodes = [Line(f"{f.result} {name} = {call};")]
        scope.variables.append(Variable(name, f.result))
        return nodes

    def make_move(self, scope):
        found = [v for v in scope.variables if isinstance(v.type, Vector) and v.writable and v.name not in scope.locked]
        if not found:
            return None
        v = self.pick(*found)
        name = self.fresh("o")
        self.cover("std::move")
        element = self.value(self.without(scope, v), v.type.element, 1)
        if self.chance(0.4) and v.type.element == "double":
            self.cover("moved, lengthened and assigned")
            keep = f"{name}.push_back({element});" if self.chance(0.5) else f"if (!{name}.empty()) {name}.back() *= 0.7; {name}.push_back(0.5);"
            longer = f"[&]({v.type} {name}) {{ if ({name}.size() < 9) {{ {keep} }} return {name}; }}(std::move({v.name}))"
            if self.chance(0.4):
                self.cover("moved under a condition")
                return [Line(f"{v.name} = {self.condition(self.without(scope, v))} ? {longer} : {v.type}{{0.25, {element}}};")]
            return [Line(f"{v.name} = {longer};")]
        again = f"{v.name} = {v.type}{{{element}}};"
        if self.chance(0.5):
            self.cover("grown after std::move")
            again = f"{v.name}.push_back({element});"
        nodes = [Line(f"{v.type} {name} = std::move({v.name});", True), Line(again, True)]
        if holds_vector(v.type.element):
            return None  # braces around one vector would be a copy of it
        scope.variables.append(Variable(name, v.type))
        return nodes
