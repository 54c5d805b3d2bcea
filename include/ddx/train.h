/// \file
/// Everything for training: the loop, its events, checkpoints, progress and predictions.

#pragma once

#include "ddx/train/checkpoint.h"
#include "ddx/train/events.h"
#include "ddx/train/fit.h"
#include "ddx/train/position.h"
#include "ddx/train/prediction_sheet.h"
#include "ddx/train/predictions.h"
#include "ddx/train/progress.h"
#include "ddx/train/training.h"
