#include "ddx/nn/quantize.h"

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/models/audio/whisper.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/gpt.h"
#include "ddx/models/text/bert.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/models/text/mamba.h"
#include "ddx/models/text/t5.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/spectral_norm.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/quantized_matrix.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace quantize_test {

using ddx::testing::thrown;

/// The model with the weights that the quantised one has.
template <class Model>
Model with_quantized_numbers(Model model, int bits) {
  visit_objects(
      [&](const Path&, auto& object) {
        if constexpr (requires { object.quantize(bits); }) {
          const bool is_dense = requires { object.has_bias; };
          const auto rows = is_dense ? matrix_transpose(object.weight) : object.weight;
          const auto elements = dequantized<float>(quantized(rows, bits));
          object.weight = is_dense ? matrix_transpose(elements) : elements;
        }
      },
      model);
  return model;
}

/// What all arrays of a model take.
template <class Model>
std::size_t bytes_of(Model& model) {
  std::size_t bytes = 0;
  visit_state([&](const Path&, auto& value) { bytes += value.elements().size_bytes(); }, model);
  return bytes;
}

/// What 32 weights save: 128 bytes become 34 or 18. The rows here are whole groups.
template <class Model>
std::size_t saved_bytes(Model& model, int bits) {
  std::size_t groups = 0;
  visit_objects(
      [&](const Path&, auto& object) {
        if constexpr (requires { object.quantize(bits); }) {
          groups += object.weight.count() / 32;
        }
      },
      model);
  return groups * (bits == 8 ? 94 : 110);
}

template <class Model>
void expect_equal_tokens(const Model& model, int bits, Device device) {
  auto expected = with_quantized_numbers(model, bits);
  auto packed = model;
  quantize(packed, bits);
  EXPECT_EQ(bytes_of(packed), bytes_of(expected) - saved_bytes(expected, bits));
  move_to(expected, device);
  move_to(packed, device);
  EXPECT_EQ(packed.device(), device);
  const std::vector<std::vector<std::int32_t>> beginnings{{5, 9, 13}, {2, 60, 33}};
  const auto tokens = models::generate(packed, beginnings, {.count = 12, .greedy = true}).tokens;
  EXPECT_EQ(tokens, models::generate(expected, beginnings, {.count = 12, .greedy = true}).tokens);
}

TEST(Quantize, AModelDrawsTheTokensOfItsNumbers) {
  models::DecoderOptions options{
      .vocabulary = 64, .blocks = 2, .features = 64, .hidden = 96, .heads = 4};
  options.key_heads = 2;
  const models::Decoder<float> decoder(options);
  const models::GPT2<float> gpt(
      {.vocabulary = 64, .context = 32, .blocks = 2, .features = 64, .heads = 4, .hidden = 128});
  for (const int bits : {8, 4}) {
    for (const Device device : {Device::cpu(), Device::naive(), Device::lazy()}) {
      expect_equal_tokens(decoder, bits, device);
      expect_equal_tokens(gpt, bits, device);
    }
  }
}

/// Expects that a model in fewer bits returns what it does with the weights that it has then.
template <class Model, class Call>
void expect_equal_results(const Model& model, const Call& call) {
  for (const int bits : {8, 4}) {
    auto packed = model;
    quantize(packed, bits);
    const auto expected = call(with_quantized_numbers(model, bits));
    const auto results = call(packed);
    ASSERT_EQ(results.shape(), expected.shape());
    EXPECT_LT(max(abs(results - expected)).item(), 1e-4F);
    EXPECT_GT(max(abs(expected - call(model))).item(), 0.0F);
  }
}

// Models whose scores are products with the vectors of tokens, or that look at extents of weights.
TEST(Quantize, EveryModelReturnsWhatItsNumbersGive) {
  const Tensor<std::int32_t> tokens{{5, 9, 13, 2}, {4, 4, 8, 15}};
  const auto of_tokens = [&](const auto& model) { return model(tokens); };
  expect_equal_results(models::Mamba<float>({.vocabulary = 64, .blocks = 2, .features = 32}),
                       of_tokens);
  expect_equal_results(
      models::GPT<float>({.vocabulary = 64, .context = 8, .blocks = 2, .features = 32, .heads = 4}),
      of_tokens);
  expect_equal_results(models::Bert<float>({.vocabulary = 64,
                                            .context = 8,
                                            .blocks = 2,
                                            .features = 32,
                                            .heads = 4,
                                            .hidden = 64,
                                            .classes = 2}),
                       of_tokens);
  const models::T5<float> t5({.vocabulary = 64,
                              .features = 32,
                              .head_features = 8,
                              .hidden = 64,
                              .encoder_blocks = 2,
                              .decoder_blocks = 2,
                              .heads = 4});
  expect_equal_results(t5, [&](const auto& model) { return model(tokens, tokens); });
  auto packed = t5;
  quantize(packed, 8);
  const auto continued = [&](const auto& model) {
    auto cache = model.beginning(model.encode(tokens));
    return model.extend(tokens, cache);
  };
  EXPECT_LT(max(abs(continued(packed) - packed(tokens, tokens))).item(), 1e-4F);
  const models::Whisper<float> whisper({.vocabulary = 64,
                                        .bands = 16,
                                        .source_places = 8,
                                        .target_places = 32,
                                        .features = 32,
                                        .encoder_blocks = 2,
                                        .encoder_heads = 4,
                                        .encoder_hidden = 64,
                                        .decoder_blocks = 2,
                                        .decoder_heads = 4,
                                        .decoder_hidden = 64});
  const auto sound = random_normal<float>(RandomKey(3), {2, 16, 16});
  expect_equal_results(whisper, [&](const auto& model) { return model(sound, tokens); });
}

