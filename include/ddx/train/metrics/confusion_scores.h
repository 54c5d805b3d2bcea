/// \file
/// Numbers that judge a classifier by its confusion matrix.

#pragma once

#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace ddx::train {

/// How well one class, or several on average, are recognised; each in [0, 1].
struct ClassScores {
  double precision = 0;  ///< Of those answered so, the share that are; 0 where none were.
  double recall = 0;     ///< Of those that are, the share answered so; 0 where there are none.
  double f1 = 0;         ///< The harmonic mean of the two; 0 where both are.
};

/// How the scores of classes become one: each class counts the same (Macro) or as often as it
/// occurs (Weighted), or all answers are one pool (Micro).
enum class Average : std::uint8_t { Macro, Weighted, Micro };

/// The scores of each class.
///
/// Shapes:  counts [classes, classes]; rows are labels, columns answers
/// Throws:  UsageError where the matrix is not square or a count is negative.
[[nodiscard]] std::vector<ClassScores> class_scores(const Tensor<std::int64_t>& counts);

/// The scores of all classes on average; NaN over nothing.
///
/// Shapes:  counts [classes, classes]; rows are labels, columns answers
/// Throws:  UsageError where the matrix is not square or a count is negative.
[[nodiscard]] ClassScores averaged_scores(const Tensor<std::int64_t>& counts, Average average);

/// The correlation of answers and labels, in [-1, 1]; 0 where all answers or all labels are equal,
/// NaN over nothing. With c answers right of s in all, label k occurring t_k and answer k p_k
/// times:
///
///   (c s - sum_k t_k p_k) / sqrt((s^2 - sum_k p_k^2) (s^2 - sum_k t_k^2))
///
/// Shapes:  counts [classes, classes]; rows are labels, columns answers
/// Throws:  UsageError where the matrix is not square or a count is negative.
/// Source:  J. Gorodkin, "Comparing two K-category assignments by a K-category correlation
///          coefficient", Computational Biology and Chemistry 28 (2004).
[[nodiscard]] double matthews_correlation(const Tensor<std::int64_t>& counts);

}  // namespace ddx::train
