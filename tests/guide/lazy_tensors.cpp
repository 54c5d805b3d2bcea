// The programs of docs/guide/lazy_tensors.md.

#include "ddx/backend/lazy.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/ddx.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/ir/text.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/cond.h"
#include "ddx/tensor/recorded_graph.h"
#include "ddx/tensor/scan.h"
#include "ddx/tensor/vmap.h"
#include "ddx/tensor/while_loop.h"

#include "expect.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using ddx::testing::expect_close;

// [step]
/// A step of linear regression; it does not depend on the device.
void descend(ddx::Tensor<float>& w, const ddx::Tensor<float>& x, const ddx::Tensor<float>& y,
             float rate) {
  const auto loss = [&](const ddx::Tensor<float>& weights) {
    const auto error = matmul(x, weights) - y;
    return mean(error * error);
  };
  w -= rate * ddx::gradient(loss, w);
}
// [/step]

void training() {
  // [training]
  const ddx::Device lazy = ddx::Device::lazy();
  const auto x = ddx::random_normal<float>(ddx::RandomKey(1), {256, 3}, {}, lazy);
  const auto y = matmul(x, ddx::Tensor<float>({3, 1}, {2, -1, 0.5F}, lazy));
  ddx::Tensor<float> w = ddx::zeros<float>({3, 1}, lazy);
  for (int step = 0; step < 200; ++step) {
    descend(w, x, y, 0.2F / (1 + 0.01F * static_cast<float>(step)));
    ddx::backend::lazy_barrier();
  }
  const auto weights = w.values();  // Observed here: 2, -1, 0.5.
  // [/training]
  expect_close("training: weight 0", weights[0], 2, 1e-4);
  expect_close("training: weight 1", weights[1], -1, 1e-4);
  expect_close("training: weight 2", weights[2], 0.5, 1e-4);
}

void reduction() {
  const ddx::Device lazy = ddx::Device::lazy();
  const auto x = ddx::full<float>({10000}, 3, lazy);
  const auto y = ddx::full<float>({10000}, 1, lazy);
  // [named_mean]
  const auto error = mean(square(x - y));
  const float looked_at = error.item();
  // [/named_mean]
  expect_close("the mean of a loop", looked_at, 4, 0);
}

// [look_behind]
/// Returns the loss before the step, observed after the update.
float train_step(ddx::Tensor<float>& w, const ddx::Tensor<float>& x, const ddx::Tensor<float>& y) {
  const auto [loss, slope] = ddx::value_with_gradient(
      [&](const ddx::Tensor<float>& weights) { return mean(square(matmul(x, weights) - y)); }, w);
  w -= 0.2F * slope;
  return loss.item();
}
// [/look_behind]

void looking_behind_the_update() {
  const ddx::Device lazy = ddx::Device::lazy();
  const auto x = ddx::random_normal<float>(ddx::RandomKey(1), {256, 3}, {}, lazy);
  const auto y = matmul(x, ddx::Tensor<float>({3, 1}, {2, -1, 0.5F}, lazy));
  ddx::Tensor<float> w = ddx::zeros<float>({3, 1}, lazy);
  (void)train_step(w, x, y);
  ddx::backend::lazy_barrier();
  const auto before = ddx::backend::lazy_statistics().flushes;
  (void)train_step(w, x, y);
  ddx::backend::lazy_barrier();  // Runs the update, where that has not run with the rest.
  expect_close("looking behind: graphs that ran",
               static_cast<double>(ddx::backend::lazy_statistics().flushes - before), 1, 0);
  for (int step = 0; step < 100; ++step) {
    (void)train_step(w, x, y);
  }
  expect_close("looking behind: the loss", train_step(w, x, y), 0, 1e-8);
}

