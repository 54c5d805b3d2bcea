/// \file
/// The partial derivatives of scalar functions as functions that LLVM IR can call.

#pragma once

#include <string>

namespace ddx::compiler {

/// C++ text that defines, for the real types float, double and long double, the partial derivative
/// of each function of scalar.def by each operand that has one, with the label
/// `ddx.slope.NAME.ARITY.OPERAND.KIND`, where the kind is f32, f64 or f80.
///
/// A slope takes the operands of its function and the result, all of the real type; an operand that
/// is an integer stays one. Operators and functions with a namespace have none: IR has instructions
/// for the former, and the bodies of the latter.
std::string slope_functions();

}  // namespace ddx::compiler
