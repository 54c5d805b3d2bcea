/// \file
/// Finding the operation that makes the first NaN.

#pragma once

namespace ddx::backend {

/// Whether, from now on and in all threads, an operation that makes a NaN or an infinity though all
/// its operands are finite is an error: it names the operation, the element, the types and the
/// user's line, and is thrown where others of that operation are: at the call, or on asynchronous
/// and lazy devices at who looks at results that depend on it. Operations without operands are free
/// to make infinities, as masks do. Returns what it was before; it is off at the start.
///
/// The line is "(at FILE:LINE)", of the operation, or "(in the derivative of the call at
/// FILE:LINE)", of the operation whose derivative it belongs to. Operators and elementwise
/// functions cannot capture their line: it is found from the debug information of the program, if
/// it has some (-g) and the system has libdw. Otherwise, and if it would be a guess, the message
/// says "near" the line of another operation, or nothing.
///
/// Every operand and result is then read once more, each operation keeps where it is called, and
/// graphs of a lazy device run operation by operation as they were recorded.
///
/// Cost:    while it is off, a load for each operation that runs.
bool set_debug_nans(bool on) noexcept;

/// Sets it for a scope.
class DebugNans {
 public:
  explicit DebugNans(bool on = true) noexcept : before_(set_debug_nans(on)) {}
  DebugNans(const DebugNans&) = delete;
  DebugNans& operator=(const DebugNans&) = delete;
  ~DebugNans() { (void)set_debug_nans(before_); }

 private:
  bool before_;
};

}  // namespace ddx::backend
