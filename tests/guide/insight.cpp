// The programs of docs/guide/insight.md; see first_gradient.cpp.

#include "ddx/ddx.h"

// [headers]
#include "ddx/backend/lazy.h"
#include "ddx/io/chrome_trace.h"
#include "ddx/tensor/debug_nans.h"
#include "ddx/tensor/explain_recompiles.h"
#include "ddx/tensor/profile.h"
// [/headers]

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

namespace {

// [step]
const ddx::Device lazy = ddx::Device::lazy();

ddx::Tensor<float> loss(const ddx::Tensor<float>& weight, const ddx::Tensor<float>& x) {
  return ddx::mean(ddx::square(ddx::matmul(x, weight) - 1.0F));
}

float train_step(ddx::Tensor<float>& weight, std::int64_t batch) {
  const auto x = ddx::random_normal<float>(ddx::RandomKey(1), {batch, 64}, {}, lazy);
  const auto [value, slope] =
      ddx::value_with_gradient([&](const ddx::Tensor<float>& w) { return loss(w, x); }, weight);
  weight -= 0.1F * slope;
  return value.item();
}
// [/step]

/// Exits with status 1 unless it holds.
void expect(bool holds, const std::string& what) {
  if (!holds) {
    std::cerr << what << '\n';
    std::exit(1);
  }
}

void expect_part(const std::string& text, const std::string& part) {
  expect(text.find(part) != std::string::npos, "no '" + part + "' in:\n" + text);
}

void count(ddx::Tensor<float>& weight) {
  // [counts]
  const auto before = ddx::backend::lazy_statistics();
  for (int step = 0; step < 10; ++step) {
    train_step(weight, 32);
  }
  const auto after = ddx::backend::lazy_statistics();
  std::cout << after.compiled - before.compiled << " graphs compiled, "
            << after.cache_hits - before.cache_hits << " found, "
            << (after.flops - before.flops) / 10 << " flops a step\n";
  // [/counts]
  expect(after.compiled - before.compiled <= 3, "few compilations");
  expect(after.cache_hits - before.cache_hits >= 7, "the others are found");
}

void explain(ddx::Tensor<float>& weight) {
  // [explain]
  ddx::set_recompile_history(20);
  train_step(weight, 32);
  train_step(weight, 20);  // The last batch is smaller.
  std::cout << ddx::explain_recompiles();
  // [/explain]
  expect_part(ddx::explain_recompiles(), "only the batch size differs: 32 before, 20 now");
  expect_part(ddx::explain_recompiles(), "insight.cpp:");
  ddx::set_recompile_history(0);
}

void trace(ddx::Tensor<float>& weight) {
  const auto file = std::filesystem::temp_directory_path() / "ddx_guide_insight.json";
  // [trace]
  {
    ddx::io::ChromeTrace trace(file);
    train_step(weight, 32);
  }
  // [/trace]
  expect(std::filesystem::file_size(file) > 1000, "a trace is written");
  std::filesystem::remove(file);
}

void profile(ddx::Tensor<float>& weight) {
  // [profile]
  const ddx::Profile profile;
  for (int step = 0; step < 10; ++step) {
    train_step(weight, 32);
  }
  std::cout << profile.text();
  // [/profile]
  expect(profile.text().find("/ddx/tensor/") == std::string::npos, "lines are the program's");
  expect_part(profile.text(), "matmul: f32[32, 64], f32[64, 3] -> f32[32, 3], at ");
}

void find_nan() {
  std::string message;
  // [nans]
  const ddx::DebugNans nans;
  const ddx::Tensor<float> x({4, 0, -1}, lazy);
  try {
    (void)ddx::sum(ddx::sqrt(x) * 2.0F).item();
  } catch (const ddx::UsageError& error) {
    message = error.what();
    // sqrt: element [2] of result 0, f32[3], is nan though all operands are finite: f32[3] (at
    // insight.cpp:106)
  }
  // [/nans]
  expect(message.starts_with("sqrt: element [2] of result 0, f32[3], is nan though all "
                             "operands are finite: f32[3]") &&
             (!DDX_HAS_LIBDW || message.ends_with("/insight.cpp:106)")),
         message);
}

}  // namespace

int main() {
  auto weight = ddx::full<float>({64, 3}, 0.01F, lazy);
  count(weight);
  explain(weight);
  trace(weight);
  profile(weight);
  find_nan();
}
