// Every mistake is made in this derivative of f(x) = g(x0) * g(x1) + ..., which has none.

#include "compiler/verify/verify.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using Mistakes = std::vector<std::string>;
using ddx::compiler::mistakes_in;

const std::string sound = R"(
struct ddx_f_record_it {
  double t5_4;
  ddx_g_record call_5;
  ddx_g_record call_6;
};
struct ddx_f_record {
  unsigned long t3_2;
  ddx_f_record_it* it_nodes;
};
[[maybe_unused]] static inline double ddx_f_forward(std::vector<double> const& x, ddx_f_record& r, ddx::detail::Arena& arena);
[[maybe_unused]] static inline double ddx_f_forward([[maybe_unused]] std::vector<double> const& x, ddx_f_record& r, ddx::detail::Arena& arena) {
  double s = 0.0;  // A sum.
  {
    unsigned long const t3 = x.size();
    r.t3_2 = t3;
    ddx_f_record_it* const it_nodes = arena.alloc<ddx_f_record_it>(t3);
    r.it_nodes = it_nodes;
    std::size_t it_count = 0;
    for (unsigned long i = 0; i < t3; ++i) {
      ddx_f_record_it& it = it_nodes[it_count++];
      double const t5 = x[i];
      it.t5_4 = t5;
      double t6 = ddx_g_forward(t5, it.call_5, arena);
      double t7 = ddx_g_forward(t6, it.call_6, arena);
      s += t7 * t5;
    }
  }
  return s;
}
[[maybe_unused]] static inline void ddx_f_reverse(const ddx_f_record& r, std::vector<double> const& x, double seed, double* __restrict d_x, ddx::detail::Arena& arena) {
  DDX_ADJOINT_SUM
  const ddx::detail::Arena::Mark d_u_mark = arena.mark();
  double* const d_u = arena.zeros<double>(x.size());
  double d_s = seed;
  {
    const ddx_f_record_it* const it_nodes = r.it_nodes;
    if (std::size_t it_k = r.t3_2; it_k > 0) {
      for (;;) {
        --it_k;
        const ddx_f_record_it& it = it_nodes[it_k];
        double d_t5 = -0.0;
        double d_t6 = -0.0;
        double d_t7 = it.t5_4 * d_s;
        ddx_g_reverse(it.call_6, d_t7, d_t6, arena);
        ddx_g_reverse(it.call_5, d_t6, d_t5, arena);
        d_u[it_k] += d_t5;
        if (it_k == 0) break;
      }
    }
    [&](double* __restrict d_u) DDX_INLINE_CLOSURE {
      for (std::size_t k = 0; k < x.size(); ++k) {
        d_x[k] += d_u[k];
      }
    }(d_u);
  }
  arena.release(d_u_mark);
}
)";

/// The sound text with `old`, which stands there once, replaced.
std::string with(const std::string& old, const std::string& replacement) {
  const std::size_t at = sound.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  EXPECT_EQ(sound.find(old, at + 1), std::string::npos) << old;
  return std::string(sound).replace(at, old.size(), replacement);
}

TEST(Verify, TakesSoundText) {
  EXPECT_EQ(mistakes_in(sound), Mistakes{});
  EXPECT_EQ(mistakes_in(""), Mistakes{});
}

TEST(Verify, BracketsMatch) {
  const Mistakes unmatched = {"a bracket has no partner"};
  EXPECT_EQ(mistakes_in(with("t7 * t5;", "t7 * (t5;")), unmatched);
  EXPECT_EQ(mistakes_in(with("r.t3_2 = t3;", "r.t3_2 = t3; }")), unmatched);
  EXPECT_EQ(mistakes_in(with("x[i];", "x[i);")), unmatched);
  // Brackets in literals and comments are none.
  EXPECT_EQ(mistakes_in(with("// A sum.", "log(\"\\\"}\", '}'); // }) /*")), Mistakes{});
}

// "t7 * t5," would declare a pointer at the start of a block.
TEST(Verify, AProductInAListDeclaresNothing) {
  EXPECT_EQ(mistakes_in(with("s += t7 * t5;", "s += g({t7 * t5, 1.0}, T{t7 * t5, {t6 * t5, 2}});")),
            Mistakes{});
}

