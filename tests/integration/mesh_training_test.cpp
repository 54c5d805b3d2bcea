// Training on four devices is the training on one: data parallel, and with divided weights.

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/models/gpt.h"
#include "ddx/models/lenet.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"

#include "tests/support/virtual_devices.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx {
namespace {

using testing::first_virtual_device;
using testing::mesh_of;

constexpr std::size_t steps = 20;
// Sums over devices add in another order, which changes an f32 by some 1e-7 of it; steps add such
// changes up, or enlarge them.
constexpr double tolerance = 2e-6;

struct Mlp {
  nn::Dense<float> hidden{{.in = 32, .out = 64, .activation = nn::Activation::ReLU}};
  nn::Dense<float> out{{.in = 64, .out = 8}};

  Tensor<float> operator()(const Tensor<float>& x) const { return x | hidden | out; }

  DDX_DIFFERENTIABLE(Mlp, hidden, out)
};

/// A batch, the same in each run.
struct Images {
  Tensor<float> x;
  Tensor<std::int32_t> labels;

  Images(const Shape& shape, std::int64_t classes)
      : x(random_normal<float>(RandomKey(1), shape)),
        labels(cast<std::int32_t>(random_uniform<float>(RandomKey(2), {shape[0]},
                                                        {.high = static_cast<double>(classes)}))) {}
};

double loss_of(const Tensor<float>& loss) {
  return static_cast<double>(loss.item());
}

/// Takes the steps on whatever device model and batch are on.
template <class Optimizer, class Model, class Input>
std::vector<double> losses(Model& model, const Tensor<Input>& x, const Tensor<std::int32_t>& labels,
                           Optimizer& optimizer) {
  std::vector<double> losses;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto [loss, gradient] = value_with_gradient(
        [&](const Model& m) {
          const Tensor<float> scores = m(x);
          return softmax_cross_entropy(reshape(scores, {-1, scores.shape()[scores.rank() - 1]}),
                                       labels);
        },
        model);
    optimizer.update(model, gradient);
    losses.push_back(loss_of(loss));
  }
  return losses;
}

template <class Optimizer, class Model, class Input>
std::vector<double> losses_on_one(Model model, const Tensor<Input>& x,
                                  const Tensor<std::int32_t>& labels,
                                  const typename Optimizer::Options& options) {
  const Device device = first_virtual_device();
  nn::move_to(model, device);
  Optimizer optimizer(model, options);
  return losses(model, x.to(device), labels.to(device), optimizer);
}

void expect_equal(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_LE(std::abs(found[i] - expected[i]), tolerance * (1 + std::abs(expected[i])))
        << "step " << i << ": " << found[i] << " and " << expected[i];
  }
  EXPECT_LT(found.back(), 0.9 * found.front()) << "it does not learn: agreement would say little";
}

/// Columns of the first layer, rows of the second: what is between them stays where it is.
PartitionSpec columns_and_rows(const std::string& path, const Shape&) {
  if (path == "hidden.weight") {
    return {{}, "model"};
  }
  if (path == "hidden.bias") {
    return {"model"};
  }
  return path == "out.weight" ? PartitionSpec{"model"} : PartitionSpec{};
}

class MeshTraining : public ::testing::Test {
 public:
  static Mesh line() { return mesh_of({{"data", 4}}); }
  static Mesh square() { return mesh_of({{"data", 2}, {"model", 2}}); }
};

