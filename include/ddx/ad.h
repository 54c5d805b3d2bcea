/// \file
/// Differentiation of ordinary C++ functions: everything a program needs from `ddx/ad`.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/checkpointed.h"
#include "ddx/ad/detail/arena.h"
#include "ddx/ad/detail/math.h"
#include "ddx/ad/detail/runtime.h"
#include "ddx/ad/differentiable.h"
#include "ddx/ad/differentiable_function.h"
#include "ddx/ad/differential.h"
#include "ddx/ad/hessian.h"
#include "ddx/ad/jacobian.h"
#include "ddx/ad/matrix.h"
#include "ddx/ad/no_tangent.h"
#include "ddx/ad/operators.h"
#include "ddx/ad/pullback.h"
#include "ddx/ad/results.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/ad/with_derivative.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/ad/wrt.h"
