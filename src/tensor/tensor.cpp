#include "ddx/tensor/tensor.h"

#include "ddx/backend/staging.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/tangent_arrays.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>

namespace ddx::detail {

void check_count(const Shape& shape, std::size_t values, const std::source_location& where) {
  if (static_cast<std::size_t>(shape.count()) != values) {
    throw UsageError("tensor",
                     std::to_string(values) + " values do not fill shape " + to_string(shape) +
                         " of " + std::to_string(shape.count()) + " elements",
                     where);
  }
}

void check_rows(std::size_t first, std::size_t other, const std::source_location& where) {
  if (first != other) {
    throw UsageError(
        "tensor",
        "rows of " + std::to_string(first) + " and " + std::to_string(other) + " values differ",
        where);
  }
}

void check_single(const Shape& shape, const std::source_location& where) {
  if (shape.count() != 1) {
    throw UsageError("item",
                     "there are " + std::to_string(shape.count()) + " elements, not 1; shape " +
                         to_string(shape),
                     where);
  }
}

std::size_t element_offset(const Shape& shape, const Indices& index,
                           const std::source_location& where) {
  if (index.size() != shape.rank()) {
    throw UsageError(
        "element",
        "position " + to_string(index) + " has not one value per axis; shape " + to_string(shape),
        where);
  }
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const std::int64_t position = index[axis] < 0 ? index[axis] + shape[axis] : index[axis];
    if (position < 0 || position >= shape[axis]) {
      throw UsageError("element",
                       "position " + to_string(index) + " lies outside on axis " +
                           std::to_string(axis) + "; shape " + to_string(shape),
                       where);
    }
    offset = offset * shape[axis] + position;
  }
  return static_cast<std::size_t>(offset);
}

Array moved(const Array& array, Device device) {
  if (array.device() != device) {
    (void)array.data();  // What was recorded on a lazy device is run there.
  }
  Array result = array;  // The devices there are share the memory of the host.
  result.set_device(device);
  return result;
}

Array accumulated(Array&& into, const Array& from) {
  const bool in_place = &into != &from && into.unshared() && into.shape() == from.shape() &&
                        into.device() == from.device();
  return in_place ? binary(ops::Op::add, std::move(into), from, {})
                  : binary(ops::Op::add, into, from, {});
}

Array zeros_beside(const Array& like) {
  return like.is_symbolic_zero() ? Array(like.dtype())
                                 : full(like.shape(), {}, like.dtype(), like.device());
}

Array taken_beside(const Array& tangent, const Array& primal) {
  return primal.is_symbolic_zero() || backend::is_staging() ? tangent
                                                            : moved(tangent, primal.device());
}

Array unit_seed_beside(const Array& value) {
  if (value.shape().count() != 1) {
    throw UsageError("gradient", "the result has " + std::to_string(value.shape().count()) +
                                     " elements, not 1; shape " + to_string(value.shape()) +
                                     "; reduce it, or use pullback");
  }
  if (is_complex(value.dtype())) {
    throw UsageError("gradient", "the result is of dtype " + std::string(to_string(value.dtype())) +
                                     ": only a real result has a gradient; shape " +
                                     to_string(value.shape()) +
                                     "; take its real part or its abs, or use pullback");
  }
  return full(value.shape(), {.real = 1, .integer = 1}, value.dtype(), value.device());
}

}  // namespace ddx::detail
