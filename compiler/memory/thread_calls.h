/// \file
/// Calls of functions without a visible body by which threads start, end and synchronise.

#pragma once

#include "compiler/memory/unit.h"

#include "llvm/ADT/StringRef.h"

namespace ddx::compiler::memory {

/// True for a function that has sweeps of its own in the run time.
bool is_thread_function(llvm::StringRef name);

/// True for those of them that only prepared functions call, at what orders threads.
bool is_thread_marker(llvm::StringRef name);

/// Sets the forward and reverse sweep of such a function.
void define_thread_sweeps(Derivative& made, Unit& unit);

/// Sets the tangent of such a function.
void define_thread_tangent(Derivative& made, Unit& unit);

/// True for a function that runs another one of the unit: it starts a thread, or is std::call_once.
bool is_thread_start(const llvm::Function& function);

/// True for a function that such a function runs.
bool is_thread_body(const llvm::Function& function);

/// True for pthread_create, which runs any function of its parameter's type.
bool starts_posix_thread(const llvm::Function& function);

}  // namespace ddx::compiler::memory
