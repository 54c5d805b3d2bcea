// What XLA's program of a training step returns: the loss, and the tensors that the update
// replaces.

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"

#include "benchmarks/models/workload.h"
#include "benchmarks/models/workloads.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <ostream>
#include <string>

namespace ddx {
namespace {

using bench::Workload;
using bench::WorkloadOptions;

struct Step {
  std::string name;
  Workload (*make)(const WorkloadOptions& options);
  std::uint64_t tensors;  ///< For each parameter: itself, and what the optimiser keeps for it.

  friend std::ostream& operator<<(std::ostream& out, const Step& each) { return out << each.name; }
};

std::uint64_t parameter_bytes(const Workload& training) {
  std::uint64_t bytes = 0;
  for (const auto& [name, array] : training.content()) {
    bytes += name == "x" || name == "labels" ? 0 : array.bytes.size();
  }
  return bytes;
}

class StepResults : public testing::TestWithParam<Step> {};

TEST_P(StepResults, AreLossAndNextStateWithoutGradients) {
  const Workload training = GetParam().make({.device = Device::pjrt("cpu"), .small = true});
  for (int i = 0; i < 2; ++i) {  // The first also returns what the model began with.
    (void)training.step();
  }
  const std::uint64_t before = backend::lazy_statistics().bytes_written;
  (void)training.step();
  const std::uint64_t written = backend::lazy_statistics().bytes_written - before;
  EXPECT_EQ(written, GetParam().tensors * parameter_bytes(training) + sizeof(float));
}

INSTANTIATE_TEST_SUITE_P(Models, StepResults,
                         testing::Values(Step{"mlp", bench::mlp, 1}, Step{"lenet", bench::lenet, 1},
                                         Step{"gpt", bench::gpt, 3}),
                         [](const testing::TestParamInfo<Step>& info) { return info.param.name; });

}  // namespace
}  // namespace ddx
