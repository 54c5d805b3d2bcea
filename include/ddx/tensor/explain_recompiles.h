/// \file
/// Why a lazy device has compiled again.

#pragma once

#include "ddx/backend/recompiles.h"

namespace ddx {

/// As backend::set_recompile_history and backend::explain_recompiles.
///
/// Example:
///   set_recompile_history(20);
///   train();
///   std::cout << explain_recompiles();
using backend::explain_recompiles;
using backend::Recompile;
using backend::recompiles;
using backend::set_recompile_history;

}  // namespace ddx
