#!/usr/bin/env python3
"""Each checker of tools/ on small trees: it names what is wrong and accepts what is right.

Usage: checkers_test.py TOOLS
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(sys.argv.pop(1)).resolve()

GOOD_HEADER = """/// \\file
/// Counts.

#pragma once

#include <vector>

namespace ddx::nn {

/// A count.
struct Count {
  int value = 0;
};

/// Returns the sum.
[[nodiscard]] int sum(const std::vector<int>& values);
[[nodiscard]] int sum(const std::vector<Count>& values);

}  // namespace ddx::nn
"""


def run(script, files, *arguments, before=("{root}",)):
    """Runs a checker on a tree of the given files; returns (exit status, output)."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        words = [word.format(root=root) for word in (*before, *arguments)]
        done = subprocess.run([sys.executable, "-B", str(TOOLS / script), *words], check=False,
                              capture_output=True, text=True)
        return done.returncode, (done.stdout + done.stderr).replace(f"{root}/", "")


class Checkers(unittest.TestCase):
    def accepts(self, script, files, *arguments):
        self.assertEqual(run(script, files, *arguments), (0, ""))

    def rejects(self, script, files, message, *arguments):
        status, output = run(script, files, *arguments)
        self.assertEqual(status, 1, output)
        self.assertIn(message, output)

    def test_a_layer_may_not_include_one_above_it(self):
        files = {"layers.txt": "core:\nad: core\n", "include/core/a.h": '#include "ddx/ad/b.h"\n'}
        before = ("{root}/include", "ddx/", "{root}/layers.txt")
        status, output = run("check_layers.py", files, before=before)
        self.assertEqual((status, output), (1, "include/core/a.h:1: core must not include ad\n"))
        files["include/core/a.h"] = '#include "ddx/core/b.h"\n'
        files["include/umbrella.h"] = '#include "ddx/core/a.h"\n#include "ddx/ad/b.h"\n'
        self.assertEqual(run("check_layers.py", files, before=before)[0], 0)

    def test_layers_are_declared_from_the_lowest_up(self):
        before = ("{root}", "ddx/", "{root}/layers.txt")
        status, output = run("check_layers.py", {"layers.txt": "core: ad\nad:\n"}, before=before)
        self.assertEqual(status, 1)
        self.assertIn("core may not name ['ad']", output)

    def test_a_header_compiles_alone_and_twice(self):
        good = {"include/ddx/nn/count.h": GOOD_HEADER}
        self.accepts("check_headers.py", good, "{root}/cache")
        leaning = GOOD_HEADER.replace("#include <vector>\n", "")
        self.rejects("check_headers.py", {"include/ddx/nn/count.h": leaning},
                     "include/ddx/nn/count.h: does not compile alone", "{root}/cache")
        repeated = GOOD_HEADER.replace("#pragma once\n", "")
        self.rejects("check_headers.py", {"include/ddx/nn/count.h": repeated}, "redefinition",
                     "{root}/cache")
        private = GOOD_HEADER.replace("#include <vector>", '#include <vector>\n#include "own.h"')
        self.rejects("check_headers.py", {"include/ddx/nn/count.h": private, "src/nn/own.h": ""},
                     "'own.h' file not found", "{root}/cache")

    def test_what_every_program_reads_stays_small(self):
        light = {"include/ddx/ad.h": '#include "ddx/ad/a.h"\n', "include/ddx/ad/a.h": "#include <utility>\n"}
        self.accepts("check_weight.py", light)
        self.rejects("check_weight.py", {**light, "include/ddx/ad/a.h": "#include <memory>\n"},
                     "ddx/ad.h: reads <memory> by ddx/ad/a.h")
        heavy = "".join(f"int name_{number};\n" for number in range(100000))
        self.rejects("check_weight.py", {**light, "include/ddx/ad/a.h": heavy}, "bytes after the preprocessor, at most")

    def test_a_folder_opens_its_own_namespace(self):
        self.accepts("check_namespaces.py", {"include/ddx/nn/count.h": GOOD_HEADER,
                                             "src/nn/count.cpp": "namespace ddx::nn {\n",
                                             "src/backend/cpu/a.h": "namespace ddx::backend::cpu {\n",
                                             "src/core/a.cpp": "namespace {\nnamespace std {\n",
                                             "include/ddx/core/a.h": "namespace ddx {\n",
                                             "compiler/lower/a.h": "namespace ddx::compiler {\n",
                                             "compiler/ir/a.h": "namespace ddx::compiler::ir {\n"})
        self.rejects("check_namespaces.py", {"include/ddx/io/count.h": GOOD_HEADER},
                     "include/ddx/io/count.h:8: opens namespace ddx::nn")
        nested = "namespace ddx {{\nnamespace {name} {{\n}}  // namespace {name}\n".format
        self.accepts("check_namespaces.py", {"include/ddx/core/a.h": nested(name="detail")})
        self.rejects("check_namespaces.py", {"include/ddx/core/a.h": nested(name="own")},
                     "include/ddx/core/a.h:2: opens namespace ddx::own")
        self.rejects("check_namespaces.py", {"compiler/lower/a.h": "namespace ddx {\n"},
                     "this folder owns ddx::compiler")

    def test_macros_come_from_the_list_or_a_table(self):
        table = {"include/ddx/ops/ops.def": "DDX_OP(add)\n#undef DDX_OP\n"}
        use = "#define DDX_OP(name) name,\n"
        self.accepts("check_macros.py", {**table, "src/ops/names.cpp": use})
        foreign = '#define OPERATOR(name) \\\n  name,\n#include "clang/Basic/OperatorKinds.def"\n'
        self.accepts("check_macros.py", {"compiler/support/names.cpp": foreign})
        self.rejects("check_macros.py",
                     {"compiler/support/names.cpp": foreign.replace("#include", "int a;\n#include")},
                     "names.cpp:1: macro OPERATOR is not on the list")
        self.accepts("check_macros.py", {"compiler/emit/a.cpp": 'auto a = R"(\n#define A\n)";\n'})
        self.rejects("check_macros.py", {"compiler/emit/a.cpp": 'auto a = R"(\n)";\n#define A\n'},
                     "a.cpp:3: macro A is not on the list")
        self.rejects("check_macros.py", {"src/ops/names.cpp": use},
                     "src/ops/names.cpp:1: macro DDX_OP is not on the list")

    def test_text_that_no_source_may_contain(self):
        # Put together here, so that this file itself stays clean.
        todo, home = "TO" + "DO", "/ho" + "me/me/data"
        for name, line, message in [
                ("src/a.cpp", f"// {todo}: later", "TODO carries an issue"),
                ("tests/a.cpp", f'open("{home}");', "a path of one machine"),
                ("docs/a.md", "words  ", "trailing blanks"),
                ("src/a.cpp", "std::cout << 1;", "the library never prints"),
                ("src/a.cpp", "  std::printf(text);", "the library never prints"),
                ("include/ddx/a.h", "  std::abort();", "the library never ends the process"),
                ("src/a.cpp", "  exit(1);", "the library never ends the process"),
                ("src/a.cpp", '  std::getenv("A");', "the library never reads the environment"),
                ("src/a.cpp", "using namespace std;", "no using namespace"),
                ("src/a.cpp", "int a;\n" * 800, "801 lines; split before 800"),
                ("compiler/lower/a.cpp", "int a;\n" * 500, "501 lines; split before 500"),
                ("docs/a.md", "word " * 24 + "w", "docs/a.md:1: 121 columns"),
        ]:
            with self.subTest(message, name=name):
                self.rejects("check_text.py", {name: line + "\n"}, f"{name}", )
                self.rejects("check_text.py", {name: line + "\n"}, message)
        for name, line in [
                ("src/a.cpp", f"// {todo}(#12): later"),
                ("src/a.cpp", "loop.exit();  // never calls std::abort()"),
                ("examples/a.cpp", "std::cout << 1;"),
                ("src/a.def", "int a;\n" * 801),
                ("docs/a.md", "word " * 23 + "words"),
                ("docs/a.md", "| " + "word " * 40 + "|"),
                ("docs/a.md", "```\n" + "word " * 40 + "w\n```"),
        ]:
            with self.subTest(line, name=name):
                self.accepts("check_text.py", {name: line + "\n"})

    def test_a_class_of_the_compiler_has_at_most_60_member_functions(self):
        members = "".join(f"  void f{i}(int (*g)(int), A<int()> a = {{}}) const;\n" for i in range(59))
        for last, accepted in [
                ("  bool operator==(const A&) const;\n", True),
                ("  A();\n  int value_ = g(1);\n  friend int h(A);\n  // void f();\n", True),
                ("  struct B {\n    int f();\n    int g();\n  };\n  ~A() {\n    f(); g();\n  }\n", True),
                ("  A();\n  int g() { return 1; }\n", False),
        ]:
            files = {"compiler/lower/a.h": "class A final : B<int> {\n public:\n" + members + last + "};\n"}
            with self.subTest(last):
                if accepted:
                    self.accepts("check_classes.py", files)
                else:
                    self.rejects("check_classes.py", files, "a.h: class A has 61 member functions; cut it before 60")
        self.accepts("check_classes.py", {"src/a.h": "class A {\n" + "  void f();\n" * 61 + "};\n"})

    def test_public_declarations_have_doc_comments(self):
        self.accepts("check_docs.py", {"include/ddx/nn/count.h": GOOD_HEADER})
        self.accepts("check_docs.py", {"include/ddx/nn/detail/count.h":
                                       GOOD_HEADER.replace("/// Returns the sum.\n", "")})
        self.accepts("check_docs.py", {"include/ddx/nn/count.h": GOOD_HEADER.replace(
            "/// A", "template <class T>\nDDX_DERIVATIVE_OF(f)\nauto f_vjp(T x);\n\n/// A")})
        self.accepts("check_docs.py", {"include/ddx/nn/count.h": GOOD_HEADER.replace(
            "/// A", "namespace detail {\n\nint own();\n\n}  // namespace detail\n\n/// A")})
        for missing, message in [
                ("/// A count.\n", "count.h:10: no doc comment: struct Count"),
                ("/// Returns the sum.\n", "count.h:15: no doc comment: [[nodiscard]] int sum"),
                ("/// \\file\n", "count.h:1: a header opens with"),
                ("#pragma once\n", "count.h:1: no #pragma once"),
        ]:
            with self.subTest(missing):
                self.rejects("check_docs.py",
                             {"include/ddx/nn/count.h": GOOD_HEADER.replace(missing, "")}, message)

    def test_formatting_is_the_formatter_s(self):
        style = (TOOLS.parent / ".clang-format").read_text()
        status, output = run("check_format.py", {".clang-format": style, "src/a.cpp": "int  a;\n"})
        if status == 77:
            self.skipTest(output)
        self.assertEqual(status, 1)
        self.assertIn("src/a.cpp:1", output)
        self.accepts("check_format.py", {".clang-format": style, "src/a.cpp": "int a;\n"})

    def test_a_large_folder_is_explained(self):
        large = {f"compiler/emit/part_{i}.cpp": "" for i in range(6)}
        self.accepts("check_readmes.py", dict(list(large.items())[:5]))
        self.accepts("check_readmes.py", {f"src/core/part_{i}.cpp": "" for i in range(6)})
        self.accepts("check_readmes.py", {**large, "compiler/emit/README.md": ""})
        self.accepts("check_readmes.py", {**large, "compiler/README.md": "`emit/` emits\n"})
        for readme in ({}, {"compiler/README.md": "the compiler\n"}, {"README.md": "`emit/`\n"}):
            self.rejects("check_readmes.py", {**large, **readme},
                         "compiler/emit: 6 files and no README")

    def test_words_of_the_glossary(self):
        page = ("# Style\n\n## Glossary\n\n| term | meaning | not |\n|---|---|---|\n"
                "| pass | give as an argument | `hands on`, `whoever` |\n\n## Next\n\n{}\n").format
        self.accepts("check_words.py", {"STYLE.md": page("text"), "src/a.cpp": "int whoever;\n"})
        for name, text, where in [
                ("docs/a.md", "It\nhands\non a value.\n", "docs/a.md:2: 'hands on'"),
                ("src/a.cpp", "int a;  // Whoever calls.\n", "src/a.cpp:1: 'whoever'"),
                ("include/ddx/a.h", "/// It hands\n/// on.\n", "include/ddx/a.h:1: 'hands on'"),
                ("src/a.cpp", 'auto a = "whoever";\n', "says: pass"),
                ("tools/a.py", "# whoever\n", "tools/a.py:1: 'whoever'"),
        ]:
            with self.subTest(text):
                self.rejects("check_words.py", {"STYLE.md": page("text"), name: text}, where)
        self.rejects("check_words.py", {"STYLE.md": page("Whoever.")}, "STYLE.md:11: 'whoever'")
        self.accepts("check_words.py", {"STYLE.md": page("text"),
                                        "docs/a.md": "```cpp\nint a;  // whoever\n```\n"})

    def test_a_function_fits_on_a_screen(self):
        body = "  if (a) {\n    a = '{';  // {\n  }\n"
        heads = [
            ("int f(int a) {\n", "f"),
            ("template <class T>\nauto N::C<T>::f(T a) const\n    -> int {\n", "N::C<T>::f"),
            ("int g() {}\nbool operator==(int a, int b) {\n", "operator=="),
            ("C::C(int a) : a_{1}, f_([] { return 0; }), b_(a) {\n", "C::C"),
            ("#if A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n", "f"),
            ("MACRO(g, {1})\nint f(int a) {\n", "f"),
            ("const char* s = R\"({{{)\";\nint f(int a) {\n", "f"),
            ("TEST(Suite, Name) {\n", "Suite.Name"),
            ("auto f = [](int a) {\n", "f"),
        ]
        scopes = ("", "namespace n {\n", "struct S : B<int(int)> {\n public:\n")
        long, short = {}, {}
        for number, (head, _) in enumerate(heads):
            for place, scope in enumerate(scopes):
                start, end = "int x = 0;\n" + scope + head, "}\n" + ("};\n" if scope else "")
                long[f"src/{number}/{place}.cpp"] = start + body * 20 + end
                short[f"src/{number}/{place}.inc"] = start + body * 15 + end
        status, output = run("check_functions.py", long)
        self.assertEqual(status, 1, output)
        for number, (_, name) in enumerate(heads):
            for place, _ in enumerate(scopes):
                self.assertRegex(output, rf"src/{number}/{place}.cpp:\d+: {re.escape(name)} has 6\d lines")
        self.accepts("check_functions.py", short)
        self.accepts("check_functions.py", {"src/a.cpp": "struct S {\n" + "int a;\n" * 70 + "};\n"})
        self.accepts("check_functions.py", {"src/a.cpp": "int a[] = {\n" + "1,\n" * 70 + "};\n"})

    def test_long_functions_may_only_become_fewer_and_shorter(self):
        long = "int f() {\n" + "  g();\n" * 68 + "}\n"
        listed = {"src/a.cpp": long, "tools/long_functions.txt": "# Why.\nsrc/a.cpp f 70\n"}
        self.rejects("check_functions.py", {"src/a.cpp": long}, "src/a.cpp:1: f has 70 lines")
        self.accepts("check_functions.py", listed)
        self.rejects("check_functions.py", {**listed, "tools/long_functions.txt": "src/a.cpp f 69\n"},
                     "src/a.cpp:1: f grew from 69 to 70 lines")
        self.rejects("check_functions.py", {**listed, "src/a.cpp": "int f() {\n}\n"},
                     "'src/a.cpp f 70' is not needed; remove the entry")
        self.rejects("check_functions.py", {**listed, "src/a.cpp": long * 2}, "a.cpp:71: f has 70")
        self.accepts("check_functions.py", {**listed, "src/a.cpp": "int f() {\n}\n"}, "--shrink")

    def test_a_page_shows_the_code_that_is_compiled(self):
        code = "int a;\n// [part]\n  int b;\n    int c;\n// [/part]\n"
        page = "```cpp tests/a.cpp#part\nint b;\n  int c;\n```\n"
        self.accepts("check_snippets.py", {"tests/a.cpp": code, "README.md": page})
        self.accepts("check_snippets.py", {"tests/a.cpp": "int a;\n", "docs/guide/a.md":
                                           "```cpp tests/a.cpp\nint a;\n```\n"})
        for wrong, message in [
                (page.replace("int b", "int d"), "README.md:1: differs from tests/a.cpp#part"),
                (page.replace("#part", "#other"), "README.md:1: tests/a.cpp has 0 regions [other]"),
                (page.replace("a.cpp", "b.cpp"), "README.md:1: no file tests/b.cpp"),
                ("\n```cpp\nint a;\n```\n", "README.md:2: a cpp block names no file"),
                ("[a](docs/b.md)\n", "README.md:1: links to docs/b.md, which is not there"),
        ]:
            with self.subTest(message):
                self.rejects("check_snippets.py", {"tests/a.cpp": code, "README.md": wrong}, message)

    def test_a_header_that_no_test_knows_is_listed(self):
        header = {"include/ddx/nn/count.h": GOOD_HEADER}
        self.rejects("list_untested.py", header, "untested: ddx/nn/count.h", "0")
        self.accepts("list_untested.py", {**header, "tests/unit/nn/count_test.cpp": ""}, "0")
        self.accepts("list_untested.py",
                     {**header, "tests/unit/nn/all_test.cpp": '#include "ddx/nn/count.h"\n'}, "0")
        umbrella = {**header, "include/ddx/nn.h": '#include "ddx/nn/count.h"\n'}
        self.accepts("list_untested.py",
                     {**umbrella, "tests/unit/nn/all_test.cpp": '#include "ddx/nn.h"\n'}, "0")
        self.rejects("list_untested.py", umbrella, "untested: ddx/nn/count.h", "0")
        self.rejects("list_untested.py",
                     {**header, "tests/unit/nn/count_test.cpp": "", "include/ddx/nn/detail/a.h": ""},
                     "untested: ddx/nn/detail/a.h", "0")
        header["include/ddx/nn/count.h"] += '#include "ddx/nn/detail/a.h"\n'
        self.accepts("list_untested.py", {**header, "tests/unit/nn/count_test.cpp": "",
                                          "include/ddx/nn/detail/a.h": ""}, "0")


if __name__ == "__main__":
    unittest.main()
