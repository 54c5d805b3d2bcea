/// \file
/// Where the time of a lazy device goes.

#pragma once

#include "ddx/backend/profile.h"

namespace ddx {

/// As backend::Profile and what belongs to it.
using backend::machine_roofline;
using backend::Profile;
using backend::ProfileRow;
using backend::Roofline;

}  // namespace ddx
