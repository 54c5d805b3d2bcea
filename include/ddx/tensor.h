/// \file
/// Everything about tensors.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/convolution.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/in_place.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/normalization.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/pooling.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tangent.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/text.h"