TEST(Quantize, ALayerWhoseWeightIsReadIsAnError) {
  struct Net {
    Dense<float> first{{.in = 3, .out = 3}};
    SpectralNorm<Dense<float>> second{Dense<float>({.in = 3, .out = 3})};
    DDX_DIFFERENTIABLE(Net, first, second)
  };
  Net net;
  const std::string message =
      "quantize: second.layer cannot be quantised, since SpectralNorm reads its weight (here)";
  EXPECT_EQ(thrown<UsageError>([&] { quantize(net, 8); }), message);
  EXPECT_FALSE(net.first.quantized_weight.has_value());
  SpectralNorm<Conv2D<float>> other{Conv2D<float>({.in = 1, .out = 1})};
  quantize(other, 8);  // Has nothing that could be.
}

TEST(Quantize, ADenseLayerHasTheGradientOfItsNumbers) {
  const Dense<float> layer({.in = 40, .out = 3, .key = RandomKey(1)});
  const auto expected = with_quantized_numbers(layer, 8);
  auto packed = layer;
  quantize(packed, 8);
  const auto loss = [](const Dense<float>& dense, const Tensor<float>& x) {
    return sum(square(dense(x)));
  };
  const auto x = random_normal<float>(RandomKey(2), {2, 40});
  const auto [of_layer, of_x] = gradient(loss, packed, x);
  const auto [of_plain, of_plain_x] = gradient(loss, expected, x);
  EXPECT_LT(max(abs(of_x - of_plain_x)).item(), 1e-4F);
  EXPECT_LT(max(abs(of_layer.bias - of_plain.bias)).item(), 1e-4F);
  EXPECT_EQ(of_layer.weight.count(), of_layer.weight.is_symbolic_zero() ? 1U : 0U);
  EXPECT_EQ(thrown<UsageError>([&] { quantize(packed, 8); }).substr(0, 47),
            "Dense.quantize: the weight is quantised already");
}

TEST(Quantize, AMatrixThatIsQuantisedAlreadyIsSet) {
  const Dense<float> layer({.in = 40, .out = 3, .key = RandomKey(1)});
  auto expected = layer;
  expected.quantize(4);
  auto made = layer;
  EXPECT_TRUE(Dense<float>::quantizes_transposed);
  made.set_quantized(quantized(matrix_transpose(layer.weight), 4));
  const auto x = random_normal<float>(RandomKey(2), {2, 40});
  EXPECT_EQ(made(x), expected(x));
  EXPECT_EQ(made.weight.count(), 0U);
  EXPECT_EQ(
      thrown<UsageError>([&] { made.set_quantized(*expected.quantized_weight); }).substr(0, 52),
      "Dense.quantize: the weight is quantised already (her");
  auto other = layer;
  EXPECT_EQ(thrown<UsageError>([&] { other.set_quantized(quantized(layer.weight, 4)); }),
            "Dense.set_quantized: scales [40, 1] of 3 columns, [3, 40] is expected (here)");
  Embedding<float> table({.count = 3, .features = 40});
  EXPECT_FALSE(table.quantizes_transposed);
  table.set_quantized(*expected.quantized_weight);
  EXPECT_EQ(table(Tensor<std::int32_t>{2}),
            slice(dequantized<float>(*expected.quantized_weight), {.start = {2, 0}}));
}

Tensor<float> drawn(const Shape& shape, std::uint64_t seed) {
  return random_normal<float>(RandomKey(seed), shape);
}

TEST(Quantize, TheDerivativeByTheLeftOperandIsThatOfTheElements) {
  for (const int bits : {8, 4}) {
    const auto w = quantized(drawn({3, 40}, 5), bits);
    const auto c = drawn({2, 3}, 6);
    const auto loss = [&w, &c](const Tensor<float>& x) { return sum(quantized_matmul(x, w) * c); };
    const auto x = drawn({2, 40}, 7);
    const auto expected = matmul(c, dequantized<float>(w));
    EXPECT_LT(max(abs(gradient(loss, x) - expected)).item(), 1e-5F);
    const auto dx = drawn({2, 40}, 8);
    EXPECT_NEAR(jvp(loss, along(dx), x).tangent.item(), sum(expected * dx).item(), 1e-4F);
  }
}

}  // namespace quantize_test
}  // namespace ddx::nn
