#include "ddx/tensor/creation.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/recorded_keys.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <source_location>
#include <string>
#include <type_traits>

namespace ddx::detail {
namespace {

template <class Attributes>
Array create(ops::Op op, const Shape& shape, DType dtype, Device device,
             const Attributes& attributes) {
  return compute(op, dtype, device, shape, dtype, std::array<ops::View, 0>{}, attributes);
}

/// As `create`, of random numbers.
template <class Attributes>
Array draw(ops::Op op, const Shape& shape, DType dtype, Device device, Attributes attributes) {
  attributes.key = key_on(attributes.key, device);
  return create(op, shape, dtype, device, attributes);
}

/// The largest integer of the dtype, at most that of 64 bits with a sign, which it also is for
/// other dtypes.
std::int64_t largest_integer(DType dtype) {
  return visit(dtype, [](auto element) -> std::int64_t {
    using T = decltype(element);
    if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(std::int64_t)) {
      return std::numeric_limits<T>::max();
    } else {
      return std::numeric_limits<std::int64_t>::max();
    }
  });
}

}  // namespace

Array full(const Shape& shape, ops::Literal value, DType dtype, Device device) {
  return create(ops::Op::full, shape, dtype, device, ops::FullAttributes{value});
}

Array iota(std::int64_t count, DType dtype, Device device, const Location& where) try {
  if (count > 0 && count - 1 > largest_integer(dtype)) {
    site_of(ops::Op::iota, where)
        .fail("count " + std::to_string(count) + " is above what " + std::string(to_string(dtype)) +
              " counts, to " + std::to_string(largest_integer(dtype)));
  }
  return wrapping_iota(count, dtype, device, where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("iota");
}

Array wrapping_iota(std::int64_t count, DType dtype, Device device, const Location& where) try {
  const ops::Site site = site_of(ops::Op::iota, where);
  if (count < 0) {
    site.fail("count " + std::to_string(count) + " is negative");
  }
  return create(ops::Op::iota, site.shape({&count, 1}), dtype, device, ops::NoAttributes{});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("wrapping_iota");
}

Array random_uniform(const Shape& shape, const ops::RandomUniformAttributes& attributes,
                     DType dtype, Device device, const Location& where) try {
  if (!(attributes.low < attributes.high)) {
    site_of(ops::Op::random_uniform, where)
        .fail("bounds " + std::to_string(attributes.low) + " and " +
              std::to_string(attributes.high) + " do not ascend; shape " + to_string(shape));
  }
  return draw(ops::Op::random_uniform, shape, dtype, device, attributes);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("random_uniform");
}

Array random_normal(const Shape& shape, const ops::RandomNormalAttributes& attributes, DType dtype,
                    Device device) {
  return draw(ops::Op::random_normal, shape, dtype, device, attributes);
}

Array random_bernoulli(const Shape& shape, const ops::RandomBernoulliAttributes& attributes,
                       DType dtype, Device device, const Location& where) try {
  if (!(attributes.probability >= 0 && attributes.probability <= 1)) {
    site_of(ops::Op::random_bernoulli, where)
        .fail("probability " + std::to_string(attributes.probability) +
              " is not in [0, 1]; shape " + to_string(shape));
  }
  return draw(ops::Op::random_bernoulli, shape, dtype, device, attributes);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("random_bernoulli");
}

}  // namespace ddx::detail
