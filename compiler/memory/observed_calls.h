/// \file
/// Functions of the run time in derivatives of derivatives: they show what they do to tangents and
/// cotangents to the derivatives around them.

#pragma once

#include "compiler/memory/unit.h"

namespace ddx::compiler::memory {

/// Who sees what a function of the run time does, as its observers name it.
enum class Observer : char {
  Tangents = 't',  ///< Forward mode, by its tangents.
  Sweep = 's'      ///< Reverse mode, by the sweep that keeps records.
};

/// The function that does what `function`, one of the run time, does, and has one more parameter: a
/// further observer, outside those that it may have already. Null where it has no such form.
llvm::Function* find_observed(const llvm::Function& function, Observer observer, Unit& unit);

/// The same for the function with the given name, without "ddx.rt."; that must have such a form.
llvm::Function* observed_runtime(llvm::StringRef name, Observer observer, Unit& unit);

}  // namespace ddx::compiler::memory
