/// \file
/// Where the time of a lazy device goes.

#pragma once

#include "ddx/backend/profile.h"

namespace ddx {

/// As backend::Profile and what belongs to it.
using backend::machine_roof;
using backend::Profile;
using backend::ProfileRow;
using backend::Roof;

}  // namespace ddx
