// Einstein sums as the compiler differentiates them: values and gradients that PyTorch recorded,
// tangents against differences.

#include "ddx/ddx.h"

#include "tests/conformance/compiled/checks.h"
#include "tests/conformance/gradient_check.h"
#include "tests/support/recorded_linear_algebra.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

struct Recorded {
  const char* equation;
  std::vector<Shape> shapes;
};

const Recorded rows[] = {
    {"ij,jk->ik", {{2, 3}, {3, 4}}},
    {"bij,bjk->bik", {{2, 3, 4}, {2, 4, 2}}},
    {"bij,bkj->ikb", {{2, 3, 4}, {2, 5, 4}}},
    {"ij,kj", {{2, 3}, {4, 3}}},
    {"ba", {{2, 3}}},
    {"ii", {{3, 3}}},
    {"ii->i", {{3, 3}}},
    {"iji->j", {{3, 2, 3}}},
    {"iii->i", {{3, 3, 3}}},
    {"ij->", {{2, 3}}},
    {"ij->j", {{2, 3}}},
    {"i,j->ij", {{2}, {3}}},
    {"i,i", {{4}, {4}}},
    {"i,i->i", {{4}, {4}}},
    {"bi,bi->b", {{2, 3}, {2, 3}}},
    {"ij,j->i", {{2, 3}, {3}}},
    {"...ij,...jk->...ik", {{2, 1, 2, 3}, {4, 3, 2}}},
    {"...i,i->...", {{2, 3, 4}, {4}}},
    {"i...->...i", {{2, 3, 4}}},
    {"ij,jk,kl->il", {{2, 6}, {6, 3}, {3, 4}}},
    {"ij,ik,il->jkl", {{3, 2}, {3, 2}, {3, 4}}},
    {"ab,bc,cd,da", {{2, 3}, {3, 4}, {4, 2}, {2, 2}}},
    {"ijk,ilm,njm,nlk,abc->", {{2, 2, 2}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}}},
    {"bhqd,bhkd->bhqk", {{2, 2, 3, 4}, {2, 2, 5, 4}}},
    {"ij,ij->ij", {{1, 3}, {2, 3}}},
    {"ijj,jk->ik", {{2, 3, 3}, {3, 2}}},
    {",ij->ji", {{}, {2, 3}}},
};

TEST(Einsum, HasTheValuesAndGradientsOfPyTorch) {
  for (const Recorded& row : rows) {
    SCOPED_TRACE(row.equation);
    std::vector<Doubles> operands;
    for (std::size_t i = 0; i < row.shapes.size(); ++i) {
      operands.push_back(numbers(row.shapes[i], 1 + 20 * static_cast<int>(i)));
    }
    const Subscripts equation = row.equation;
    const std::string name = std::string("einsum ") + row.equation;
    const Doubles y = einsum(equation, operands);
    expect_recorded(name, y);
    const Doubles weights = numbers(y.shape(), 50);
    const std::vector<Doubles> gradients =
        gradient([&](const std::vector<Doubles>& x) { return sum(einsum(equation, x) * weights); },
                 operands);
    ASSERT_EQ(gradients.size(), operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      EXPECT_EQ(gradients[i].shape(), operands[i].shape());
      expect_recorded(name + "." + std::to_string(i), gradients[i]);
    }
  }
}

TEST(Einsum, HasTangents) {
  const Doubles x = regular({3, 3}, 1);
  expect_tangent([](const Doubles& t) { return einsum("ij,jk,kl->il", t, t * t, t); }, x);
  expect_tangent([](const Doubles& t) { return einsum("ii->i", t) * einsum("ij->j", t); }, x);
  expect_tangent([](const Doubles& t) { return einsum("ii,jk->kj", t, t); }, x);
  const Doubles stacked = numbers({2, 3, 2}, 4);
  expect_tangent([](const Doubles& t) { return einsum("...ij,...kj->...ik", t, sin(t)); }, stacked);
}

}  // namespace
}  // namespace ddx::testing
