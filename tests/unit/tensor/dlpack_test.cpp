#include "ddx/tensor/dlpack.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/in_place.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ddx {
namespace dlpack_test {

using ddx::testing::thrown;

/// Another library: a tensor in memory of its own, which counts how often it was given back.
template <class Managed>
struct Foreign {
  static constexpr std::size_t capacity = 64;

  alignas(64) float data[capacity] = {};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  int* given_back = nullptr;
  Managed managed{};

  /// A tensor that holds 0, 1, 2, ... in its memory, as the C interface hands it over.
  static Managed* made(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
                       int& given_back) {
    auto* foreign = new Foreign;
    for (std::size_t i = 0; i < capacity; ++i) {
      foreign->data[i] = static_cast<float>(i);
    }
    foreign->shape = std::move(shape);
    foreign->strides = std::move(strides);
    foreign->given_back = &given_back;
    auto& tensor = foreign->managed.tensor;
    tensor = {.data = foreign->data,
              .device_type = 1,
              .device_id = 0,
              .rank = static_cast<std::int32_t>(foreign->shape.size()),
              .type_code = 2,
              .type_bits = 32,
              .type_lanes = 1,
              .shape = foreign->shape.data(),
              .strides = foreign->strides.empty() ? nullptr : foreign->strides.data(),
              .byte_offset = 0};
    foreign->managed.context = foreign;
    foreign->managed.deleter = [](Managed* self) {
      auto* owner = static_cast<Foreign*>(self->context);
      ++*owner->given_back;
      delete owner;
    };
    return &foreign->managed;
  }
};

Dlpack foreign(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
               int& given_back) {
  return Dlpack(
      Foreign<detail::DlpackManaged>::made(std::move(shape), std::move(strides), given_back));
}

TEST(Dlpack, DescribesATensor) {
  const Tensor<double> x{{1, 2, 3}, {4, 5, 6}};
  const auto managed = to_dlpack(x);
  const auto& tensor = managed->tensor;
  EXPECT_EQ(tensor.device_type, 1);
  EXPECT_EQ(tensor.rank, 2);
  EXPECT_EQ(tensor.type_code, 2);
  EXPECT_EQ(tensor.type_bits, 64);
  EXPECT_EQ(tensor.type_lanes, 1);
  EXPECT_EQ(std::vector(tensor.shape, tensor.shape + 2), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(std::vector(tensor.strides, tensor.strides + 2), (std::vector<std::int64_t>{3, 1}));
  EXPECT_EQ(tensor.byte_offset, 0U);
  EXPECT_EQ(static_cast<const double*>(tensor.data)[5], 6);
}

TEST(Dlpack, EveryElementTypeHasItsCode) {
  const auto code = [](const auto& x) {
    const auto managed = to_dlpack(x);
    return std::pair<int, int>(managed->tensor.type_code, managed->tensor.type_bits);
  };
  EXPECT_EQ(code(ones<float>({1})), std::pair(2, 32));
  EXPECT_EQ(code(ones<double>({1})), std::pair(2, 64));
  EXPECT_EQ(code(ones<std::int32_t>({1})), std::pair(0, 32));
  EXPECT_EQ(code(ones<std::int64_t>({1})), std::pair(0, 64));
  EXPECT_EQ(code(ones<std::uint8_t>({1})), std::pair(1, 8));
  EXPECT_EQ(code(ones<bool>({1})), std::pair(6, 8));
  EXPECT_EQ(code(ones<std::complex<float>>({1})), std::pair(5, 64));
  EXPECT_EQ(code(ones<std::complex<double>>({1})), std::pair(5, 128));
}

TEST(Dlpack, WhatIsHandedOverOutlivesTheTensor) {
  Dlpack managed;
  const void* place = nullptr;
  {
    Tensor<float> x{1, 2, 3};
    place = x.elements().data();
    managed = to_dlpack(std::move(x));
  }
  EXPECT_EQ(managed->tensor.data, place);  // Moved: not copied.
  EXPECT_EQ(static_cast<const float*>(managed->tensor.data)[2], 3);
}

TEST(Dlpack, AWriterDoesNotReachOtherTensors) {
  const Tensor<float> x{1, 2, 3};
  const auto managed = to_dlpack(x);
  static_cast<float*>(managed->tensor.data)[0] = 100;
  EXPECT_EQ(x, (Tensor<float>{1, 2, 3}));
}

TEST(Dlpack, TheVersionedFormSharesAndSaysWhetherItMayBeWritten) {
  Tensor<float> x{1, 2, 3};
  const auto shared = to_versioned_dlpack(x);
  EXPECT_EQ(shared->major, 1U);
  EXPECT_EQ(shared->tensor.data, x.elements().data());
  EXPECT_EQ(shared->flags, 1U);
  Tensor<float> y{1, 2, 3};
  const void* place = y.elements().data();
  const auto own = to_versioned_dlpack(std::move(y));
  EXPECT_EQ(own->tensor.data, place);
  EXPECT_EQ(own->flags, 0U);
}

TEST(Dlpack, ScalarsAndEmptyTensorsTravel) {
  EXPECT_EQ(from_dlpack<float>(to_dlpack(Tensor<float>(2.5F))), Tensor<float>(2.5F));
  EXPECT_EQ(from_dlpack<float>(to_dlpack(Tensor<float>())), Tensor<float>(0.0F));
  EXPECT_EQ(from_dlpack<float>(to_versioned_dlpack(Tensor<float>())), Tensor<float>(0.0F));
  const auto empty = to_dlpack(zeros<float>({3, 0}));
  EXPECT_EQ(empty->tensor.data, nullptr);
  EXPECT_EQ(from_dlpack<float>(to_dlpack(zeros<float>({3, 0}))).shape(), (Shape{3, 0}));
}

TEST(Dlpack, DenseMemoryIsSharedUntilTheLastTensorIsGone) {
  int given_back = 0;
  {
    auto managed = foreign({2, 3}, {3, 1}, given_back);
    const void* place = managed->tensor.data;
    auto x = from_dlpack<float>(std::move(managed));
    EXPECT_EQ(static_cast<const void*>(x.elements().data()), place);
    EXPECT_EQ(x, (Tensor<float>{{0, 1, 2}, {3, 4, 5}}));
    const auto copy = x;
    x = Tensor<float>();
    EXPECT_EQ(given_back, 0);
    EXPECT_EQ(copy, (Tensor<float>{{0, 1, 2}, {3, 4, 5}}));
  }
  EXPECT_EQ(given_back, 1);
}

TEST(Dlpack, SharedMemoryIsNeverWritten) {
  int given_back = 0;
  auto managed = foreign({4}, {}, given_back);
  const auto* theirs = static_cast<const float*>(managed->tensor.data);
  auto x = from_dlpack<float>(std::move(managed));
  const auto kept = x;
  x += 1.0F;  // In place where the storage is our own.
  EXPECT_EQ(x, (Tensor<float>{1, 2, 3, 4}));
  x.set({0}, 50);
  EXPECT_EQ(theirs[0], 0);
  EXPECT_EQ(kept, (Tensor<float>{0, 1, 2, 3}));
  auto alone = from_dlpack<float>(foreign({4}, {}, given_back));
  const auto* place = alone.elements().data();
  alone = std::move(alone) + 1.0F;
  EXPECT_NE(alone.elements().data(), place);
  EXPECT_EQ(given_back, 1);
}

TEST(Dlpack, OtherLayoutsAreCopiedAndGivenBackAtOnce) {
  int given_back = 0;
  // Columns first, a gap between rows, reversed, one row for all: as slices and broadcasts are.
  EXPECT_EQ(from_dlpack<float>(foreign({2, 3}, {1, 2}, given_back)),
            (Tensor<float>{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(given_back, 1);
  EXPECT_EQ(from_dlpack<float>(foreign({2, 2}, {5, 1}, given_back)),
            (Tensor<float>{{0, 1}, {5, 6}}));
  auto reversed = foreign({3}, {-1}, given_back);
  reversed->tensor.byte_offset = 8;
  EXPECT_EQ(from_dlpack<float>(std::move(reversed)), (Tensor<float>{2, 1, 0}));
  EXPECT_EQ(from_dlpack<float>(foreign({2, 2}, {0, 1}, given_back)),
            (Tensor<float>{{0, 1}, {0, 1}}));
  auto unaligned = foreign({3}, {1}, given_back);
  unaligned->tensor.byte_offset = 4;
  EXPECT_EQ(from_dlpack<float>(std::move(unaligned)), (Tensor<float>{1, 2, 3}));
  EXPECT_EQ(given_back, 5);
}

TEST(Dlpack, StridesOfSingleElementsDoNotMatter) {
  int given_back = 0;
  auto managed = foreign({1, 3, 1}, {77, 1, -5}, given_back);
  const void* place = managed->tensor.data;
  const auto x = from_dlpack<float>(std::move(managed));
  EXPECT_EQ(static_cast<const void*>(x.elements().data()), place);
}

TEST(Dlpack, TheVersionedFormIsReadToo) {
  int given_back = 0;
  {
    VersionedDlpack managed(
        Foreign<detail::DlpackVersioned>::made({3}, std::vector<std::int64_t>{1}, given_back));
    managed->major = 1;
    managed->minor = 3;
    managed->flags = 1;
    const auto x = from_dlpack<float>(std::move(managed));
    EXPECT_EQ(x, (Tensor<float>{0, 1, 2}));
    EXPECT_EQ(given_back, 0);
  }
  EXPECT_EQ(given_back, 1);
}

TEST(Dlpack, ATensorComesBackWithoutACopy) {
  Tensor<float> x{{1, 2}, {3, 4}};
  const auto* place = x.elements().data();
  const auto back = from_dlpack<float>(to_versioned_dlpack(std::move(x)));
  EXPECT_EQ(back.elements().data(), place);
  EXPECT_EQ(back, (Tensor<float>{{1, 2}, {3, 4}}));
}

TEST(Dlpack, MayBeGivenBackOnAnotherThread) {
  int given_back = 0;
  auto x = from_dlpack<float>(foreign({3}, {1}, given_back));
  std::thread([taken = std::move(x)]() mutable { taken = Tensor<float>(); }).join();
  EXPECT_EQ(given_back, 1);
}

TEST(Dlpack, WhatCannotBeReadIsRefusedAndGivenBack) {
  int given_back = 0;
  const auto error = [&](auto change) {
    auto managed = foreign({2, 3}, {3, 1}, given_back);
    change(managed->tensor);
    return thrown<UsageError>([&] { (void)from_dlpack<float>(std::move(managed), {}); });
  };
  EXPECT_EQ(error([](auto& tensor) { tensor.type_bits = 64; }),
            "from_dlpack: the elements are of type code 2 with 64 bits and 1 lanes; f32 is code 2 "
            "with 32 bits and 1 lanes");
  EXPECT_EQ(error([](auto& tensor) { tensor.type_lanes = 4; }),
            "from_dlpack: the elements are of type code 2 with 32 bits and 4 lanes; f32 is code 2 "
            "with 32 bits and 1 lanes");
  EXPECT_EQ(error([](auto& tensor) { tensor.device_type = 2; }),
            "from_dlpack: the tensor lies on a device of type 2, only 1 (the processor) is "
            "supported");
  EXPECT_EQ(error([](auto& tensor) { tensor.rank = 9; }),
            "from_dlpack: rank 9 does not lie in [0, 8]");
  EXPECT_EQ(error([](auto& tensor) { tensor.rank = -1; }),
            "from_dlpack: rank -1 does not lie in [0, 8]");
  EXPECT_EQ(error([](auto& tensor) { tensor.shape = nullptr; }),
            "from_dlpack: a tensor of rank 2 has no shape");
  EXPECT_EQ(error([](auto& tensor) { tensor.shape[1] = -3; }),
            "from_dlpack: an extent of -3 is negative or too large");
  EXPECT_EQ(
      error([](auto& tensor) { tensor.shape[1] = std::numeric_limits<std::int64_t>::max() / 4; }),
      "from_dlpack: an extent of 2305843009213693951 is negative or too large");
  EXPECT_EQ(error([](auto& tensor) { tensor.data = nullptr; }),
            "from_dlpack: a tensor of shape [2, 3] has no data");
  EXPECT_EQ(
      error([](auto& tensor) { tensor.strides[0] = std::numeric_limits<std::int64_t>::max() / 2; }),
      "from_dlpack: 9223372036854775806 + 3 does not fit in 64 bits");
  EXPECT_EQ(error([](auto& tensor) { tensor.strides[1] = -(std::int64_t{1} << 60); }),
            "from_dlpack: -3458764513820540928 * 4 does not fit in 64 bits");
  EXPECT_EQ(given_back, 11);
  EXPECT_EQ(thrown<UsageError>([] { (void)from_dlpack<float>(Dlpack()); }),
            "from_dlpack: there is no tensor (here)");
}

TEST(Dlpack, ALaterMajorVersionIsRefused) {
  int given_back = 0;
  VersionedDlpack managed(
      Foreign<detail::DlpackVersioned>::made({3}, std::vector<std::int64_t>{1}, given_back));
  managed->major = 2;
  EXPECT_EQ(thrown<UsageError>([&] { (void)from_dlpack<float>(std::move(managed)); }),
            "from_dlpack: the tensor is of DLPack 2.0, 1.x is supported (here)");
  EXPECT_EQ(given_back, 1);
}

TEST(Dlpack, TruthValuesAreChecked) {
  auto managed = to_dlpack(ones<bool>({3}));
  static_cast<std::uint8_t*>(managed->tensor.data)[1] = 7;
  EXPECT_EQ(thrown<UsageError>([&] { (void)from_dlpack<bool>(std::move(managed)); }),
            "from_dlpack: a truth value is neither 0 nor 1 (here)");
}

}  // namespace dlpack_test
}  // namespace ddx
