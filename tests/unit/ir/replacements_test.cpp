#include "ddx/ir/replacements.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx::ir {
namespace replacements_test {

using Places = std::vector<std::optional<std::size_t>>;
constexpr std::nullopt_t none = std::nullopt;

/// The replacements in a graph of this text.
Places of(const std::string& text) {
  return replacements(parse_graph("graph(" + text + "\n}"));
}

TEST(Replacements, OfAWeightByItsDescent) {
  // The gradient has the weight's type too, and comes first among the operands of the product.
  EXPECT_EQ(of("%0: f32[3], %1: f32[3]; #0: number) {\n  %2: f32[] = full() {value = #0}\n"
               "  %3: f32[3] = mul(%0, %2)\n  %4: f32[3] = sub(%1, %3)\n  return %4"),
            (Places{none, 0}));
}

TEST(Replacements, OfTensorsOfOneTypeInAnyOrderOfTheResults) {
  // Momentum of two weights, whose gradients are sums: v = g + m v, w = w - v. Results: the second
  // weight, its velocity, the first weight, its velocity.
  const std::string text =
      "%0: f32[3], %1: f32[3], %2: f32[3], %3: f32[3], %4: f32[2, 3], %5: f32[2, 3]; #0: number) "
      "{\n"
      "  %6: f32[] = full() {value = #0}\n"
      "  %7: f32[3] = sum(%4) {axes = 1}\n  %8: f32[3] = mul(%2, %6)\n"
      "  %9: f32[3] = add(%7, %8)\n  %10: f32[3] = sub(%0, %9)\n"
      "  %11: f32[3] = sum(%5) {axes = 1}\n  %12: f32[3] = mul(%3, %6)\n"
      "  %13: f32[3] = add(%11, %12)\n  %14: f32[3] = sub(%1, %13)\n"
      "  return %14, %13, %10, %9";
  EXPECT_EQ(of(text), (Places{2, 0, 3, 1, none, none}));
}

TEST(Replacements, OfAnAverageAndWhatItFollows) {
  // w' = w - g; a' = a + k (w' - a).
  EXPECT_EQ(of("%0: f32[3], %1: f32[3], %2: f32[3]; #0: number) {\n"
               "  %3: f32[] = full() {value = #0}\n  %4: f32[3] = sub(%0, %2)\n"
               "  %5: f32[3] = sub(%4, %1)\n  %6: f32[3] = mul(%5, %3)\n"
               "  %7: f32[3] = add(%1, %6)\n  return %7, %4"),
            (Places{1, 0, none}));
}

TEST(Replacements, ThroughOtherElementTypes) {
  EXPECT_EQ(of("%0: bf16[3], %1: f32[3]) {\n  %2: f32[3] = cast(%0)\n"
               "  %3: f32[3] = sub(%2, %1)\n  %4: bf16[3] = cast(%3)\n  return %4"),
            (Places{0, none}))
      << "the second has another type";
}

TEST(Replacements, OfPartsAndOfTheCarryOfALoop) {
  EXPECT_EQ(of("%0: f32[4], %1: f32[2]) {\n"
               "  %2: f32[4] = update_slice(%0, %1) {start = [1], step = [1]}\n  return %2"),
            (Places{0, none}));
  EXPECT_EQ(of("%0: f32[], %1: f32[3]) {\n"
               "  %2: f32[], %3: f32[3] = scan(%0, %1) {carries = 1, slices = 1, trips = 3,\n"
               "    body = graph(%0: f32[], %1: f32[]) {\n      %2: f32[] = add(%0, %1)\n"
               "      return %2, %2\n    }\n  }\n  return %3, %2"),
            (Places{1, none}));
}

TEST(Replacements, NoneWithoutAWayBetweenElements) {
  // A product, a sum and a transposition mix elements; a wider result is no replacement.
  EXPECT_EQ(of("%0: f32[3, 3], %1: f32[3, 3]) {\n  %2: f32[3, 3] = matmul(%0, %1)\n  return %2"),
            (Places{none, none}));
  EXPECT_EQ(of("%0: f32[3, 3]) {\n  %1: f32[3, 3] = transpose(%0) {order = [1, 0]}\n  return %1"),
            (Places{none}));
  EXPECT_EQ(of("%0: f32[1, 3], %1: f32[3, 3]) {\n  %2: f32[3, 3] = add(%0, %1)\n  return %2"),
            (Places{none, 0}));
  EXPECT_EQ(of("%0: i32[3]) {\n  %1: f32[3] = cast(%0)\n  return %1"), (Places{none}));
}

TEST(Replacements, NoneOfAParameterThatIsAResult) {
  EXPECT_EQ(of("%0: f32[3]) {\n  %1: f32[3] = neg(%0)\n  return %1, %0"), (Places{none}));
  EXPECT_EQ(of("%0: f32[3], %1: f32[3]) {\n  %2: f32[3] = add(%0, %1)\n  return %2, %0"),
            (Places{none, 0}));
  EXPECT_EQ(of(") {\n  %0: f32[3] = full() {value = 1}\n  return %0"), Places());
}

TEST(Replacements, EachResultReplacesOne) {
  EXPECT_EQ(of("%0: f32[3], %1: f32[3]) {\n  %2: f32[3] = add(%0, %1)\n  return %2"),
            (Places{0, none}));
  // Exchanged: each is the other's next value, since nothing lies between.
  EXPECT_EQ(of("%0: f32[3], %1: f32[3]) {\n  %2: f32[3] = neg(%1)\n  %3: f32[3] = neg(%0)\n"
               "  return %2, %3"),
            (Places{1, 0}));
}

TEST(Replacements, NotBeyondTheirBound) {
  const auto chain = [](int length) {
    std::string text = "%0: f32[3]) {";
    for (int i = 0; i < length; ++i) {
      text += "\n  %" + std::to_string(i + 1) + ": f32[3] = exp(%" + std::to_string(i) + ")";
    }
    return text + "\n  return %" + std::to_string(length);
  };
  EXPECT_EQ(of(chain(64)), (Places{0}));
  EXPECT_EQ(of(chain(65)), (Places{none}));
}

}  // namespace replacements_test
}  // namespace ddx::ir
