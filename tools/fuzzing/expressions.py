"""Expressions without effects, and calls."""

from choices import Choices
from kinds import Array, Complex, Pair, Pointer, Polymorphic, Span, Struct, Tuple, Variable, Vector, holds_vector, is_real


class Expressions(Choices):
    def literal(self, kind):
        value = f"{self.random.randint(-24, 24) / 16:g}"
        if "." not in value:
            value += ".0"
        return value + ("f" if kind == "float" else "")

    def leaf(self, scope, kind):
        if self.chance(0.85):
            found = self.place(scope, kind)
            if found:
                return found
        if kind == "double" and self.mixed and self.chance(0.3):
            found = self.place(scope, "float")
            if found:
                self.cover("float widened")
                return f"(0.0 + {found})"
        if self.chance(0.1) and self.integers(scope):
            self.cover("integer converted to real")
            return f"static_cast<{kind}>({self.pick(*self.integers(scope))} % 5)"
        return self.literal(kind)

    def expression(self, scope, kind="double", depth=2):
        if kind == "float" and self.chance(0.2):
            self.cover("double narrowed")
            return f"static_cast<float>({self.expression(scope, 'double', depth - 1)})"
        if depth <= 0:
            return self.leaf(scope, kind)
        one = lambda: self.expression(scope, kind, depth - 1)
        two = "2.0f" if kind == "float" else "2.0"
        half = "1.5f" if kind == "float" else "1.5"
        rule = self.weighted([
            (30, "leaf"), (22, "sum"), (22, "product"), (5, "quotient"), (8, "bounded"),
            (5, "function"), (3, "function2"), (3, "max"), (5, "select"), (6, "call"), (3, "minus"),
            (2, "integer"), (1, "step"), (1, "size"), (1, "of_complex")])
        if rule == "leaf":
            return self.leaf(scope, kind)
        if rule == "sum":
            return f"({one()} {self.pick('+', '-')} {one()})"
        if rule == "product":
            return f"({one()} * {one()})"
        if rule == "minus":
            return f"(-({self.leaf(scope, kind)}))"
        if rule == "quotient":
            self.cover("division")
            d = self.leaf(scope, kind)
            return f"({one()} / ({half} + {d} * {d}))"
        if rule == "bounded":
            name = self.pick("sin", "cos", "tanh", "atan", "erf")
            self.cover(f"std::{name}")
            return f"std::{name}({one()})"
        if rule == "function":
            name = self.pick("exp", "log", "sqrt", "cbrt", "sinh", "cosh", "asin", "acos", "asinh",
                             "expm1", "log1p", "exp2", "log2", "log10", "tan", "fabs", "abs")
            self.cover(f"std::{name}")
            if name in ("fabs", "abs", "asinh"):
                return f"std::{name}({one()})"
            if name in ("log", "sqrt", "cbrt", "log2", "log10", "log1p"):
                d = self.leaf(scope, kind)
                return f"std::{name}({half} + {d} * {d})"
            return f"std::{name}({half[:3].replace('1', '0')}{half[3:]} * std::tanh({one()}))"
        if rule == "function2":
            name = self.pick("pow", "atan2", "hypot", "fma", "fmin", "fmax", "fmod", "copysign")
            self.cover(f"std::{name}")
            d = self.leaf(scope, kind)
            if name == "pow":
                return f"std::pow({half} + {d} * {d}, {self.pick(two, f'std::tanh({one()})')})"
            if name == "atan2":
                return f"std::atan2({one()}, {half} + {d} * {d})"
            if name == "hypot":
                return f"std::hypot({one()}, {half})"
            if name == "fma":
                return f"std::fma({kind}({one()}), {kind}({one()}), {kind}({one()}))"
            if name == "fmod":
                return f"std::fmod({one()}, {half})"
            return f"std::{name}({one()}, {one()})"
        if rule == "max":
            name = self.pick("max", "min", "clamp")
            self.cover(f"std::{name}")
            if name == "clamp":
                return f"std::clamp<{kind}>({one()}, -{half}, {two})"
            return f"std::{name}<{kind}>({one()}, {one()})"
        if rule == "select":
            self.cover("?:")
            return f"({self.condition(scope)} ? +({one()}) : +({one()}))"
        if rule == "integer":
            names = self.integers(scope)
            if names:
                self.cover("integer times real")
                return f"({self.pick(*names)} % 4 * {one()})"
            return one()
        if rule == "of_complex":
            found = self.place(scope, Complex()) if kind == "double" else None
            if not found:
                return one()
            name = self.pick("norm", "abs", "arg", "real", "imag")
            self.cover(f"std::{name} of complex")
            return f"std::{name}({found})"
        if rule == "step":
            name = self.pick("floor", "ceil", "round", "trunc")
            self.cover(f"std::{name}")
            return f"std::{name}({two} * {one()})"
        if rule == "size":
            vectors = [v.name for v in scope.variables if isinstance(v.type, Vector)]
            if vectors and kind == "double":
                self.cover("size()")
                return f"(static_cast<double>({self.pick(*vectors)}.size()) * {one()} * 0.25)"
            return one()
        return self.pure_call(scope, kind) or one()

    def condition(self, scope, depth=1):
        kind = self.real()
        rule = self.weighted([(4, "constant"), (3, "two"), (4, "integer"), (2, "flag"), (depth * 2, "logic"),
                              (1, "not"), (1, "distance")])
        if rule == "integer" and self.integers(scope):
            i = self.pick(*self.integers(scope))
            return self.pick(f"{i} % 2 == {self.random.randint(0, 1)}", f"{i} < {self.random.randint(0, 4)}",
                             f"({i} & 2) == 0", f"{i} != {self.random.randint(0, 3)}")
        if rule == "flag":
            flags = [v.name for v in scope.variables if v.type == "bool"]
            if flags:
                return self.pick(*flags)
        if rule == "two":
            return f"{self.leaf(scope, kind)} {self.pick('<', '>', '<=')} {self.leaf(scope, kind)}"
        if rule == "logic":
            self.cover("&& ||")
            return f"({self.condition(scope, 0)} {self.pick('&&', '||')} {self.condition(scope, 0)})"
        if rule == "not":
            return f"!({self.condition(scope, 0)})"
        return f"{self.leaf(scope, kind)} {self.pick('<', '>')} {self.literal(kind)}"

    def integer(self, scope):
        names = self.integers(scope) or ["1"]
        i = self.pick(*names)
        kind = self.real()
        return self.pick(
            f"({i} + {self.random.randint(1, 4)}) % {self.random.randint(3, 7)}",
            f"({i} * 5 + 3) % 8", str(self.random.randint(0, 5)), i + " % 9",
            f"({i} ^ {self.random.randint(1, 3)}) % 8",
            f"({self.condition(scope, 0)} ? {self.random.randint(0, 3)} : {i} % 6)",
            f"static_cast<int>(std::fabs(std::tanh({self.leaf(scope, kind)})) * 4)")

    def value(self, scope, type_, depth=1):
        """An initialiser in braces or an expression for an object of `type_`."""
        if is_real(type_):
            return self.expression(scope, type_, depth)
        if type_ == "int":
            return self.integer(scope)
        if type_ == "small":  # the depth of a recursion
            return self.pick("1", "2", "3", f"{self.pick(*self.integers(scope) or '2')} % 3")
        if self.chance(0.25):
            found = self.place(scope, type_)
            if found:
                self.cover("copy of an object")
                return found
        if self.chance(0.2):
            call = self.pure_call(scope, type_)
            if call:
                return call
        if isinstance(type_, Struct):
            return str(type_) + "{" + ", ".join(self.value(scope, t, depth - 1) for _, t in type_.fields) + "}"
        if isinstance(type_, Array):
            return (str(type_) if not type_.c_style else "") + \
                "{" + ", ".join(self.value(scope, type_.element, depth - 1) for _ in range(type_.size)) + "}"
        if isinstance(type_, Pair):
            return f"{type_}{{{self.value(scope, type_.first, depth - 1)}, {self.value(scope, type_.second, depth - 1)}}}"
        if isinstance(type_, Tuple):
            self.cover("tuple")
            return f"{type_}{{{', '.join(self.value(scope, t, depth - 1) for t in type_.elements)}}}"
        if isinstance(type_, Complex):
            return self.complex(scope, depth)
        n = self.random.randint(1, 3)
        if self.chance(0.3 if is_real(type_.element) else 0.02):
            self.cover("vector of n copies")
            return f"{type_}({n}, {self.value(scope, type_.element, depth - 1)})"
        # A number alone in braces is named with its type: some compilers take it for a size in templates.
        named = f"{type_.element}" if is_real(type_.element) else ""
        return f"{type_}{{" + ", ".join(f"{named}({self.value(scope, type_.element, depth - 1)})"
                                        for _ in range(n)) + "}"

    def complex(self, scope, depth):
        """An expression for a complex number: bounded as the real ones are."""
        self.cover("complex")
        parts = [f"std::complex<double>({self.expression(scope, 'double', 1)}, {self.leaf(scope, 'double')})"]
        if found := self.place(scope, Complex()):
            parts.append(found)
        one = lambda: self.complex(scope, depth - 1)
        rule = self.weighted([(3, "part"), (3, "sum"), (3, "product"), (1, "quotient"), (1, "scaled"), (2, "function"), (1, "power")]) if depth > 0 else "part"
        if rule == "part":
            return self.pick(*parts)
        if rule == "sum":
            return f"({one()} {self.pick('+', '-')} {one()})"
        if rule == "product":
            return f"({one()} * {one()})"
        if rule == "scaled":
            return f"(double({self.expression(scope, 'double', 1)}) {self.pick('*', '+', '-')} {one()})"
        z = one()
        if rule == "quotient":
            return f"({one()} / (double(2.5) + std::complex<double>(std::fabs({self.leaf(scope, 'double')}), {self.leaf(scope, 'double')})))"
        if rule == "power":
            self.cover("complex pow")
            return f"std::pow(std::complex<double>(1.5, std::tanh({self.leaf(scope, 'double')})), {self.pick('2', 'double(1.5)')})"
        name = self.pick("conj", "exp", "log", "sqrt", "sin", "cos", "tanh", "sinh", "polar")
        self.cover(f"complex {name}")
        small = f"std::complex<double>(std::tanh({self.leaf(scope, 'double')}), std::sin({self.leaf(scope, 'double')}))"
        if name == "conj":
            return f"std::conj({z})"
        if name == "polar":
            return f"std::polar<double>(1.5, {self.leaf(scope, 'double')})"
        if name in ("log", "sqrt"):
            return f"std::{name}(double(2.0) + {small})"
        return f"std::{name}({small})"

    # Calls ---------------------------------------------------------------------------------------

    def argument(self, scope, type_, how, free):
        """An argument, or None where there is none. `free`: an expression with effects may stand."""
        if isinstance(type_, Pointer):
            return self.pointer_argument(scope, type_)
        if type_ == "range":
            found = [v for v in scope.variables if isinstance(v.type, Vector) and v.type.element == "double"]
            if not found:
                return None
            name = self.pick(*found).name
            return self.pick(f"{name}.begin(), {name}.end()", f"{name}.rbegin(), {name}.rend()", f"{name}.data(), {name}.data() + {name}.size()")
        if type_ == "lambda":
            lambdas = [f for f in scope.functions if f.prefix == "lambda" and f.pure]
            if lambdas and self.chance(0.6):
                return self.pick(*lambdas).name
            self.cover("lambda as argument")
            z = self.fresh("z")
            inner = scope.inner(variables=scope.variables + [Variable(z, "double", False)])
            return f"[&](double {z}) {{ return {z} * {self.expression(inner, 'double', 1)}; }}"
        if isinstance(type_, Span):
            found = [v.name for v in scope.variables if isinstance(v.type, (Vector, Array)) and v.type.element == "double"
                     and (v.writable or type_.const)]
            found += [v.name for v in scope.variables if isinstance(v.type, Span) and (type_.const or not v.type.const)]
            return self.pick(*found) if found else None
        if isinstance(type_, Polymorphic):
            found = [v.name for v in scope.variables if (v.type == type_ or getattr(v.type, "base", None) == type_)
                     and (v.writable or how != "ref")]
            return self.pick(*found) if found else None
        if how == "ref":
            found = self.rooted_place(scope, type_, writable=True)
            if not found or found[1].name in scope.locked and holds_vector(type_):
                return None
            return found[0]
        if how == "const-place" and not is_real(type_):
            return self.place(scope, type_)
        if how in ("const", "const-place") and self.chance(0.5):
            found = self.place(scope, type_)
            if found:
                return found
        return self.value(scope, type_, 1)

    def pointer_argument(self, scope, type_):
        found = []
        for v in scope.variables:
            if isinstance(v.type, Array) and v.type.element == "double" and v.type.size >= type_.size:
                if v.writable or type_.const:
                    found.append(v.name if v.type.c_style else v.name + ".data()")
                    if v.type.size > type_.size:
                        found.append(f"&{v.name}[1]")
            elif isinstance(v.type, Pointer) and v.type.size >= type_.size and (type_.const or not v.type.const):
                found.append(v.name)
            elif v.type == "double" and type_.size == 1 and (v.writable or type_.const):
                found.append("&" + v.name)
        return self.pick(*found) if found else None

    def arguments(self, scope, function, free):
        result = []
        for type_, how in function.parameters:
            text = self.argument(scope, type_, how, free)
            if text is None:
                return None
            result.append(text)
        return result

    def call(self, scope, function, free=False):
        arguments = self.arguments(scope, function, free)
        if arguments is None:
            return None
        if function.prefix == "member":
            return f"{arguments[0]}.{function.name}({', '.join(arguments[1:])})"
        if function.prefix == "operator":
            return f"({arguments[0]} {function.name} {arguments[1]})"
        return f"{function.name}{function.suffix}({', '.join(arguments)})"

    def pure_call(self, scope, type_):
        # What is expensive is not called from deep inside of loops.
        if scope.trips > 40:
            return None
        found = [f for f in scope.functions if f.pure and f.result == type_]
        return self.call(scope, self.pick(*found)) if found else None
