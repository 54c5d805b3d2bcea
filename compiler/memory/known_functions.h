/// \file
/// Functions without a visible body whose effect on real numbers is known.

#pragma once

#include "llvm/ADT/StringRef.h"

#include <utility>

namespace ddx::compiler::memory {

/// What a function without a visible body does to real numbers in memory.
enum class External {
  Unknown,       ///< May do anything.
  Constant,      ///< Neither reads nor writes reals that matter: I/O, strings, pointer surgery.
  Allocation,    ///< Returns fresh memory, or gives memory back.
  ZeroFilled,    ///< calloc.
  Reallocation,  ///< realloc: moves its contents.
  Thread,        ///< Starts, ends or orders threads: see thread_calls.h.
  RunTime        ///< Of sweeps: handles cotangents, tangents and the tape.
};

/// The effect of the function with the given mangled name.
External effect_of(llvm::StringRef name);

/// The parts of the name of a function of the run time: "move" and, where it has observers
/// (observed_calls.h), their kinds. Empty for other functions.
std::pair<llvm::StringRef, llvm::StringRef> parts_of_runtime_name(llvm::StringRef name);

/// True for functions by which derivatives run several threads.
bool is_runtime_of_threads(llvm::StringRef name);

/// True for functions of the run time that keep a record on the tape where their calls are
/// reversed: those that move or clear tangents or cotangents.
bool keeps_record(llvm::StringRef name);

/// True for functions that are constant though their bodies are visible: of strings, output, and
/// the run time of derivatives.
bool is_constant_body(llvm::StringRef name);

/// True for functions of that table that never throw.
bool never_throws(llvm::StringRef name);

}  // namespace ddx::compiler::memory
