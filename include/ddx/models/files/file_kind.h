/// \file
/// What kind of file some bytes are.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/models/files/file_kind_options.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/layer_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::models {

/// Scores of the kinds that a file may be of, from the bytes at its two ends: `softmax` makes
/// probabilities of them. Vectors of bytes are joined in groups, normalised over their places,
/// convolved, and of each channel the largest one counts. By default it has 784,214 parameters,
/// published as standard_v3_3 (the PyPI package magika 1.0.3, Apache 2.0), whose config.min.json
/// names the kinds.
///
/// Source:  Y. Fratantonio et al., "Magika: AI-powered content-type detection", ICSE 2025.
/// Example:
///   const models::ModelConfiguration configuration("standard_v3_3/config.min.json");
///   models::FileKind<float> model(
///       models::options_from<models::FileKindOptions>(configuration));
///   models::load_weights(model, io::WeightFiles(io::read_onnx("standard_v3_3/model.onnx")),
///                        name_rules(model.options));
///   const auto bytes = models::file_bytes("README.md", model.options);
template <FloatingScalar Scalar>
struct FileKind {
  using Options = FileKindOptions;

  nn::Embedding<Scalar> bytes;  ///< Of all bytes, and of none.
  Tensor<Scalar> byte_bias;     ///< [features]
  nn::LayerNorm<Scalar> place_norm;
  nn::Conv1D<Scalar> convolution;
  nn::LayerNorm<Scalar> norm;
  nn::Dense<Scalar> head;
  Options options;

  /// Throws: UsageError where an extent is below 1, a group does not divide both ends, or they have
  ///         fewer groups than the kernel.
  explicit FileKind(const Options& given = {})
      : bytes({.count = 257,
               .features = detail::checked(given).features,
               .deviation = 0.1,
               .key = RandomKey(0).fold_in(0)}),
        byte_bias(zeros<Scalar>({given.features})),
        place_norm({.features = 2 * given.end / given.group, .epsilon = 1e-6}),
        convolution({.in = given.group * given.features,
                     .out = given.channels,
                     .kernel = {given.kernel},
                     .activation = nn::Activation::GELUTanh,
                     .key = RandomKey(0).fold_in(1)}),
        norm({.features = given.channels, .epsilon = 1e-6}),
        head({.in = given.channels, .out = given.kinds, .key = RandomKey(0).fold_in(2)}),
        options(given) {}

  /// Shapes:  content [n, 2 end], as of file_bytes -> [n, kinds]
  /// Throws:  UsageError where the shape does not fit, or a byte is not in [0, 256].
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& content,
      std::source_location where = std::source_location::current()) const {
    require_content(content.shape(), where);
    const std::int64_t files = content.shape()[0];
    const auto vectors = nn::activate(bytes(content, where) + byte_bias, nn::Activation::GELUTanh);
    const auto groups = reshape(
        vectors, {files, 2 * options.end / options.group, options.group * options.features}, where);
    const auto normalised =
        transpose(place_norm(transpose(groups, {0, 2, 1}, where), where), {0, 2, 1}, where);
    const auto channels = max(convolution(normalised, where), {.axes = {1}}, where);
    return head(norm(channels, where), where);
  }

  DDX_DIFFERENTIABLE(FileKind, bytes, byte_bias, place_norm, convolution, norm, head)
  DDX_NO_DERIVATIVE(options)

 private:
  void require_content(const Shape& content, std::source_location where) const {
    if (content.rank() != 2 || content[1] != 2 * options.end) {
      throw UsageError("FileKind",
                       "the content is " + to_string(content) + ", expected [n, " +
                           std::to_string(2 * options.end) + "]",
                       where);
    }
  }
};

}  // namespace ddx::models
