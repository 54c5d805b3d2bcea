#include "backend/pjrt/advice.h"

#include "backend/pjrt/status.h"

#include <array>
#include <string>
#include <string_view>

namespace ddx::backend::pjrt {
namespace {

struct Advice {
  std::string_view words;  // Of the plugin's message.
  std::string_view text;
};

constexpr std::string_view absent_gpu =
    "no GPU was found, or no driver for it; nvidia-smi (AMD: rocm-smi) lists the GPUs that a "
    "program can use";
constexpr std::string_view old_driver =
    "the GPU's driver is older than this plugin needs; install a newer driver, or a plugin for an "
    "older CUDA";
constexpr std::string_view occupied_gpu =
    "another process has the GPU for itself; wait for it, or end it (nvidia-smi lists processes)";
constexpr std::string_view lost_gpu =
    "the GPU has lost the work of this process, because it failed or another process on it was "
    "killed; start the program again from its last checkpoint";

// Messages of XLA and, by the names of their codes and their texts, of CUDA.
constexpr auto known_words = std::to_array<Advice>({
    {"No visible GPU devices", absent_gpu},
    {"CUDA_ERROR_NO_DEVICE", absent_gpu},
    {"no CUDA-capable device is detected", absent_gpu},
    {"driver version is insufficient", old_driver},
    {"insufficient driver version", old_driver},
    {"requires CUDA driver version", old_driver},
    {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", old_driver},
    {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", old_driver},
    {"CUDA_ERROR_DEVICE_UNAVAILABLE", occupied_gpu},
    {"devices are busy or unavailable", occupied_gpu},
    {"CUDA_ERROR_ILLEGAL_ADDRESS", lost_gpu},
    {"CUDA_ERROR_LAUNCH_FAILED", lost_gpu},
    {"CUDA_ERROR_ECC_UNCORRECTABLE", lost_gpu},
    {"CUDA_ERROR_CONTEXT_IS_DESTROYED", lost_gpu},
    {"CUDA_ERROR_MPS_CLIENT_TERMINATED", lost_gpu},
});

}  // namespace

std::string_view advice_for(const Status& status) noexcept {
  for (const Advice& advice : known_words) {
    if (status.message.find(advice.words) != std::string::npos) {
      return advice.text;
    }
  }
  return {};
}

bool is_out_of_memory(const Status& status) noexcept {
  return status.code == ErrorCode::ResourceExhausted ||
         status.message.find("CUDA_ERROR_OUT_OF_MEMORY") != std::string::npos;
}

std::string with_advice(const Status& status) {
  const std::string_view advice = advice_for(status);
  if (!advice.empty()) {
    return std::string(advice) + "; " + to_string(first_line(status));
  }
  return to_string(is_out_of_memory(status) ? first_line(status) : status);
}

}  // namespace ddx::backend::pjrt
