#include "ddx/nn/detail/loss_checks.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <sstream>
#include <string>

namespace ddx::nn::detail {

void throw_different_shapes(const char* loss, const char* first_name, const Shape& first,
                            const char* second_name, const Shape& second,
                            const std::source_location& where) {
  throw UsageError(loss,
                   std::string(first_name) + " has shape " + to_string(first) + ", " + second_name +
                       " has shape " + to_string(second),
                   where);
}

void throw_wrong_rank(const char* loss, const char* name, const Shape& shape, std::size_t rank,
                      const std::source_location& where) {
  throw UsageError(loss,
                   std::string(name) + " has shape " + to_string(shape) + ", rank " +
                       std::to_string(rank) + " is required",
                   where);
}

void throw_other_labels(const char* loss, const Shape& labels, const Shape& rows,
                        const std::source_location& where) {
  throw UsageError(loss,
                   "labels have shape " + to_string(labels) + ", one for each row of " +
                       to_string(rows) + " is required",
                   where);
}

namespace {

template <IndexScalar Index>
void require_classes(const char* loss, const Tensor<Index>& labels, const Shape& rows,
                     const std::source_location& where) {
  require_label_per_row(loss, labels.shape(), rows, where);
  for (const auto label : labels.elements()) {
    if (label < 0 || label >= rows[1]) {
      throw UsageError(
          loss,
          "label " + std::to_string(label) + " is not in [0, " + std::to_string(rows[1]) + ")",
          where);
    }
  }
}

}  // namespace

void require_labels(const char* loss, const Tensor<std::int32_t>& labels, const Shape& rows,
                    const std::source_location& where) {
  require_classes(loss, labels, rows, where);
}

void require_labels(const char* loss, const Tensor<std::int64_t>& labels, const Shape& rows,
                    const std::source_location& where) {
  require_classes(loss, labels, rows, where);
}

void require_one_of(const char* loss, double label, double first, double second,
                    std::size_t position, const std::source_location& where) {
  if (label != first && label != second) {
    std::ostringstream facts;
    facts << "label " << position << " is " << label << ", expected " << first << " or " << second;
    throw UsageError(loss, facts.str(), where);
  }
}

}  // namespace ddx::nn::detail
