// Lists of objects that own memory and grow one by one, as the path of a simulation does. What
// reverse mode keeps must grow as the list does, and not with its square.

#include "gradient_check.h"

#include <cstddef>
#include <cstdlib>
#include <deque>
#include <gtest/gtest.h>
#include <new>
#include <utility>
#include <vector>

namespace {

std::size_t allocated = 0;

}  // namespace

// Counts the bytes that are asked for, given back or not.
void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  allocated += size;
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace {

using Numbers = std::vector<double>;
using Path = std::vector<Numbers>;

struct State {
  Numbers x;
  double t = 0;
};

struct Recorder {
  Path path;
  void add(const Numbers& state) { path.push_back(state); }
};

Numbers next(const Numbers& s, double rate) {
  return {s[0] + 0.01 * rate * s[1], s[1] - 0.01 * rate * s[0]};
}

double loss(const Path& path) {
  double sum = 0;
  for (const auto& s : path) {
    sum += s[0] * s[0] + s[1];
  }
  return sum;
}

double appended(double rate, int steps) {
  Path path;
  Numbers state{1, 2};
  for (int i = 0; i < steps; ++i) {
    state = {state[0] + 0.01 * rate * state[1], state[1] - 0.01 * rate * state[0]};
    path.push_back(state);
  }
  return loss(path);
}

double emplaced(double rate, int steps) {
  Path path;
  Numbers state{1, 2};
  for (int i = 0; i < steps; ++i) {
    state = next(state, rate);
    path.emplace_back(state);
  }
  return loss(path);
}

double behind_the_last(double rate, int steps) {
  Path path{{1, 2}};
  for (int i = 0; i < steps; ++i) {
    path.push_back(next(path.back(), rate));
  }
  return loss(path);
}

double resized(double rate, int steps) {
  Path path;
  Numbers state{1, 2};
  for (int i = 0; i < steps; ++i) {
    state = next(state, rate);
    path.resize(path.size() + 1);
    path.back() = state;
  }
  path.resize(path.size() / 2);
  return loss(path);
}

double filled_in(double rate, int steps) {
  Path path(static_cast<std::size_t>(steps));
  Numbers state{1, 2};
  for (auto& place : path) {
    state = next(state, rate);
    place.push_back(state[0]);
    place.push_back(state[1]);
  }
  return loss(path);
}

double inserted(double rate, int steps) {
  Path path;
  Numbers state{1, 2};
  for (int i = 0; i < steps; ++i) {
    state = next(state, rate);
    path.insert(path.end(), state);
  }
  return loss(path);
}

double in_a_deque(double rate, int steps) {
  std::deque<Numbers> path;
  Numbers state{1, 2};
  for (int i = 0; i < steps; ++i) {
    state = next(state, rate);
    path.push_back(state);
  }
  double sum = 0;
  for (const auto& s : path) {
    sum += s[0] * s[1];
  }
  return sum;
}

double objects(double rate, int steps) {
  std::vector<State> path;
  State state{{1, 2}, 0};
  for (int i = 0; i < steps; ++i) {
    state = State{next(state.x, rate), state.t + rate};
    path.push_back(state);
  }
  double sum = 0;
  for (const State& s : path) {
    sum += s.x[0] * s.x[1] + s.t;
  }
  return sum;
}

double by_a_method(double rate, int steps) {
  Recorder recorder;
  Numbers state{1, 2};
  for (int i = 0; i < steps; ++i) {
    state = next(state, rate);
    recorder.add(state);
  }
  return loss(recorder.path);
}

double cleared(double rate, int steps) {
  Path path;
  Numbers state{1, 2};
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    state = next(state, rate);
    path.push_back(state);
    if (path.size() == 10) {
      sum += loss(path);
      path.clear();
    }
  }
  return sum + loss(path);
}

/// Left in four ways while the list is in scope.
double left_early(double rate, int steps) {
  double sum = 0;
  for (int k = 1; k <= 3; ++k) {
    Path path;
    Numbers state{1, 2};
    for (int i = 0; i < steps; ++i) {
      Path pair{state};
      state = next(state, rate * k);
      pair.push_back(state);
      if (i % 5 == 4) {
        continue;
      }
      path.push_back(pair[1]);
      if (k == 2 && state[1] < 0) {
        break;
      }
      sum += pair[0][0] * pair[1][1];
    }
    sum += loss(path);
    if (k == 3) {
      return sum * path.back()[0];
    }
  }
  return sum;
}

DDX_CHECK_GRADIENT(appended, at(1.5, 0), at(1.5, 1), at(0.4, 3), at(-0.7, 30))
DDX_CHECK_GRADIENT(emplaced, at(1.5, 1), at(0.4, 3), at(-0.7, 30))
DDX_CHECK_GRADIENT(behind_the_last, at(1.5, 1), at(0.4, 3), at(-0.7, 30))
DDX_CHECK_GRADIENT(resized, at(1.5, 1), at(0.4, 3), at(-0.7, 31))
DDX_CHECK_GRADIENT(filled_in, at(1.5, 1), at(0.4, 3), at(-0.7, 30))
DDX_CHECK_GRADIENT(inserted, at(1.5, 1), at(0.4, 3), at(-0.7, 30))
DDX_CHECK_GRADIENT(in_a_deque, at(1.5, 1), at(0.4, 3), at(-0.7, 30))
DDX_CHECK_GRADIENT(objects, at(1.5, 1), at(0.4, 3), at(-0.7, 30))
DDX_CHECK_GRADIENT(by_a_method, at(1.5, 1), at(0.4, 3), at(-0.7, 30))
DDX_CHECK_GRADIENT(cleared, at(1.5, 1), at(0.4, 3), at(-0.7, 35))
DDX_CHECK_GRADIENT(left_early, at(1.5, 20), at(0.4, 7), at(-0.7, 60))

#ifndef DDX_THROUGH_MEMORY  // There, the tape and the places of cotangents are kept for later
                            // calls.
/// Bytes that a gradient asks for.
std::size_t bytes_for(double (*function)(double, int), int steps) {
  allocated = 0;
  volatile double slope = ddx::gradient(function, ddx::wrt<0>, 0.1, steps);
  static_cast<void>(slope);
  return allocated;
}

TEST(GrowingObjects, CostAsMuchAsTheyAreLong) {
  for (const auto function : {appended, emplaced, behind_the_last, resized, filled_in, inserted,
                              in_a_deque, objects, by_a_method, cleared, left_early}) {
    const std::size_t few = bytes_for(function, 200);
    const std::size_t many = bytes_for(function, 1600);
    EXPECT_LT(many, 12 * few) << few << " and " << many;
  }
}
#endif

}  // namespace
