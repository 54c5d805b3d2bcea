#include "ddx/nn/detail/initial_numbers.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/orthonormal.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::nn::detail {
namespace {

/// The transpose of a row-major matrix.
std::vector<double> transposed(const std::vector<double>& matrix, std::size_t rows,
                               std::size_t columns) {
  std::vector<double> result(matrix.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      result[j * rows + i] = matrix[i * columns + j];
    }
  }
  return result;
}

}  // namespace

std::vector<double> orthogonal_numbers(RandomKey key, const Shape& shape, double gain,
                                       const std::source_location& where) {
  if (shape.rank() < 2) {
    throw UsageError("Initializer",
                     "an orthogonal matrix of shape " + to_string(shape) +
                         " was asked for, rank 2 or more is required",
                     where);
  }
  const auto columns = static_cast<std::size_t>(shape[shape.rank() - 1]);
  const auto count = static_cast<std::size_t>(shape.count());
  const std::size_t rows = columns == 0 ? 0 : count / columns;
  auto normal = random_normal<double>(key, shape, {}, Device::naive()).values();
  auto numbers =
      rows < columns
          ? transposed(orthonormal_columns(transposed(normal, rows, columns), columns, rows),
                       columns, rows)
          : orthonormal_columns(std::move(normal), rows, columns);
  for (double& number : numbers) {
    number *= gain;
  }
  return numbers;
}

std::vector<double> identity_numbers(const Shape& shape, const std::source_location& where) {
  if (shape.rank() != 2) {
    throw UsageError("Initializer",
                     "the identity of shape " + to_string(shape) +
                         " was asked for, rank 2 is "
                         "required",
                     where);
  }
  std::vector<double> numbers = host_vector<double>("Initializer", shape.count());
  const auto columns = static_cast<std::size_t>(shape[1]);
  const auto diagonal = static_cast<std::size_t>(std::min(shape[0], shape[1]));
  for (std::size_t i = 0; i < diagonal; ++i) {
    numbers[i * columns + i] = 1;
  }
  return numbers;
}

}  // namespace ddx::nn::detail
