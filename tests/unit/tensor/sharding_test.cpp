#include "ddx/tensor/sharding.h"

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/virtual_devices.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <vector>

namespace ddx {
namespace sharding_test {

using testing::mesh_of;
using testing::message_of;

Mesh line() {
  return mesh_of({{"data", 4}});
}
Mesh square() {
  return mesh_of({{"data", 2}, {"model", 2}});
}

/// 0, 1, 2, ... as elements of any type; complex ones with an imaginary part, bools by turns.
template <class Scalar>
Tensor<Scalar> counting(const Shape& shape) {
  auto x = zeros<Scalar>(shape);
  auto elements = x.mutable_elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if constexpr (ComplexScalar<Scalar>) {
      elements[i] = Scalar(static_cast<float>(i), 0.5F);
    } else if constexpr (std::is_same_v<Scalar, bool>) {
      elements[i] = i % 3 == 0;
    } else {
      elements[i] = static_cast<Scalar>(static_cast<float>(i));
    }
  }
  return x;
}

std::vector<Shape> shapes_of(const std::vector<backend::MeshPart>& parts) {
  std::vector<Shape> shapes;
  for (const auto& part : parts) {
    shapes.push_back(part.shape);
  }
  return shapes;
}

TEST(Sharding, EachDeviceHasItsPart) {
  const auto x = shard(counting<float>({8, 6}), square(), {"data", "model"});
  EXPECT_EQ(x.device(), square().device());
  EXPECT_EQ(sharding_of(x), (PartitionSpec{"data", "model"}));
  const auto parts = parts_of(x);
  EXPECT_EQ(shapes_of(parts), std::vector<Shape>(4, Shape{4, 3}));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(parts[i].device, Device::pjrt("cpu", static_cast<int>(i)));
    EXPECT_EQ(parts[i].bytes, 4U * 4U * 3U);
  }
  EXPECT_EQ(x.values(), counting<float>({8, 6}).values());
  EXPECT_EQ(sharding_of(x), (PartitionSpec{"data", "model"})) << "a look changes nothing";
}

template <class Scalar>
class ShardingOf : public ::testing::Test {};
using Scalars =
    ::testing::Types<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t,
                     std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool,
                     std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ShardingOf, Scalars);

// Ways in which three axes can be divided among 2 x 2 devices, there and back; and one of them
// through a program, where the devices must have what the shards say.
TYPED_TEST(ShardingOf, GoesThereAndBack) {
  const auto x = counting<TypeParam>({4, 4, 8});
  for (const PartitionSpec& spec : {PartitionSpec{},
                                    {"data"},
                                    {{}, "data"},
                                    {{}, {}, "data"},
                                    {"model", {}, "data"},
                                    {"data", "model"},
                                    {PartitionSpec::Axis{"data", "model"}},
                                    {{}, {}, PartitionSpec::Axis{"model", "data"}}}) {
    const auto there = shard(x, square(), spec);
    EXPECT_EQ(sharding_of(there), spec);
    EXPECT_EQ(there.values(), x.values()) << to_string(spec);
  }
  const auto there = shard(x, square(), {"model", {}, "data"});
  EXPECT_EQ(reverse(there, Indices{0, 2}).values(), reverse(x, Indices{0, 2}).values());
}

TEST(Sharding, IsWhatProgramsTakeItFor) {
  const auto x = counting<float>({4, 8});
  for (const PartitionSpec& spec : {PartitionSpec{"data", "model"},
                                    {"model", "data"},
                                    {{}, "model"},
                                    {PartitionSpec::Axis{"data", "model"}},
                                    {{}, PartitionSpec::Axis{"model", "data"}}}) {
    const auto there = shard(x, square(), spec);
    EXPECT_EQ((there * there).values(), (x * x).values()) << to_string(spec);
    EXPECT_EQ(sum(there, {.axes = {0}}).values(), sum(x, {.axes = {0}}).values())
        << to_string(spec);
  }
}

TEST(Sharding, OfOneElementAndOfNone) {
  const auto one = shard(Tensor<float>(3.0F), line(), {});
  EXPECT_EQ((one + one).item(), 6.0F);
  const auto none = shard(counting<float>({0, 3}), line(), {"data"});
  EXPECT_EQ(shapes_of(parts_of(none)), std::vector<Shape>(4, Shape{0, 3}));
  EXPECT_EQ((none + none).shape(), (Shape{0, 3}));
  EXPECT_EQ((none + none).values(), std::vector<float>());
  EXPECT_EQ(sum(none).item(), 0.0F);
  const Tensor<float> zero;
  EXPECT_TRUE(shard(zero, line(), {}).is_symbolic_zero());
}

