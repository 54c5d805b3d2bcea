"""Programs whose memory has no names of its own: heap blocks, pointers to pointers, pools, mixed layouts, unions, globals, jumps."""
from containers import Containers
from kinds import Owner, Scope, Variable
from tree import Compound, Line

FREED = ("struct Freed {", ["double*& p;", "~Freed() { std::free(p); }"])
POOL = ("struct Pool {", ["alignas(double) unsigned char bytes[24 * sizeof(double)];", "std::size_t used = 0;",
                          "void* take(std::size_t n) { void* place = bytes + used % (20 * sizeof(double)); used += n; return place; }"])
TAGGED = ("struct Tagged {", ["union Either { double d; int i; Either() : i(1) {} } of;", "bool real = false;",
                              "void set(double z) { of.d = z; real = true; }", "void set_integer(int n) { of.i = n; real = false; }",
                              "double get(double z) const { return real ? of.d * z : of.i + z; }"])
ORDER = ("int by_value(const void* a, const void* b) {", ["const double u = *static_cast<const double*>(a);",
                                                          "const double w = *static_cast<const double*>(b);", "return u < w ? -1 : u > w ? 1 : 0;"])


class Addresses(Containers):
    """Each program has some of the families."""

    FAMILIES = Containers.FAMILIES | {
        "heaps": [(6, "heap"), (8, "heap_change"), (5, "heap_walk"), (3, "rows"), (2, "stack_block"), (2, "ordered_block")],
        "pools": [(4, "pool"), (5, "placed")],
        "layouts": [(6, "layout"), (8, "layout_change"), (4, "layout_block")],
        "unions": [(4, "tagged"), (8, "tagged_change")],
        "globals": [(10, "global_call")],
        "jumps": [(5, "jump_back"), (5, "jump_over"), (5, "jump_into"), (4, "jump_out"), (5, "machine")],
    }

    def prelude(self, chosen):
        super().prelude(chosen)
        for head, lines in (FREED, POOL, TAGGED):
            self.program.definitions.append(Compound([[head, [Line(t, True) for t in lines]]], "};", True))
        self.program.definitions.append(Compound([[ORDER[0], [Line(t, True) for t in ORDER[1]]]], "}", True))
        self.sizes, self.layouts, self.globals, self.global_functions, self.machines = {}, [], [], [], []
        if "layouts" in chosen:
            self.layouts = [self.define_layout() for _ in range(self.random.randint(1, 2))]
        if "globals" in chosen:
            self.define_globals()
        if "jumps" in chosen:
            self.machines = [self.define_machine() for _ in range(self.random.randint(0, 2))]

    # Heap blocks ---------------------------------------------------------------------------------

    def make_heap(self, scope):
        if not self.few(scope):
            return None
        name, n = self.fresh("m"), self.random.randint(2, 5)
        form = self.pick("malloc", "malloc", "malloc", "calloc", "new", "operator new", "aligned_alloc")
        self.cover(f"block by {form}")
        got = {"malloc": f"static_cast<double*>(std::malloc({n} * sizeof(double)))", "calloc": f"static_cast<double*>(std::calloc({n}, sizeof(double)))",
               "new": f"new double[{n}]{{}}", "operator new": f"static_cast<double*>(::operator new({n} * sizeof(double)))",
               "aligned_alloc": f"static_cast<double*>(std::aligned_alloc(alignof(double), {n} * sizeof(double)))"}[form]
        guard = self.fresh("g")
        if form == "new":
            nodes = [Line(f"std::unique_ptr<double[]> {guard}({got});", True), Line(f"double* {name} = {guard}.get();", True)]
        elif form == "operator new":
            nodes = [Line(f"struct {guard} {{ double* p; ~{guard}() {{ ::operator delete(p); }} }};", True),
                     Line(f"double* {name} = {got};", True), Line(f"const {guard} {guard}x{{{name}}};", True)]
        else:
            nodes = [Line(f"double* {name} = {got};", True), Line(f"const Freed {guard}{{{name}}};", True)]
        nodes += [Line(f"{name}[{k}] = {self.number(scope)};", form not in ("calloc", "new")) for k in range(n)]
        self.block_of(scope, name, n, "heap" if form == "malloc" else "fixed heap")
        return nodes

    def block_of(self, scope, name, n, kind):
        scope.variables.append(Variable(name, Owner(kind), captured=False))
        self.sizes[name] = n
        self.real_at(scope, f"{name}[{self.index(scope, n)}]", f"(*({name} + {self.index(scope, n)}))", f"{name}[{n - 1}]", f"({self.index(scope, n)})[{name}]")

    def blocks(self, scope):
        return [v.name for v in self.owners(scope, "heap", "fixed heap")]

    def make_heap_change(self, scope):
        names = self.blocks(scope)
        if not names or not self.few(scope):
            return None
        m, other = self.pick(*names), self.pick(*names)
        n, k = self.sizes[m], min(self.sizes[m], self.sizes[other])
        form = self.pick("memcpy", "memmove", "memset", "copy", "fill", "swap blocks", "realloc", "through a copy", "pointer to pointer",
                         "swap_ranges", "accumulate")
        self.cover(f"block: {form}")
        count = self.random.randint(1, n - 1)
        if form == "memcpy":
            if m == other:
                return [Line(f"std::memcpy({m}, {m} + {n - 1}, sizeof(double));")]
            return [Line(f"std::memcpy({m}, {other}, {self.random.randint(1, k)} * sizeof(double));")]
        if form == "memmove":
            at, to = self.random.sample(range(n - count + 1), 2) if n - count > 0 else (0, 0)
            return [Line(f"std::memmove({m} + {to}, {m} + {at}, {count} * sizeof(double));")]
        if form == "memset":
            return [Line(f"std::memset(static_cast<void*>({m} + {n - count}), 0, {count} * sizeof(double));")]
        if form == "copy":
            return [Line(f"std::copy_backward({m}, {m} + {n - 1}, {m} + {n});")]
        if form == "fill":
            return [Line(f"std::fill_n({m}, {count}, {self.number(scope)});")]
        if form == "accumulate":
            return self.result(scope, f"std::accumulate({m}, {m} + {n}, {self.number(scope, 1)})")
        if form in ("swap blocks", "realloc"):
            free = [v.name for v in self.owners(scope, "heap", free=True)]
            if not free:
                return None
            m = self.pick(*free)
            if form == "realloc":
                return [Line(f"{m} = static_cast<double*>(std::realloc(static_cast<void*>({m}), {self.sizes[m] + self.random.randint(0, 40)} * sizeof(double)));")]
            other = self.pick(*free)
            return [Line(f"std::swap({m}, {other});")] if self.sizes[m] == self.sizes[other] else None
        if form == "swap_ranges":
            return [Line(f"std::swap_ranges({m}, {m} + 1, {other} + 1);")]
        if form == "pointer to pointer":
            p = self.fresh("p")
            nodes = [Line(f"double** {p} = &{m};", True), Line(f"(*{p})[{self.index(scope, n)}] *= {self.leaf(scope, 'double')};")]
            self.real_at(scope, f"(*{p})[{self.index(scope, n)}]", f"(**{p})")
            return nodes
        t = self.fresh("t")
        return [Line(f"double {t}[{n}];", True), Line(f"std::memcpy({t}, {m}, sizeof {t});", True),
                Line(f"{t}[0] = std::tanh({t}[0] * {self.leaf(scope, 'double')});"), Line(f"std::memcpy({m}, {t}, sizeof {t});")]

    def make_heap_walk(self, scope):
        names = self.blocks(scope)
        if not names or not self.may_loop(scope):
            return None
        m, p = self.pick(*names), self.fresh("p")
        n = self.sizes[m]
        inner = self.loop_scope(scope, n)
        self.real_at(inner, f"(*{p})", f"{p}[0]")
        inner.locked.add(m)
        form = self.pick("up", "down", "step", "while")
        self.cover(f"walk over a block {form}")
        body = self.block(inner, self.random.randint(1, 3))
        if form == "while":
            return [Line(f"double* {p} = {m};", True), Compound([[f"while ({p} != {m} + {n}) {{", [Line(f"*{p} = std::tanh(*{p} + {self.number(inner, 1)});"), Line(f"{p}++;", True)]]])]
        head = {"up": f"for (double* {p} = {m}; {p} != {m} + {n}; ++{p}) {{", "down": f"for (double* {p} = {m} + {n - 1}; {p} > {m}; --{p}) {{",
                "step": f"for (double* {p} = {m}; {p} - {m} < {n}; {p} += 2) {{"}[form]
        return [Compound([[head, body]])]

    def make_rows(self, scope):
        names = self.blocks(scope)
        if not names or not self.few(scope):
            return None
        name = self.fresh("m")
        self.cover("array of pointers")
        rows = [self.pick(*names) for _ in range(3)]
        for row in rows:
            scope.locked.add(row)
        extra = [self.pick("", "", " + 1") for _ in rows]
        nodes = [Line(f"double* {name}[3] = {{{', '.join(r + e for r, e in zip(rows, extra))}}};", True)]
        if self.chance(0.7):
            nodes.append(Line(f"if ({self.condition(scope)}) std::swap({name}[0], {name}[2]);"))
        if self.chance(0.5):
            nodes.append(Line(f"{name}[{self.index(scope, 3)}] = {name}[{self.index(scope, 3)}];"))
        nodes.append(Line(f"*{name}[{self.index(scope, 3)}] += {self.squashed(scope, 'double')};"))
        scope.variables.append(Variable(name, Owner("rows"), captured=False))
        self.real_at(scope, f"{name}[{self.index(scope, 3)}][0]", f"(*{name}[{self.index(scope, 3)}])")
        return nodes

    def make_stack_block(self, scope):
        if scope.loop or not self.few(scope):
            return None
        name, n = self.fresh("m"), self.random.randint(2, 4)
        form = self.pick("array of variable size", "alloca", "volatile")
        self.cover(form)
        if form == "volatile":
            v = self.fresh("v")
            return [Line(f"volatile double {v}x = {self.number(scope)};", True), *self.result(scope, f"{v}x")]
        if form == "alloca":
            nodes = [Line(f"double* {name} = static_cast<double*>(__builtin_alloca(({n} + {self.index(scope, 3)}) * sizeof(double)));", True)]
        else:
            nodes = [Line(f"double {name}[{n} + {self.index(scope, 3)}];", True)]
        nodes += [Line(f"{name}[{k}] = {self.number(scope)};", True) for k in range(n)]
        self.block_of(scope, name, n, "fixed heap")
        return nodes

    def make_ordered_block(self, scope):
        names = self.blocks(scope)
        if not names or not self.few(scope):
            return None
        m = self.pick(*names)
        self.cover("qsort")
        return [Line(f"std::qsort({m}, {self.sizes[m]}, sizeof(double), by_value);")]

    # Pools, placement ----------------------------------------------------------------------------

    def make_pool(self, scope):
        name = self.fresh("o")
        self.cover("pool")
        scope.variables.append(Variable(name, Owner("pool"), captured=False))
        return [Line(f"Pool {name};", True)]

    def make_placed(self, scope):
        name = self.owner(scope, "pool")
        if not name or not self.few(scope):
            return None
        p = self.fresh("p")
        self.cover("placement new")
        # Places are used again, so what was there is gone: the pool serves this block alone.
        inner = scope.inner(depth=0)
        self.real_at(inner, f"(*{p})")
        q = self.fresh("q")
        body = [Line(f"double* {p} = new ({name}.take(sizeof(double))) double({self.number(scope)});", True),
                Line(f"*{p} *= {self.leaf(scope, 'double')};"), Line(f"{q} += std::tanh(*{p} * {self.leaf(scope, 'double')});")]
        nodes = [Line(f"double {q} = {self.number(scope, 1)};", True), Compound([["{", body]])]
        scope.variables.append(Variable(q, "double"))
        return nodes

    # Structs with padding, by value -----------------------------------------------------------------

    def define_layout(self):
        name = f"{self.fresh('L')}x"
        kinds = ["double", "double", "int", "char", "short", "bool", "bits", "double[2]"]
        kinds += [] if self.second else ["float", "float", "float[3]", "long double"]
        members, reals, integers = [], [], []
        for _ in range(self.random.randint(2, 6)):
            kind, m = self.pick(*kinds), self.fresh("a")
            if kind == "bits":
                members.append(f"unsigned {m} : 5 = 3;")
                integers.append(m)
            elif kind.endswith("]"):
                base, count = kind[:-1].split("[")
                members.append(f"{base} {m}[{count}] = {{}};")
                reals += [(f"{m}[{k}]", base) for k in range(int(count))]
            elif kind in ("double", "float", "long double"):
                members.append(f"{kind} {m} = {'1' if self.chance(0.5) else '0'};")
                reals.append((m, kind))
            else:
                members.append(f"{kind} {m} = 1;")
                integers.append(m)
        if not reals:
            m = self.fresh("a")
            members.append(f"double {m} = 0;")
            reals.append((m, "double"))
        self.program.mixed = self.program.mixed or any(k == "float" for _, k in reals)
        head = f"struct {'alignas(16) ' if self.chance(0.15) else ''}{name} {{"
        self.program.definitions.append(Compound([[head, [Line(m, True) for m in members]]], "};", True))
        s, z, n = self.fresh("u"), self.fresh("z"), self.fresh("n")
        functions = []
        for _ in range(self.random.randint(1, 2)):
            f = self.fresh("h")
            body = [Line(f"{s}.{m} = std::tanh({s}.{m} * {z} + {self.pick(*reals)[0].join((s + '.', ''))});") for m, _ in reals if self.chance(0.6)]
            body += [Line(f"{s}.{m} = ({s}.{m} + {n}) % 2;") for m in integers if self.chance(0.5)]
            inline = self.pick("", "[[gnu::noinline]] ")
            self.program.definitions.append(Compound([[f"{inline}{name} {f}({name} {s}, double {z}, int {n}) {{", body + [Line(f"return {s};", True)]]], "}", True))
            functions.append(f)
        return name, reals, integers, functions

    def layout_reals(self, scope, text, reals):
        self.real_at(scope, *(f"{text}.{m}" for m, kind in reals if kind == "double"))
        for m, kind in reals:
            if kind == "float":
                scope.variables.append(Variable(f"{text}.{m}", "float", captured=False))

    def make_layout(self, scope):
        if not self.layouts or not self.few(scope):
            return None
        type_, reals, integers, _ = layout = self.pick(*self.layouts)
        name = self.fresh("u")
        self.cover("struct with padding")
        nodes = [Line(f"{type_} {name}{self.pick('', '{}')};", True)]
        nodes += [Line(f"{name}.{m} = {self.number(scope)};") for m, _ in reals if self.chance(0.8)]
        scope.variables.append(Variable(name, Owner("layout" + type_), captured=False))
        self.layout_reals(scope, name, reals)
        return nodes

    def make_layout_change(self, scope):
        if not self.layouts or not self.few(scope):
            return None
        type_, reals, integers, functions = self.pick(*self.layouts)
        names = [v.name for v in self.owners(scope, "layout" + type_)]
        if not names:
            return None
        u, w = self.pick(*names), self.pick(*names)
        form = self.pick("call", "call", "memcpy", "assigned", "swapped", "new", "returned", "by pointer to member", "in an array")
        self.cover(f"struct with padding: {form}")
        m, kind = self.pick(*reals)
        if form == "call":
            return [Line(f"{u} = {self.pick(*functions)}({w}, {self.number(scope)}, {self.index(scope, 3)});")]
        if form == "memcpy":
            return [Line(f"std::memcpy(static_cast<void*>(&{u}), &{w}, sizeof {u});")] if u != w else None
        if form == "assigned":
            return [Line(f"{u} = {self.condition(scope)} ? {u} : {w};")]
        if form == "swapped":
            return [Line(f"std::swap({u}, {w});")]
        if form == "returned":
            return self.result(scope, f"double({self.pick(*functions)}({u}, {self.number(scope)}, {self.index(scope, 3)}).{m})")
        t = self.fresh("t")
        if form == "new":
            return [Line(f"const auto {t} = std::make_unique<{type_}>({w});", True), Line(f"{t}->{m} *= {self.leaf(scope, 'double')};"), Line(f"{u} = *{t};")]
        if form == "in an array":
            return [Line(f"{type_} {t}[3] = {{{u}, {w}, {u}}};", True), Line(f"{t}[{self.index(scope, 3)}].{m} += {self.leaf(scope, 'double')};"),
                    Line(f"std::rotate({t}, {t} + {self.random.randint(1, 2)}, {t} + 3);"), Line(f"{w} = {t}[{self.index(scope, 3)}];")]
        plain = [(m, kind) for m, kind in reals if "[" not in m]
        if not plain:
            return None
        m, kind = self.pick(*plain)
        others = [x for x, k in plain if k == kind]
        return [Line(f"{kind} {type_}::*const {t} = {self.condition(scope)} ? &{type_}::{m} : &{type_}::{self.pick(*others)};", True),
                Line(f"{u}.*{t} = std::tanh({w}.*{t} * 0.75);")]

    def make_layout_block(self, scope):
        if not self.layouts or not self.may_loop(scope):
            return None
        type_, reals, integers, functions = self.pick(*self.layouts)
        v, e = self.fresh("v"), self.fresh("e")
        self.cover("structs with padding in a vector")
        q = self.fresh("q")
        m = self.pick(*reals)[0]
        nodes = [Line(f"std::vector<{type_}> {v}(3);", True), Line(f"{v}[{self.index(scope, 3)}].{m} = {self.number(scope)};"),
                 Line(f"double {q} = 0;", True),
                 Compound([[f"for (auto& {e} : {v}) {{", [Line(f"{e} = {self.pick(*functions)}({e}, {self.number(scope)}, 1);"), Line(f"{q} += {e}.{m};")]]]),
                 Line(f"std::ranges::sort({v}, [](const auto& x, const auto& y) {{ return x.{m} < y.{m}; }});"),
                 Line(f"{v}.push_back({v}[0]);"), Line(f"{q} = std::tanh({q} + {v}.back().{m} * {v}[1].{m});")]
        scope.variables.append(Variable(q, "double"))
        return nodes

    # Unions --------------------------------------------------------------------------------------

    def make_tagged(self, scope):
        name = self.fresh("k")
        self.cover("union")
        nodes = [Line(f"Tagged {name};", True)] + ([Line(f"{name}.set({self.number(scope)});")] if self.chance(0.6) else [])
        scope.variables.append(Variable(name, Owner("tagged"), captured=False))
        return nodes

    def make_tagged_change(self, scope):
        names = [v.name for v in self.owners(scope, "tagged")]
        if not names:
            return None
        k, other = self.pick(*names), self.pick(*names)
        form = self.pick("set", "set", "integer", "copy", "get", "get", "get")
        self.cover(f"union: {form}")
        if form == "get":
            return self.result(scope, f"{k}.get({self.number(scope)})")
        return [Line({"set": f"{k}.set({self.number(scope)});", "integer": f"if ({self.condition(scope)}) {k}.set_integer({self.index(scope, 4)});",
                      "copy": f"{k} = {other};"}[form])]

    # Globals -------------------------------------------------------------------------------------

    def define_globals(self):
        for _ in range(self.random.randint(1, 2)):
            name = self.fresh("g")
            self.program.definitions.append(Line(f"{self.pick('', 'static ', 'thread_local ', 'static thread_local ')}double {name} = {self.literal('double')};", True))
            self.globals.append(name)
        for _ in range(self.random.randint(1, 2)):
            f, z, t = self.fresh("h"), self.fresh("z"), self.fresh("t")
            scope = Scope([Variable(z, "double")] + [Variable(g, "double", captured=False) for g in self.globals], (), [], 2, "double")
            body = self.block(scope, self.random.randint(1, 3))
            if self.chance(0.5):
                self.cover("static variable")
                body = [Line(f"static double {t}[2];", True), Line(f"{t}[0] = {z};", True), Line(f"{t}[1] = {t}[0] * {z};", True)] + body
                self.real_at(scope, f"{t}[1]")
            g = self.pick(*self.globals)
            self.program.definitions.append(Compound([[f"{self.pick('', '[[gnu::noinline]] ')}double {f}(double {z}) {{", body + [
                Line(f"{g} = std::tanh({self.expression(scope, 'double', 2)});"), Line(f"return {self.expression(scope, 'double', 1)} + {g};", True)]]], "}", True))
            self.global_functions.append(f)

    def first_statements(self, scope):
        nodes = super().first_statements(scope)
        for g in self.globals:
            nodes.append(Line(f"{g} = {self.number(scope, 1)};", True))
            self.real_at(scope, g)
        return nodes

    def make_global_call(self, scope):
        if not self.global_functions or not self.few(scope):
            return None
        self.cover("call that changes globals")
        return self.result(scope, f"{self.pick(*self.global_functions)}({self.number(scope)})")

    # Jumps ---------------------------------------------------------------------------------------

    def fresh_label(self, stem):
        return self.fresh(stem.capitalize())

    def make_jump_back(self, scope):
        if not self.may_loop(scope) or scope.switch:
            return None
        n, k, label = self.fresh("n"), self.random.randint(1, 3), self.fresh_label("again")
        self.cover("goto back")
        inner = self.loop_scope(scope, k, Variable(n, "int", False))
        inner.loop = scope.loop
        return [Line(f"int {n} = 0;", True), Line(f"{label}:", True), Compound([["{", self.block(inner, self.random.randint(1, 3))]], "}", True),
                Line(f"if (++{n} < {k}{self.pick('', ' && ' + self.condition(scope, 0))}) goto {label};")]

    def make_jump_over(self, scope):
        if scope.depth <= 0 or scope.switch:
            return None
        label = self.fresh_label("skip")
        self.cover("goto forward")
        inner = scope.inner(depth=scope.depth - 1)
        body = self.block(inner, self.random.randint(1, 2)) + [Line(f"if ({self.condition(scope)}) goto {label};")] + self.block(inner, 1)
        return [Compound([["{", [Line(f"if ({self.condition(scope)}) goto {label};"), Compound([["{", body]]), Line(f"{label}:;", True)]]], "}")]

    def make_jump_into(self, scope):
        if not self.may_loop(scope) or scope.switch:
            return None
        n, k, label = self.fresh("n"), self.random.randint(1, 3), self.fresh_label("middle")
        self.cover("goto into a loop")
        inner = lambda: self.loop_scope(scope, k, Variable(n, "int", False))
        body = [Compound([["{", self.block(inner(), self.random.randint(1, 2))]]), Line(f"{label}:;", True),
                Compound([["{", self.block(inner(), self.random.randint(1, 2))]])]
        return [Line(f"int {n} = 0;", True), Line(f"if ({self.condition(scope)}) goto {label};"),
                Compound([[f"for ({n} = 0; {n} < {k}; ++{n}) {{", body]], "}", True)]

    def make_jump_out(self, scope):
        if not self.may_loop(scope) or scope.switch:
            return None
        i, j, label = self.fresh("i"), self.fresh("i"), self.fresh_label("out")
        self.cover("goto out of loops")
        inner = self.loop_scope(scope, 6, Variable(i, "int", False))
        inner.variables.append(Variable(j, "int", False))
        body = self.block(inner, self.random.randint(1, 2)) + [Line(f"if ({self.condition(inner)}) goto {label};")] + self.block(inner, 1)
        return [Compound([["{", [Compound([[f"for (int {i} = 0; {i} < 2; ++{i}) {{", [Compound([[f"for (int {j} = 0; {j} < 3; ++{j}) {{", body]])]]]),
                                 Line(f"{label}:;", True)]]], "}")]

    def define_machine(self):
        f, z, k, q, n = (self.fresh(p) for p in ("h", "z", "n", "q", "n"))
        a, b, c = (self.fresh_label("state") for _ in range(3))
        scope = Scope([Variable(z, "double"), Variable(q, "double")], (), [], 2, "double")
        scope.trips = 3
        block = lambda: Compound([["{", self.block(scope.inner(loop=False), self.random.randint(1, 2))]])
        if self.chance(0.5):
            self.cover("computed goto")
            body = [Line(f"static void* const jumps[] = {{&&{a}, &&{b}, &&{c}}};", True), Line(f"double {q} = {z};", True), Line(f"int {n} = 0;", True),
                    Line(f"goto *jumps[{k} % 3];", True), Line(f"{a}:", True), block(), Line(f"if (++{n} < 4) goto *jumps[({k} + {n}) % 3];", True),
                    Line(f"{b}:", True), block(), Line(f"if (++{n} < 4) goto *jumps[{q} > 0 ? 2 : 1];", True), Line(f"{c}:", True), block()]
        else:
            self.cover("switch into a loop")
            body = [Line(f"double {q} = {z};", True), Line(f"int {n} = 2;", True),
                    Compound([[f"switch ({k} % 3) {{ case 0: do {{", [block(), Line("case 1:", True), block(), Line("case 2:", True), block()]]], f"}} while (--{n} > 0); }}", True)]
        self.program.definitions.append(Compound([[f"double {f}(double {z}, int {k}) {{", body + [Line(f"return {q} + {self.leaf(scope, 'double')};", True)]]], "}", True))
        return f

    def make_machine(self, scope):
        if not self.machines or not self.few(scope):
            return None
        return self.result(scope, f"{self.pick(*self.machines)}({self.number(scope)}, {self.index(scope, 5)})")
