"""Calls that do not name their function: through function values, virtual, and by operators of the library."""
from kinds import Function, Owner, Polymorphic, Span, Variable, Vector, is_real
from library import Library
from tree import Compound, Line


class Indirect(Library):
    STATEMENTS = Library.STATEMENTS + [
        (2, "function_value"), (2, "function_pointer"), (1, "function_changed"), (4, "object_with_virtual"), (2, "nested_gradient"),
        (2, "checkpointed")]

    classes = ()

    def of_reals(self, scope):
        """The functions from one real to one, that can be pointed to."""
        return [f for f in scope.functions if f.pure and not f.prefix and not f.suffix and f.result == "double"
                and f.parameters == [("double", "value")]]

    def small_function(self, scope):
        z = self.fresh("z")
        inner = scope.inner(variables=[Variable(z, "double", False)], functions=[])
        return f"[](double {z}) {{ return {self.expression(inner, 'double', 2)} * {z}; }}"

    def make_function_pointer(self, scope):
        found = self.of_reals(scope)
        one = lambda: self.pick(*found).name if found and self.chance(0.7) else "+" + self.small_function(scope)
        name = self.fresh("f")
        if self.chance(0.4) and found:
            self.cover("function pointer by choice")
            # Two lambdas would have two types, but their pointers have one.
            text = f"{self.condition(scope)} ? {one()} : {self.pick(*found).name}"
        else:
            self.cover("function pointer")
            text = one()
        scope.functions.append(Function(name, "double", [("double", "value")], True, "lambda"))
        return [Line(f"double (*{name})(double) = {text};")]

    def make_function_value(self, scope):
        name = self.fresh("f")
        z = self.fresh("z")
        self.cover("std::function")
        form = self.pick("pure", "pure", "changing", "named")
        found = self.of_reals(scope)
        if form == "named" and found:
            scope.functions.append(Function(name, "double", [("double", "value")], True, "lambda"))
            return [Line(f"std::function<double(double)> {name} = {self.pick(*found).name};")]
        inner = scope.inner(depth=min(1, scope.depth - 1), result="double", loop=False, switch=False)
        inner.locked |= {v.name for v in scope.variables if isinstance(v.type, (Vector, Owner))}
        inner.functions = [f for f in scope.functions if f.pure] if scope.trips <= 8 else []
        if form == "changing":
            self.cover("std::function that changes what it captures")
            inner.variables.append(Variable(z, "double"))
            body = self.block(inner, self.random.randint(1, 2))
        else:
            inner.variables = [Variable(v.name, v.type, False) for v in scope.variables] + [Variable(z, "double")]
            body = self.block(inner, self.random.randint(0, 1))
        body.append(Line(f"return {self.expression(inner, 'double', 2)};", True))
        scope.functions.append(Function(name, "double", [("double", "value")], form != "changing", "lambda"))
        capture = "&" if form == "changing" else self.pick("&", "=")
        if capture == "=" and any(isinstance(v.type, Span) or not v.captured for v in scope.variables):
            capture = "&"
        return [Compound([[f"const std::function<double(double)> {name} = [{capture}](double {z}) -> double {{", body]], "};")]

    def make_function_changed(self, scope):
        """A function value that is reassigned, and called after each assignment."""
        name = self.fresh("f")
        found = self.of_reals(scope)
        one = lambda: self.pick(*found).name if found and self.chance(0.6) else self.small_function(scope)
        self.cover("function value reassigned")
        type_ = self.pick("std::function<double(double)>", "std::add_pointer_t<double(double)>")
        nodes = [Line(f"{type_} {name} = {one()};")]
        nodes += self.result(scope, f"{name}({self.leaf(scope, 'double')})")
        change = Line(f"{name} = {one()};")
        if self.chance(0.4):
            nodes.append(Compound([[f"if ({self.condition(scope)}) {{", [change]]]))
        else:
            nodes.append(change)
        return nodes + self.result(scope, f"{name}({self.leaf(scope, 'double')})")

    def make_object_with_virtual(self, scope):
        if not self.classes:
            return None
        type_ = self.pick(*self.classes)
        name = self.fresh("o")
        nodes = [Line(f"{type_} {name}({self.expression(scope, 'double', 1)});")]
        scope.variables.append(Variable(name, type_))
        if self.chance(0.4):
            self.cover("reference to the base class")
            base = type_.base or type_
            other = self.fresh("r")
            nodes.append(Line(f"{base}& {other} = {name};"))
            scope.variables.append(Variable(other, Polymorphic(base.name, base.fields)))
        return nodes

    def make_nested_gradient(self, scope):
        if not self.few(scope):
            return None
        z = self.fresh("z")
        self.cover("gradient inside")
        # Over jets the argument is of another type than what is captured.
        captured = [self.leaf(scope, "double") for _ in range(2)]
        names = [self.fresh("k") for _ in captured]
        bound = ", ".join(f"{n} = double({c})" for n, c in zip(names, captured))
        of = lambda n: f"{z}_t({n})"
        text = self.pick(f"std::sin({z} * {of(names[0])}) * {z} + {of(names[1])}", f"{z} * {z} * {of(names[0])} - std::exp(std::tanh({z})) * {of(names[1])}",
                         f"std::tanh({of(names[0])} * {z}) * {of(names[1])} * {z}",
                         f"{z} > {of(names[0])} ? {z}_t({z} * {of(names[1])} * {z}) : {z}_t(std::cos({z}) * {of(names[0])})")
        return self.result(scope, f"ddx::testing::fuzz::slope([{bound}](auto {z}) {{ using {z}_t = decltype({z}); return {text}; }}, "
                                  f"double({self.expression(scope, 'double', 1)}))")

    def make_checkpointed(self, scope):
        if scope.trips > 24:
            return None
        found = [f for f in scope.functions if f.pure and not f.suffix and f.prefix in ("", "lambda") and is_real(f.result)
                 and all(is_real(t) or t in ("int", "small") or isinstance(t, Vector) for t, how in f.parameters)]
        if not found:
            return None
        f = self.pick(*found)
        arguments = []
        for type_, how in f.parameters:
            text = self.argument(scope, type_, "const", False)
            if text is None:
                return None
            arguments.append(f"{type_}({text})" if is_real(type_) else text)
        self.cover("ddx::checkpointed")
        return self.result(scope, f"ddx::checkpointed({', '.join([f.name] + arguments)})")
