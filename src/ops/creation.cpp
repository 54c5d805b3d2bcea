#include "ddx/ops/creation.h"

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/numbers.h"
#include "ops/detail/random_numbers.h"

#include <cstdint>
#include <type_traits>

namespace ddx::ops {
namespace {

/// Writes f(i) to each element i.
template <class T, class F>
void generate(const Call& call, F f) noexcept {
  auto* y = call.output().mutable_data<T>();
  const auto count = static_cast<std::uint64_t>(call.output().shape().count());
  for (std::uint64_t i = 0; i < count; ++i) {
    y[i] = f(i);
  }
}

/// W is a word as large as an element.
template <class W>
void full(const Call& call) noexcept {
  const W value =
      detail::word_of<W>(call.attributes<FullAttributes>().value, call.output().dtype());
  generate<W>(call, [&](std::uint64_t) { return value; });
}

template <class T>
void iota(const Call& call) noexcept {
  generate<T>(call, [](std::uint64_t i) { return static_cast<T>(i); });
}

template <class T>
void random_uniform(const Call& call) noexcept {
  const auto& a = call.attributes<RandomUniformAttributes>();
  const T below_high = detail::number_below(static_cast<T>(a.high), static_cast<T>(a.low));
  generate<T>(call, [&](std::uint64_t i) {
    const double unit = std::is_same_v<T, double> ? uniform_f64(a.key, i)
                                                  : static_cast<double>(uniform_f32(a.key, i));
    const T value = static_cast<T>(a.low + unit * (a.high - a.low));
    return value < static_cast<T>(a.high) ? value
                                          : below_high;  // Rounding may have reached the bound.
  });
}

template <class T>
void random_normal(const Call& call) noexcept {
  const auto& a = call.attributes<RandomNormalAttributes>();
  generate<T>(call, [&](std::uint64_t i) {
    return static_cast<T>(a.mean + a.deviation * normal_f64(a.key, i));
  });
}

template <class T>
void random_bernoulli(const Call& call) noexcept {
  const auto& a = call.attributes<RandomBernoulliAttributes>();
  generate<T>(call, [&](std::uint64_t i) {
    return static_cast<T>(bernoulli(a.key, i, a.probability) ? 1 : 0);
  });
}

}  // namespace

float uniform_f32(const RandomKey& key, std::uint64_t index) noexcept {
  return static_cast<float>(key.words(index / 4)[index % 4] >> 8) * 0x1p-24F;
}

double uniform_f64(const RandomKey& key, std::uint64_t index) noexcept {
  const detail::BlockWords words = detail::block_words(key.state(), index / 2);
  return index % 2 == 0 ? detail::unit_interval(words.a, words.b)
                        : detail::unit_interval(words.c, words.d);
}

double normal_f64(const RandomKey& key, std::uint64_t index) noexcept {
  const detail::Direction pair = detail::normal_pair(detail::block_words(key.state(), index / 2));
  return index % 2 == 0 ? pair.cosine : pair.sine;
}

bool bernoulli(const RandomKey& key, std::uint64_t index, double probability) noexcept {
  return key.words(index / 4)[index % 4] * 0x1p-32 < probability;
}

Kernel creation_reference(Op op, DType dtype) noexcept {
  if (op == Op::full) {
    return detail::dispatch_size(dtype, [](auto word) { return &full<decltype(word)>; });
  }
  if (op == Op::iota) {
    return detail::dispatch_numeric(dtype, [](auto element) { return &iota<decltype(element)>; });
  }
  if (op == Op::random_uniform) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &random_uniform<decltype(element)>; });
  }
  if (op == Op::random_normal) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &random_normal<decltype(element)>; });
  }
  if (op == Op::random_bernoulli) {
    return detail::dispatch_ordered(
        dtype, [](auto element) { return &random_bernoulli<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
