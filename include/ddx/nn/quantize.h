/// \file
/// Models with weights of 8 or 4 bits.

#pragma once

#include "ddx/nn/detail/quantized_state.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"

#include <source_location>
#include <utility>

namespace ddx::nn {

/// Keeps the weights of all dense and embedding layers in 8 or 4 bits, in groups of 32 with a scale
/// each: 1.06 or 0.56 bytes per weight. For inference: what is quantised gets no gradient. On `cpu`
/// products of up to 64 rows read such weights directly, as each token of a generation does. A
/// layer with weights of this kind has a member function `quantize(bits, where)`.
///
/// Scales have 16 bits: groups whose elements are all below 1e-4 lose accuracy. A class that reads
/// the weight of its `layer` says so by a member `reads_weight`, its name.
///
/// Throws:  UsageError where there are other bits, a weight is not finite or beyond the scales, a
///          layer is quantised already, or an object reads the weight of a layer (SpectralNorm):
///          names both. The model is unchanged then.
/// Example:
///   auto model = models::load_pretrained<models::Decoder<float>>("Qwen3-0.6B");
///   nn::quantize(model, 4);
template <class Model>
void quantize(Model& model, int bits,
              std::source_location where = std::source_location::current()) {
  Model changed = model;
  visit_objects(
      [&](const Path& path, auto& object) {
        detail::require_quantizable(path, object, where);
        if constexpr (requires { object.quantize(bits, where); }) {
          object.quantize(bits, where);
        }
      },
      changed);
  model = std::move(changed);
}

}  // namespace ddx::nn
