#include "ddx/train/metrics/detail/check.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include <algorithm>
#include <source_location>
#include <string>

namespace ddx::train::detail {

void check_labels(const char* metric, const Shape& scores, const Shape& labels,
                  const std::source_location& where) {
  const auto rows = scores.extents();
  const auto wanted = labels.extents();
  if (rows.size() != wanted.size() + 1 || !std::equal(wanted.begin(), wanted.end(), rows.begin())) {
    throw UsageError(metric,
                     "labels of shape " + to_string(labels) + " for scores of shape " +
                         to_string(scores) + ", one for each row is required",
                     where);
  }
}

void check_same_shape(const char* metric, const Shape& output, const Shape& target,
                      const std::source_location& where) {
  if (output != target) {
    throw UsageError(
        metric,
        "outputs of shape " + to_string(output) + " for targets of shape " + to_string(target),
        where);
  }
}

}  // namespace ddx::train::detail