void counts() {
  const auto x = ddx::ones<float>({2, 2}, ddx::Device::lazy());
  const auto run_model = [&](float rate) { (void)(x * rate + x).values(); };
  run_model(0.3F);  // Makes x as well.
  run_model(0.3F);
  // [counts]
  const auto before = ddx::backend::lazy_statistics();
  for (const float rate : {0.1F, 0.03F, 0.01F}) {
    run_model(rate);
  }
  const auto after = ddx::backend::lazy_statistics();
  // after.flushes - before.flushes is 3, after.compiled - before.compiled is 0.
  // [/counts]
  expect_close("counts: cuts", static_cast<double>(after.flushes - before.flushes), 3);
  expect_close("counts: compiled", static_cast<double>(after.compiled - before.compiled), 0);
}

void loops() {
  const auto x = ddx::ones<float>({10000}, ddx::Device::lazy());
  const auto run_model = [&](float rate) { (void)(exp(x * rate) + x).values(); };
  const auto cache_folder =
      std::filesystem::temp_directory_path() / ("ddx_guide_loops_" + std::to_string(::getpid()));
  // [loops]
  ddx::backend::set_loop_compilation({.folder = cache_folder / "loops"});
  run_model(0.1F);
  ddx::backend::await_loop_compilation();  // Only for measurements.
  const auto loops = ddx::backend::loop_compilation_statistics();
  // loops.loaded counts cache hits on disk, loops.compiled misses; loops.failed should be 0.
  // [/loops]
  ddx::backend::set_loop_compilation({});
  std::filesystem::remove_all(cache_folder);
  expect_close("loops: failed", static_cast<double>(loops.failed), 0);
}

std::string staged() {
  // [compile]
  /// A step of linear regression, as above: a pure function.
  const auto step = ddx::compile([](const ddx::Tensor<float>& w, const ddx::Tensor<float>& x,
                                    const ddx::Tensor<float>& y, float rate) {
    const auto loss = [&](const ddx::Tensor<float>& weights) {
      const auto error = matmul(x, weights) - y;
      return mean(error * error);
    };
    return w - rate * ddx::gradient(loss, w);
  });

  const ddx::Device lazy = ddx::Device::lazy();
  const auto x = ddx::random_normal<float>(ddx::RandomKey(1), {256, 3}, {}, lazy);
  const auto y = matmul(x, ddx::Tensor<float>({3, 1}, {2, -1, 0.5F}, lazy));
  ddx::Tensor<float> w = ddx::zeros<float>({3, 1}, lazy);
  for (int i = 0; i < 200; ++i) {
    w = step(w, x, y, 0.2F);  // The C++ code above runs once.
  }
  // [/compile]
  expect_close("compile: weight 0", w.values()[0], 2, 1e-4);
  expect_close("compile: weight 2", w.values()[2], 0.5, 1e-4);
  // [of-gradient]
  const auto slope = [](const ddx::Tensor<float>& t) {
    return ddx::gradient([](const ddx::Tensor<float>& u) { return sum(exp(u) * u); }, t);
  };
  const std::string text = ddx::ir::to_text(ddx::graph(slope)(ddx::zeros<float>({3})));
  // [/of-gradient]
  return text;
}

void examples() {
  // [vmap]
  /// The gradient of one example's loss.
  const auto slope = [](const ddx::Tensor<float>& w, const ddx::Tensor<float>& x,
                        const ddx::Tensor<float>& y) {
    const auto loss = [&](const ddx::Tensor<float>& v) {
      const auto error = sum(x * v) - y;
      return error * error;
    };
    return ddx::gradient(loss, w);
  };

  const ddx::Tensor<float> w({2}, {1, -1}, ddx::Device::lazy());
  const ddx::Tensor<float> x({3, 2}, {1, 2, 3, 4, 5, 6}, ddx::Device::lazy());
  const ddx::Tensor<float> y({3}, {0, 1, 2}, ddx::Device::lazy());
  const auto slopes = ddx::vmap(slope, {std::nullopt, 0, 0})(w, x, y);  // [3, 2]
  // [/vmap]
  // 2 (x w - y) x with x w = -1.
  const std::vector<float> expected{-2, -4, -12, -16, -30, -36};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expect_close("vmap: slope", slopes.values()[i], expected[i], 1e-5);
  }
}

