/// \file
/// Whole models.

#pragma once

#include "ddx/models/lenet.h"
#include "ddx/models/residual_network.h"
