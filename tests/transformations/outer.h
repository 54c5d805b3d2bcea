/// \file
/// How far what a transformation makes of a function is from what it should be, as a multiple of
/// the bound for its error. A function is one of inner.h.

#pragma once

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/ir/text.h"
#include "ddx/tensor.h"

#include "inner.h"

#include <cstddef>
#include <vector>

namespace ddx::testing {

inline Vector point(Device device) {
  return Vector{0.3, 1.2, -0.4, 0.7}.to(device);
}

/// The derivative of the sum of weighted elements of f, by central differences.
template <class F>
Vector slope_of(const F& f, const Vector& x, const Vector& weights) {
  constexpr double step = 1e-5;
  std::vector<double> slopes;
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> unit(4, 0);
    unit[i] = step;
    const Vector d({4}, unit);
    slopes.push_back(sum(weights * (f(x + d) - f(x - d))).item() / (2 * step));
  }
  return Vector({4}, slopes);
}

/// The largest difference, as a part of the largest expected number.
inline double error(const Vector& actual, const Vector& expected) {
  const Vector host = actual.to(Device());
  if (host.shape() != expected.shape()) {
    return 1e300;
  }
  return (max(abs(host - expected)) / max(abs(expected))).item();
}

/// Bounds of errors: of differences, and of what is computed.
constexpr double by_differences = 1e-8;
constexpr double computed = 1e-13;

inline Vector weights() {
  return Vector{1.0, -0.5, 2.0, 0.3};
}

namespace outer {

/// `gradient` of a weighted sum of the results.
struct Gradient {
  template <class F>
  static double error_of(Device device) {
    const Vector w = weights().to(device);
    const Vector made =
        gradient([&](const Vector& x) { return sum(w * F{}(x).to(device)); }, point(device));
    return error(made, slope_of(F::expected, point({}), weights())) / by_differences;
  }
};

/// `jvp`.
struct Jvp {
  template <class F>
  static double error_of(Device device) {
    const Vector d{-0.3, 0.2, 1.0, 0.6};
    const Vector made = jvp(F{}, along(d.to(device)), point(device)).tangent;
    const Vector x = point({});
    const Vector expected = (F::expected(x + 1e-5 * d) - F::expected(x - 1e-5 * d)) / 2e-5;
    return error(made, expected) / by_differences;
  }
};

/// `hvp` of a weighted sum of the results.
struct Hvp {
  template <class F>
  static double error_of(Device device) {
    const Vector d{-0.3, 0.2, 1.0, 0.6};
    const Vector w = weights().to(device);
    const Vector made = hvp([&](const Vector& x) { return sum(w * F{}(x).to(device)); },
                            point(device), d.to(device));
    const auto slope = [](const Vector& x) {
      return gradient([](const Vector& y) { return sum(weights() * F::expected(y)); }, x);
    };
    const Vector x = point({});
    return error(made, (slope(x + 1e-5 * d) - slope(x - 1e-5 * d)) / 2e-5) / by_differences;
  }
};

/// `compile`, at the second call.
struct Compile {
  template <class F>
  static double error_of(Device device) {
    const auto f = compile(F{});
    const Vector x = point(device);
    (void)f(x);
    return error(f(x + 0.5), F::expected(point({}) + 0.5)) / computed;
  }
};

/// `graph`, beside what the lazy device records.
struct Graph {
  template <class F>
  static double error_of(Device device) {
    const ir::Graph made = graph(F{})(point(device));
    const Vector x = point(Device::lazy());
    Vector y = x;
    if constexpr (requires { typename F::Uncompiled; }) {
      y = typename F::Uncompiled{}(x);
    } else {
      y = F{}(x);
    }
    return ir::to_text(made) == ir::to_text(recorded_graph(y)) ? 0 : 1e300;
  }
};

/// `vmap`, of three examples.
struct Vmap {
  template <class F>
  static double error_of(Device device) {
    const std::vector<Vector> rows{point({}), 2.0 * point({}), point({}) - 0.5};
    std::vector<Vector> expected;
    for (const Vector& row : rows) {
      expected.push_back(F::expected(row));
    }
    return error(vmap(F{})(stack(rows).to(device)), stack(expected)) / computed;
  }
};

/// `scan`, with the function in the body.
struct Scan {
  template <class F>
  static double error_of(Device device) {
    const Vector last =
        scan([](const Vector& carry,
                const Vector& one) { return tanh(F{}(carry)).to(carry.device()) + one; },
             point(device), Vector({3, 4}, std::vector<double>(12, 0.1)).to(device));
    Vector expected = point({});
    for (int k = 0; k < 3; ++k) {
      expected = tanh(F::expected(expected)) + 0.1;
    }
    return error(last, expected) / computed;
  }
};

/// The gradient of `checkpointed`.
struct Checkpointed {
  template <class F>
  static double error_of(Device device) {
    const Vector w = weights().to(device);
    const auto loss = [&](const Vector& x) { return sum(w * checkpointed(F{}, x).to(device)); };
    const Vector made = gradient(loss, point(device));
    return error(made, slope_of(F::expected, point({}), weights())) / by_differences;
  }
};

/// Computed on a mesh.
struct Shard {
  template <class F>
  static double error_of(Device device) {
    const Vector x = shard(point(device), mesh(), {"data"});
    return error(F{}(x), F::expected(point({}))) / computed;
  }
};

}  // namespace outer
}  // namespace ddx::testing
