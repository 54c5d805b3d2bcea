#include "backend/lazy/materialised_values.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::backend::lazy {
namespace materialised_values_test {

ir::Graph graph() {
  return ir::parse_graph(R"(graph(%0: f32[8]) {
    %1: f32[8] = exp(%0)
    %2: f32[8] = neg(%1)
    %3: f32[8] = mul(%2, %1)
    %4: f32[8] = tanh(%3)
    return %3, %4
  })");
}

using Groups = std::vector<std::vector<std::size_t>>;

TEST(MaterialisedValues, AllWhereNothingRunsTogether) {
  EXPECT_EQ(materialised_values(graph(), {}), (std::vector<bool>{true, true, true, true, true}));
}

TEST(MaterialisedValues, ResultsOfAGroupThatOthersReadOrTheGraphReturns) {
  // %1 and %2 are read by the first group alone, %3 is returned, and so is %4.
  EXPECT_EQ(materialised_values(graph(), Groups{{0, 1, 2, 3}}),
            (std::vector<bool>{true, false, false, true, true}));
  // %1 is read by another group as well, or by a node of none.
  EXPECT_EQ(materialised_values(graph(), Groups{{0, 1}, {2, 3}}),
            (std::vector<bool>{true, true, true, true, true}));
  EXPECT_EQ(materialised_values(graph(), Groups{{0, 1}}),
            (std::vector<bool>{true, true, true, true, true}));
  EXPECT_EQ(materialised_values(graph(), Groups{{1, 2}}),
            (std::vector<bool>{true, true, false, true, true}));
}

}  // namespace materialised_values_test
}  // namespace ddx::backend::lazy
