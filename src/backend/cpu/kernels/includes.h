/// \file
/// What the fragments of this folder use. They are included once per instruction set, inside its
/// namespace and its instruction set; what is included here is compiled for every processor.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attention.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/matmul.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/few_rows.h"
#include "backend/cpu/fourier_plan.h"
#include "backend/cpu/normalization.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/reduction.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/winograd.h"
#include "ops/detail/around_axis.h"
#include "ops/detail/gamma.h"
#include "ops/detail/random_numbers.h"
#include "ops/detail/window_range.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <immintrin.h>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
