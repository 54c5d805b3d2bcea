#include "measure.h"

#include "ddx/ad/detail/arena.h"
#include "ddx/core/error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace ddx::bench {
namespace {

/// Processor time of this thread, in seconds: what else runs on the machine has no part in it.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds(const std::function<void()>& run, long repetitions) {
  const double begin = now();
  for (long i = 0; i < repetitions; ++i) {
    run();
  }
  return now() - begin;
}

/// Repetitions that fill a sample; the first run also warms up.
long repetitions_for(const std::function<void()>& run, double sample_seconds) {
  (void)seconds(run, 1);
  return std::max(1L, std::lround(sample_seconds / std::max(seconds(run, 1), 1e-7)));
}

/// Times of single calls, in seconds.
struct Timing {
  std::function<void()> run;
  long repetitions = 1;
  std::vector<double> samples;

  [[nodiscard]] double best() const { return *std::min_element(samples.begin(), samples.end()); }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void require_right(const Problem& problem, const char* what, const std::vector<double>& gradient,
                   double value) {
  const double error = gradient_error(problem, gradient, value);
  if (!(error <= problem.gradient_tolerance)) {
    throw InternalError("bench " + problem.name,
                        std::string(what) + " is off by " + std::to_string(error) +
                            ", relative; at most " + std::to_string(problem.gradient_tolerance) +
                            " is right");
  }
}

/// Bytes of the arena that one gradient writes to, in a fresh thread.
///
/// The arena does not count, since that would cost what it is there to save. So the chunk that the
/// gradient will work in is painted beforehand, and searched for the end of what was painted over.
std::size_t residual_bytes(const Problem& problem) {
  constexpr auto paint = std::byte{0xA5};
  std::size_t bytes = 0;
  const auto in_fresh_thread = [](const auto& run) { std::thread(run).join(); };
  in_fresh_thread([&] {
    problem.gradient();
    bytes = detail::thread_arena().held_bytes();
  });
  in_fresh_thread([&] {
    detail::Arena& arena = detail::thread_arena();
    // Fills the first chunk to the end, and stays, since an arena that becomes empty may give
    // chunks back.
    (void)arena.alloc<std::byte>(detail::Arena::first_chunk_bytes - detail::Arena::cache_line);
    const auto empty = arena.mark();
    const std::size_t room = 2 * std::max(bytes, detail::Arena::first_chunk_bytes);
    std::byte* const chunk = arena.alloc<std::byte>(room);
    std::memset(chunk, static_cast<int>(paint), room);
    arena.release(empty);
    problem.gradient();
    bytes = room;
    while (bytes > 0 && chunk[bytes - 1] == paint) {
      --bytes;
    }
  });
  return bytes;
}

}  // namespace

double gradient_error(const Problem& problem, const std::vector<double>& gradient, double value) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double expected = problem.primal();
  if (gradient.size() != problem.inputs.size() ||
      !(std::fabs(value - expected) <= problem.value_tolerance * std::fabs(expected))) {
    return infinity;
  }
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double worst = 0;
  for (int direction = 0; direction < 3; ++direction) {
    std::vector<Dual> point;
    double slope = 0;
    double scale = std::numeric_limits<double>::min();
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double v = uniform(generator);
      point.emplace_back(problem.inputs[i], v);
      slope += gradient[i] * v;
      scale += std::fabs(gradient[i] * v);
    }
    const double error = std::fabs(slope - problem.dual(point).slope) / scale;
    worst = error <= worst ? worst : error;
  }
  return std::isnan(worst) ? infinity : worst;
}

Measurement measure(const Problem& problem, const Effort& effort) {
  std::vector<double> flat(problem.inputs.size());
  if (problem.hand) {
    const double by_hand = problem.hand(flat);
    require_right(problem, "the adjoint by hand", flat, by_hand);
  }
  Measurement result;
  result.name = problem.name;
  result.residual_bytes = residual_bytes(problem);
  const double value = problem.gradient_flat(flat);
  require_right(problem, "the compiled gradient", flat, value);
  result.error = gradient_error(problem, flat, value);

  Timing primal{[&] { keep(problem.primal()); }, 1, {}};
  Timing gradient{problem.gradient, 1, {}};
  Timing hand{[&] {
                std::fill(flat.begin(), flat.end(), 0.0);
                keep(problem.hand(flat));
              },
              1,
              {}};
  std::vector<Timing*> timings{&primal, &gradient};
  if (problem.hand) {
    timings.push_back(&hand);
  }
  Timing hvp{problem.hvp, 1, {}};
  if (problem.hvp) {
    timings.push_back(&hvp);
    problem.hvp();
    if (const double off = problem.hvp_error(); !(off <= problem.hvp_tolerance)) {
      throw InternalError("bench " + problem.name,
                          "the Hessian times a vector is off by " + std::to_string(off) +
                              ", relative; at most " + std::to_string(problem.hvp_tolerance) +
                              " is right");
    }
  }
  for (Timing* timing : timings) {
    timing->repetitions = repetitions_for(timing->run, effort.seconds_per_sample);
  }
  std::vector<double> ratios;
  for (int sample = 0; sample < effort.samples; ++sample) {
    for (Timing* timing : timings) {
      timing->samples.push_back(seconds(timing->run, timing->repetitions) /
                                static_cast<double>(timing->repetitions));
    }
    ratios.push_back(gradient.samples.back() / primal.samples.back());
  }
  result.primal_ms = 1e3 * primal.best();
  result.gradient_ms = 1e3 * gradient.best();
  result.ratio = gradient.best() / primal.best();
  result.median_ratio = median(ratios);
  if (problem.hvp) {
    result.hvp_ratio = hvp.best() / gradient.best();
  }
  if (problem.hand) {
    result.hand_ratio = hand.best() / primal.best();
  }
  return result;
}

}  // namespace ddx::bench
