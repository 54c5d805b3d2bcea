/// \file
/// What the benchmark knows of a problem.

#pragma once

#include "dual.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ddx::bench {

/// One differentiable program at one input. The inputs it is differentiated by are numbered as one
/// flat list.
struct Problem {
  std::string name;
  std::vector<double> inputs;

  /// The program.
  std::function<double()> primal;
  /// The program in dual arithmetic, at the inputs given.
  std::function<Dual(const std::vector<Dual>&)> dual;
  /// Runs ddx::value_with_gradient; what is timed.
  std::function<void()> gradient;
  /// The gradient of the latest run, in the order of `inputs`, and the value.
  std::function<double(std::vector<double>&)> gradient_flat;
  /// An adjoint written by hand: adds into zeros, returns the value.
  std::function<double(std::vector<double>&)> hand;
};

/// ADBench: log-likelihood of a mixture of Gaussians. Reads
/// `folder/gmm/gmm_d<dimensions>_K<components>.txt`.
///
/// Throws: EnvironmentError where the file is absent or short.
[[nodiscard]] Problem gmm_problem(const std::filesystem::path& folder, int dimensions,
                                  int components);

/// ADBench: character prediction with long short-term memory. Reads `folder/lstm/lstm_SIZE.txt`.
///
/// Throws: EnvironmentError where the file is absent or short.
[[nodiscard]] Problem lstm_problem(const std::filesystem::path& folder, const std::string& size);

/// Least squares of a polynomial with `terms` coefficients at `points` points against the sign.
[[nodiscard]] Problem llsq_problem(int points, int terms);

/// Logarithm of a sum of exponentials of `count` numbers.
[[nodiscard]] Problem lse_problem(int count);

/// Lorenz-96 of `variables` variables, `steps` steps of the classical Runge-Kutta method.
[[nodiscard]] Problem rk4_problem(int variables, int steps);

/// Keeps the compiler from dropping a computation.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// Returns `value`, which the compiler can then not know: sizes must not be constants in the primal
/// alone.
[[nodiscard]] inline int opaque(int value) {
  asm volatile("" : "+r"(value));
  return value;
}

}  // namespace ddx::bench
