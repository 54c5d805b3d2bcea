/// \file
/// Everything that synthesised derivatives call, apart from the arena and the partials.

#pragma once

#include "ddx/ad/detail/accumulate.h"
#include "ddx/ad/detail/capacity.h"
#include "ddx/ad/detail/choices.h"
#include "ddx/ad/detail/copy_range.h"
#include "ddx/ad/detail/elements.h"
#include "ddx/ad/detail/emit_macros.h"
#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/keep.h"
#include "ddx/ad/detail/registered_pullback.h"
#include "ddx/ad/detail/selection.h"
#include "ddx/ad/detail/storage.h"
#include "ddx/ad/detail/terms.h"
#include "ddx/ad/detail/trip_count.h"
#include "ddx/ad/detail/unit_seed.h"
#include "ddx/ad/detail/zeros.h"

#include <bit>
