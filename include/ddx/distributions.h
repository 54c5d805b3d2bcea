/// \file
/// Probability distributions as values.

#pragma once

#include "ddx/distributions/bernoulli.h"
#include "ddx/distributions/beta.h"
#include "ddx/distributions/categorical.h"
#include "ddx/distributions/exponential.h"
#include "ddx/distributions/gamma.h"
#include "ddx/distributions/laplace.h"
#include "ddx/distributions/normal.h"
#include "ddx/distributions/uniform.h"
