/// \file
/// Checks a program against the specification of StableHLO.

#pragma once

#include "ddx/stablehlo/module.h"

namespace ddx::stablehlo {

/// Checks that every value is visible and defined before its use; that each operation has operands,
/// attributes, regions and results that the specification allows, with inferred result types; and
/// that attributes of parameters and results fit them.
///
/// Only a region of a `case` sees the values around it; other regions get everything they read as
/// parameters, which the specification allows and every compiler accepts.
///
/// Throws:  UsageError that names line and column if the program was read from text, the operation,
///          the expected and the found.
/// Cost:    linear in the program.
/// Source:  OpenXLA, "StableHLO Specification" (https://openxla.org/stablehlo/spec).
void verify(const Module& module);

}  // namespace ddx::stablehlo
