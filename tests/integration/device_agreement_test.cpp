// The models of the benchmarks, in their small form, take the same training on every device.

#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include "benchmarks/models/workload.h"
#include "benchmarks/models/workloads.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace ddx {
namespace {

using bench::Workload;
using bench::WorkloadOptions;

constexpr std::size_t steps = 50;

struct Case {
  std::string name;
  Workload (*make)(const WorkloadOptions& options);
  bool bf16;
  /// How far a loss may be from that of the naive device, beside 1 + the loss.
  double tolerance;

  friend std::ostream& operator<<(std::ostream& out, const Case& each) { return out << each.name; }
};

std::vector<double> losses(const Case& each, Device device) {
  const Workload training = each.make({.device = device, .bf16 = each.bf16, .small = true});
  std::vector<double> result;
  for (std::size_t i = 0; i < steps; ++i) {
    result.push_back(training.step());
  }
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    // A NaN is further than anything.
    const double difference = std::abs(a[i] - b[i]) / (1 + std::abs(b[i]));
    largest = difference <= largest ? largest : difference;
  }
  return largest;
}

class DeviceAgreement : public testing::TestWithParam<Case> {};

TEST_P(DeviceAgreement, LossesAreThoseOfTheNaiveDevice) {
  const std::vector<double> naive = losses(GetParam(), Device::naive());
  EXPECT_LT(naive.back(), naive.front()) << "it does not learn: agreement would say little";
  for (const Device device : {Device::cpu(), Device::lazy()}) {
    const double difference = largest_difference(losses(GetParam(), device), naive);
    RecordProperty(to_string(device), std::to_string(difference));
    EXPECT_LE(difference, GetParam().tolerance) << to_string(device);
  }
}

TEST_P(DeviceAgreement, TwoLazyTrainingsAreEqualToTheBit) {
  EXPECT_EQ(losses(GetParam(), Device::lazy()), losses(GetParam(), Device::lazy()));
}

TEST_P(DeviceAgreement, EightThreadsAtOnceTrainAsOne) {
  constexpr std::size_t threads = 8;
  const std::vector<double> alone = losses(GetParam(), Device::lazy());
  std::vector<std::vector<double>> together(threads);
  {
    std::vector<std::jthread> running;
    for (std::vector<double>& each : together) {
      running.emplace_back([&each] { each = losses(GetParam(), Device::lazy()); });
    }
  }
  for (const std::vector<double>& each : together) {
    EXPECT_EQ(each, alone);
  }
}

// Sums in another order change an f32 by some 1e-7 of it, a bf16 by up to 2^-9 of it; steps add
// such changes up, or enlarge them. Convolutions by minimal filtering add up transformed numbers,
// which have a rounding or two more: fifty steps of the residual network differ by 4.5e-6 then.
constexpr double f32 = 2e-6;
constexpr double filtered_f32 = 1e-5;
constexpr double bf16 = 8e-3;

INSTANTIATE_TEST_SUITE_P(
    Models, DeviceAgreement,
    testing::Values(Case{"mlp", bench::mlp, false, f32}, Case{"mlp_bf16", bench::mlp, true, bf16},
                    Case{"lenet", bench::lenet, false, f32},
                    Case{"lenet_bf16", bench::lenet, true, bf16},
                    Case{"residual_network", bench::resnet56, false, filtered_f32},
                    Case{"residual_network_bf16", bench::resnet56, true, bf16},
                    Case{"gpt", bench::gpt, false, f32}, Case{"gpt_bf16", bench::gpt, true, bf16}),
    [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

class XlaAgreement : public testing::TestWithParam<Case> {};

TEST_P(XlaAgreement, LossesAreThoseOfTheLazyDevice) {
  const double difference = largest_difference(losses(GetParam(), Device::pjrt("cpu")),
                                               losses(GetParam(), Device::lazy()));
  RecordProperty("pjrt:cpu", std::to_string(difference));
  EXPECT_LE(difference, GetParam().tolerance);
}

// Sums in another order again; 16-bit numbers are rounded only where they go to memory. One of them
// is enough: each compiles a training step.
INSTANTIATE_TEST_SUITE_P(
    Models, XlaAgreement,
    testing::Values(Case{"mlp", bench::mlp, false, f32}, Case{"mlp_bf16", bench::mlp, true, bf16},
                    Case{"lenet", bench::lenet, false, f32},
                    Case{"residual_network", bench::resnet56, false, filtered_f32},
                    Case{"gpt", bench::gpt, false, f32}),
    [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

// A compiled function has its key as a parameter, and draws what XLA draws with that key.
TEST(KeyAgreement, CompiledFunctionsDrawAsXlaDoes) {
  const auto draws = [](const RandomKey& key, Device device) {
    const auto [first, second] = key.split();
    return std::tuple(random_uniform<float>(first, {64}, {.low = -1}, device),
                      random_bernoulli<float>(second.fold_in(3), {64}, 0.25, device),
                      random_normal<float>(second, {64}, {}, device),
                      random_permutation(first.fold_in(1), 64, device) + 1);
  };
  int recordings = 0;
  const auto compiled = compile([&](const RandomKey& key) {
    ++recordings;
    return draws(key, Device::lazy());
  });
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto [uniform, ones, normal, order] = compiled(RandomKey(seed));
    const auto [x, y, z, w] = draws(RandomKey(seed), Device::pjrt("cpu"));
    EXPECT_EQ(uniform.values(), x.values());
    EXPECT_EQ(ones.values(), y.values());
    EXPECT_EQ(order.values(), w.values());
    for (std::int64_t i = 0; i < 64; ++i) {  // XLA has its own logarithm and cosine.
      EXPECT_NEAR((normal[{i}]), (z[{i}]), 1e-6);
    }
  }
  EXPECT_EQ(recordings, 1);
}

}  // namespace
}  // namespace ddx
