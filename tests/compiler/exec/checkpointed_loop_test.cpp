// Loops that hold few of their states, and run the steps between them again on the way back.

#include "ddx/ad/detail/binomial_schedule.h"
#include "ddx/core/error.h"

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <gtest/gtest.h>
#include <malloc.h>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

std::size_t allocated = 0;
std::size_t most_allocated = 0;

}  // namespace

// Counts the bytes that the program holds.
void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  allocated += malloc_usable_size(memory);
  most_allocated = std::max(most_allocated, allocated);
  return memory;
}
void operator delete(void* memory) noexcept {
  allocated -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  operator delete(memory);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto to = static_cast<std::size_t>(alignment);
  void* const memory = std::aligned_alloc(to, (size + to - 1) / to * to);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  allocated += malloc_usable_size(memory);
  most_allocated = std::max(most_allocated, allocated);
  return memory;
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  operator delete(memory);
}

namespace {

using Vector = std::vector<double>;

/// A number; the step counts, and what the lambda captures.
double number(double x, double rate, int steps, int memory) {
  const Vector forcing{0.3, rate, -0.2};
  const double last = ddx::checkpointed_loop(
      static_cast<std::size_t>(steps), static_cast<std::size_t>(memory), x * rate,
      [&](double state, std::size_t k) {
        return std::sin(state) * rate + forcing[k % forcing.size()] * static_cast<double>(k + 1);
      });
  return last * last + x;
}

/// A vector, in a loop of its own, whose start changes afterwards.
double vectors(const Vector& x, double rate, int steps, int memory) {
  Vector start = x;
  double sum = 0;
  start = ddx::checkpointed_loop(3, 2, start, [&](const Vector& state, std::size_t k) {
    Vector next = state;
    next[k % next.size()] *= rate + next[0];
    return next;
  });
  for (int round = 0; round < 2; ++round) {
    const Vector last = ddx::checkpointed_loop(
        static_cast<std::size_t>(steps), static_cast<std::size_t>(memory), start,
        [&x, rate](const Vector& state, std::size_t k) {
          Vector next = state;
          for (std::size_t i = 0; i < next.size(); ++i) {
            next[i] = std::sin(next[i]) + rate * x[k % x.size()] * next[(i + 1) % next.size()];
          }
          return next;
        });
    for (std::size_t i = 0; i < last.size(); ++i) {
      sum += last[i] * static_cast<double>(i + 1) * start[i];
    }
    start[0] *= 0.5 + rate;
  }
  return sum;
}

struct Body {
  std::array<double, 2> position{};
  std::array<double, 2> velocity{};
  int bounces = 0;
  DDX_DIFFERENTIABLE(Body, position, velocity)
  DDX_NO_DERIVATIVE(bounces)
};

/// Branches on the state, counts, and is a function object that has parameters.
struct Flight {
  double drag = 0;
  double floor = 0;
  Body operator()(const Body& body, std::size_t /*k*/) const {
    Body next = body;
    const double speed = std::hypot(body.velocity[0], body.velocity[1]);
    for (int i = 0; i < 2; ++i) {
      next.velocity[i] -= 0.05 * drag * speed * body.velocity[i] + (i == 1 ? 0.5 : 0.0);
      next.position[i] += 0.05 * next.velocity[i];
    }
    if (next.position[1] < floor) {
      next.position[1] = 2 * floor - next.position[1];
      next.velocity[1] *= -0.9;
      ++next.bounces;
    }
    return next;
  }
  DDX_DIFFERENTIABLE(Flight, drag, floor)
};

double flight(double speed, double drag, int steps, int memory) {
  Body start;
  start.velocity = {speed, 2 * speed};
  start.position[1] = 0.3;
  const Flight flight{drag, -0.1};
  const Body last = ddx::checkpointed_loop(static_cast<std::size_t>(steps),
                                           static_cast<std::size_t>(memory), start, flight);
  return last.position[0] * last.position[1] + last.velocity[1] * (last.bounces + 1);
}

DDX_CHECK_GRADIENT(number, at(0.3, 0.8, 12, 3), at(-0.7, 1.2, 1, 2), at(1.1, 0.4, 0, 2),
                   at(0.2, 0.9, 7, 1), at(0.2, 0.9, 7, 50))
DDX_CHECK_GRADIENT(vectors, at(Vector{0.3, -0.7, 1.1}, 0.2, 10, 3), at(Vector{0.5}, 0.4, 3, 1),
                   at(Vector{-1.0, 0.2}, 0.1, 0, 4))
DDX_CHECK_GRADIENT(flight, at(1.3, 0.8, 40, 4), at(0.7, 0.3, 25, 2), at(1.1, 0.4, 3, 3))

/// Steps whose calls are counted. Handed over as the compiler hands a body over: it would refuse
/// one that counts.
struct Counted {
  static inline std::size_t calls = 0;
  double operator()(const double& state, std::size_t k, std::size_t /*memory*/) const {
    ++calls;
    return std::sin(state) + static_cast<double>(k % 3) * state;
  }
};

TEST(CheckpointedLoop, RunsStepsAgainAsRarelyAsItsMemoryAllows) {
  for (const auto& [steps, memory] :
       {std::pair<std::size_t, std::size_t>{1, 3}, {20, 1}, {35, 4}, {1000, 10}, {1000, 3}}) {
    Counted::calls = 0;
    const auto made = ddx::detail::checkpointed_loop_vjp(Counted{}, 0.7, steps, memory);
    EXPECT_EQ(Counted::calls, steps);
    const auto [slope] = made.pullback(1.0);
    const std::size_t r = ddx::detail::repetitions(steps, memory);
    const std::size_t again = r == 0 ? 0 : r * steps - ddx::detail::binomial(memory + 1, r - 1);
    // The first run goes to the last step, and is the first to come by; each step is recorded once.
    EXPECT_EQ(Counted::calls, 1 + again + steps) << steps << " steps, " << memory;
    double state = 0.7;
    double expected = 1;
    for (std::size_t k = 0; k < steps; ++k) {
      expected *= std::cos(state) + static_cast<double>(k % 3);
      state = std::sin(state) + static_cast<double>(k % 3) * state;
    }
    EXPECT_EQ(made.value, state);
    EXPECT_NEAR(slope, expected, 1e-10 * std::fabs(expected));
    // Nothing but the start is held now.
    Counted::calls = 0;
    EXPECT_EQ(std::get<0>(made.pullback(2.0)), 2 * slope);
    EXPECT_EQ(Counted::calls, again + steps);
  }
}

#ifndef DDX_THROUGH_MEMORY  // There, all states are kept.
Vector diffused(const Vector& start, std::size_t steps, std::size_t memory) {
  return ddx::checkpointed_loop(steps, memory, start, [](const Vector& u, std::size_t k) {
    Vector next = u;
    for (std::size_t i = 1; i + 1 < u.size(); ++i) {
      next[i] += 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i] * static_cast<double>(k % 2 + 1);
    }
    return next;
  });
}

