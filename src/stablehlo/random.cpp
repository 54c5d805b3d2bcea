// Random numbers: the generator of ddx/core/random_key.h in operations on integers, so that they
// are the same on every device.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

namespace ddx::stablehlo::detail {
namespace {

using Words = std::array<Value, 4>;

Value word(Builder& builder, std::uint32_t value) {
  return builder.constant({.integer = static_cast<std::int64_t>(value)}, DType::u32);
}

Value shifted_right(const Value& x, double bits) {
  return binary(Code::shift_right_logical_, x, x.builder().number(bits, x.dtype()));
}

struct Product {
  Value high;
  Value low;
};

Product product(std::uint32_t factor, const Value& x) {
  const Value whole = convert(x, DType::u64) * static_cast<double>(factor);
  return {convert(shifted_right(whole, 32), DType::u32), convert(whole, DType::u32)};
}

/// Word number i of a key, as the last axis of an array of rank 0 to be broadcast.
Value key_word(const Value& key, std::int64_t i) {
  return reshape(slice_axis(key, 0, i, i + 1), Shape{});
}

/// The words of blocks 0 ... count - 1 of a key (see philox4x32).
Words words_of(const Value& key, std::int64_t count) {
  Builder& builder = key.builder();
  const Shape shape{count};
  const Value block = builder.iota(shape, 0, DType::u64);
  Value c0 = convert(block, DType::u32);
  Value c1 = convert(shifted_right(block, 32), DType::u32);
  Value c2 = broadcast_in_dim(key_word(key, 2), shape, {});
  Value c3 = broadcast_in_dim(key_word(key, 3), shape, {});
  Value k0 = key_word(key, 0);
  Value k1 = key_word(key, 1);
  for (int round = 0; round < 10; ++round) {
    const Product p0 = product(0xD2511F53U, c0);
    const Product p1 = product(0xCD9E8D57U, c2);
    c0 = p1.high ^ c1 ^ k0;
    c1 = p1.low;
    c2 = p0.high ^ c3 ^ k1;
    c3 = p0.low;
    k0 = k0 + word(builder, 0x9E3779B9U);
    k1 = k1 + word(builder, 0xBB67AE85U);
  }
  return {c0, c1, c2, c3};
}

/// The elements of some arrays of one axis interleaved, the first `count` of them.
Value interleaved(const Values& parts, std::int64_t count) {
  Values columns;
  for (const Value& part : parts) {
    columns.push_back(reshape(part, Shape{part.extent(0), 1}));
  }
  const Value all = concatenate(columns, 1);
  return slice_axis(reshape(all, Shape{all.shape().count()}), 0, 0, count);
}

std::int64_t blocks(std::int64_t count, std::int64_t per_block) {
  return (count + per_block - 1) / per_block;
}

/// One word for each of `count` numbers.
Value single_words(const Value& key, std::int64_t count) {
  const Words words = words_of(key, blocks(count, 4));
  return interleaved({words[0], words[1], words[2], words[3]}, count);
}

/// 53 bits of two words as a number in [0, 1), in f64.
Value unit_interval(const Value& high, const Value& low) {
  const Value upper =
      binary(Code::shift_left_, convert(high, DType::u64), high.builder().number(32, DType::u64));
  return convert(shifted_right(upper | convert(low, DType::u64), 11), DType::f64) * 0x1p-53;
}

/// The largest number of a dtype below `high`: one step towards minus infinity.
Value next_below(const Value& high) {
  const DType dtype = high.dtype();
  const std::size_t bytes = info(dtype).bytes;
  const DType bits = bytes == 2 ? DType::i16 : bytes == 4 ? DType::i32 : DType::i64;
  const Value pattern = bitcast(high, bits);
  // For negative numbers, the bit patterns grow downwards; below both zeros is the smallest
  // negative number.
  const Value below = select(compare("LT", pattern, 0), pattern + 1, pattern - 1);
  const Value least = bitcast(lowest(high.builder(), bits) + 1, dtype);
  return select(compare("EQ", high, 0), least, bitcast(below, dtype));
}

}  // namespace

Values emit_random_uniform(const Call& call) {
  const Value& key = call.fields[0];
  const Value& low = call.fields[1];
  const Value& high = call.fields[2];
  const std::int64_t count = call.shape().count();
  const DType dtype = call.dtype();
  Value unit = key;
  if (dtype == DType::f64) {
    const Words words = words_of(key, blocks(count, 2));
    unit =
        interleaved({unit_interval(words[0], words[1]), unit_interval(words[2], words[3])}, count);
  } else {
    unit = convert(shifted_right(single_words(key, count), 8), DType::f64) * 0x1p-24;
  }
  const Value value = convert(low + unit * (high - low), dtype);
  const Value bound = convert(high, dtype);
  // Rounding may have reached the bound.
  return {reshape(select(compare("LT", value, bound), value, next_below(bound)), call.shape())};
}

Values emit_random_normal(const Call& call) {
  const Value& key = call.fields[0];
  const std::int64_t count = call.shape().count();
  const Words words = words_of(key, blocks(count, 2));
  const Value radius =
      unary(Code::sqrt_, unary(Code::log_plus_one_, -unit_interval(words[0], words[1])) * -2.0);
  const Value angle = unit_interval(words[2], words[3]) * (2 * std::numbers::pi);
  const Value normal = interleaved(
      {radius * unary(Code::cosine_, angle), radius * unary(Code::sine_, angle)}, count);
  return {reshape(convert(call.fields[1] + call.fields[2] * normal, call.dtype()), call.shape())};
}

Values emit_random_bernoulli(const Call& call) {
  const Value words = single_words(call.fields[0], call.shape().count());
  // word 2^-32 < p in integers: word < ceil(p 2^32), which is 0 for a NaN.
  const Value threshold = unary(Code::ceil_, call.fields[1] * 0x1p32);
  const Value inside = minimum(maximum(threshold, 0), 0x1p32);
  const Value whole = convert(select(is_nan(threshold), 0, inside), DType::u64);
  const Value succeeds = compare("LT", convert(words, DType::u64), whole);
  return {reshape(convert(succeeds, call.dtype()), call.shape())};
}

}  // namespace ddx::stablehlo::detail
