/// \file
/// Everything public.

#pragma once

#include "ddx/ad.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"
