#include "backend/pjrt/sent_scalars.h"

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/literal.h"
#include "ddx/stablehlo/emitter.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ddx::backend::pjrt {
namespace sent_scalars_test {

using Bytes = std::vector<std::byte>;

/// Counts what is sent.
struct Uploads {
  [[nodiscard]] std::shared_ptr<const Bytes> copied(const std::byte* elements,
                                                    const ir::Type& type) const {
    ++*sent;
    return std::make_shared<const Bytes>(elements, elements + ir::bytes_of(type));
  }
  std::shared_ptr<int> sent = std::make_shared<int>(0);
};

template <class T>
std::vector<T> elements_of(const Bytes& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

ir::ScalarValue number(double value) {
  return ops::Literal{.real = value, .integer = static_cast<std::int64_t>(value)};
}

stablehlo::ScalarPlace place(std::uint32_t scalar, DType dtype, std::int64_t first,
                             const Shape& shape = {}) {
  return {.scalar = ir::ScalarId{scalar}, .type = {shape, dtype}, .first = first};
}

/// f32: #0, #2, #0 once more; u32: the key #1, and #2.
const std::vector<stablehlo::ScalarArray> arrays{
    {{Shape{3}, DType::f32},
     {place(0, DType::f32, 0), place(2, DType::f32, 1), place(0, DType::f32, 2)}},
    {{Shape{5}, DType::u32}, {place(1, DType::u32, 0, Shape{4}), place(2, DType::u32, 4)}}};

TEST(SentScalars, AreOneArrayOfEachType) {
  const Uploads uploads;
  SentScalars<Bytes> scalars;
  const RandomKey key(7);
  const std::vector<ir::ScalarValue> values{number(0.5), key, number(3)};
  const auto sent = scalars.of(arrays, values, uploads);
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(*uploads.sent, 2);
  EXPECT_EQ(elements_of<float>(*sent[0]), (std::vector<float>{0.5F, 3.0F, 0.5F}));
  const auto state = key.state();
  const auto low = [](std::uint64_t half) { return static_cast<std::uint32_t>(half); };
  EXPECT_EQ(elements_of<std::uint32_t>(*sent[1]),
            (std::vector<std::uint32_t>{low(state[0]), low(state[0] >> 32), low(state[1]),
                                        low(state[1] >> 32), 3}));
}

TEST(SentScalars, AreSentWhereTheyHaveChanged) {
  const Uploads uploads;
  SentScalars<Bytes> scalars;
  std::vector<ir::ScalarValue> values{number(0.5), RandomKey(7), number(3)};
  const auto first = scalars.of(arrays, values, uploads);
  EXPECT_EQ(scalars.of(arrays, values, uploads), first) << "the buffers that are there";
  EXPECT_EQ(*uploads.sent, 2);
  values[0] = number(0.25);
  const auto second = scalars.of(arrays, values, uploads);
  EXPECT_EQ(*uploads.sent, 3) << "one array with the number, twice";
  EXPECT_EQ(elements_of<float>(*second[0]), (std::vector<float>{0.25F, 3.0F, 0.25F}));
  EXPECT_EQ(second[1], first[1]);
  EXPECT_EQ(elements_of<float>(*first[0]), (std::vector<float>{0.5F, 3.0F, 0.5F}))
      << "a run that has begun has its own";
  values[1] = RandomKey(8);
  EXPECT_EQ(scalars.of(arrays, values, uploads)[0], second[0]);
  EXPECT_EQ(*uploads.sent, 4);
  values[0] = number(-0.0);
  (void)scalars.of(arrays, values, uploads);
  values[0] = number(0.0);
  (void)scalars.of(arrays, values, uploads);
  EXPECT_EQ(*uploads.sent, 6) << "zeros of both signs differ";
}

TEST(SentScalars, HaveEachElementType) {
  const Uploads uploads;
  SentScalars<Bytes> scalars;
  const ops::Literal literal{.real = 1.5, .integer = -1, .imaginary = -2};
  const std::vector<ir::ScalarValue> values{literal, number(1)};
  const auto array = [](DType dtype) {
    return stablehlo::ScalarArray{{Shape{2}, dtype}, {place(0, dtype, 0), place(1, dtype, 1)}};
  };
  const auto sent =
      scalars.of(std::vector{array(DType::boolean), array(DType::i8), array(DType::i64),
                             array(DType::f64), array(DType::c128)},
                 values, uploads);
  EXPECT_EQ(*uploads.sent, 5);
  EXPECT_EQ(*sent[0], (Bytes{std::byte{1}, std::byte{1}}));
  EXPECT_EQ(elements_of<std::int8_t>(*sent[1]), (std::vector<std::int8_t>{-1, 1}));
  EXPECT_EQ(elements_of<std::int64_t>(*sent[2]), (std::vector<std::int64_t>{-1, 1}));
  EXPECT_EQ(elements_of<double>(*sent[3]), (std::vector<double>{1.5, 1}));
  EXPECT_EQ(elements_of<std::complex<double>>(*sent[4]),
            (std::vector<std::complex<double>>{{1.5, -2}, {1, 0}}));
  EXPECT_TRUE(scalars.of({}, values, uploads).empty());
}

}  // namespace sent_scalars_test
}  // namespace ddx::backend::pjrt