TEST(Verify, NoNameHidesAnother) {
  EXPECT_EQ(mistakes_in(with("double t6 = ddx_g_forward(t5, it.call_5, arena);",
                             "double s = ddx_g_forward(t5, it.call_5, arena);")),
            Mistakes{"ddx_f_forward: the declaration of 's' hides another"});
  EXPECT_EQ(mistakes_in(with("for (std::size_t k = 0;", "for (std::size_t r = 0;")),
            Mistakes{"ddx_f_reverse: the declaration of 'r' hides another"});
  EXPECT_EQ(mistakes_in(with("std::size_t it_count = 0;",
                             "std::map<int, std::vector<double>>& x = table;")),
            Mistakes{"ddx_f_forward: the declaration of 'x' hides another"});
  // One behind the other is no hiding; nor is an operand a declaration.
  EXPECT_EQ(mistakes_in(with("s += t7 * t5;", "{ int n = 1; } { int n = 2; } s += t7 * t5;")),
            Mistakes{});
  EXPECT_EQ(mistakes_in(with("s += t7 * t5;", "while (t7 & s) { s += (t7 * s); }")), Mistakes{});
}

TEST(Verify, AdjointsBeginWithAValue) {
  EXPECT_EQ(mistakes_in(with("double d_t6 = -0.0;", "double d_t6;")),
            Mistakes{"ddx_f_reverse: 'd_t6' begins without a value"});
  EXPECT_EQ(mistakes_in(with("DDX_ADJOINT_SUM", "DDX_ADJOINT_SUM double* p;")),
            Mistakes{"ddx_f_reverse: 'p' begins without a value"});
  // The user's variables may.
  EXPECT_EQ(mistakes_in(with("double s = 0.0;", "double s; double u[3];")), Mistakes{});
}

TEST(Verify, NoCotangentIsLost) {
  EXPECT_EQ(mistakes_in(with("(it.call_6, d_t7,", "(it.call_6, 0.0,")),
            Mistakes{"ddx_f_reverse: what goes into 'd_t7' is lost"});
  EXPECT_EQ(mistakes_in(with("double d_s = seed;",
                             "Tangent d_v{}; d_v.w[1]->n += seed; d_v = {};"
                             "double d_s = seed;")),
            Mistakes{"ddx_f_reverse: what goes into 'd_v' is lost"});
}

TEST(Verify, TheReverseSweepWritesToAdjointsAlone) {
  for (const char* written : {"x[it_k] = 0;", "x[0].a->b[f(1)] += 2;", "++x[it_k];", "x.n--;"}) {
    EXPECT_EQ(mistakes_in(with("--it_k;", std::string("--it_k; ") + written)),
              Mistakes{"ddx_f_reverse: the reverse sweep writes to 'x'"})
        << written;
  }
  EXPECT_EQ(mistakes_in(with("--it_k;", "--it_k; d_x[0] = 0; if (x[0] <= 2 && x[0] == 2) {}")),
            Mistakes{});
}

TEST(Verify, SweepsAgreeOnTheRecord) {
  EXPECT_EQ(mistakes_in(with("it.t5_4 = t5;", "")),
            Mistakes{"ddx_f: 'ddx_f_record_it::t5_4' is read by the reverse sweep and never kept"});
  EXPECT_EQ(mistakes_in(with("ddx_g_reverse(it.call_6, d_t7, d_t6, arena);", "d_t6 += d_t7;")),
            Mistakes{"ddx_f: 'ddx_f_record_it::call_6' is filled by a call that the reverse sweep "
                     "passes over"});
  EXPECT_EQ(
      mistakes_in(with("ddx_g_reverse(it.call_6, d_t7, d_t6, arena);\n        "
                       "ddx_g_reverse(it.call_5, d_t6, d_t5, arena);",
                       "ddx_g_reverse(it.call_5, d_t6, d_t5, arena);\n        "
                       "ddx_g_reverse(it.call_6, d_t7, d_t6, arena);")),
      Mistakes{"ddx_f: 'ddx_f_record_it::call_6' is handed back before calls that came after it"});
}

TEST(Verify, TheArenaIsReleasedWhereItWasMarked) {
  EXPECT_EQ(mistakes_in(with("arena.release(d_u_mark);", "")),
            Mistakes{"ddx_f_reverse: the arena is marked by 'd_u_mark' and not released there"});
  EXPECT_EQ(mistakes_in(with("double d_s = seed;",
                             "double d_s = seed; const auto d_v_mark = arena.mark();")),
            (Mistakes{"ddx_f_reverse: the arena is released to 'd_u_mark' out of turn",
                      "ddx_f_reverse: the arena is marked by 'd_v_mark' and not released there",
                      "ddx_f_reverse: the arena is marked by 'd_u_mark' and not released there"}));
}

TEST(Verify, TextMayEndAnywhere) {
  for (std::size_t end = 0; end <= sound.size(); ++end) {
    mistakes_in(sound.substr(0, end));
  }
  mistakes_in("\"");
  mistakes_in("'\\");
  mistakes_in("/*");
  mistakes_in("f() {");
  mistakes_in(") {} struct {} = . :: -> ++");
}

}  // namespace
