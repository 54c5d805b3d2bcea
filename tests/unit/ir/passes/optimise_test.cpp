#include "ddx/ir/passes/optimise.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ir/verifier.h"

#include "tests/support/random_graph.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::ir {
namespace optimise_test {

std::vector<backend::Buffer> run(const Graph& graph, const testing::Arguments& arguments) {
  return backend::evaluate(graph, arguments.parameters, arguments.scalars,
                           backend::backend_of(Device::naive()));
}

/// Whether both are equal bit for bit, except for the sign of zeros and the bits of NaN.
bool equal(const Type& type, const backend::Buffer& a, const backend::Buffer& b) {
  return visit(type.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < static_cast<std::size_t>(type.shape.count()); ++i) {
      const T x = reinterpret_cast<const T*>(a.data())[i];
      const T y = reinterpret_cast<const T*>(b.data())[i];
      const bool both_nan = x != x && y != y;  // Not equal to itself.
      if (!(x == y) && !both_nan) {
        return false;
      }
    }
    return true;
  });
}

bool testing_failed() {
  return ::testing::Test::HasFailure();
}

/// The nodes of a graph and its regions.
std::size_t count_of(const Graph& graph) {
  std::size_t count = graph.node_count();
  for (std::size_t i = 0; i < graph.region_count(); ++i) {
    count += count_of(graph.region(static_cast<RegionId>(i)));
  }
  return count;
}

/// How many nodes random graphs have before and after all passes, each of which keeps the values.
std::pair<std::size_t, std::size_t> expect_kept(Graph (*make)(std::uint64_t seed)) {
  std::size_t before = 0;
  std::size_t after = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = make(seed);
    EXPECT_NO_THROW(verify(graph));
    EXPECT_EQ(to_text(parse_graph(to_text(graph))), to_text(graph));
    const testing::Arguments arguments = testing::random_arguments(graph, seed);
    const std::vector<backend::Buffer> expected = run(graph, arguments);
    const Graph result = optimised(graph, [&](std::string_view pass, const Graph& step) {
      ASSERT_NO_THROW(verify(step)) << pass;
      ASSERT_EQ(step.parameters().size(), graph.parameters().size());
      const std::vector<backend::Buffer> got = run(step, arguments);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        const Type& type = graph.type(graph.results()[i]);
        ASSERT_EQ(step.type(step.results()[i]), type);
        ASSERT_TRUE(equal(type, got[i], expected[i])) << "result " << i << " after " << pass << "\n"
                                                      << to_text(graph) << to_text(step);
      }
    });
    if (testing_failed()) {
      break;
    }
    before += count_of(graph);
    after += count_of(result);
  }
  return {before, after};
}

TEST(Optimised, EveryPassKeepsTheValuesOfRandomGraphs) {
  const auto [before, after] =
      expect_kept([](std::uint64_t seed) { return testing::random_graph(seed, 40); });
  EXPECT_LT(after, before / 2);  // Most of a random graph leads nowhere.
}

TEST(Optimised, EveryPassKeepsTheValuesOfRandomGraphsWithRegions) {
  const auto [before, after] =
      expect_kept([](std::uint64_t seed) { return testing::random_graph_with_regions(seed, 30); });
  EXPECT_LT(after, before / 2);  // In regions too.
}

TEST(Optimised, ASecondTimeChangesNothing) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Graph once = optimised(testing::random_graph(seed, 40));
    EXPECT_EQ(to_text(optimised(once)), to_text(once)) << "seed " << seed;
    const Graph with_regions = optimised(testing::random_graph_with_regions(seed, 30));
    EXPECT_EQ(to_text(optimised(with_regions)), to_text(with_regions)) << "seed " << seed;
  }
}

}  // namespace optimise_test
}  // namespace ddx::ir
