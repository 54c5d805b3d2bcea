"""Statements that use the standard library: algorithms, iterators, spans, tuples, complex numbers."""
from control_flow import ControlFlow
from kinds import Array, Complex, Span, Variable, Vector, holds_vector, is_real
from tree import Compound, Line


class Library(ControlFlow):
    STATEMENTS = ControlFlow.STATEMENTS + [
        (3, "reduction"), (2, "transform"), (2, "for_each"), (2, "reorder"), (2, "selection"), (1, "search"), (1, "scan"),
        (1, "extreme_place"), (1, "filter"), (4, "iterator_loop"), (2, "pointer_loop"), (3, "insert_erase"),
        (2, "span"), (2, "tie"), (3, "complex_change"), (1, "complex_declare")]

    # Ranges --------------------------------------------------------------------------------------

    def real_range(self, scope, writable=False):
        """An object that is a range of doubles."""
        found = [v for v in scope.variables if (v.writable or not writable) and (
            isinstance(v.type, (Array, Vector)) and v.type.element == "double" or
            isinstance(v.type, Span) and not (writable and v.type.const))]
        return self.pick(*found) if found else None

    def bounds(self, v, backwards=0.15):
        """The two iterators of all of `v`, or of what follows its first element."""
        if isinstance(v.type, Array) and v.type.c_style:
            return f"std::begin({v.name}), std::end({v.name})"
        r = self.random.random()
        if r < backwards:
            self.cover("reverse iterators")
            return f"{v.name}.rbegin(), {v.name}.rend()"
        if r < 0.3:
            return f"{v.name}.begin() + 1, {v.name}.end()"
        return f"{v.name}.begin(), {v.name}.end()"

    def function(self, scope, count, types=("double", "const double&")):
        """A lambda from `count` reals to one; it stays bounded when it is applied over and over."""
        names = [self.fresh("z") for _ in range(count)]
        inner = scope.inner(variables=scope.variables + [Variable(z, "double", False) for z in names],
                            functions=[f for f in scope.functions if f.pure])
        parameters = ", ".join(f"{self.pick(*types)} {z}" for z in names)
        text = f"{self.expression(inner, 'double', 2)} + {names[0]} * {self.leaf(inner, 'double')}"
        if self.chance(0.5):
            text = f"std::tanh({text})"
        capture = self.pick("&", "&", "=")
        if not all(v.captured for v in scope.variables):
            capture = "&"
        return f"[{capture}]({parameters}) {{ return {text}; }}"

    def few(self, scope):
        return scope.trips <= 24

    def result(self, scope, text):
        """`text` as the value of a new real."""
        name = self.fresh("q")
        scope.variables.append(Variable(name, "double"))
        return [Line(f"double {name} = {text};")]

    def make_reduction(self, scope):
        v = self.real_range(scope)
        if not v or not self.few(scope):
            return None
        start = f"double({self.expression(scope, 'double', 1)})"
        what = self.pick("accumulate", "accumulate by", "inner_product", "inner_product by", "reduce", "transform_reduce")
        self.cover(f"std::{what}")
        both = self.bounds(v)
        first = both.split(", ")[0]
        if what == "accumulate":
            return self.result(scope, f"std::accumulate({both}, {start})")
        if what == "accumulate by":
            by = self.pick(self.function(scope, 2), "std::plus<double>()", "std::minus<>()", "std::multiplies<>{}")
            return self.result(scope, f"std::accumulate({both}, {start}, {by})")
        if what == "inner_product":
            return self.result(scope, f"std::inner_product({both}, {first}, {start})")
        if what == "inner_product by":
            return self.result(scope, f"std::inner_product({both}, {first}, {start}, {self.function(scope, 2)}, std::multiplies<double>())")
        if what == "reduce":
            return self.result(scope, f"std::reduce({both}, {start})")
        return self.result(scope, f"std::transform_reduce({both}, {start}, std::plus<>(), {self.function(scope, 1)})")

    def make_transform(self, scope):
        v = self.real_range(scope, True)
        if not v or not self.few(scope):
            return None
        both = self.bounds(v)
        first = both.split(", ")[0]
        form = self.pick("one", "one", "two", "negate")
        self.cover(f"std::transform {form}")
        if form == "one":
            return [Line(f"std::transform({both}, {first}, {self.function(scope, 1)});")]
        if form == "two":
            return [Line(f"std::transform({both}, {first}, {first}, {self.function(scope, 2)});")]
        return [Line(f"std::transform({both}, {first}, std::negate<>());")]

    def make_for_each(self, scope):
        v = self.real_range(scope, True)
        if not v or not self.few(scope) or scope.depth <= 0:
            return None
        z = self.fresh("z")
        changing = self.chance(0.6)
        inner = scope.inner(depth=scope.depth - 1, result="void", loop=False, switch=False, trips=scope.trips * 3)
        inner.locked |= {w.name for w in scope.variables if holds_vector(w.type) or isinstance(w.type, Vector)}
        inner.variables.append(Variable(z, "double"))
        self.cover("std::for_each")
        parameter = f"double& {z}" if changing else f"double {z}"
        return [Compound([[f"std::for_each({self.bounds(v)}, [&]({parameter}) {{", self.block(inner, self.random.randint(1, 3))]], "});")]

    def order(self):
        return self.pick("", "", ", std::greater<>()", ", std::greater<double>()", ", [](double a, double b) { return a > b; }",
                         ", [](const double& a, const double& b) { return std::fabs(a) < std::fabs(b); }")

    def make_reorder(self, scope):
        v = self.real_range(scope, True)
        if not v or not self.few(scope):
            return None
        what = self.pick("sort", "sort", "stable_sort", "reverse", "rotate", "swap_ranges", "copy", "copy_backward", "fill", "iota")
        self.cover(f"std::{what}")
        if isinstance(v.type, Array) and v.type.c_style:
            begin, end = f"std::begin({v.name})", f"std::end({v.name})"
        else:
            begin, end = f"{v.name}.begin()", f"{v.name}.end()"
        if what in ("sort", "stable_sort"):
            return [Line(f"std::{what}({self.bounds(v)}{self.order()});")]
        if what == "reverse":
            return [Line(f"std::reverse({self.bounds(v)});")]
        if what == "rotate":
            return [Line(f"std::rotate({begin}, {begin} + {self.index(scope, f'static_cast<int>(std::size({v.name}))')}, {end});")]
        if what == "swap_ranges":
            if not isinstance(v.type, Array):
                return None  # the two may be one
            return [Line(f"std::swap_ranges({begin}, {begin} + 1, {end} - 1);")]
        if what == "copy":
            return [Line(f"std::copy({begin} + 1, {end}, {begin});")]
        if what == "copy_backward":
            return [Line(f"std::copy_backward({begin}, {end} - 1, {end});")]
        if what == "fill":
            return [Line(f"std::fill({self.bounds(v)}, double({self.expression(scope, 'double', 1)}));")]
        return [Line(f"std::iota({self.bounds(v)}, double({self.expression(scope, 'double', 1)}));")]

    def make_selection(self, scope):
        v = self.real_range(scope)
        if not v or not self.few(scope):
            return None
        what = self.pick("max_element", "min_element", "nth_element", "partial_sort", "list", "count_if", "any_of")
        self.cover(f"std::{what}")
        if what in ("max_element", "min_element"):
            return self.result(scope, f"*std::{what}(std::begin({v.name}), std::end({v.name}){self.order()})")
        if what == "list":
            parts = ", ".join(self.expression(scope, "double", 1) for _ in range(3))
            return self.result(scope, f"std::{self.pick('max', 'min')}<double>({{{parts}}})")
        if what in ("count_if", "any_of"):
            return self.result(scope, f"{self.leaf(scope, 'double')} * static_cast<double>(std::{what}({self.bounds(v)}, "
                                      f"[](double a) {{ return a > {self.literal('double')}; }}))")
        name = self.fresh("o")
        middle = f"{name}.begin() + static_cast<int>({name}.size() / 2)"
        begin, end = (f"std::{w}({v.name})" for w in ("begin", "end"))
        nodes = [Line(f"std::vector<double> {name}({begin}, {end});", True),
                 Line(f"std::{what}({name}.begin(), {middle}{' + 1' if what == 'partial_sort' else ''}, {name}.end(){self.order()});", True)]
        read = self.pick(f"{name}[{name}.size() / 2]", f"*({middle})")
        return nodes + self.result(scope, f"{read} * {self.leaf(scope, 'double')}")

    def make_search(self, scope):
        v = self.real_range(scope)
        if not v or not self.few(scope) or isinstance(v.type, Array) and v.type.c_style:
            return None
        it = self.fresh("j")
        self.cover("std::find_if")
        nodes = [Line(f"const auto {it} = std::find_if({v.name}.begin(), {v.name}.end(), "
                      f"[](double a) {{ return a > {self.literal('double')}; }});", True)]
        otherwise = self.pick(self.leaf(scope, "double"), f"{v.name}.front()")
        return nodes + self.result(scope, f"{it} != {v.name}.end() ? double(*{it} * {self.leaf(scope, 'double')}) : double({otherwise})")

    def make_scan(self, scope):
        v = self.real_range(scope, True)
        if not v or not self.few(scope):
            return None
        what = self.pick("partial_sum", "adjacent_difference", "inclusive_scan", "exclusive_scan")
        self.cover(f"std::{what}")
        both = self.bounds(v)
        start = f", double({self.expression(scope, 'double', 1)})" if what == "exclusive_scan" else ""
        return [Line(f"std::{what}({both}, {both.split(', ')[0]}{start});")]

    def make_extreme_place(self, scope):
        v = self.real_range(scope, True)
        if not v or not self.few(scope) or isinstance(v.type, Array) and v.type.c_style:
            return None
        self.cover("assignment to an extreme element")
        return [Line(f"*std::{self.pick('max', 'min')}_element({v.name}.begin(), {v.name}.end()) {self.pick('=', '+=')} {self.squashed(scope, 'double')};")]

    # Containers ----------------------------------------------------------------------------------

    def growing(self, scope):
        found = [v for v in scope.variables if isinstance(v.type, Vector) and v.writable and v.name not in scope.locked]
        return self.pick(*found) if found else None

    def make_filter(self, scope):
        v = self.growing(scope)
        if not v or v.type.element != "double" or not self.few(scope):
            return None
        self.cover("erase of remove_if")
        condition = f"[](double a) {{ return a {self.pick('<', '>')} {self.literal('double')}; }}"
        return [Compound([["{", [Line(f"{v.name}.erase(std::remove_if({v.name}.begin(), {v.name}.end(), {condition}), {v.name}.end());", True),
                                 Line(f"if ({v.name}.empty()) {v.name}.push_back({self.leaf(self.without(scope, v), 'double')});", True)]]])]

    def make_insert_erase(self, scope):
        v = self.growing(scope)
        if not v or scope.trips > 64:
            return None
        element = v.type.element
        at = f"{v.name}.begin() + {self.index(scope, f'static_cast<int>({v.name}.size())')}"
        what = self.weighted([(3, "insert"), (1, "insert copies"), (1, "insert range"), (1, "insert own"), (3, "erase"), (1, "erase range"), (1, "assign range")])
        self.cover(f"vector {what}")
        room = f"if ({v.name}.size() < 30) "
        value = self.value(self.without(scope, v), element, 1)
        if what == "insert":
            value = f"double({value})" if element == "double" else value
            return [Line(f"{room}{v.name}.insert({at}, {value});")]
        if what == "insert copies" and is_real(element):
            return [Line(f"{room}{v.name}.insert({at}, 2, {element}({value}));")]
        if what == "insert range" and element == "double":
            w = self.real_range(scope)
            if w and w is not v:
                return [Line(f"{room}{v.name}.insert({at}, std::begin({w.name}), std::end({w.name}));")]
            return None
        if what == "insert own":
            return [Line(f"{room}{v.name}.insert({at}, {v.name}.{self.pick('front', 'back')}());")]
        if what == "erase":
            return [Line(f"if ({v.name}.size() > 1) {v.name}.erase({at});")]
        if what == "erase range":
            return [Line(f"if ({v.name}.size() > 2) {v.name}.erase({v.name}.begin() + 1, {v.name}.end() - 1);")]
        if what == "assign range" and element == "double":
            w = self.real_range(scope)
            if w and w is not v:
                return [Line(f"{v.name}.assign(std::begin({w.name}), std::end({w.name}));")]
        return None

    def make_iterator_loop(self, scope):
        if not self.may_loop(scope):
            return None
        found = [v for v in scope.variables if isinstance(v.type, (Vector, Span)) or isinstance(v.type, Array) and not v.type.c_style]
        if not found:
            return None
        v = self.pick(*found)
        element = "double" if isinstance(v.type, Span) else v.type.element
        writable = v.writable and not (isinstance(v.type, Span) and v.type.const)
        it = self.fresh("j")
        place = f"(*{it})"
        inner = self.loop_scope(scope, 3, Variable(place, element, writable))
        inner.locked |= {v.name, place}
        form = self.pick("forward", "forward", "constant", "backward", "while", "less")
        if form == "constant" and isinstance(v.type, Span):
            form = "forward"
        self.cover(f"iterator loop {form}")
        if form == "constant":
            inner.variables[-1].writable = False
        body = self.block(inner, self.random.randint(1, 3))
        if form == "while":
            end = self.fresh("j")
            # What leaves an iteration early must have stepped.
            again = Compound([["{", body]])
            if "continue;" in "\n".join(again.print(0)):
                return None
            return [Line(f"auto {it} = {v.name}.begin();"), Line(f"const auto {end} = {v.name}.end();"),
                    Compound([[f"while ({it} != {end}) {{", body + [Line(f"++{it};", True)]]])]
        begin, end = {"constant": ("cbegin", "cend"), "backward": ("rbegin", "rend")}.get(form, ("begin", "end"))
        op = "<" if form == "less" else "!="
        return [Compound([[f"for (auto {it} = {v.name}.{begin}(); {it} {op} {v.name}.{end}(); {self.pick(f'++{it}', f'{it}++')}) {{", body]])]

    def make_pointer_loop(self, scope):
        if not self.may_loop(scope):
            return None
        found = [v for v in scope.variables if isinstance(v.type, (Vector, Array)) and v.type.element == "double"]
        if not found:
            return None
        v = self.pick(*found)
        p = self.fresh("p")
        data = v.name if isinstance(v.type, Array) and v.type.c_style else f"{v.name}.data()"
        const = "" if v.writable and self.chance(0.6) else "const "
        inner = self.loop_scope(scope, 3, Variable(f"(*{p})", "double", not const))
        inner.locked.add(v.name)
        self.cover("pointer loop")
        return [Compound([[f"for ({const}double* {p} = {data}; {p} != {data} + std::size({v.name}); ++{p}) {{",
                           self.block(inner, self.random.randint(1, 3))]])]

    def make_span(self, scope):
        v = self.real_range(scope)
        if not v:
            return None
        const = not v.writable or isinstance(v.type, Span) and v.type.const or self.chance(0.4)
        name = self.fresh("o")
        scope.locked.add(v.name)
        self.cover("span")
        type_ = Span(const)
        text = v.name
        if isinstance(v.type, Span) and self.chance(0.5):
            self.cover("part of a span")
            text = f"{v.name}.{self.pick('first(1)', 'last(1)', f'subspan({v.name}.size() - 1)')}"
        elif self.chance(0.2):
            self.cover("span of a pointer")
            text = f"{type_}(std::data({v.name}) + (std::size({v.name}) - 1), 1)"
        scope.variables.append(Variable(name, type_))
        return [Line(f"const {type_} {name}{self.pick(f'({text})', f' = {text}')};")]

    # Tuples, complex numbers -----------------------------------------------------------------------

    def make_tie(self, scope):
        kind = "double"
        a, b = self.place(scope, kind, True), self.place(scope, kind, True)
        if not a or not b or a == b or "[" in a + b:
            return None
        values = [f"double({self.expression(scope, kind, 1)})" for _ in range(2)]
        self.cover("std::tie")
        if self.chance(0.2):
            return [Line(f"std::tie({a}, std::ignore) = std::make_pair({', '.join(values)});")]
        return [Line(f"std::tie({a}, {b}) = std::{self.pick('make_tuple', 'make_pair')}({', '.join(values)});")]

    def make_complex_declare(self, scope):
        name = self.fresh("c")
        text = self.complex(scope, 2)
        scope.variables.append(Variable(name, Complex()))
        return [Line(f"std::complex<double> {name} = {text};")]

    def make_complex_change(self, scope):
        target = self.place(scope, Complex(), True)
        if not target:
            return None
        form = self.pick("assign", "compound", "compound", "part", "scale")
        self.cover(f"complex {form}")
        value = self.complex(scope, 2)
        if form == "assign":
            return [Line(f"{target} = {value};")]
        if form == "compound":
            op = self.pick("+=", "-=", "*=") if scope.trips == 1 else self.pick("+=", "-=")
            return [Line(f"{target} {op} {value};")]
        if form == "scale":
            return [Line(f"{target} {self.pick('+=', '-=', '*=')} double(std::sin({self.leaf(scope, 'double')}));")]
        return [Line(f"{target}.{self.pick('real', 'imag')}({self.squashed(scope, 'double')});")]
