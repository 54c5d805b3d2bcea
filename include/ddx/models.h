/// \file
/// Whole models.

#pragma once

#include "ddx/models/blocks/decoder_block.h"
#include "ddx/models/blocks/gated_dense.h"
#include "ddx/models/blocks/grouped_attention.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/generation/generate_options.h"
#include "ddx/models/generation/sampler.h"
#include "ddx/models/generation/speculative.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/models/gpt.h"
#include "ddx/models/lenet.h"
#include "ddx/models/pretrained/adapters.h"
#include "ddx/models/pretrained/load_pretrained.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/models/pretrained/save_pretrained.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/models/residual_network.h"
#include "ddx/models/text/bert.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
