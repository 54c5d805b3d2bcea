// A network of PyTorch by its names: it returns what PyTorch returned, and its weights go back as
// they came. Recorded by tests/goldens/make_torch_weights.py.

#include "ddx/core/dtype.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>

namespace ddx::models {
namespace torch_weights_test {

using ddx::testing::TemporaryFolder;

const std::filesystem::path recorded = std::filesystem::path(DDX_GOLDENS) / "torch_weights";

template <FloatingScalar Scalar>
struct Network {
  nn::Conv2D<Scalar> conv{{.in = 2, .out = 4, .padding = Padding::Same, .bias = false}};
  nn::BatchNorm<Scalar> norm{{.features = 4, .epsilon = 1e-5}};
  nn::DepthwiseConv2D<Scalar> depthwise{{.in = 4, .multiplier = 2, .padding = Padding::Same}};
  nn::TransposedConv2D<Scalar> up{{.in = 8, .out = 3, .kernel = {2, 2}, .strides = {2, 2}}};
  nn::Dense<Scalar> flat{{.in = 192, .out = 6}};
  nn::Dense<Scalar> query{{.in = 6, .out = 6}};
  nn::Dense<Scalar> key{{.in = 6, .out = 6}};
  nn::Dense<Scalar> value{{.in = 6, .out = 6}};
  nn::LSTMCell<Scalar> cell{{.in = 6, .hidden = 5}};
  nn::Embedding<Scalar> table{{.count = 7, .features = 5}};
  nn::Dense<Scalar> head{{.in = 5, .out = 7, .bias = false}};

  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& pictures) const {
    const auto small = relu(depthwise(relu(norm(conv(pictures)))));
    const auto x = tanh(flat(reshape(up(small), {pictures.shape()[0], 192})));
    const auto state = cell(query(x) * key(x) + value(x), cell.initial_state(pictures.shape()[0]));
    return head(state.hidden);
  }

  DDX_DIFFERENTIABLE(Network, conv, norm, depthwise, up, flat, query, key, value, cell, table, head)
};

NameRule part_of_fused(const char* name, std::int64_t index, const char* array, Layout layout) {
  return {.ours = std::string(name) + "." + array,
          .theirs = {std::string("fused.") + array},
          .layout = layout,
          .part = {.axis = 0, .index = index, .count = 3}};
}

NameRules names() {
  NameRules result;
  result.rules = {{"conv.filter", {"conv.weight"}, Layout::Filter},
                  {"norm.scale", {"norm.weight"}},
                  {"norm.offset", {"norm.bias"}},
                  {"norm.running_mean", {"norm.running_mean"}},
                  {"norm.running_variance", {"norm.running_var"}},
                  {"depthwise.filter", {"depthwise.weight"}, Layout::Depthwise},
                  {"up.filter", {"up.weight"}, Layout::TransposedFilter},
                  {.ours = "flat.weight",
                   .theirs = {"flat.weight"},
                   .layout = Layout::Flattened,
                   .flattened = {3, 8, 8}},
                  {"cell.input_weight", {"cell.weight_ih"}, Layout::Transposed},
                  {"cell.hidden_weight", {"cell.weight_hh"}, Layout::Transposed},
                  {"cell.bias", {"cell.bias_ih", "cell.bias_hh"}},
                  {"table.weight", {"table.weight"}},
                  {.ours = "head.weight",
                   .theirs = {"head.weight"},
                   .layout = Layout::Transposed,
                   .tied_to = "table.weight"}};
  std::int64_t index = 0;
  for (const char* name : {"query", "key", "value"}) {
    result.rules.push_back(part_of_fused(name, index, "weight", Layout::Transposed));
    result.rules.push_back(part_of_fused(name, index++, "bias", Layout::Same));
  }
  result.rules.push_back({"{}.bias", {"{}.bias"}});
  result.ignored = {"{*}.num_batches_tracked"};
  return result;
}

TEST(TorchWeights, ReturnWhatPyTorchReturned) {
  auto run = io::read_safetensors(recorded / "run.safetensors").tensors;
  const auto pictures = io::to_tensor<double>(run.at("pictures"));
  const auto scores = io::to_tensor<double>(run.at("scores"));
  Network<double> network;
  load_weights(network, io::WeightFiles(recorded), names());
  EXPECT_LT(max(abs(network(pictures) - scores)).item(), 1e-12);
  Network<float> single;
  load_weights(single, io::WeightFiles(recorded), names());
  EXPECT_LT(max(abs(single(cast<float>(pictures)) - cast<float>(scores))).item(), 1e-5);
}

TEST(TorchWeights, GoBackAsTheyCame) {
  const io::WeightFiles original(recorded);
  Network<float> network;
  load_weights(network, original, names());
  const TemporaryFolder folder;
  save_weights(network, folder.path() / "saved", names());
  const auto saved = io::read_safetensors(folder.path() / "saved" / "model.safetensors");
  EXPECT_EQ(saved.metadata.at("format"), "pt");
  EXPECT_EQ(saved.tensors.size(), original.arrays().size() - 1);  // num_batches_tracked
  const auto as_they_were = io::read_safetensors(recorded / "model.safetensors").tensors;
  for (const auto& [name, array] : saved.tensors) {
    if (name != "cell.bias_ih" && name != "cell.bias_hh") {
      EXPECT_EQ(array, as_they_were.at(name)) << name;
    }
  }
  const auto bias = [](const io::StoredTensors& arrays, const char* name) {
    return io::to_tensor<float>(arrays.at(name));
  };
  EXPECT_EQ(bias(saved.tensors, "cell.bias_ih"),
            bias(as_they_were, "cell.bias_ih") + bias(as_they_were, "cell.bias_hh"));
  EXPECT_EQ(bias(saved.tensors, "cell.bias_hh"), zeros<float>({20}));
}

TEST(TorchWeights, GoThroughHalfPrecisionAndSeveralFiles) {
  Network<float> network;
  load_weights(network, io::WeightFiles(recorded), names());
  const TemporaryFolder folder;
  save_weights(network, folder.path() / "half", names(),
               {.dtype = DType::bf16, .files = {.max_file_bytes = 500}});
  const io::WeightFiles files(folder.path() / "half");
  EXPECT_GT(files.files().size(), 2U);
  EXPECT_EQ(files.arrays().at("conv.weight").dtype, DType::bf16);
  Network<float> read;
  load_weights(read, files, names());
  EXPECT_EQ(read.up.filter, cast<float>(cast<BFloat16>(network.up.filter)));
  EXPECT_EQ(read.head.weight, matrix_transpose(read.table.weight));
}

}  // namespace torch_weights_test
}  // namespace ddx::models
