/// \file
/// The traces of all threads.

#pragma once

#include "ddx/core/device.h"

namespace ddx::backend::lazy {

class Trace;

/// Informs all traces whether NaNs are debugged.
void tell_traces_of_debugging() noexcept;

/// The traces of the process, for those who need one besides their thread's.
///
/// Throws:  EnvironmentError where the device cannot be opened.
[[nodiscard]] Trace* take_trace(Device device);
void give_trace_back(Trace* trace) noexcept;
/// What stands in the place of the calling thread's own trace; null: nothing.
[[nodiscard]] Trace* trace_in_place() noexcept;
void set_trace_in_place(Trace* trace) noexcept;

}  // namespace ddx::backend::lazy
