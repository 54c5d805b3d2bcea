#include "ddx/tensor/creation.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::detail {
namespace {

template <class Attributes>
Array create(ops::Op op, const Shape& shape, DType dtype, Device device,
             const Attributes& attributes) {
  return compute(op, dtype, device, shape, dtype, std::array<ops::View, 0>{}, attributes);
}

}  // namespace

Array full(const Shape& shape, ops::Literal value, DType dtype, Device device) {
  return create(ops::Op::full, shape, dtype, device, ops::FullAttributes{value});
}

Array iota(std::int64_t count, DType dtype, Device device, const Location& where) {
  if (count < 0) {
    site_of(ops::Op::iota, where).fail("count " + std::to_string(count) + " is negative");
  }
  return create(ops::Op::iota, Shape{count}, dtype, device, ops::NoAttributes{});
}

Array random_uniform(const Shape& shape, const ops::RandomUniformAttributes& attributes,
                     DType dtype, Device device, const Location& where) {
  if (!(attributes.low < attributes.high)) {
    site_of(ops::Op::random_uniform, where)
        .fail("bounds " + std::to_string(attributes.low) + " and " +
              std::to_string(attributes.high) + " do not ascend; shape " + to_string(shape));
  }
  return create(ops::Op::random_uniform, shape, dtype, device, attributes);
}

Array random_normal(const Shape& shape, const ops::RandomNormalAttributes& attributes, DType dtype,
                    Device device) {
  return create(ops::Op::random_normal, shape, dtype, device, attributes);
}

Array random_bernoulli(const Shape& shape, const ops::RandomBernoulliAttributes& attributes,
                       DType dtype, Device device, const Location& where) {
  if (!(attributes.probability >= 0 && attributes.probability <= 1)) {
    site_of(ops::Op::random_bernoulli, where)
        .fail("probability " + std::to_string(attributes.probability) +
              " is not in [0, 1]; shape " + to_string(shape));
  }
  return create(ops::Op::random_bernoulli, shape, dtype, device, attributes);
}

}  // namespace ddx::detail
