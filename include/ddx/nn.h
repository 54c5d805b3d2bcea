/// \file
/// Everything for models: layers, losses, optimisers, initialisers.

#pragma once

#include "ddx/nn/activation.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/avg_pool2d.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/conv2d.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/nn/layers/flatten.h"
#include "ddx/nn/layers/max_pool2d.h"
#include "ddx/nn/layers/sequential.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/path.h"
#include "ddx/nn/pipe.h"
#include "ddx/nn/visit.h"