TEST_F(MeshTraining, OfAMlpIsThatOnOneDevice) {
  using Adam = nn::Adam<Mlp>;
  Mlp initial;
  nn::initialize(initial, RandomKey(3));
  const Images batch({16, 32}, 8);
  const auto expected = losses_on_one<Adam>(initial, batch.x, batch.labels, {});

  Mlp replicated = initial;
  nn::move_to(replicated, line().device());
  Adam own(replicated, {});
  expect_equal(losses(replicated, shard(batch.x, line(), {"data"}),
                      shard(batch.labels, line(), {"data"}), own),
               expected);
  EXPECT_EQ(sharding_of(replicated.hidden.weight), PartitionSpec{});

  Mlp divided = initial;
  nn::shard(divided, square(), columns_and_rows);
  Adam divided_own(divided, {});
  expect_equal(losses(divided, shard(batch.x, square(), {"data"}),
                      shard(batch.labels, square(), {"data"}), divided_own),
               expected);
  for (const backend::MeshPart& part : parts_of(divided.hidden.weight)) {
    EXPECT_EQ(part.shape, (Shape{32, 32})) << to_string(part.device);
    EXPECT_EQ(part.bytes, 4U * 32U * 32U);
  }
  for (const backend::MeshPart& part : parts_of(divided.out.weight)) {
    EXPECT_EQ(part.shape, (Shape{32, 8})) << to_string(part.device);
  }
  // Both moments of Adam lie as the weights.
  std::size_t states = 0;
  divided_own.visit_state([&](const nn::Path& path, const auto& state) {
    if constexpr (requires { state.shape(); }) {
      const std::string name = to_string(path);
      const std::string parameter = name.substr(name.find('.') + 1);
      EXPECT_EQ(sharding_of(state), columns_and_rows(parameter, state.shape())) << name;
      ++states;
    }
  });
  EXPECT_EQ(states, 8U);
  expect_equal(losses_on_one<Adam>(initial, batch.x, batch.labels, {}), expected);
}

TEST_F(MeshTraining, OfLeNetIsThatOnOneDevice) {
  using LeNet = models::LeNet<float>;
  using SGD = nn::SGD<LeNet>;
  LeNet initial;
  nn::initialize(initial, RandomKey(3));
  const Images batch({8, 28, 28, 1}, 10);
  const SGD::Options options{.learning_rate = 0.05};
  const auto expected = losses_on_one<SGD>(initial, batch.x, batch.labels, options);
  for (const Mesh& mesh : {line(), square()}) {
    LeNet model = initial;
    nn::shard(model, mesh, [&](const std::string& path, const Shape&) {
      return mesh == square() && path == "dense1.weight" ? PartitionSpec{{}, "model"}
                                                         : PartitionSpec{};
    });
    SGD optimizer(model, options);
    expect_equal(losses(model, shard(batch.x, mesh, {"data"}), shard(batch.labels, mesh, {"data"}),
                        optimizer),
                 expected);
    EXPECT_EQ(parts_of(model.dense1.weight)[0].shape, (Shape{400, mesh == square() ? 60 : 120}));
  }
}

TEST_F(MeshTraining, OfAGptIsThatOnOneDevice) {
  using Gpt = models::GPT<float>;
  using Adam = nn::Adam<Gpt>;
  Gpt initial({.vocabulary = 16, .context = 8, .blocks = 1, .features = 16, .heads = 2});
  nn::initialize(initial, RandomKey(3));
  const auto tokens = cast<std::int32_t>(random_uniform<float>(RandomKey(1), {4, 8}, {.high = 16}));
  const auto labels =
      reshape(cast<std::int32_t>(random_uniform<float>(RandomKey(2), {4, 8}, {.high = 16})), {-1});
  const Adam::Options options{.learning_rate = 0.01};
  const auto expected = losses_on_one<Adam>(initial, tokens, labels, options);
  for (const Mesh& mesh : {line(), square()}) {
    Gpt model = initial;
    nn::shard(model, mesh, [&](const std::string& path, const Shape& shape) {
      return mesh == square() && shape.rank() == 2 && path.starts_with("blocks.")
                 ? PartitionSpec{{}, "model"}
                 : PartitionSpec{};
    });
    Adam optimizer(model, options);
    expect_equal(losses(model, shard(tokens, mesh, {"data"}), labels.to(mesh.device()), optimizer),
                 expected);
  }
}

// Through a batch that is put on the mesh inside, the gradient comes back to where it was.
TEST_F(MeshTraining, AGradientGoesBackThroughShard) {
  const Tensor<float> x = random_normal<float>(RandomKey(1), {8, 3});
  const auto slope = gradient(
      [](const Tensor<float>& v) { return sum(ddx::square(shard(v, line(), {"data"}))).item(); },
      x);
  EXPECT_EQ(slope.device(), Device::cpu());
  EXPECT_EQ(slope.values(), (2.0F * x).values());
}

}  // namespace
}  // namespace ddx
