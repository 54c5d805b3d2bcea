#include "ddx/train/load_model.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/io/npz.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/tensor_bundle.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/nn/model_arithmetic.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/visit.h"
#include "ddx/train/checkpoint.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::train {
namespace load_model_test {

using ddx::testing::SmallModel;
using ddx::testing::TemporaryFolder;
using ddx::testing::thrown;

/// A model with values of its own.
SmallModel another() {
  SmallModel model;
  nn::initialize(model, RandomKey(99));
  model.norm.running_mean = Tensor<float>{1, 2, 3, 4};
  return model;
}

TEST(LoadModel, TakesAllThatACheckpointHolds) {
  const auto from = another();
  const auto arrays = model_arrays(from);
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays) {
    names.push_back(name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"first.bias", "first.weight", "last.bias",
                                             "last.weight", "norm.offset", "norm.running_mean",
                                             "norm.running_variance", "norm.scale"}));
  SmallModel model;
  load_model(model, arrays, {.uses_all = true});
  EXPECT_EQ(model_arrays(model), arrays);
}

TEST(LoadModel, GoesThroughNumPysArchives) {
  if (!io::has_npz()) {
    GTEST_SKIP();
  }
  const TemporaryFolder folder;
  io::write_npz(folder.path() / "a", model_arrays(another()));
  SmallModel model;
  load_model(model, io::read_npz(folder.path() / "a"));
  EXPECT_EQ(model_arrays(model), model_arrays(another()));
}

TEST(LoadModel, TakesTheModelOutOfATrainingByOtherNames) {
  const TemporaryFolder folder;
  const auto from = another();
  save_checkpoint(folder.path() / "a", Training{from, nn::Adam(from)});
  SmallModel model;
  load_model(model, io::read_safetensors(folder.path() / "a").tensors,
             {.name_of = [](const std::string& path) { return "model." + path; }});
  EXPECT_EQ(model_arrays(model), model_arrays(from));
}

TEST(LoadModel, TakesVariablesOfTensorFlow) {
  struct Layer {
    Tensor<double> bias = zeros<double>({2});
    Tensor<float> weight = zeros<float>({2, 3, 4});

    DDX_DIFFERENTIABLE(Layer, bias, weight)
  } model;
  const io::TensorBundle bundle(std::filesystem::path(DDX_GOLDENS) / "tensor_bundles/object");
  load_model(model, bundle.read_all(), {.name_of = [](const std::string& path) {
               return (path == "bias" ? "layer/bias" : path) + "/.ATTRIBUTES/VARIABLE_VALUE";
             }});
  EXPECT_EQ(model.bias, (Tensor<double>{0.5, -1.0}));
  EXPECT_EQ((model.weight[{1, 2, 3}]), 18);
}

TEST(LoadModel, IgnoredPathsKeepTheirValues) {
  SmallModel model;
  const auto last = model.last.weight;
  const auto bias = model.first.bias;
  load_model(model, model_arrays(another()), {.ignored_paths = {"last", "first.bias"}});
  EXPECT_EQ(model.last.weight, last);
  EXPECT_EQ(model.first.bias, bias);
  EXPECT_EQ(model.first.weight, another().first.weight);
  auto arrays = model_arrays(another());
  arrays.erase("last.bias");
  arrays.erase("last.weight");
  load_model(model, arrays, {.ignored_paths = {"last"}, .uses_all = true});
}

/// The message when these arrays are loaded; the model must stay as it was.
std::string load_error(const io::StoredTensors& arrays, const ModelLoadOptions& options = {}) {
  SmallModel model;
  const auto message = thrown<UsageError>([&] { load_model(model, arrays, options, {}); });
  EXPECT_EQ(model_arrays(model), model_arrays(SmallModel()));
  return message;
}

TEST(LoadModel, WhatDoesNotFitIsRefused) {
  const auto all = model_arrays(another());
  auto arrays = all;
  arrays.erase("norm.running_mean");
  EXPECT_EQ(load_error(arrays),
            "load_model: array \"norm.running_mean\" for norm.running_mean is "
            "missing");
  EXPECT_EQ(load_error(all, {.name_of = [](const std::string& path) { return "x/" + path; }}),
            "load_model: array \"x/first.weight\" for first.weight is missing");
  arrays = all;
  arrays["last.bias"] = io::to_stored(Tensor<float>{{1}});
  EXPECT_EQ(load_error(arrays),
            "load_model: array \"last.bias\" is f32 [1, 1], last.bias is f32 [1]");
  arrays["last.bias"] = io::to_stored(Tensor<double>{1});
  EXPECT_EQ(load_error(arrays), "load_model: array \"last.bias\" is f64 [1], last.bias is f32 [1]");
  arrays["last.bias"] = {DType::f32, Shape{1}, {0, 0, 0}};
  EXPECT_EQ(load_error(arrays),
            "load_model: array \"last.bias\" of f32 [1] takes 4 bytes, it has 3");
  EXPECT_EQ(load_error(all, {.ignored_paths = {"last", "las"}}),
            "load_model: the ignored path las is none of the model's");
  arrays = all;
  arrays["zeta"] = io::to_stored(Tensor<float>(1));
  EXPECT_EQ(load_error(arrays, {.uses_all = true}),
            "load_model: array \"zeta\" has no place in the model");
}

}  // namespace load_model_test
}  // namespace ddx::train
