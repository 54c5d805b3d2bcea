// The whole client against the plugin of XLA for CPUs.

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/executable.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"
#include "tests/unit/backend/pjrt/xla_programs.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend::pjrt {
namespace xla_test {

using ddx::testing::message_of;

Executable compiled(const std::string& program, const CompileOptions& options = {}) {
  return Executable::compile(xla(), {.text = program}, options);
}

/// Runs a program of floats on a device.
std::vector<float> run(const Executable& executable, std::vector<const DeviceBuffer*> arguments,
                       std::size_t device = 0) {
  return floats_of(executable.run(arguments, xla()->device(device)).at(0));
}

TEST(PjrtXla, OpensAsManyDevicesAsAsked) {
  ASSERT_EQ(xla()->devices().size(), 4U);
  EXPECT_EQ(xla()->platform_name(), "cpu");
  EXPECT_EQ(xla()->device(3).kind, "cpu");
  EXPECT_EQ(xla()->device(3).id, 3);
  EXPECT_GE(xla()->plugin()->stablehlo_version(), (std::vector<std::int64_t>{1, 0, 0}));
  EXPECT_EQ(xla()->memory(0), std::nullopt) << "processors have no memory of their own";
}

TEST(PjrtXla, Adds) {
  const auto x = on_device(xla(), std::array{1.0F, 2.0F, 3.5F});
  EXPECT_EQ(run(compiled(doubling(3)), {&x}), (std::vector{2.0F, 4.0F, 7.0F}));
}

// 1000 floats in and out, twice where they are not the same memory.
TEST(PjrtXla, ReportsTheMemoryOfAProgram) {
  const std::optional<ProgramMemory> memory = compiled(doubling(1000)).memory();
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->arguments, 4000);
  EXPECT_EQ(memory->results, 4000);
  EXPECT_EQ(memory->aliased, 0);
  EXPECT_EQ(memory->needed(), 8000);
  const std::optional<ProgramMemory> over =
      compiled(doubling(1000, " {tf.aliasing_output = 0 : i32}")).memory();
  ASSERT_TRUE(over);
  EXPECT_EQ(over->aliased, 4000);
  EXPECT_EQ(over->needed(), 4000);
}

