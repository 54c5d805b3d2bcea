#include "gpu_bounds.h"

#include "gpu_program.h"

#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::bench {
namespace {

/// The target for which there are bounds.
constexpr std::string_view bounded_target = "h100";

struct Bounds {
  std::string_view name;
  std::string_view dtype;
  int cards;
  int launches;
  int copies;
  int transfers;               // Arrays sent and read.
  std::optional<JaxStep> jax;  // JAX 0.12.0, the same plugin.
};

// As compiled by jax-cuda13-pjrt 0.12.0.1. What is fewer is welcome: lower the bound then.
constexpr std::array all_bounds{
    Bounds{"mlp", "f32", 1, 25, 2, 2, JaxStep{28, 3}},
    Bounds{"lenet", "f32", 1, 51, 2, 2, JaxStep{53, 2}},
    Bounds{"resnet56", "f32", 1, 909, 1, 2, JaxStep{1345, 167}},
    Bounds{"resnet18", "f32", 1, 300, 1, 2, JaxStep{457, 62}},
    Bounds{"resnet18_224", "f32", 1, 323, 1, 2, std::nullopt},
    Bounds{"gpt", "f32", 1, 240, 1, 3, JaxStep{268, 13}},
    Bounds{"resnet56", "bf16", 1, 977, 0, 2, std::nullopt},
    Bounds{"resnet18", "bf16", 1, 319, 0, 2, std::nullopt},
    Bounds{"resnet18_224", "bf16", 1, 345, 0, 2, std::nullopt},
    Bounds{"gpt", "bf16", 1, 282, 2, 3, JaxStep{273, 4}},
    Bounds{"mlp", "f32", 4, 41, 9, 2, JaxStep{36, 7}},
    Bounds{"lenet", "f32", 4, 63, 13, 2, JaxStep{57, 11}},
    Bounds{"gpt", "f32", 4, 359, 74, 6, JaxStep{348, 58}},
};

const Bounds* bounds_of(const GpuStep& step) {
  for (const Bounds& bounds : all_bounds) {
    const auto& [name, dtype, target, cards, dump, flags] = step.configuration;
    if (bounds.name == name && bounds.dtype == dtype && bounds.cards == cards &&
        target == bounded_target) {
      return &bounds;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<std::vector<std::string>> excesses(const GpuStep& step) {
  const Bounds* const bounds = bounds_of(step);
  if (bounds == nullptr) {
    return std::nullopt;
  }
  std::vector<std::string> all;
  const auto compare = [&](const char* what, int is, int most) {
    if (is > most) {
      all.push_back(fmt::format("{} {} a step, at most {}", is, what, most));
    }
  };
  compare("launches", count(step.launches), bounds->launches);
  compare("copies", count(step.launches, "Copy"), bounds->copies);
  compare("transfers", static_cast<int>(step.sent + step.read), bounds->transfers);
  return all;
}

std::optional<JaxStep> recorded_step_of_jax(const GpuStep& step) {
  const Bounds* const bounds = bounds_of(step);
  return bounds == nullptr ? std::nullopt : bounds->jax;
}

}  // namespace ddx::bench
