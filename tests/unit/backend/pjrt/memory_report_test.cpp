#include "backend/pjrt/memory_report.h"

#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace ddx::backend::pjrt {
namespace memory_report_test {

using ddx::testing::message_of;
using ddx::testing::thrown;

// As XLA says it: a line for people, then a table.
constexpr const char* words =
    "Out of memory while trying to allocate 4096 bytes.\nBufferAssignment OOM Debugging.\n...";

/// A device whose programs fail, at once or when their results are observed.
Device failing(const std::string& name, const std::string& option, bool has_check = false) {
  add_pjrt_plugin(name, fake_file("Good"));
  set_pjrt_options(name,
                   {.others = {{option, "8:" + std::string(words)}, {"has_check", has_check}}});
  return Device::pjrt(name);
}

// Two operations on 2 x 3 floats and 3 floats: what they take are 24 and 12 bytes, what they make
// 24. The other numbers are those that the fake plugin reports.
std::string error_of_step(Device device) {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6}, device);
  const Tensor<float> y({3}, {1, 2, 3}, device);
  const Tensor<float> z = exp(x + y);
  return thrown<EnvironmentError>([&] { (void)z.values(); });
}

const std::string facts =
    "Out of memory while trying to allocate 4096 bytes (RESOURCE_EXHAUSTED); in a program of 2 "
    "operations from add to exp, which needs 60 bytes, 50 of them temporary; the largest arrays "
    "are parameter 0 f32[2, 3] of 24 bytes, result 0 f32[2, 3] of 24 bytes, parameter 1 f32[3] of "
    "12 bytes; fake:0 has 1000 of 3000 bytes in use; fake:1 has 1001 of 3000 bytes in use; a "
    "smaller batch, checkpointed layers or smaller element types need less";

TEST(MemoryReport, AProgramThatFailsAtOnceIsDescribed) {
  EXPECT_EQ(error_of_step(failing("full", "run_error")), "run by PJRT: " + facts);
}

// As on GPUs, whose memory is taken when the program's turn comes.
TEST(MemoryReport, AProgramThatFailsLaterIsDescribed) {
  EXPECT_EQ(error_of_step(failing("full_later", "later_error")),
            "copy from a PJRT device: " + facts);
}

// Of a step whose operations have lines, one of them.
TEST(MemoryReport, AnOperationIsNamedWithItsLine) {
  for (const char* option : {"run_error", "later_error"}) {
    const Device device = failing(std::string("line_") + option, option, true);
    const Tensor<float> scores({2, 3}, {1, 2, 3, 4, 5, 6}, device);
    const Tensor<std::int32_t> labels({2}, {1, 2}, device);
    const int line = __LINE__ + 1;
    const auto loss = softmax_cross_entropy(scores, labels);
    const std::string message = message_of<EnvironmentError>([&] { (void)loss.item(); });
    EXPECT_NE(message.find(std::string(", with softmax_cross_entropy (at ") + __FILE__ + ":" +
                           std::to_string(line) + "), which needs 60 bytes"),
              std::string::npos)
        << message;
  }
}

TEST(MemoryReport, OtherErrorsStayAsTheyAre) {
  add_pjrt_plugin("tired", fake_file("Good"));
  set_pjrt_options("tired", {.others = {{"run_error", std::string("10:The device is tired")}}});
  EXPECT_EQ(error_of_step(Device::pjrt("tired")), "run by PJRT: The device is tired (ABORTED)");
}

}  // namespace memory_report_test
}  // namespace ddx::backend::pjrt
