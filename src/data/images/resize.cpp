#include "ddx/data/images/resize.h"

#include "ddx/core/dtype.h"
#include "ddx/tensor/resize.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::data {

Tensor<float> resized(const Tensor<float>& images, const ResizeOptions& options,
                      std::source_location where) {
  const auto taps = ddx::detail::resize_taps("resized", images.shape(), options, DType::f32,
                                             images.device(), where);
  const auto columns = static_cast<std::int64_t>(images.rank()) - 2;
  return ddx::detail::resample(ddx::detail::resample(images, taps.columns, columns), taps.rows,
                               columns - 1);
}

}  // namespace ddx::data
