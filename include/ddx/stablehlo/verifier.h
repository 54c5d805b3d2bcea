/// \file
/// Whether a program obeys the specification of StableHLO.

#pragma once

#include "ddx/stablehlo/module.h"

namespace ddx::stablehlo {

/// Checks that every value is defined before it is used, where it can be seen; that each operation
/// has the operands, attributes, regions and results that the specification allows, its result
/// types being those that follow from the others; and that what is said of parameters and results
/// fits them.
///
/// A region sees the values around it only where it belongs to a `case`; others are given all they
/// read, which the specification allows and every compiler takes.
///
/// Throws:  UsageError that names line and column, where the program was read from text, the
///          operation, what was expected and what was found.
/// Cost:    linear in the program.
/// Source:  OpenXLA, "StableHLO Specification" (https://openxla.org/stablehlo/spec).
void verify(const Module& module);

}  // namespace ddx::stablehlo