// [1 2 3; 4 5 6] times [1 0; 2 1; 0 3], by hand.
TEST(PjrtXla, MultipliesMatrices) {
  const std::array a_values{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};
  const std::array b_values{1.0F, 0.0F, 2.0F, 1.0F, 0.0F, 3.0F};
  const auto& device = xla()->device(0);
  const auto a = DeviceBuffer::copied(xla(), {a_values.data(), DType::f32, {2, 3}}, device);
  const auto b = DeviceBuffer::copied(xla(), {b_values.data(), DType::f32, {3, 2}}, device);
  const auto product =
      compiled(module_of("%a: tensor<2x3xf32>, %b: tensor<3x2xf32>", "tensor<2x2xf32>", R"(
    %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
      : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    "func.return"(%0) : (tensor<2x2xf32>) -> ()
)"));
  EXPECT_EQ(run(product, {&a, &b}), (std::vector{5.0F, 11.0F, 14.0F, 23.0F}));
}

// Ten times x + x.
TEST(PjrtXla, RunsLoops) {
  const auto loop = compiled(module_of("%x: tensor<1xf32>", "tensor<1xf32>", R"(
    %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %ten = "stablehlo.constant"() {value = dense<10> : tensor<i32>} : () -> tensor<i32>
    %0:2 = "stablehlo.while"(%zero, %x) ({
    ^bb0(%i: tensor<i32>, %v: tensor<1xf32>):
      %1 = "stablehlo.compare"(%i, %ten) {comparison_direction = #stablehlo<comparison_direction LT>}
        : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %v: tensor<1xf32>):
      %1 = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %2 = "stablehlo.add"(%v, %v) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
      "stablehlo.return"(%1, %2) : (tensor<i32>, tensor<1xf32>) -> ()
    }) : (tensor<i32>, tensor<1xf32>) -> (tensor<i32>, tensor<1xf32>)
    "func.return"(%0#1) : (tensor<1xf32>) -> ()
)"));
  const auto x = on_device(xla(), std::array{3.0F});
  EXPECT_EQ(run(loop, {&x}), std::vector{3072.0F});
}

// The names of types in programs and their numbers for buffers mean the same, bit for bit.
TEST(PjrtXla, EveryElementTypePassesThrough) {
  for (const DTypeInfo& row : dtype_table) {
    const std::string type = "tensor<2x3x" + std::string(row.stablehlo) + ">";
    const std::string turned_type = "tensor<3x2x" + std::string(row.stablehlo) + ">";
    const auto turn = compiled(module_of(
        "%x: " + type, turned_type,
        "    %0 = \"stablehlo.transpose\"(%x) {permutation = array<i64: 1, 0>} : (" + type +
            ") -> " + turned_type + "\n    \"func.return\"(%0) : (" + turned_type + ") -> ()\n"));
    std::vector<std::byte> bytes(6 * row.bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::byte>(row.dtype == DType::boolean ? i % 2 : i + 1);
    }
    const auto x = DeviceBuffer::copied(xla(), {bytes.data(), row.dtype, {2, 3}}, xla()->device(0));
    EXPECT_EQ(x.dtype(), row.dtype) << row.text;
    const std::array arguments{&x};
    const auto results = turn.run(arguments, xla()->device(0));
    EXPECT_EQ(results.at(0).dtype(), row.dtype) << row.text;
    EXPECT_EQ(results.at(0).shape(), (Shape{3, 2})) << row.text;
    std::vector<std::byte> turned(bytes.size());
    results.at(0).take_to_host(turned);
    std::vector<std::byte> copied(bytes.size());
    results.at(0).copy_to_host(copied).await("copy");
    EXPECT_EQ(copied, turned) << row.text << ", as the plugin copies it";
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(std::memcmp(turned.data() + i * row.bytes,
                            bytes.data() + (i % 2 * 3 + i / 2) * row.bytes, row.bytes),
                0)
          << row.text << " " << i;
    }
  }
}

TEST(PjrtXla, EmptyArraysAndScalarsPassThrough) {
  const auto empty = DeviceBuffer::copied(xla(), {nullptr, DType::f32, {0, 3}}, xla()->device(0));
  EXPECT_EQ(empty.shape(), (Shape{0, 3}));
  empty.take_to_host({});
  const float number = 2.5F;
  const auto scalar = DeviceBuffer::copied(xla(), {&number, DType::f32, {}}, xla()->device(0));
  EXPECT_EQ(scalar.shape(), Shape{});
  EXPECT_EQ(floats_of(scalar), std::vector{2.5F});
}

TEST(PjrtXla, ElementsAreReadWhereTheyAre) {
  const auto x = on_device(xla(), std::array{1.0F, 2.0F});
  const std::array arguments{&x};
  const auto results = compiled(doubling(2)).run(arguments, xla()->device(0));
  const std::byte* const elements = results.at(0).elements_in_place();
  ASSERT_NE(elements, nullptr);
  const std::array expected{2.0F, 4.0F};
  EXPECT_EQ(std::memcmp(elements, expected.data(), sizeof expected), 0);
}

// What one program returns is an argument of the next at once.
TEST(PjrtXla, ProgramsRunOneAfterTheOther) {
  const auto executable = compiled(doubling(2));
  auto x = on_device(xla(), std::array{1.0F, -1.0F});
  for (int i = 0; i < 20; ++i) {
    const std::array arguments{&std::as_const(x)};
    x = std::move(executable.run(arguments, xla()->device(0)).at(0));
  }
  EXPECT_EQ(floats_of(x), (std::vector{1048576.0F, -1048576.0F}));
}

TEST(PjrtXla, APortableProgramRunsOnTheDeviceThatIsNamed) {
  const auto executable = compiled(doubling(2));
  for (std::size_t device = 0; device < 4; ++device) {
    const auto x = on_device(xla(), std::array{1.0F, static_cast<float>(device)}, device);
    EXPECT_EQ(run(executable, {&x}, device),
              (std::vector{2.0F, 2.0F * static_cast<float>(device)}));
  }
}

TEST(PjrtXla, ADonatedArgumentIsGoneUnlessItIsKept) {
  const auto executable = compiled(doubling(2, " {tf.aliasing_output = 0 : i32}"));
  const auto x = on_device(xla(), std::array{1.0F, 2.0F});
  const std::array arguments{&x};
  EXPECT_EQ(floats_of(executable.run(arguments, xla()->device(0), {.kept = {0}}).at(0)),
            (std::vector{2.0F, 4.0F}));
  EXPECT_FALSE(x.is_deleted());
  EXPECT_EQ(floats_of(x), (std::vector{1.0F, 2.0F}));
  EXPECT_EQ(run(executable, {&x}), (std::vector{2.0F, 4.0F}));
  EXPECT_TRUE(x.is_deleted());
  const std::string message = message_of<EnvironmentError>([&] { (void)run(executable, {&x}); });
  EXPECT_TRUE(message.starts_with("run by PJRT: ")) << message;
}

// The program may write over the argument, but not over the memory that it was made from.
TEST(PjrtXla, DonatedSharedMemoryStaysAsItIs) {
  const backend::Buffer memory(2 * sizeof(float));
  const std::array values{1.0F, 2.0F};
  std::memcpy(memory.data(), values.data(), sizeof values);
  const auto x =
      DeviceBuffer::shared(xla(), {memory.data(), DType::f32, {2}}, memory, xla()->device(0));
  EXPECT_EQ(run(compiled(doubling(2, " {tf.aliasing_output = 0 : i32}")), {&x}),
            (std::vector{2.0F, 4.0F}));
  EXPECT_EQ(std::memcmp(memory.data(), values.data(), sizeof values), 0);
}

/// The sums over four devices of (1, d) for device d, as each device has them.
void expect_sums(const Executable& executable) {
  EXPECT_EQ(executable.device_count(), 4U);
  std::vector<DeviceBuffer> parts;
  std::vector<std::vector<const DeviceBuffer*>> arguments;
  for (std::size_t device = 0; device < 4; ++device) {
    parts.push_back(on_device(xla(), std::array{1.0F, static_cast<float>(device)}, device));
  }
  for (const DeviceBuffer& part : parts) {
    arguments.push_back({&part});
  }
  const auto results = executable.run_on_all(arguments);
  ASSERT_EQ(results.size(), 4U);
  for (const auto& of_device : results) {
    EXPECT_EQ(floats_of(of_device.at(0)), (std::vector{4.0F, 6.0F}));
  }
}

TEST(PjrtXla, ReplicasSumOverDevices) {
  expect_sums(compiled(sum_over_devices(), {.replicas = 4, .devices = {0, 1, 2, 3}}));
}

TEST(PjrtXla, PartitionsSumOverDevices) {
  expect_sums(compiled(sum_over_devices(", use_global_device_ids, channel_handle = "
                                        "#stablehlo.channel_handle<handle = 1, type = 1>"),
                       {.partitions = 4, .devices = {0, 1, 2, 3}, .spmd_partitioning = true}));
}

TEST(PjrtXla, TheCompilersMessageNamesTheLineOfTheProgram) {
  const std::string program = module_of("%x: tensor<2xf32>", "tensor<2xf32>", R"(
    %0 = "stablehlo.no_such"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
)");
  const auto origin = [](std::size_t line) { return "step.cpp:" + std::to_string(100 + line); };
  const std::string message = message_of<EnvironmentError>(
      [&] { (void)Executable::compile(xla(), {.text = program, .origin_of_line = origin}); });
  EXPECT_TRUE(
      message.starts_with("compile for PJRT: -:4:10: error: unregistered operation "
                          "'stablehlo.no_such'"))
      << message;
  EXPECT_TRUE(message.ends_with("; of step.cpp:104")) << message;
}

// An operation with a location of its own is named by that.
TEST(PjrtXla, LocationsOfTheProgramAreInTheMessage) {
  const std::string program = module_of("%x: tensor<2xf32>", "tensor<2xf32>", R"(
    %0 = "stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32> loc("step.cpp":12:5)
    "func.return"(%0) : (tensor<3xf32>) -> ()
)");
  const std::string message = message_of<EnvironmentError>([&] { (void)compiled(program); });
  EXPECT_NE(message.find("step.cpp:12:5"), std::string::npos) << message;
}

TEST(PjrtXla, AnOptionThatItDoesNotKnowIsAnError) {
  const std::string message = message_of<EnvironmentError>(
      [] { (void)Client::create(xla()->plugin(), {.others = {{"no_such_option", true}}}); });
  EXPECT_NE(message.find("no_such_option"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with("(INVALID_ARGUMENT); options no_such_option=true")) << message;
}

TEST(PjrtXla, AnExecutableComesBackFromItsBytes) {
  const auto bytes = compiled(doubling(2)).serialised();
  ASSERT_TRUE(bytes);
  const auto executable = Executable::deserialised(xla(), *bytes);
  for (std::size_t device = 0; device < 4; ++device) {
    const auto x = on_device(xla(), std::array{1.0F, 4.0F}, device);
    EXPECT_EQ(run(executable, {&x}, device), (std::vector{2.0F, 8.0F}));
  }
}

TEST(PjrtXla, ManyThreadsRunOneProgram) {
  const auto executable = compiled(doubling(64));
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&executable, t] {
      const auto own = compiled(doubling(64 + t));
      for (int i = 0; i < 100; ++i) {
        const std::size_t device = static_cast<std::size_t>(t % 4);
        const bool is_own = i % 4 == 0;
        const std::vector<float> values(is_own ? static_cast<std::size_t>(64 + t) : 64U,
                                        static_cast<float>(100 * t + i));
        const auto x = on_device(xla(), values, device);
        const auto twice = run(is_own ? own : executable, {&x}, device);
        for (const float value : twice) {
          ASSERT_EQ(value, 2 * values.front());
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace xla_test
}  // namespace ddx::backend::pjrt