void recurrent() {
  const ddx::Device lazy = ddx::Device::lazy();
  const auto inputs = ddx::ones<float>({100, 1}, lazy);
  const ddx::Tensor<float> start({1}, {0}, lazy);
  const ddx::Tensor<float> weight({1}, {0.5F}, lazy);
  // [scan]
  using State = ddx::Tensor<float>;
  const auto loss = [&](const ddx::Tensor<float>& w) {
    const auto [last, states] = ddx::scan(
        [&](const State& state, const ddx::Tensor<float>& x) {
          const State next = state * w + x;
          return std::pair<State, ddx::Tensor<float>>(next, next);
        },
        start, inputs);  // A hundred iterations, one operation.
    return sum(last);
  };
  const auto slope = ddx::gradient(loss, weight);
  // [/scan]
  // 1 + w + w^2 + ... and its derivative 1 / (1 - w)^2.
  expect_close("scan: value", loss(weight).item(), 2, 1e-6);
  expect_close("scan: slope", slope.values()[0], 4, 1e-5);
}

void roots() {
  const ddx::Device lazy = ddx::Device::lazy();
  // [while]
  /// The square root by Newton's method, and its derivative through the loop.
  const auto root = [](const ddx::Tensor<double>& a) {
    return ddx::while_loop(
        [&](const ddx::Tensor<double>& x) { return greater(abs(x * x - a), 1e-12); },
        [&](const ddx::Tensor<double>& x) { return 0.5 * (x + a / x); }, a, {.most_turns = 20});
  };
  const auto slope = ddx::gradient(root, ddx::Tensor<double>(2.0, lazy));
  // [/while]
  expect_close("while: value", root(ddx::Tensor<double>(2.0, lazy)).item(), 1.4142135623730951,
               1e-12);
  expect_close("while: slope", slope.item(), 0.35355339059327373, 1e-9);
  // [cond]
  /// Scales gradients longer than 1 to that length.
  const auto cut = [](const ddx::Tensor<double>& g) {
    const auto length = sqrt(sum(g * g));
    return ddx::cond(less(length, 1.0), [&] { return g; }, [&] { return g / length; });
  };
  const auto shorter = cut(ddx::Tensor<double>({2}, {3, 4}, lazy));  // 0.6, 0.8
  // [/cond]
  expect_close("cond", shorter.values()[0], 0.6, 1e-12);
  expect_close("cond", shorter.values()[1], 0.8, 1e-12);
}

std::string shown() {
  // [graph]
  const ddx::Tensor<float> x({3}, {1, 2, 3}, ddx::Device::lazy());
  const auto y = ddx::gradient([](const ddx::Tensor<float>& t) { return sum(exp(t) * t); }, x);
  const std::string text = ddx::ir::to_text(ddx::ir::optimised(ddx::recorded_graph(y)));
  // [/graph]
  return text;
}

std::string error_text() {
  const auto divide = [](const ddx::Tensor<std::int32_t>& b) {
    return ddx::ones<std::int32_t>({2}, ddx::Device::lazy()) / b;
  };
  try {
    // [error]
    const auto quotient = divide(ddx::zeros<std::int32_t>({2}, ddx::Device::lazy()));
    const auto unaffected = ddx::ones<float>({2}, ddx::Device::lazy()) * 2.0F;
    (void)unaffected.values();  // Computed as usual.
    (void)quotient.values();    // Throws here, and names the division.
    // [/error]
  } catch (const ddx::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

int main() {
  training();
  reduction();
  looking_behind_the_update();
  counts();
  loops();
  examples();
  recurrent();
  roots();
  std::printf("%s", staged().c_str());
  const std::string text = shown();
  std::printf("%s%s\n", text.c_str(), error_text().c_str());
  const bool is_right = text.find("cotangent_product") != std::string::npos &&
                        error_text().find("div") != std::string::npos;
  return is_right ? 0 : 1;
}
