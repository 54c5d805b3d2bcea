// Sizes that a caller may ask for and nothing can hold: each is one error of the operation. And
// arrays without elements whose other extents are very large: they cost nothing.

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace ddx {
namespace large_shapes_test {

using Floats = Tensor<float>;
using Ints = Tensor<std::int32_t>;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t wide = std::int64_t{1} << 40;
constexpr std::int64_t folded = (std::int64_t{1} << 62) + 1;  // 4 times it is 4 modulo 2^64.

Floats image(Device device) {
  return ones<float>({1, 4, 4, 1}, device);
}

/// A request that must fail, by the operation that the message names.
struct Request {
  const char* operation;
  void (*make)(Device device);
};

void PrintTo(const Request& request, std::ostream* out) {
  *out << request.operation;
}

const Request made_from_nothing[] = {
    {"shape", [](Device d) { (void)ones<float>({folded, 4}, d); }},
    {"shape", [](Device d) { (void)ones<float>({3, 6148914691236517206}, d); }},
    {"shape",
     [](Device d) { (void)zeros<float>({std::int64_t{1} << 32, std::int64_t{1} << 32}, d); }},
    {"shape", [](Device d) { (void)zeros<double>({std::int64_t{1} << 61}, d); }},
    {"shape", [](Device d) { (void)ones<double>({(std::int64_t{1} << 61) + 8}, d); }},
    {"shape", [](Device d) { (void)zeros<float>({0, most}, d); }},
    {"shape", [](Device d) { (void)zeros<float>({wide, 0, wide}, d); }},
    {"shape", [](Device d) { (void)random_uniform<float>(RandomKey(1), {wide, wide}, {}, d); }},
    {"shape", [](Device d) { (void)random_normal<float>(RandomKey(1), {wide, wide}, {}, d); }},
    {"random_categorical",
     [](Device d) { (void)random_categorical(RandomKey(1), ones<float>({2, 3}, d), most); }},
    {"iota", [](Device d) { (void)iota<float>(most, d); }},
    {"iota", [](Device d) { (void)iota<std::int32_t>((std::int64_t{1} << 31) + 1, d); }},
    {"iota", [](Device d) { (void)iota<std::int8_t>(129, d); }},
    {"iota", [](Device d) { (void)iota<std::uint8_t>(257, d); }},
    {"shape", [](Device d) { (void)eye<float>(wide, -1, d); }},
    {"shape", [](Device d) { (void)eye<float>((std::int64_t{1} << 31) - 1, -1, d); }},
    {"shape", [](Device d) { (void)eye<float>(2, most, d); }},
    {"iota", [](Device d) { (void)eye<float>(wide, 2, d); }},
    {"random_integers",
     [](Device d) {
       (void)random_integers<std::int32_t>(RandomKey(1), {std::int64_t{1} << 50}, 0, 5, d);
     }},
    {"random_truncated_normal",
     [](Device d) {
       (void)random_truncated_normal<float>(RandomKey(1), {std::int64_t{1} << 50}, {}, d);
     }},
    {"arange", [](Device d) { (void)arange<double>(0, 1e18, 1, d); }},
    {"linspace", [](Device d) { (void)linspace<double>(0, 1, most, d); }},
    {"shape", [](Device d) { (void)fftfreq<double>(most, 1, d); }},
    {"shape", [](Device d) { (void)rfftfreq<double>(most, 1, d); }},
};

const Request moved[] = {
    {"reshape", [](Device d) { (void)reshape(ones<float>({4}, d), {folded, 4}); }},
    {"reshape", [](Device d) { (void)reshape(ones<float>({4}, d), {most, most, -1}); }},
    {"reshape", [](Device d) { (void)reshape(zeros<float>({0}, d), {wide, 0, wide}); }},
    {"shape", [](Device d) { (void)broadcast_to(ones<float>({1, 1}, d), {wide, wide}); }},
    {"pad", [](Device d) { (void)pad(ones<float>({4}, d), {most}, {most}); }},
    {"pad", [](Device d) { (void)pad(ones<float>({4, 4}, d), {wide, 0}, {0, wide}); }},
    {"pad_with", [](Device d) { (void)pad_with(ones<float>({4}, d), {most}, {0}, PadMode::Edge); }},
    {"pad_with", [](Device d) { (void)pad_with(ones<float>({4}, d), {wide}, {0}, PadMode::Edge); }},
    {"concatenate",
     [](Device d) {
       const Floats part = zeros<float>({std::int64_t{1} << 58, 0}, d);
       (void)concatenate(std::vector<Floats>{part, part, part}, 0);
     }},
    {"tile", [](Device d) { (void)tile(ones<float>({2, 2}, d), {wide, wide}); }},
    {"tile", [](Device d) { (void)tile(ones<float>({2}, d), {most}); }},
    {"repeat", [](Device d) { (void)repeat(ones<float>({2}, d), most, 0); }},
    {"repeat", [](Device d) { (void)repeat(ones<float>({2}, d), most / 4, 0); }},
    {"depth_to_space",
     [](Device d) {
       (void)depth_to_space(zeros<float>({1, wide, 1, 0}, d), std::int64_t{1} << 30);
     }},
    {"split_equally",
     [](Device d) { (void)split_equally(zeros<float>({0}, d), std::int64_t{1} << 54, 0); }},
    {"unstack", [](Device d) { (void)unstack(zeros<float>({std::int64_t{1} << 54, 0}, d), 0); }},
};

const Request combined[] = {
    {"maximum",
     [](Device d) { (void)maximum(zeros<float>({wide, 1, 0}, d), zeros<float>({1, wide, 0}, d)); }},
    {"matmul",
     [](Device d) { (void)matmul(zeros<float>({wide, 0}, d), zeros<float>({0, wide}, d)); }},
    {"einsum",
     [](Device d) {
       (void)einsum("ia,ja->ij", zeros<float>({wide, 0}, d), zeros<float>({wide, 0}, d));
     }},
    {"kron", [](Device d) { (void)kron(zeros<float>({wide, 0}, d), zeros<float>({wide, 0}, d)); }},
    {"gather",
     [](Device d) {
       (void)gather(zeros<float>({1, wide, 0}, d), zeros<std::int32_t>({wide, 0}, d), 0);
     }},
    {"one_hot", [](Device d) { (void)one_hot<float>(zeros<std::int32_t>({2}, d), most); }},
    {"segment_sum",
     [](Device d) { (void)segment_sum(ones<float>({2}, d), zeros<std::int32_t>({2}, d), most); }},
    {"bincount", [](Device d) { (void)bincount(zeros<std::int32_t>({2}, d), most); }},
    {"histogram", [](Device d) { (void)histogram(ones<float>({2}, d), {.bins = most}); }},
    {"fft", [](Device d) { (void)fft(zeros<std::complex<float>>({4}, d), {.n = most}); }},
    {"rfft", [](Device d) { (void)rfft(ones<float>({4}, d), {.n = most}); }},
    {"irfft", [](Device d) { (void)irfft(zeros<std::complex<float>>({4}, d), {.n = most}); }},
    {"resize", [](Device d) { (void)resize(image(d), {.height = most, .width = 2}); }},
    {"resize", [](Device d) { (void)resize(image(d), {.height = wide, .width = wide}); }},
};

const Request windows[] = {
    {"avg_pool2d",
     [](Device d) {
       (void)avg_pool2d(image(d), {.size = {wide, wide}, .padding = Padding::Same});
     }},
    {"avg_pool2d",
     [](Device d) {
       (void)avg_pool2d(image(d),
                        {.size = {most, 1}, .strides = {most, 1}, .padding = Padding::Same});
     }},
    {"max_pool2d",
     [](Device d) {
       (void)max_pool2d(image(d),
                        {.size = {most, 1}, .padding = Padding::amounts(most - 1, most - 1, 0, 0)});
     }},
    {"conv2d",
     [](Device d) {
       (void)conv2d(image(d), ones<float>({2, 2, 1, 1}, d),
                    {.padding = Padding::amounts(most, most, 0, 0)});
     }},
    {"conv2d",
     [](Device d) {
       (void)conv2d(image(d), ones<float>({2, 2, 1, 1}, d),
                    {.padding = Padding::amounts(wide, wide, wide, wide)});
     }},
    {"conv2d",
     [](Device d) {
       (void)conv2d(image(d), ones<float>({3, 3, 1, 1}, d), {.dilations = {most, 1}});
     }},
    {"conv2d",
     [](Device d) {
       (void)conv2d(image(d), ones<float>({3, 3, 1, 1}, d),
                    {.padding = Padding::Same, .dilations = {most, 1}});
     }},
    {"conv2d",
     [](Device d) { (void)conv2d(image(d), ones<float>({2, 2, 2, 1}, d), {.groups = most}); }},
    {"transposed_conv2d",
     [](Device d) {
       (void)transposed_conv2d(image(d), ones<float>({2, 2, 1, 1}, d), {.strides = {most, 1}});
     }},
    {"transposed_conv2d",
     [](Device d) {
       (void)transposed_conv2d(image(d), ones<float>({2, 2, 1, 1}, d), {.strides = {wide, wide}});
     }},
    {"dilation2d",
     [](Device d) {
       (void)dilation2d(image(d), ones<float>({2, 2, 1}, d),
                        {.padding = Padding::amounts(most, most, 0, 0)});
     }},
};

class LargeShapes : public ::testing::TestWithParam<Request> {};

void expect_refused(const Request& request, Device device) {
  try {
    request.make(device);
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind(std::string(request.operation) + ": ", 0), 0U) << message;
    EXPECT_NE(message.find(" (at " + std::string(__FILE__) + ":"), std::string::npos) << message;
    return;
  } catch (const EnvironmentError& error) {
    EXPECT_EQ(std::string(error.what()).rfind(std::string(request.operation) + ": ", 0), 0U)
        << error.what();
    return;
  }
  ADD_FAILURE() << request.operation << " on " << to_string(device) << " was done";
}

TEST_P(LargeShapes, AreRefusedByTheOperationAtTheUsersLine) {
  expect_refused(GetParam(), Device::cpu());
  expect_refused(GetParam(), Device::lazy());
}

INSTANTIATE_TEST_SUITE_P(MadeFromNothing, LargeShapes, ::testing::ValuesIn(made_from_nothing));
INSTANTIATE_TEST_SUITE_P(Moved, LargeShapes, ::testing::ValuesIn(moved));
INSTANTIATE_TEST_SUITE_P(Combined, LargeShapes, ::testing::ValuesIn(combined));
INSTANTIATE_TEST_SUITE_P(Windows, LargeShapes, ::testing::ValuesIn(windows));

TEST(LargeSizes, NoMemoryIsAnErrorOfTheEnvironment) {
  // 2^52 bytes: addresses have 47 bits here, or 56.
  for (const Device device : {Device::cpu(), Device::lazy()}) {
    EXPECT_THROW((void)ones<float>({std::int64_t{1} << 50}, device).elements(), EnvironmentError);
    EXPECT_THROW((void)broadcast_to(ones<float>({1}, device), {std::int64_t{1} << 58}).elements(),
                 EnvironmentError);
    EXPECT_THROW((void)tile(ones<float>({4}, device), {std::int64_t{1} << 50}).elements(),
                 EnvironmentError);
  }
}

TEST(LargeSizes, PlacesPast32BitsAreRefused) {
  // Recorded, not computed: no element is in memory.
  const auto long_row = zeros<std::int8_t>({(std::int64_t{1} << 31) + 10}, Device::lazy());
  for (const auto& refused : {
           +[](const Tensor<std::int8_t>& x) { (void)argmax(x, 0); },
           +[](const Tensor<std::int8_t>& x) { (void)argmin(x, 0); },
           +[](const Tensor<std::int8_t>& x) { (void)argsort(x); },
           +[](const Tensor<std::int8_t>& x) { (void)sort(x); },
           +[](const Tensor<std::int8_t>& x) { (void)unique(x); },
           +[](const Tensor<std::int8_t>& x) { (void)nonzero(x); },
       }) {
    try {
      refused(long_row);
      ADD_FAILURE() << "was done";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("of 32 bits"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(argmax(Tensor<std::int8_t>{1, 3, 2}, 0).item(), 1);
}

TEST(LargeSizes, IntegersCountUpToTheirLargest) {
  EXPECT_EQ((iota<std::uint8_t>(256)[{255}]), 255);
  EXPECT_EQ((iota<std::int8_t>(128)[{127}]), 127);
  // More numbers than the largest one, which all fit: -100, -99, ..., 99.
  const auto range = arange<std::int8_t>(-100, 100);
  EXPECT_EQ(range.shape(), (Shape{200}));
  EXPECT_EQ((range[{0}]), -100);
  EXPECT_EQ((range[{199}]), 99);
}

TEST(LargeSizes, StepsPastAnExtentTakeItsFirstElement) {
  const Floats x{{1, 2, 3}, {4, 5, 6}};
  for (const Device device : {Device::cpu(), Device::lazy()}) {
    const auto corner = slice(x.to(device), {.step = {most, most}});
    EXPECT_EQ(corner.to(Device::cpu()), (Floats{{1}}));
    const auto last =
        slice(x.to(device), {.start = {-1, 1}, .stop = {most, most}, .step = {most, 2}});
    EXPECT_EQ(last.to(Device::cpu()), (Floats{{5}}));
    EXPECT_EQ(slice(x.to(device), {.start = {most, 0}, .stop = {}, .step = {}}).shape(),
              (Shape{0, 3}));
    EXPECT_EQ(slice(x.to(device), {.start = {-most - 1, 0}}).shape(), (Shape{2, 3}));
  }
  EXPECT_EQ(band_part(Floats{{1, 2}, {3, 4}}, most, most), (Floats{{1, 2}, {3, 4}}));
  EXPECT_EQ(band_part(Floats{{1, 2}, {3, 4}}, 0, most), (Floats{{1, 2}, {0, 4}}));
}

TEST(LargeSizes, NoElementsCostNothing) {
  for (const Device d : {Device::cpu(), Device::lazy()}) {
    const Floats rows = zeros<float>({wide, 0}, d);
    EXPECT_TRUE((exp(rows) * 2.0F + rows).values().empty());
    EXPECT_TRUE(transpose(rows).values().empty());
    EXPECT_TRUE(tile(rows, {2, 3}).values().empty());
    EXPECT_TRUE(pad(rows, {1, 0}, {1, 0}).values().empty());
    EXPECT_TRUE(softmax(rows).values().empty());
    EXPECT_TRUE(cumulative_sum(rows, {.axis = 0}).values().empty());
    EXPECT_TRUE(matmul(zeros<float>({wide, 0, 3}, d), ones<float>({3, 4}, d)).values().empty());
    EXPECT_TRUE(sum(zeros<float>({wide, 0, 3}, d), {.axes = {2}}).values().empty());
    EXPECT_EQ(sum(rows).item(), 0);
    EXPECT_TRUE(std::isnan(mean(rows).item()));
    EXPECT_TRUE(avg_pool2d(zeros<float>({1, wide, 2, 0}, d)).values().empty());
    EXPECT_TRUE(
        conv2d(zeros<float>({0, wide, 2, 3}, d), ones<float>({1, 1, 3, 2}, d)).values().empty());
    EXPECT_TRUE(band_part(rows, 1, 1).values().empty());
    EXPECT_TRUE(gather(rows, zeros<std::int32_t>({2}, d), 0).values().empty());
  }
}

TEST(LargeSizes, AConvolutionOfNoChannelsIsZero) {
  constexpr std::int64_t side = std::int64_t{1} << 20;
  for (const Device d : {Device::cpu(), Device::lazy()}) {
    const auto y = conv2d(zeros<float>({1, side, side, 0}, d), zeros<float>({side, side, 0, 3}, d));
    EXPECT_EQ(y.shape(), (Shape{1, 1, 1, 3}));
    EXPECT_EQ(y.values(), (std::vector<float>{0, 0, 0}));
  }
}

}  // namespace large_shapes_test
}  // namespace ddx
