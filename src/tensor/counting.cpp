#include "ddx/tensor/counting.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/sorting.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ddx {
namespace {

template <class T>
bool is_same_element(T a, T b) {
  if constexpr (FloatingScalar<T>) {
    return a == b || (a != a && b != b);
  } else {
    return a == b;
  }
}

Shape length(std::size_t count) {
  return Shape{static_cast<std::int64_t>(count)};
}

}  // namespace

template <TensorScalar Scalar>
Unique<Scalar> unique(const Tensor<Scalar>& x, std::source_location where) {
  const auto order = argsort(flatten(x), {}, where);
  const auto elements = x.elements();
  std::vector<Scalar> values;
  std::vector<std::int32_t> counts;
  auto inverse = zeros<std::int32_t>(x.shape(), x.device());
  const auto which = inverse.mutable_elements();
  for (const std::int32_t place : order.elements()) {
    const Scalar element = elements[static_cast<std::size_t>(place)];
    if (values.empty() || !is_same_element<Scalar>(element, values.back())) {
      values.push_back(element);
      counts.push_back(0);
    }
    ++counts.back();
    which[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(values.size() - 1);
  }
  auto distinct = zeros<Scalar>(length(values.size()), x.device());
  std::copy(values.begin(), values.end(), distinct.mutable_elements().begin());
  return {distinct, inverse, Tensor<std::int32_t>(length(counts.size()), counts, x.device())};
}

Tensor<std::int32_t> bincount(const Tensor<std::int32_t>& x, std::int64_t count,
                              std::source_location where) {
  const ops::Site site{"bincount", where};
  if (count < 0) {
    site.fail("count " + std::to_string(count) + " is negative; shape " + to_string(x.shape()));
  }
  site.check_places(x.shape().count(), x.shape());
  ops::check_indices(site, "element", x.elements(), count);
  auto counts = zeros<std::int32_t>(site.shape({&count, 1}), x.device());
  const auto cells = counts.mutable_elements();
  for (const std::int32_t element : x.elements()) {
    ++cells[static_cast<std::size_t>(element)];
  }
  return counts;
}

template <FloatingScalar Scalar>
Tensor<std::int32_t> histogram(const Tensor<Scalar>& x, const HistogramOptions& options,
                               std::source_location where) {
  const ops::Site site{"histogram", where};
  double low = options.low;
  double high = options.high;
  if (low == high) {
    low = high = 0;
    bool first = true;
    for (const Scalar number : x.elements()) {
      const auto element = static_cast<double>(number);
      if (std::isfinite(element)) {
        low = first ? element : std::min(low, element);
        high = first ? element : std::max(high, element);
        first = false;
      }
    }
    // All elements are equal, or there is none: one unit around them.
    if (low == high) {
      low -= 0.5;
      high += 0.5;
    }
  }
  if (options.bins <= 0 || !(low < high) || !std::isfinite(high - low)) {
    site.fail(std::to_string(options.bins) + " bins from " + std::to_string(low) + " to " +
              std::to_string(high) + " are no range; shape " + to_string(x.shape()));
  }
  site.check_places(x.shape().count(), x.shape());
  auto counts = zeros<std::int32_t>(site.shape({&options.bins, 1}), x.device());
  const auto cells = counts.mutable_elements();
  const double bins_per_unit = static_cast<double>(options.bins) / (high - low);
  for (const Scalar number : x.elements()) {
    const auto element = static_cast<double>(number);
    if (element >= low && element <= high) {
      const auto bin = static_cast<std::int64_t>((element - low) * bins_per_unit);
      ++cells[static_cast<std::size_t>(std::min(bin, options.bins - 1))];
    }
  }
  return counts;
}

#define DDX_DTYPE(name, type, ...) \
  template Unique<type> unique(const Tensor<type>&, std::source_location);
#include "ddx/core/dtypes.def"

template Tensor<std::int32_t> histogram(const Tensor<float>&, const HistogramOptions&,
                                        std::source_location);
template Tensor<std::int32_t> histogram(const Tensor<double>&, const HistogramOptions&,
                                        std::source_location);
template Tensor<std::int32_t> histogram(const Tensor<Half>&, const HistogramOptions&,
                                        std::source_location);
template Tensor<std::int32_t> histogram(const Tensor<BFloat16>&, const HistogramOptions&,
                                        std::source_location);

}  // namespace ddx
