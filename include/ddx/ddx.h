/// \file
/// Everything that programs use: the folders `backend`, `ir`, `ops` and `stablehlo` have more, for
/// back ends and tools.

#pragma once

#ifndef __cpp_exceptions
#pragma clang diagnostic push
#pragma clang diagnostic fatal "-W#warnings"
#warning ddx/ddx.h needs exceptions; leave out -fno-exceptions, or include ddx/ad.h alone
#pragma clang diagnostic pop
#endif

#include "ddx/ad.h"
#include "ddx/ad/fixed_point.h"
#include "ddx/ad/implicit.h"
#include "ddx/ad/sparse.h"
#include "ddx/backend/asynchronous.h"
#include "ddx/backend/lazy.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/backend/pjrt.h"
#include "ddx/core/error.h"
#include "ddx/data.h"
#include "ddx/distributed.h"
#include "ddx/distributions.h"
#include "ddx/io.h"
#include "ddx/io/chrome_trace.h"
#include "ddx/ir/graphviz.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/ir/text.h"
#include "ddx/models.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"
#include "ddx/train.h"
