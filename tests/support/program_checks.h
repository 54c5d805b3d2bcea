/// \file
/// The checks of gradient_check.h, of a program whose arguments and results are numbers: compiled
/// once, whatever the types of the program are.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ddx::testing {

/// The scalars of an argument, a result or a tangent, in the order of `for_each_scalar`.
using Numbers = std::vector<double>;

/// What is checked of a program.
enum class Orders {
  Reverse,  ///< Reverse mode alone.
  First,    ///< Forward mode too.
  All,      ///< Second derivatives too, where DDX_CHECK_SECOND_ORDER is defined.
};

/// What suits a program that computes in a certain floating-point type.
struct Precision {
  double step;       ///< The widest step of differences, relative to max(1, |x|).
  double tolerance;  ///< The relative error of derivatives to accept.
  double exact;      ///< The relative error of values to accept.
};

/// What a program is asked for at one point.
struct Request {
  enum class Kind { Value, Pullback, Gradient, Forward, SecondOrder };

  Kind kind = Kind::Value;
  const Numbers* moved = nullptr;    ///< Takes the place of the arguments' scalars, unless null.
  const Numbers* weights = nullptr;  ///< The cotangent of the result.

  Numbers arguments{};  ///< Value: the arguments' scalars.
  Numbers value{};      ///< Of the program, or of the operator that was called.
  Numbers result{};     ///< The derivative.
  Numbers again{};      ///< Pullback: of -2 times the cotangent, divided by -2.
};

/// A program with its arguments: `run` fills the results of a request.
struct ProgramPoint {
  void (*run)(const void* program, const void* point, Request& request);
  const void* point;
  bool has_gradient;  ///< The result is one real number.
};

/// What is known of a program before it is called.
struct ProgramFacts {
  Precision precision;
  Orders orders = Orders::All;
  bool is_compiled = false;  ///< By the compiler that differentiates.
  bool checks_second_order = false;
};

/// Scalars that are all different, none of them 0 or 1.
[[nodiscard]] Numbers some_direction(std::size_t count);

/// Each of `numbers` times `factor`.
[[nodiscard]] Numbers scaled(Numbers numbers, double factor);

/// Expects `actual` near `expected`, scalar by scalar, relative to the largest.
void expect_near(const Numbers& actual, const Numbers& expected, double tolerance,
                 const std::string& what);

/// Checks the derivatives of `program` at each of `points`, against differences of its values.
void check_program(const void* program, const ProgramFacts& facts,
                   std::span<const ProgramPoint> points);

}  // namespace ddx::testing