TEST(CheckpointedLoop, HoldsTheStatesThatItMay) {
  const std::size_t size = 10000;
  const std::size_t state_bytes = size * sizeof(double);
  const Vector start(size, 0.3);
  const auto most_bytes = [&](std::size_t steps, std::size_t memory) {
    std::size_t bytes = 0;
    std::thread([&] {
      const std::size_t before = allocated;
      most_allocated = allocated;
      (void)ddx::gradient(
          [steps, memory](const Vector& x) {
            const Vector last = diffused(x, steps, memory);
            return last[5] * last.back();
          },
          start);
      bytes = most_allocated - before;
    }).join();
    return bytes;
  };
  // A step's record, tangents and what moves take some states' room, whatever the number of steps.
  const std::size_t one_step = most_bytes(1, 1);
  for (const std::size_t memory : {3U, 10U}) {
    EXPECT_LE(most_bytes(200, memory), one_step + (memory + 4) * state_bytes) << memory;
    EXPECT_GE(most_bytes(200, memory), memory * state_bytes) << memory;
  }
}
#endif

TEST(CheckpointedLoop, NeedsMemoryForAState) {
  const auto last = [](double x, std::size_t steps, std::size_t memory) {
    return ddx::checkpointed_loop(steps, memory, x,
                                  [](double state, std::size_t /*k*/) { return state * state; });
  };
  const std::string text = "checkpointed_loop: memory for 0 states; at least 1 must be held";
  const auto thrown = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const ddx::UsageError& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  for (const std::size_t steps : {0U, 1U, 5U}) {
    EXPECT_EQ(thrown([&] { (void)last(1.5, steps, 0); }), text);
    EXPECT_EQ(thrown([&] { (void)ddx::gradient(last, ddx::wrt<0>, 1.5, steps, std::size_t{0}); }),
              text);
    EXPECT_EQ(
        thrown([&] { (void)ddx::derivative([&](double x) { return last(x, steps, 0); }, 1.5); }),
        text);
  }
  EXPECT_EQ(ddx::gradient(last, ddx::wrt<0>, 1.5, std::size_t{2}, std::size_t{1}), 13.5);
}

}  // namespace