TEST(Sharding, WhatDoesNotFitIsAnError) {
  const auto x = counting<float>({6, 4});
  const auto said = [&](const PartitionSpec& spec) {
    return message_of<UsageError>([&] { (void)shard(x, line(), spec); });
  };
  EXPECT_TRUE(said({"data"}).starts_with(
      R"(shard: extent 6 of axis 0 is no multiple of 4 parts; partition {"data"}, shape [6, 4])"))
      << said({"data"});
  EXPECT_TRUE(said({"date"}).starts_with(
      R"(shard: no axis "date" in mesh(data=4; pjrt:cpu:0-3); partition {"date"}, shape [6, 4])"))
      << said({"date"});
  EXPECT_TRUE(said({{}, {}, "data"})
                  .starts_with("shard: axis 2 of an array of rank 2 is to be divided; partition "
                               R"({{}, {}, "data"}, shape [6, 4])"))
      << said({{}, {}, "data"});
  const std::string twice = message_of<UsageError>(
      [&] { (void)shard(counting<float>({4, 4}), line(), {"data", "data"}); });
  EXPECT_TRUE(twice.starts_with(R"(shard: mesh axis "data" is to divide twice; partition )"))
      << twice;
  EXPECT_TRUE(message_of<UsageError>([&] {
                (void)sharding_of(x);
              }).starts_with("sharding_of: the tensor is on device cpu, which is no mesh"));
  EXPECT_TRUE(message_of<UsageError>([&] {
                (void)parts_of(x);
              }).starts_with("parts_of: the tensor is on device cpu, which is no mesh"));
}

TEST(Sharding, DevicesThatThePluginLacksAreAnError) {
  const Mesh five = mesh_of({{"data", 5}});
  const std::string said =
      message_of<UsageError>([&] { (void)shard(counting<float>({5}), five, {"data"}); });
  EXPECT_NE(said.find("4"), std::string::npos) << said;
}

TEST(Sharding, TensorsOnAMeshAndOnADeviceDoNotMix) {
  const auto x = shard(counting<float>({4}), line(), {"data"});
  const std::string said = message_of<UsageError>([&] { (void)(x + counting<float>({4})); });
  EXPECT_NE(said.find("mesh(data=4; pjrt:cpu:0-3)"), std::string::npos) << said;
}

TEST(Sharding, ProductsOfDividedMatricesAreTheProducts) {
  const auto a = counting<float>({8, 12});
  const auto b = counting<float>({12, 4});
  const std::vector<float> expected = matmul(a, b).values();
  for (const PartitionSpec& of_a : {PartitionSpec{}, {"data"}, {{}, "model"}, {"data", "model"}}) {
    for (const PartitionSpec& of_b : {PartitionSpec{}, {"model"}, {{}, "model"}, {{}, "data"}}) {
      const auto product = matmul(shard(a, square(), of_a), shard(b, square(), of_b));
      EXPECT_EQ(product.values(), expected) << to_string(of_a) << " " << to_string(of_b);
      EXPECT_EQ(sharding_of(product), PartitionSpec{}) << "what is no update is everybody's";
    }
  }
}

// A gradient that is kept has the partition of its weight.
TEST(Sharding, OfAGradientIsThatOfItsWeight) {
  const auto w = shard(counting<float>({8, 4}), square(), {{}, "model"});
  const auto x = shard(counting<float>({4, 8}), square(), {"data"});
  const auto slope = matmul(transpose(x), matmul(x, w));
  EXPECT_EQ(sharding_of(slope), (PartitionSpec{{}, "model"}));
  const auto x0 = counting<float>({4, 8});
  EXPECT_EQ(slope.values(), matmul(transpose(x0), matmul(x0, counting<float>({8, 4}))).values());
}

