#include "ddx/backend/roofline.h"

#include "ddx/backend/buffer.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ddx::backend {
namespace {

using Clock = std::chrono::steady_clock;

// As many sums at once as hide the time that one takes, in registers.
constexpr int sums = 12;
constexpr std::int64_t turns = 200'000;

// GCC takes vectors whose size depends on a parameter for single numbers.
struct Floats4 {
  using Vector = float __attribute__((vector_size(16)));
};
struct Floats8 {
  using Vector = float __attribute__((vector_size(32)));
};
struct Floats16 {
  using Vector = float __attribute__((vector_size(64)));
};

/// Multiplies and adds in such vectors; returns what keeps a compiler from leaving it out.
template <class Floats>
[[gnu::always_inline]] inline float multiply_and_add() {
  using Vector = typename Floats::Vector;
  Vector sum[sums] = {};
  const Vector factor = Vector{} + 0.999F;
  const Vector term = Vector{} + 1e-3F;
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    for (Vector& each : sum) {
      each = each * factor + term;
    }
    // Without it the loop would have a closed form for a clever compiler.
    asm volatile("" ::: "memory");
  }
  Vector all = sum[0];
  for (int i = 1; i < sums; ++i) {
    all += sum[i];
  }
  return all[0];
}

#if defined(__x86_64__)
[[gnu::target("avx512f,fma")]] float multiply_and_add_avx512() {
  return multiply_and_add<Floats16>();
}
[[gnu::target("avx2,fma")]] float multiply_and_add_avx2() {
  return multiply_and_add<Floats8>();
}
#endif
float multiply_and_add_baseline() {
  return multiply_and_add<Floats4>();
}

struct Body {
  float (*run)();
  double lanes;
};

Body best_body() {
#if defined(__x86_64__)
  switch (cpu::best_isa()) {
    case cpu::Isa::Avx512:
      return {multiply_and_add_avx512, 16};
    case cpu::Isa::Avx2:
      return {multiply_and_add_avx2, 8};
    case cpu::Isa::Baseline:
      break;
  }
#endif
  return {multiply_and_add_baseline, 4};
}

/// The seconds of the fastest of some runs on every thread.
template <class Run>
double fastest(Run run) {
  constexpr int runs = 5;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const auto begin = Clock::now();
    cpu::for_each_chunk(cpu::thread_count(), run);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best;
}

double measured_flops() {
  const Body body = best_body();
  std::atomic<float> used = 0;
  const double seconds = fastest([&](std::int64_t) { used = body.run(); });
  return 2 * body.lanes * sums * static_cast<double>(turns) * cpu::thread_count() / seconds;
}

double measured_bytes() {
  constexpr std::size_t size = std::size_t{64} << 20;
  const auto threads = static_cast<std::size_t>(cpu::thread_count());
  const Buffer from(size);
  const Buffer to(size);
  std::memset(from.data(), 1, size);
  std::memset(to.data(), 2, size);
  const std::size_t part = size / threads;
  const double seconds = fastest([&](std::int64_t i) {
    const std::size_t begin = static_cast<std::size_t>(i) * part;
    std::memcpy(to.data() + begin, from.data() + begin, part);
  });
  return 2 * static_cast<double>(part * threads) / seconds;
}

}  // namespace

const Roofline& machine_roofline() {
  static const Roofline roofline{cpu::thread_count(), measured_flops(), measured_bytes()};
  return roofline;
}

}  // namespace ddx::backend
