/// \file
/// The data of a training.

#pragma once

#include "ddx/data/epoch.h"

namespace ddx::train {

/// The samples to learn from, and those to judge by, both borrowed.
///
/// Example: fit(training, Sets{digits.training, digits.test}, objective, options);
template <data::Dataset Training, data::Dataset Validation>
struct Sets {
  const Training& training;
  const Validation& validation;
};

/// From the two data sets.
template <data::Dataset Training, data::Dataset Validation>
Sets(const Training&, const Validation&) -> Sets<Training, Validation>;

}  // namespace ddx::train
