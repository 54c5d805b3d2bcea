#include "ddx/tensor/normalization.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/normalization.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <new>

namespace ddx::detail {
namespace {

std::array<Array, 3> compute_three(ops::Op op, Device device, std::array<Array, 3> results,
                                   std::span<const ops::View> inputs, double epsilon,
                                   const ops::Site& site) {
  const ops::EpsilonAttributes attributes{epsilon};
  const std::array outputs{results[0].view(), results[1].view(), results[2].view()};
  run(op, results[0].dtype(), device, inputs, outputs, attributes, {.site = site});
  return results;
}

}  // namespace

std::array<Array, 3> batch_norm_training(const Array& x, const Array& scale, const Array& offset,
                                         double epsilon, const Location& where) try {
  const ops::Site site = site_of(ops::Op::batch_norm_training, where);
  const Shape channels = ops::channel_shape(site, x.shape(), {&scale.shape(), &offset.shape()});
  if (x.shape().count() == 0) {
    site.fail("there is no element to take statistics of; shape " + to_string(x.shape()));
  }
  const Device device = common_device(site, {&x, &scale, &offset});
  return compute_three(ops::Op::batch_norm_training, device,
                       {Array::for_kernels(x.shape(), x.dtype(), device),
                        Array::for_kernels(channels, wide_dtype(x.dtype()), device),
                        Array::for_kernels(channels, wide_dtype(x.dtype()), device)},
                       std::array{x.view(), scale.view(), offset.view()}, epsilon, site);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("batch_norm_training");
}

std::array<Array, 3> batch_norm_training_gradient(const Array& x, const Array& scale,
                                                  const Array& mean, const Array& variance,
                                                  const Array& dy, double epsilon) {
  const Device device = dy.device();
  return compute_three(ops::Op::batch_norm_training_gradient, device,
                       {Array::for_kernels(x.shape(), x.dtype(), device),
                        Array::for_kernels(scale.shape(), x.dtype(), device),
                        Array::for_kernels(scale.shape(), x.dtype(), device)},
                       std::array{x.view(), scale.view(), mean.view(), variance.view(), dy.view()},
                       epsilon, site_of(ops::Op::batch_norm_training_gradient, {}));
}

Array batch_norm_inference(const Array& x, const Array& scale, const Array& offset,
                           const Array& mean, const Array& variance, double epsilon,
                           const Location& where) try {
  const ops::Site site = site_of(ops::Op::batch_norm_inference, where);
  (void)ops::channel_shape(site, x.shape(),
                           {&scale.shape(), &offset.shape(), &mean.shape(), &variance.shape()});
  const Device device = common_device(site, {&x, &scale, &offset, &mean, &variance});
  return compute(ops::Op::batch_norm_inference, x.dtype(), device, x.shape(), x.dtype(),
                 std::array{x.view(), scale.view(), offset.view(), mean.view(), variance.view()},
                 ops::EpsilonAttributes{epsilon}, {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("batch_norm_inference");
}

std::array<Array, 3> layer_norm(const Array& x, const Array& scale, const Array& offset,
                                double epsilon, const Location& where) try {
  const ops::Site site = site_of(ops::Op::layer_norm, where);
  (void)ops::channel_shape(site, x.shape(), {&scale.shape(), &offset.shape()});
  const Device device = common_device(site, {&x, &scale, &offset});
  const Shape rows = ops::row_shape(x.shape());
  return compute_three(ops::Op::layer_norm, device,
                       {Array::for_kernels(x.shape(), x.dtype(), device),
                        Array::for_kernels(rows, wide_dtype(x.dtype()), device),
                        Array::for_kernels(rows, wide_dtype(x.dtype()), device)},
                       std::array{x.view(), scale.view(), offset.view()}, epsilon, site);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("layer_norm");
}

std::array<Array, 3> layer_norm_gradient(const Array& x, const Array& scale, const Array& mean,
                                         const Array& variance, const Array& dy, double epsilon) {
  const Device device = dy.device();
  return compute_three(ops::Op::layer_norm_gradient, device,
                       {Array::for_kernels(x.shape(), x.dtype(), device),
                        Array::for_kernels(scale.shape(), x.dtype(), device),
                        Array::for_kernels(scale.shape(), x.dtype(), device)},
                       std::array{x.view(), scale.view(), mean.view(), variance.view(), dy.view()},
                       epsilon, site_of(ops::Op::layer_norm_gradient, {}));
}

}  // namespace ddx::detail
