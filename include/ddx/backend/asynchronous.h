/// \file
/// Whether operations return before they are done.

#pragma once

#include "ddx/core/device.h"

namespace ddx::backend {

/// Lets the operations on this device return before they are done, or not; they do not at the
/// start. For the whole process.
///
/// While they do, one thread runs them in the order in which they were called, and the program
/// continues until it observes elements: `elements()`, `item()`, `values()`, `==`, text, files,
/// DLPack, and the operations that need numbers on the host (`nonzero`, `det`,
/// `matrix_exponential`). Errors of shapes and element types are thrown at the call, as always. An
/// error that depends on elements (an index out of range, a singular matrix) is thrown at the call
/// if the work runs at once, because it is small and its operands are ready. Otherwise it is thrown
/// when the program first observes a result that depends on it, with the name and the line of the
/// operation that failed.
///
/// A span of elements to write is good until the tensor is next given to an operation: what is
/// written later may be seen by operations called earlier.
///
/// A forked process begins with it turned off.
///
/// Throws:  UsageError where the device always computes at the call; EnvironmentError where the
///          system has no thread to give. Turning it off throws like synchronize.
/// Cost:    turning it off waits for all operations.
void set_asynchronous(Device device, bool asynchronous);

/// Whether operations on this device may return before they are done.
[[nodiscard]] bool is_asynchronous(Device device) noexcept;

/// Returns when all operations called so far on the device are done, those of other threads too.
///
/// Throws:  the first error of an operation that has not been thrown yet.
void synchronize(Device device);

}  // namespace ddx::backend
