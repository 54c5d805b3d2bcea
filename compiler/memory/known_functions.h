/// \file
/// Functions without a visible body whose effect on real numbers is known.

#pragma once

#include "llvm/ADT/StringRef.h"

namespace ddx::compiler::memory {

/// What a function without a visible body does to real numbers in memory.
enum class External {
  Unknown,       ///< May do anything.
  Constant,      ///< Neither reads nor writes reals that matter: I/O, strings, pointer surgery.
  Allocation,    ///< Returns fresh memory, or gives memory back.
  ZeroFilled,    ///< calloc.
  Reallocation,  ///< realloc: moves its contents.
  Thread,        ///< Starts, ends or orders threads: see thread_calls.h.
  RunTime        ///< Of sweeps: handles cotangents and the tape. Some have tangents by name.
};

/// The effect of the function with the given mangled name.
External effect_of(llvm::StringRef name);

/// True for functions of the run time that keep a record on the tape where their calls are
/// reversed: all but those that find the derivative of a function or look at bytes.
bool keeps_record(llvm::StringRef name);

/// True for functions of strings and output, which are constant though their bodies are visible.
bool is_text(llvm::StringRef name);

/// True for functions of that table that never throw.
bool never_throws(llvm::StringRef name);

}  // namespace ddx::compiler::memory
