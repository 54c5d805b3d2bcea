/// \file
/// Everything public.

#pragma once

#include "ddx/ad.h"
#include "ddx/core/error.h"
#include "ddx/data.h"
#include "ddx/distributed.h"
#include "ddx/distributions.h"
#include "ddx/io.h"
#include "ddx/models.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"
#include "ddx/train.h"