// What an update makes lies as what it updates; so does what it is made of and kept.
TEST(Sharding, UpdatesStayDivided) {
  auto w = shard(counting<float>({8, 4}), square(), {{}, "model"});
  auto x = shard(counting<float>({4, 8}), square(), {"data"});
  const auto slope = matmul(transpose(x), matmul(x, w));
  auto speed = 0.5F * slope;
  w = w - 0.25F * speed;
  EXPECT_EQ(sharding_of(w), (PartitionSpec{{}, "model"}));
  EXPECT_EQ(sharding_of(speed), (PartitionSpec{{}, "model"})) << "it was made with w";
  const auto w0 = counting<float>({8, 4});
  const auto x0 = counting<float>({4, 8});
  const auto speed0 = 0.5F * matmul(transpose(x0), matmul(x0, w0));
  EXPECT_EQ(w.values(), (w0 - 0.25F * speed0).values());
  EXPECT_EQ(speed.values(), speed0.values());
}

TEST(Sharding, AnotherShapeKeepsWhatItCan) {
  const auto x = shard(counting<float>({8, 2, 3}), line(), {"data"});
  EXPECT_EQ(sharding_of(reshape(x, {8, 6})), PartitionSpec{"data"});
  EXPECT_EQ(sharding_of(reshape(x, {48})), PartitionSpec{});
  EXPECT_EQ((reshape(x, {8, 6}) * 2.0F).values(), (counting<float>({8, 6}) * 2.0F).values());
  EXPECT_EQ((reshape(x, {48}) * 2.0F).values(), (counting<float>({48}) * 2.0F).values());
  EXPECT_EQ(sharding_of(reshape(x, {8, 6}) * 2.0F), PartitionSpec{"data"});
}

TEST(Sharding, ToAMeshGivesEveryDeviceAll) {
  auto x = counting<float>({3, 3}).to(square().device());
  EXPECT_EQ(sharding_of(x), PartitionSpec{});
  EXPECT_EQ(shapes_of(parts_of(x)), std::vector<Shape>()) << "it has been needed nowhere";
  const auto y = x + 1.0F;
  EXPECT_EQ(shapes_of(parts_of(y)), std::vector<Shape>(4, Shape{3, 3}));
  EXPECT_EQ(y.to(Device::cpu()).values(), (counting<float>({3, 3}) + 1.0F).values());
}

// A copy keeps its elements when the original is written over, whether by the host or in a program
// that may take its memory.
TEST(Sharding, CopiesAreValues) {
  auto x = shard(counting<float>({4, 2}), line(), {"data"});
  const auto copy = x;
  for (int i = 0; i < 3; ++i) {
    x = x * 2.0F;
    backend::lazy_barrier();
  }
  x.set({0, 1}, -1.0F);
  EXPECT_EQ(copy.values(), counting<float>({4, 2}).values());
  EXPECT_EQ(x.values(), (std::vector<float>{0, -1, 16, 24, 32, 40, 48, 56}));
  EXPECT_EQ((x + copy).values(), (std::vector<float>{0, 0, 18, 27, 36, 45, 54, 63}));
}

TEST(Sharding, OfWhatLiesSoIsWhatIsThere) {
  const auto x = shard(counting<float>({4, 4}), square(), {"data"});
  EXPECT_TRUE(shard(x, square(), {"data"}).shares_storage_with(x));
  const auto other = shard(x, square(), {{}, "model"});
  EXPECT_EQ(sharding_of(other), (PartitionSpec{{}, "model"}));
  EXPECT_EQ((other + x).values(), (counting<float>({4, 4}) * 2.0F).values());
  const auto recorded = shard(x * 2.0F, line(), {"data"});
  EXPECT_EQ(recorded.values(), (counting<float>({4, 4}) * 2.0F).values());
}

// An index out of range is found on the devices, and reported with the line of the call.
TEST(Sharding, WhatIsWrongWithElementsIsAnError) {
  const auto x = shard(counting<float>({8}), line(), {"data"});
  const auto places = Tensor<std::int32_t>({2}, {1, 9}).to(line().device());
  const auto taken = gather(x, places, 0) * 2.0F;
  const std::string said = message_of<UsageError>([&] { (void)taken.values(); });
  EXPECT_TRUE(said.starts_with("gather: ")) << said;
  EXPECT_NE(said.find("9"), std::string::npos) << said;
  EXPECT_THROW((void)shard(taken, line(), {}), UsageError);
  EXPECT_EQ((x + 1.0F).values(), (counting<float>({8}) + 1.0F).values()) << "and the rest goes on";
}

}  // namespace sharding_test
}  // namespace ddx
