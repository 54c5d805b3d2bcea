/// \file
/// Whole models.

#pragma once

#include "ddx/models/generate.h"
#include "ddx/models/gpt.h"
#include "ddx/models/lenet.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/models/residual_network.h"
