/// \file
/// Functions of four numbers that a transformation makes, each with what it computes, written out
/// by hand.

#pragma once

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/tensor.h"

#include "tests/support/virtual_devices.h"

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::testing {

using Vector = Tensor<double>;

/// A constant direction, on the device of x.
inline Vector direction(const Vector& x) {
  return Vector{0.5, -1.0, 0.25, 0.75}.to(x.device());
}

/// sin(x_i) * sum_j exp(x_j / 2).
inline Vector coupled(const Vector& x) {
  return sin(x) * sum(exp(0.5 * x));
}

/// sum_i sin(x_i) * sum_j exp(x_j / 2).
inline Vector energy(const Vector& x) {
  return sum(sin(x)) * sum(exp(0.5 * x));
}

/// Two devices of XLA.
inline Mesh mesh() {
  return mesh_of({{"data", 2}});
}

namespace inner {

/// The function itself.
struct NoTransformation {
  Vector operator()(const Vector& x) const { return coupled(x); }
  static Vector expected(const Vector& x) { return sin(x) * sum(exp(0.5 * x)); }
};

/// `compile`.
struct Compile {
  using Uncompiled = NoTransformation;  ///< What is recorded: a call of `compile` runs at once.

  Vector operator()(const Vector& x) const { return compile(coupled)(x); }
  static Vector expected(const Vector& x) { return NoTransformation::expected(x); }
};

/// `vmap`, with a capture that depends on all of x.
struct Vmap {
  Vector operator()(const Vector& x) const {
    const Vector factor = sum(exp(0.5 * x));
    return vmap([&](const Vector& one) { return sin(one) * factor; })(x);
  }
  static Vector expected(const Vector& x) { return NoTransformation::expected(x); }
};

/// `gradient`.
struct Gradient {
  Vector operator()(const Vector& x) const { return gradient(energy, x); }
  static Vector expected(const Vector& x) {
    const Vector e = exp(0.5 * x);
    return cos(x) * sum(e) + sum(sin(x)) * 0.5 * e;
  }
};

/// `jvp`.
struct Jvp {
  Vector operator()(const Vector& x) const { return jvp(coupled, along(direction(x)), x).tangent; }
  static Vector expected(const Vector& x) {
    const Vector e = exp(0.5 * x);
    const Vector v = direction(x);
    return cos(x) * v * sum(e) + sin(x) * sum(0.5 * e * v);
  }
};

/// `hvp`.
struct Hvp {
  Vector operator()(const Vector& x) const { return hvp(energy, x, direction(x)); }
  static Vector expected(const Vector& x) {
    const Vector e = exp(0.5 * x);
    const Vector v = direction(x);
    return -sin(x) * v * sum(e) + cos(x) * sum(0.5 * e * v) + sum(cos(x) * v) * 0.5 * e +
           sum(sin(x)) * 0.25 * e * v;
  }
};

/// `scan`, whose carry is half of the last one and the sine of the element; the outputs are the
/// carries times the elements.
struct Scan {
  Vector operator()(const Vector& x) const {
    return scan([](const Vector& carry,
                   const Vector& one) { return std::pair(0.5 * carry + sin(one), carry * one); },
                zeros<double>({}, x.device()), x)
        .second;
  }
  static Vector expected(const Vector& x) {
    const Vector lower({4, 4}, {0, 0, 0, 0, 1, 0, 0, 0, 0.5, 1, 0, 0, 0.25, 0.5, 1, 0});
    return sum(lower.to(x.device()) * sin(x), {.axes = {1}}) * x;
  }
};

/// `checkpointed`.
struct Checkpointed {
  Vector operator()(const Vector& x) const { return checkpointed(coupled, x); }
  static Vector expected(const Vector& x) { return NoTransformation::expected(x); }
};

/// `shard`: computed on a mesh, back on the device of x.
struct Shard {
  Vector operator()(const Vector& x) const {
    return coupled(shard(x, mesh(), {"data"})).to(x.device());
  }
  static Vector expected(const Vector& x) { return NoTransformation::expected(x); }
};

}  // namespace inner
}  // namespace ddx::testing
