// GGUF files as models, beside what transformers returns for the same models. The files were
// written by the package gguf (tests/goldens/make_gguf_models.py).

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/gguf_view.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/pretrained/load_pretrained.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/models/text/bert.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/nn/quantize.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/quantized_matrix.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_text_model.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::models {
namespace gguf_models_test {

using ddx::testing::message_of;
using ddx::testing::recorded_text_model;

std::filesystem::path file_of(const std::string& name) {
  return std::filesystem::path(DDX_GOLDENS) / "gguf_models" / (name + ".gguf");
}

/// The files have weights of 24 bits, which move the first logit by less than the tolerance.
template <class Model>
void expect_recorded(const std::string& name) {
  const auto expected = recorded_text_model(name);
  const auto model = load_pretrained<Model>(file_of(name));
  const auto logits = model(ddx::testing::recorded_sequences({}));
  EXPECT_NEAR(logits.elements()[0], expected.at("first_logit").template get<double>(), 2e-6)
      << name;
  const auto loss = ddx::testing::loss_of_logits(logits, ddx::testing::recorded_labels(true, {}));
  EXPECT_NEAR(loss.item(), expected.at("loss").template get<double>(), 2e-6) << name;
  const std::vector<std::vector<std::int32_t>> beginnings{{5, 9, 13, 2}};
  const auto made = generate(model, beginnings, {.count = 16, .greedy = true});
  EXPECT_EQ(made.tokens.front(), expected.at("tokens").template get<std::vector<std::int32_t>>())
      << name;
}

TEST(GgufModels, ReturnWhatTransformersReturns) {
  for (const char* const name : {"llama", "llama3", "llama_linear", "llama_yarn", "mistral",
                                 "qwen2", "qwen3", "gemma3", "phi3"}) {
    expect_recorded<Decoder<double>>(name);
  }
  expect_recorded<GPT2<double>>("gpt2");
}

/// The arrays are those of the folder of transformers, up to the rounding of the file.
template <class Model>
void expect_equal_arrays(const std::string& name) {
  const ddx::testing::RecordedFolder<Model> folder(name);
  auto expected = load_pretrained<Model>(folder.path());
  auto model = load_pretrained<Model>(file_of(name));
  std::vector<Tensor<double>> arrays;
  nn::visit_parameters([&](const nn::Path&, auto& value) { arrays.push_back(value); }, expected);
  std::size_t number = 0;
  nn::visit_parameters(
      [&](const nn::Path& path, auto& value) {
        ASSERT_EQ(value.shape(), arrays[number].shape()) << name << " " << to_string(path);
        if (!value.shape().is_empty()) {
          EXPECT_LT(max(abs(value - arrays[number])).item(), 2e-7)
              << name << " " << to_string(path);
        }
        ++number;
      },
      model);
}

TEST(GgufModels, HaveTheArraysOfTheFolder) {
  for (const char* const name : {"llama", "llama3", "llama_linear", "qwen2", "gemma3", "phi3"}) {
    expect_equal_arrays<Decoder<double>>(name);
  }
  expect_equal_arrays<GPT2<double>>("gpt2");
}

TEST(GgufModels, BecomeTheModelsDtype) {
  const auto exact = load_pretrained<Decoder<float>>(file_of("llama"));
  for (const char* const name : {"llama_f16", "llama_bf16"}) {
    const auto model = load_pretrained<Decoder<float>>(file_of(name));
    const auto& weight = model.blocks[1].dense.gate.weight;
    const auto& rounded = exact.blocks[1].dense.gate.weight;
    EXPECT_EQ(weight, std::string(name) == "llama_f16" ? cast<float>(cast<Half>(rounded))
                                                       : cast<float>(cast<BFloat16>(rounded)));
  }
  const auto low = load_pretrained<Decoder<BFloat16>>(file_of("llama"));
  EXPECT_EQ(low.tokens.weight, cast<BFloat16>(exact.tokens.weight));
}

/// Expects that what the model quantises has the elements that the file is multiplied out to.
template <class Model>
void expect_numbers_of_the_file(const std::string& name, int bits, int stored_bits) {
  auto plain = load_pretrained<Model>(file_of(name));
  auto packed = load_pretrained<Model>(file_of(name), {.quantized_bits = bits});
  std::vector<Tensor<float>> matrices;
  nn::visit_objects(
      [&](const nn::Path&, auto& object) {
        if constexpr (requires { object.quantized_weight; }) {
          matrices.push_back(object.quantizes_transposed ? matrix_transpose(object.weight)
                                                         : object.weight);
        }
      },
      plain);
  std::size_t number = 0;
  nn::visit_objects(
      [&](const nn::Path& path, auto& object) {
        if constexpr (requires { object.quantized_weight; }) {
          ASSERT_TRUE(object.quantized_weight.has_value()) << to_string(path);
          const bool is_position = to_string(path) == "positions";  // Of f32 in the file.
          EXPECT_EQ(object.quantized_weight->form.bits, is_position ? bits : stored_bits);
          if (!is_position) {
            EXPECT_EQ(dequantized<float>(*object.quantized_weight), matrices[number])
                << name << " " << to_string(path);
          }
          EXPECT_EQ(object.weight.count(), 0U);
          ++number;
        }
      },
      packed);
  EXPECT_EQ(number, matrices.size());
  const auto tokens = ddx::testing::recorded_sequences({});
  EXPECT_LT(max(abs(packed(tokens) - plain(tokens))).item(), name == "gpt2_q4_0" ? 1.0F : 2e-5F)
      << name;
}

TEST(GgufModels, KeepTheNumbersAndScalesOfTheFile) {
  expect_numbers_of_the_file<Decoder<float>>("llama_q8_0", 8, 8);
  expect_numbers_of_the_file<Decoder<float>>("llama_q4_0", 4, 4);
  expect_numbers_of_the_file<Decoder<float>>("llama_q4_0", 8, 4);
  expect_numbers_of_the_file<Decoder<float>>("phi3_q8_0", 8, 8);
  expect_numbers_of_the_file<GPT2<float>>("gpt2_q4_0", 4, 4);
}

/// Expects that loading in fewer bits gives what loading and quantising gives.
template <class Model>
void expect_quantised_on_the_way(const std::filesystem::path& path, int bits) {
  auto expected = load_pretrained<Model>(path);
  nn::quantize(expected, bits);
  auto model = load_pretrained<Model>(path, {.quantized_bits = bits});
  std::vector<io::StoredTensor> arrays;
  const auto keep = [](auto& into) {
    return [&into](const nn::Path&, auto& value) {
      if constexpr (requires { value.elements(); }) {
        const auto elements = value.elements();
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(elements.data());
        into.push_back({.shape = value.shape(), .bytes = {bytes, bytes + elements.size_bytes()}});
      }
    };
  };
  nn::visit_state(keep(arrays), expected);
  std::vector<io::StoredTensor> made;
  nn::visit_state(keep(made), model);
  EXPECT_EQ(made, arrays) << path;
}

TEST(GgufModels, AreQuantisedWhileTheyAreLoaded) {
  for (const int bits : {8, 4}) {
    for (const char* const name : {"llama", "phi3", "llama_bf16"}) {
      expect_quantised_on_the_way<Decoder<float>>(file_of(name), bits);
    }
    expect_quantised_on_the_way<Decoder<float>>(file_of("llama_q8_0"), 4);
    expect_quantised_on_the_way<GPT2<float>>(file_of("gpt2"), bits);
  }
}

// Folders, with matrices that are transposed (GPT-2) and in parts (Phi 3), and rows that are no
// whole groups.
TEST(LoadPretrained, QuantisesWhatItLoads) {
  for (const char* const name : {"llama", "phi3", "mixtral"}) {
    const ddx::testing::RecordedFolder<Decoder<float>> folder(name);
    expect_quantised_on_the_way<Decoder<float>>(folder.path(), 4);
  }
  const ddx::testing::RecordedFolder<GPT2<float>> folder("gpt2");
  expect_quantised_on_the_way<GPT2<float>>(folder.path(), 8);
  expect_quantised_on_the_way<Decoder<float>>(std::filesystem::path(DDX_GOLDENS) / "text_folder",
                                              8);
  EXPECT_EQ(message_of<UsageError>([&] {
              (void)load_pretrained<GPT2<float>>(folder.path(), {.quantized_bits = 5});
            }).substr(0, 61),
            "load_weights: quantized_bits is 5, only 8 and 4 are supported");
}

}  // namespace gguf_models_test
}  // namespace ddx::models
