#include "ddx/tensor/attention.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attention.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/tensor.h"

#include "tensor/detail/dispatch.h"
#include "tensor/detail/indices_of.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <string>

namespace ddx::detail {
namespace {

ops::AttentionAttributes attributes_of(const Shape& query,
                                       const DotProductAttentionOptions& options) {
  return {.scale = attention_scale(query, options), .causal = options.causal};
}

}  // namespace

Array causal_keys(std::int64_t queries, std::int64_t keys, Device device) {
  // On the host: elements of the device are not observed, as they may not be ready.
  auto visible = zeros<bool>({queries, keys}, Device::naive());
  const auto cells = visible.mutable_elements();
  for (std::int64_t i = 0; i < queries; ++i) {
    const std::int64_t seen = std::max<std::int64_t>(0, keys - queries + i + 1);
    std::fill_n(cells.begin() + i * keys, seen, true);
  }
  return visible.to(device).array();
}

std::array<Array, 2> attention(const Array& query, const Array& key, const Array& value,
                               const DotProductAttentionOptions& options,
                               const Location& where) try {
  const ops::Site site = site_of(ops::Op::attention, where);
  const Shape shape = ops::attention_shape(site, query.shape(), key.shape(), value.shape());
  const Device device = common_device(site, {&query, &key, &value});
  const DType dtype = query.dtype();
  std::array<Array, 2> results{
      Array::for_kernels(shape, dtype, device),
      Array::for_kernels(ops::query_places(query.shape()), wide_dtype(dtype), device)};
  run(ops::Op::attention, dtype, device, std::array{query.view(), key.view(), value.view()},
      std::array{results[0].view(), results[1].view()}, attributes_of(query.shape(), options),
      {.site = site});
  return results;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("attention");
}

namespace {

std::optional<std::string> wrong_range(const ops::Call& call) {
  const auto range = indices_of(call.input(3));
  const Shape& keys = call.input(1).shape();
  const std::int64_t count = keys[keys.rank() - 2];
  if (range[0] >= 0 && range[0] <= range[1] && range[1] <= count) {
    return std::nullopt;
  }
  return "the range [" + std::to_string(range[0]) + ", " + std::to_string(range[1]) +
         ") is not one of " + std::to_string(count) + " keys";
}

}  // namespace

Array attention_over_range(const Array& query, const Array& key, const Array& value,
                           const Array& range, const DotProductAttentionOptions& options,
                           const Location& where) try {
  const ops::Site site = site_of(ops::Op::attention_over_range, where);
  const Shape shape = ops::attention_shape(site, query.shape(), key.shape(), value.shape());
  if (range.shape() != Shape{2}) {
    site.fail("the range of shape " + to_string(range.shape()) + " is not the two ends [2]");
  }
  if (options.causal) {
    site.fail("queries that see a range of the keys cannot be causal");
  }
  const Device device = common_device(site, {&query, &key, &value, &range});
  return compute(ops::Op::attention_over_range, query.dtype(), device, shape, query.dtype(),
                 std::array{query.view(), key.view(), value.view(), range.view()},
                 attributes_of(query.shape(), options), {.before = wrong_range, .site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("attention_over_range");
}

std::array<Array, 3> attention_gradient(const Array& query, const Array& key, const Array& value,
                                        const Array& y, const Array& log_sum_exp, const Array& dy,
                                        const DotProductAttentionOptions& options) {
  const DType dtype = query.dtype();
  const Device device = dy.device();
  std::array<Array, 3> results{Array::for_kernels(query.shape(), dtype, device),
                               Array::for_kernels(key.shape(), dtype, device),
                               Array::for_kernels(value.shape(), dtype, device)};
  run(ops::Op::attention_gradient, dtype, device,
      std::array{query.view(), key.view(), value.view(), y.view(), log_sum_exp.view(), dy.view()},
      std::array{results[0].view(), results[1].view(), results[2].view()},
      attributes_of(query.shape(), options));
  return results;
}

AttentionResults attention_with_tangent(const std::array<const Array*, 6>& operands,
                                        const DotProductAttentionOptions& options,
                                        const Location& where) try {
  const ops::Site site = site_of(ops::Op::attention, where);
  const auto& [query, key, value, d_query, d_key, d_value] = operands;
  const Shape shape = ops::attention_shape(site, query->shape(), key->shape(), value->shape());
  for (std::size_t i = 0; i < 3; ++i) {
    const Shape& of = operands[i]->shape();
    const Shape& tangent = operands[i + 3]->shape();
    if (of != tangent) {
      site.fail("an operand " + to_string(of) + " has a tangent " + to_string(tangent));
    }
  }
  const Device device = common_device(site, {query, key, value, d_query, d_key, d_value});
  const DType dtype = query->dtype();
  const Shape places = ops::query_places(query->shape());
  AttentionResults results{.y = Array::for_kernels(shape, dtype, device),
                           .log_sum_exp = Array::for_kernels(places, wide_dtype(dtype), device),
                           .tangent = Array::for_kernels(shape, dtype, device),
                           .means = Array::for_kernels(places, wide_dtype(dtype), device)};
  run(ops::Op::attention_with_tangent, dtype, device,
      std::array{query->view(), key->view(), value->view(), d_query->view(), d_key->view(),
                 d_value->view()},
      std::array{results.y.view(), results.log_sum_exp.view(), results.tangent.view(),
                 results.means.view()},
      attributes_of(query->shape(), options), {.site = site});
  return results;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("attention");
}

std::array<Array, 6> attention_with_tangent_gradient(const std::array<const Array*, 6>& operands,
                                                     const AttentionResults& results,
                                                     const Array& of_y, const Array& of_tangent,
                                                     const DotProductAttentionOptions& options) {
  const DType dtype = of_y.dtype();
  const Device device = of_y.device();
  const auto& [query, key, value, d_query, d_key, d_value] = operands;
  const auto like = [&](const Array* operand) {
    return Array::for_kernels(operand->shape(), dtype, device);
  };
  std::array<Array, 6> to{like(query),   like(key),   like(value),
                          like(d_query), like(d_key), like(d_value)};
  run(ops::Op::attention_with_tangent_gradient, dtype, device,
      std::array{query->view(), key->view(), value->view(), d_query->view(), d_key->view(),
                 d_value->view(), results.y.view(), results.log_sum_exp.view(),
                 results.tangent.view(), results.means.view(), of_y.view(), of_tangent.view()},
      std::array{to[0].view(), to[1].view(), to[2].view(), to[3].view(), to[4].view(),
                 to[5].view()},
      attributes_of(query->shape(), options));
  return to;
}

}  // namespace ddx::detail
