#include "ddx/ir/common_signature.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>

namespace ddx::ir {
namespace common_signature_test {

TEST(CommonSignature, PutsWhatIsItsOwnAmongWhatOthersTake) {
  const Graph graph = parse_graph(R"(
graph(%0: f32[2], %1: i32[1]; #0: number; checks 2) {
  %2: f32[1] = gather(%0, %1) !1
  %3: f32[1] = add_scaled(%2, %2) {scale = #0}
  %4: f32[1] = scan(%3, %0; #0; !0) {
    carries = 1,
    trips = 3,
    body = graph(%0: f32[1], %1: f32[2]; #0: number; checks 1) {
      return %0
    }
  }
  return %4, %0
})");
  const CommonSignature signature{
      .parameters = {{Shape{1}, DType::i32}, {Shape{}, DType::f64}, {Shape{2}, DType::f32}},
      .scalars = {ScalarKind::Key, ScalarKind::Number, ScalarKind::Number},
      .checks = 4};
  EXPECT_EQ(to_text(with_signature(graph, signature, std::array<std::size_t, 2>{2, 0}, 1, 1)),
            R"(graph(%0: i32[1], %1: f64[], %2: f32[2]; #0: key, #1: number, #2: number; checks 4) {
  %3: f32[1] = gather(%2, %0) !2
  %4: f32[1] = add_scaled(%3, %3) {scale = #1}
  %5: f32[1] = scan(%4, %2; #1; !1) {
    carries = 1,
    trips = 3,
    body = graph(%0: f32[1], %1: f32[2]; #0: number; checks 1) {
      return %0
    }
  }
  return %5, %2
}
)");
}

}  // namespace common_signature_test
}  // namespace ddx::ir
