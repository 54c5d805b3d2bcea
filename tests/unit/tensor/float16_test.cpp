#include "ddx/core/float16.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/counting.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/norm.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/sorting.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/text.h"

#include "tests/support/thrown.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ddx {
namespace float16_test {

/// An operation on a and b of shape [5, 24], by the bits of their elements.
struct Recording {
  std::string operation;
  DType dtype;
  std::vector<std::uint16_t> a;
  std::vector<std::uint16_t> b;
  std::vector<std::uint16_t> result;
};

const std::vector<Recording> recordings = {
#include "tests/goldens/float16_operations.inc"
};

template <class T>
Tensor<T> tensor_of(const std::vector<std::uint16_t>& bits, Device device) {
  std::vector<T> elements;
  for (const auto word : bits) {
    elements.push_back(T::from_bits(word));
  }
  return Tensor<T>({5, 24}, elements, device);
}

template <class T>
using Operation = std::function<Tensor<T>(const Tensor<T>&, const Tensor<T>&)>;

template <class T>
const std::map<std::string, Operation<T>> operations = {
    {"add", [](const auto& a, const auto& b) { return a + b; }},
    {"sub", [](const auto& a, const auto& b) { return a - b; }},
    {"mul", [](const auto& a, const auto& b) { return a * b; }},
    {"div", [](const auto& a, const auto& b) { return a / b; }},
    {"maximum", [](const auto& a, const auto& b) { return maximum(a, b); }},
    {"exp", [](const auto& a, const auto&) { return exp(a); }},
    {"tanh", [](const auto& a, const auto&) { return tanh(a); }},
    {"sigmoid", [](const auto& a, const auto&) { return sigmoid(a); }},
    {"abs", [](const auto& a, const auto&) { return abs(a); }},
    {"matmul",
     [](const auto& a, const auto& b) { return matmul(a, b, {.transpose_right = true}); }},
    {"sum", [](const auto& a, const auto&) { return sum(a, {.axes = {1}}); }},
    {"mean", [](const auto& a, const auto&) { return mean(a, {.axes = {0}}); }},
    {"softmax", [](const auto& a, const auto&) { return softmax(a); }},
    {"log_softmax", [](const auto& a, const auto&) { return log_softmax(a); }},
};

/// The place of a number among all of its type.
int place(std::uint16_t bits) {
  return (bits & 0x8000) != 0 ? -(bits & 0x7FFF) : bits;
}

template <class T>
void expect_as_recorded(const Recording& one, Device device) {
  SCOPED_TRACE(one.operation + " " + std::string(to_string(one.dtype)) + " on " +
               to_string(device));
  // Of one rounding each, these have one right answer.
  const bool exact = one.operation == "add" || one.operation == "sub" || one.operation == "mul" ||
                     one.operation == "div" || one.operation == "maximum" || one.operation == "abs";
  const auto got =
      operations<T>.at(one.operation)(tensor_of<T>(one.a, device), tensor_of<T>(one.b, device));
  ASSERT_EQ(got.count(), one.result.size());
  for (std::size_t i = 0; i < one.result.size(); ++i) {
    EXPECT_LE(std::abs(place(got.elements()[i].bits()) - place(one.result[i])), exact ? 0 : 1)
        << i << ": " << got.elements()[i] << ", recorded " << T::from_bits(one.result[i]);
  }
}

TEST(Float16Tensors, OperationsGiveWhatIsRecorded) {
  for (const Device device : {Device::naive(), Device()}) {
    for (const Recording& one : recordings) {
      if (one.dtype == DType::f16) {
        expect_as_recorded<Half>(one, device);
      } else {
        expect_as_recorded<BFloat16>(one, device);
      }
    }
  }
}

TEST(Float16Tensors, SumsAreRoundedOnceAtTheEnd) {
  for (const Device device : {Device::naive(), Device()}) {
    // In bf16, 256 + 1 is 256: a sum kept in it would stand still there.
    EXPECT_EQ(sum(ones<BFloat16>({1024}, device)).item(), 1024);
    EXPECT_EQ(mean(ones<BFloat16>({1024}, device)).item(), 1);
    EXPECT_EQ(matmul(ones<BFloat16>({1, 1024}, device), ones<BFloat16>({1024, 1}, device)).item(),
              1024);
    // 2048 + 1 + 1 in f16: each step alone is a tie that goes back to 2048.
    EXPECT_EQ(sum(Tensor<Half>({2048, 1, 1}, device)).item(), 2050);
    // The sum overflows on its way and comes back.
    EXPECT_EQ(sum(Tensor<Half>({60000, 60000, -60000}, device)).item(), 60000);
    const auto gathered =
        detail::gather_gradient(ones<BFloat16>({1024}, device).array(),
                                zeros<std::int32_t>({1024}, device).array(), Shape{2}, 0, {});
    EXPECT_EQ(Tensor<BFloat16>(gathered).values(), (std::vector<BFloat16>{1024, 0}));
  }
}

TEST(Float16Tensors, ANormDoesNotOverflow) {
  EXPECT_EQ(norm(Tensor<Half>{30000, 40000}).item(), 50000);
}

TEST(Float16Tensors, SortWithNaNLast) {
  const Half nan = std::numeric_limits<Half>::quiet_NaN();
  const auto sorted = sort(Tensor<Half>{2, nan, -INFINITY, 0.5});
  EXPECT_EQ(to_string(sorted), "[-inf, 0.5, 2, nan]");
  EXPECT_EQ(unique(Tensor<BFloat16>{3, 1, 3}).values, (Tensor<BFloat16>{1, 3}));
}

TEST(Float16Tensors, PrintTheirShortestDigits) {
  EXPECT_EQ(to_string(Tensor<Half>{{0.1, 1}, {-2.5, 65504}}), "[[0.1, 1], [-2.5, 65500]]");
  EXPECT_EQ(to_string(Tensor<BFloat16>{0.3, 1e30}), "[0.3, 1e+30]");
}

TEST(SmallIntegers, WrapAroundAndPrintAsNumbers) {
  EXPECT_EQ(to_string(Tensor<std::int8_t>{65, -128}), "[65, -128]");
  EXPECT_EQ(Tensor<std::int8_t>{127} + std::int8_t{1}, Tensor<std::int8_t>{-128});
  EXPECT_EQ(-Tensor<std::uint16_t>{1}, Tensor<std::uint16_t>{65535});
  EXPECT_EQ(sum(Tensor<std::int8_t>{100, 100}), Tensor<std::int64_t>(200));
  EXPECT_EQ(Tensor<std::int16_t>{-32768} / std::int16_t{-1}, Tensor<std::int16_t>{-32768});
  EXPECT_EQ(to_string(Tensor<std::uint64_t>{~std::uint64_t{0}}), "[18446744073709551615]");
  EXPECT_EQ(Tensor<std::uint64_t>{0} - std::uint64_t{1}, Tensor<std::uint64_t>{~std::uint64_t{0}});
  EXPECT_EQ(sort(Tensor<std::uint32_t>{4294967295, 0, 7}),
            (Tensor<std::uint32_t>{0, 7, 4294967295}));
  EXPECT_EQ(testing::thrown<UsageError>(
                [] { (void)(Tensor<std::int8_t>{1, 2} / Tensor<std::int8_t>{1, 0}); }),
            "div: element 1 of the integer divisor is 0; shape [2]");
}

}  // namespace float16_test
}  // namespace ddx
