#include "backend/pjrt/advice.h"

#include "backend/pjrt/status.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::backend::pjrt {
namespace advice_test {

std::string advice(ErrorCode code, const std::string& message) {
  return std::string(advice_for({code, message}));
}

// Messages of XLA and CUDA, from reports of their users.
TEST(PjrtAdvice, KnowsWhatXlaAndCudaSay) {
  EXPECT_TRUE(advice(ErrorCode::FailedPrecondition, "No visible GPU devices.")
                  .starts_with("no GPU was found, or no driver for it"));
  EXPECT_TRUE(advice(ErrorCode::FailedPrecondition,
                     "cudaErrorInsufficientDriver : CUDA driver version is insufficient for CUDA "
                     "runtime version")
                  .starts_with("the GPU's driver is older than this plugin needs"));
  EXPECT_TRUE(advice(ErrorCode::Internal,
                     "failed call to cuDevicePrimaryCtxRetain: CUDA_ERROR_DEVICE_UNAVAILABLE: "
                     "CUDA-capable device(s) is/are busy or unavailable")
                  .starts_with("another process has the GPU for itself"));
  EXPECT_TRUE(advice(ErrorCode::Internal,
                     "Execution of replica 0 failed: Failed to launch CUDA kernel: "
                     "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered")
                  .starts_with("the GPU has lost the work of this process"));
  EXPECT_EQ(advice(ErrorCode::InvalidArgument, "-:3:8: error: nonsense"), "");
}

TEST(PjrtAdvice, KnowsThatThereIsNoMemory) {
  EXPECT_TRUE(is_out_of_memory(
      {ErrorCode::ResourceExhausted, "Out of memory while trying to allocate 6291456 bytes."}));
  EXPECT_TRUE(is_out_of_memory({ErrorCode::Internal, "CUDA_ERROR_OUT_OF_MEMORY: out of memory"}));
  EXPECT_FALSE(is_out_of_memory({ErrorCode::Internal, "out of luck"}));
}

TEST(PjrtAdvice, IsBesideTheFirstLineOfTheMessage) {
  EXPECT_EQ(with_advice({ErrorCode::Internal, "CUDA_ERROR_NO_DEVICE: none.\nTrace\nfile.cc:1"}),
            "no GPU was found, or no driver for it; nvidia-smi (AMD: rocm-smi) lists the GPUs that "
            "a program can use; CUDA_ERROR_NO_DEVICE: none (INTERNAL)");
  EXPECT_EQ(with_advice({ErrorCode::InvalidArgument, "-:3:8: error\n-:3:8: note"}),
            "-:3:8: error\n-:3:8: note (INVALID_ARGUMENT)");
}

}  // namespace advice_test
}  // namespace ddx::backend::pjrt
