/// \file
/// A problem of the benchmark.

#pragma once

#include "dual.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ddx::bench {

/// One differentiable program at one input. The inputs with derivatives are numbered as one flat
/// list.
struct Problem {
  std::string name;
  std::vector<double> inputs;

  /// The program.
  std::function<double()> primal;
  /// The program in dual arithmetic, at the inputs given.
  std::function<Dual(const std::vector<Dual>&)> dual;
  /// Runs ddx::value_with_gradient; timed.
  std::function<void()> gradient;
  /// The gradient of the latest run, in the order of `inputs`, and the value.
  std::function<double(std::vector<double>&)> gradient_flat;
  /// An adjoint written by hand: adds into zeros, returns the value. Empty if there is none.
  std::function<double(std::vector<double>&)> hand;
  /// Runs ddx::hvp along one direction; timed next to the gradient. Empty if the value is not a
  /// number.
  std::function<void()> hvp;
  /// The relative error of the latest product.
  std::function<double()> hvp_error;
  /// The relative tolerance of the value and the gradient.
  double value_tolerance = 1e-12;
  double gradient_tolerance = 1e-8;
  double hvp_tolerance = 1e-5;
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

/// ADBench: bundle adjustment, the Jacobian (2 by 15) of one observation's error; the value is a
/// combination of its components. Reads `folder/ba/SIZE.txt`.
///
/// Throws: EnvironmentError where the file is absent or short.
[[nodiscard]] Problem ba_problem(const std::filesystem::path& folder, const std::string& size);

/// Roots of `polynomials` polynomials of `terms` coefficients by Newton's method.
[[nodiscard]] Problem newton_problem(int polynomials, int terms);

/// Vectors of `count` elements, filtered into one of unknown length.
[[nodiscard]] Problem vectors_problem(int count);

/// A perceptron of one hidden layer in single precision, in plain loops, on one batch.
[[nodiscard]] Problem mlp_problem(int batch, int inputs, int hidden, int classes);

/// Recursion, structures, closures, a switch and an early return at each of `rows` points.
[[nodiscard]] Problem shapes_problem(int rows, int columns);

/// ADBench: a hand model fitted to measured points. Reads `folder/hand/NAME.txt` and the model in
/// `folder/hand/model`.
///
/// Throws: EnvironmentError where a file is absent or short.
[[nodiscard]] Problem hand_problem(const std::filesystem::path& folder, const std::string& name);

/// GradBench: a chain of `variables` differential equations, `steps` steps of Runge-Kutta.
[[nodiscard]] Problem ode_problem(int variables, int steps);

/// GradBench: the determinant of a matrix of `size` rows, by minors.
[[nodiscard]] Problem determinant_problem(int size);

/// GradBench: the cost of a clustering.
[[nodiscard]] Problem kmeans_problem(int points, int dimension, int clusters);

/// The prices of European options, by the five quantities that each depends on.
[[nodiscard]] Problem black_scholes_problem(int options);

/// Heat in a plate of `n` by `n` cells after `steps` steps against a target, by the first state
/// and the conductivity.
[[nodiscard]] Problem heat_problem(int n, int steps);

/// Waves on shallow water in a basin of `n` by `n` cells after `steps` steps, by the first heights
/// and the bed.
[[nodiscard]] Problem shallow_water_problem(int n, int steps);

/// GradBench: where a charged particle lands, in steps of time of `step`; the force is a gradient.
[[nodiscard]] Problem particle_problem(double step);

/// GradBench: the greatest height of a saddle in two of its variables, by the others.
[[nodiscard]] Problem saddle_problem();

/// The sparse Jacobian of a boundary value problem of `count` unknowns, with a colouring that is
/// known; the gradient is its combination of rows, the value the first residual.
[[nodiscard]] Problem tridiagonal_problem(int count);

/// Through memory: a stencil over `count` numbers in two allocated arrays, `steps` times.
[[nodiscard]] Problem memory_stencil_problem(int count, int steps);

/// Through memory: a linked list of `count` numbers.
[[nodiscard]] Problem memory_list_problem(int count);

/// Through memory: a binary tree of `count` numbers.
[[nodiscard]] Problem memory_tree_problem(int count);

/// Through memory: products with a sparse matrix of `count` compressed rows.
[[nodiscard]] Problem memory_rows_problem(int count);

/// Through memory: the square of a matrix of `rows` rows behind pointers.
[[nodiscard]] Problem memory_matrix_problem(int rows);

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
