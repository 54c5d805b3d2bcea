#include "ddx/tensor/recorded_graph.h"

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/ir/text.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

namespace ddx {
namespace recorded_graph_test {

Tensor<float> lazy_row() {
  return Tensor<float>({1, 2, 3}, Device::lazy());
}

TEST(RecordedGraph, ShowsWhatWillRunAndRunsNothing) {
  const auto x = lazy_row();
  const auto unrelated = x * x;
  const auto before = backend::lazy_statistics();
  const auto y = sum((x - 0.25F) * x);
  EXPECT_EQ(ir::to_text(recorded_graph(y)),
            "graph(%0: f32[3]; #0: number) {\n"
            "  %1: f32[] = full() {value = #0}\n"
            "  %2: f32[3] = sub(%0, %1)\n"
            "  %3: f32[3] = mul(%2, %0)\n"
            "  %4: f32[] = sum(%3) {axes = 1}\n"
            "  return %4\n"
            "}\n");
  EXPECT_EQ(backend::lazy_statistics().flushes, before.flushes);
  EXPECT_EQ(y.item(), 12.5F);
}

TEST(RecordedGraph, OfWhatIsThereIsAParameter) {
  const auto x = lazy_row();
  const auto y = x + x;
  EXPECT_EQ(y.values()[0], 2);
  const Tensor<float> eager{1, 2};
  EXPECT_EQ(ir::to_text(recorded_graph(y, eager)),
            "graph(%0: f32[3], %1: f32[2]) {\n  return %0, %1\n}\n");
}

TEST(RecordedGraph, OfSeveralResultsInTheirShapes) {
  const auto x = lazy_row();
  const auto y = x + x;
  EXPECT_EQ(ir::to_text(recorded_graph(y, reshape(y, {3, 1}), x)),
            "graph(%0: f32[3]) {\n"
            "  %1: f32[3] = add(%0, %0)\n"
            "  %2: f32[3, 1] = reshape(%1)\n"
            "  return %1, %2, %0\n"
            "}\n");
}

TEST(RecordedGraph, RunsWhatAnotherThreadHasRecorded) {
  const auto x = lazy_row();
  std::optional<Tensor<float>> y;
  std::thread([&] { y = x + x; }).join();
  const auto z = *y * *y;
  EXPECT_EQ(ir::to_text(recorded_graph(z, *y)),
            "graph(%0: f32[3]) {\n  %1: f32[3] = mul(%0, %0)\n  return %1, %0\n}\n");
}

TEST(RecordedGraph, AFailedResultThrowsWhatItFailedWith) {
  const auto x = lazy_row();
  const Tensor<std::int32_t> place({7}, Device::lazy());
  const auto y = gather(x, place);
  EXPECT_THROW((void)y.values(), UsageError);
  EXPECT_THROW((void)recorded_graph(y), UsageError);
}

}  // namespace recorded_graph_test
}  // namespace ddx
