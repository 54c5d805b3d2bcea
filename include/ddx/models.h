/// \file
/// Whole models.

#pragma once

#include "ddx/models/lenet.h"
