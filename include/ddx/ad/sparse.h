/// \file
/// Sparse Jacobians and Hessians.

#pragma once

#include "ddx/ad/sparse/check.h"
#include "ddx/ad/sparse/colouring.h"
#include "ddx/ad/sparse/dependent.h"
#include "ddx/ad/sparse/find_pattern.h"
#include "ddx/ad/sparse/hessian.h"
#include "ddx/ad/sparse/jacobian.h"
#include "ddx/ad/sparse/matrix.h"
#include "ddx/ad/sparse/pattern.h"
