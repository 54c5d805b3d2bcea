/// \file
/// A number that records which inputs it depends on, and how.

#pragma once

#include "ddx/ad/detail/dependency_record.h"

#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace ddx {

/// A real number in a function whose sparsity pattern is being found: it has the arithmetic and the
/// functions of `T`, takes part in comparisons by its value, and does not convert to `T`, so that
/// no dependence is lost.
///
/// A template over the type of its numbers takes it; functions are found by argument-dependent
/// lookup: `using std::sin; y = sin(x);`. Comparisons, `isnan` and conversions to integers count as
/// branches. `fmin`, `fmax` and `fdim` depend on both arguments, whichever they return.
template <std::floating_point T>
class Dependent {
 public:
  /// A constant.
  Dependent() = default;
  template <class U>
    requires std::is_arithmetic_v<U>
  Dependent(U value) : value_(static_cast<T>(value)) {}

  /// The same number in another precision, by itself in a wider one alone.
  template <class U>
    requires(!std::same_as<T, U>)
  explicit(sizeof(U) > sizeof(T)) Dependent(const Dependent<U>& other)
      : value_(static_cast<T>(other.value_)), record_(other.record_), vertex_(other.vertex_) {}

  /// The result of an operation in `record`.
  Dependent(T value, detail::DependencyRecord& record, std::size_t vertex)
      : value_(value), record_(&record), vertex_(vertex) {}

  [[nodiscard]] T value() const noexcept { return value_; }
  /// Which operation it is the result of.
  [[nodiscard]] std::size_t vertex() const noexcept { return vertex_; }

  /// The value without its fraction; a branch.
  template <std::integral U>
  explicit operator U() const {
    return static_cast<U>(decided(*this).value_);
  }

  Dependent& operator+=(const Dependent& other) { return *this = *this + other; }
  Dependent& operator-=(const Dependent& other) { return *this = *this - other; }
  Dependent& operator*=(const Dependent& other) { return *this = *this * other; }
  Dependent& operator/=(const Dependent& other) { return *this = *this / other; }
  Dependent& operator++() { return *this += 1; }
  Dependent& operator--() { return *this -= 1; }
  Dependent operator++(int) {
    const Dependent before = *this;
    ++*this;
    return before;
  }
  Dependent operator--(int) {
    const Dependent before = *this;
    --*this;
    return before;
  }

  friend Dependent operator+(const Dependent& x) { return x; }
  friend Dependent operator-(const Dependent& x) { return linear(x, -x.value_); }
  friend Dependent operator+(const Dependent& x, const Dependent& y) {
    return linear(x, y, x.value_ + y.value_);
  }
  friend Dependent operator-(const Dependent& x, const Dependent& y) {
    return linear(x, y, x.value_ - y.value_);
  }
  friend Dependent operator*(const Dependent& x, const Dependent& y) {
    return joined(x, y, x.value_ * y.value_, &Record::product);
  }
  friend Dependent operator/(const Dependent& x, const Dependent& y) {
    return joined(x, y, x.value_ / y.value_, &Record::quotient);
  }

  friend bool operator==(const Dependent& x, const Dependent& y) {
    return x.decided(y).value_ == y.value_;
  }
  friend std::partial_ordering operator<=>(const Dependent& x, const Dependent& y) {
    return x.decided(y).value_ <=> y.value_;
  }

  friend Dependent sqrt(const Dependent& x) { return curved(x, std::sqrt(x.value_)); }
  friend Dependent cbrt(const Dependent& x) { return curved(x, std::cbrt(x.value_)); }
  friend Dependent exp(const Dependent& x) { return curved(x, std::exp(x.value_)); }
  friend Dependent exp2(const Dependent& x) { return curved(x, std::exp2(x.value_)); }
  friend Dependent expm1(const Dependent& x) { return curved(x, std::expm1(x.value_)); }
  friend Dependent log(const Dependent& x) { return curved(x, std::log(x.value_)); }
  friend Dependent log2(const Dependent& x) { return curved(x, std::log2(x.value_)); }
  friend Dependent log10(const Dependent& x) { return curved(x, std::log10(x.value_)); }
  friend Dependent log1p(const Dependent& x) { return curved(x, std::log1p(x.value_)); }
  friend Dependent sin(const Dependent& x) { return curved(x, std::sin(x.value_)); }
  friend Dependent cos(const Dependent& x) { return curved(x, std::cos(x.value_)); }
  friend Dependent tan(const Dependent& x) { return curved(x, std::tan(x.value_)); }
  friend Dependent asin(const Dependent& x) { return curved(x, std::asin(x.value_)); }
  friend Dependent acos(const Dependent& x) { return curved(x, std::acos(x.value_)); }
  friend Dependent atan(const Dependent& x) { return curved(x, std::atan(x.value_)); }
  friend Dependent sinh(const Dependent& x) { return curved(x, std::sinh(x.value_)); }
  friend Dependent cosh(const Dependent& x) { return curved(x, std::cosh(x.value_)); }
  friend Dependent tanh(const Dependent& x) { return curved(x, std::tanh(x.value_)); }
  friend Dependent asinh(const Dependent& x) { return curved(x, std::asinh(x.value_)); }
  friend Dependent acosh(const Dependent& x) { return curved(x, std::acosh(x.value_)); }
  friend Dependent atanh(const Dependent& x) { return curved(x, std::atanh(x.value_)); }
  friend Dependent erf(const Dependent& x) { return curved(x, std::erf(x.value_)); }
  friend Dependent erfc(const Dependent& x) { return curved(x, std::erfc(x.value_)); }
  friend Dependent tgamma(const Dependent& x) { return curved(x, std::tgamma(x.value_)); }
  friend Dependent lgamma(const Dependent& x) { return curved(x, std::lgamma(x.value_)); }

  friend Dependent pow(const Dependent& x, const Dependent& y) {
    const T value = std::pow(x.value_, y.value_);
    if (y.vertex_ == Record::constant) {
      return y.value_ == 0 ? Dependent(value) : y.value_ == 1 ? x : curved(x, value);
    }
    return curved(x, y, value);
  }
  friend Dependent atan2(const Dependent& x, const Dependent& y) {
    return curved(x, y, std::atan2(x.value_, y.value_));
  }
  friend Dependent hypot(const Dependent& x, const Dependent& y) {
    return curved(x, y, std::hypot(x.value_, y.value_));
  }
  friend Dependent hypot(const Dependent& x, const Dependent& y, const Dependent& z) {
    return hypot(hypot(x, y), z);
  }
  friend Dependent fma(const Dependent& x, const Dependent& y, const Dependent& z) {
    return linear(x * y, z, std::fma(x.value_, y.value_, z.value_));
  }
  friend Dependent lerp(const Dependent& x, const Dependent& y, const Dependent& t) {
    return linear(x, t * (y - x), std::lerp(x.value_, y.value_, t.value_));
  }

  friend Dependent abs(const Dependent& x) { return linear(x, std::abs(x.value_)); }
  friend Dependent fabs(const Dependent& x) { return linear(x, std::abs(x.value_)); }
  friend Dependent copysign(const Dependent& x, const Dependent& y) {
    return linear(x, std::copysign(x.value_, y.value_));
  }
  friend Dependent ldexp(const Dependent& x, int exponent) {
    return linear(x, std::ldexp(x.value_, exponent));
  }
  friend Dependent fmin(const Dependent& x, const Dependent& y) {
    return linear(x, y, std::fmin(x.value_, y.value_));
  }
  friend Dependent fmax(const Dependent& x, const Dependent& y) {
    return linear(x, y, std::fmax(x.value_, y.value_));
  }
  friend Dependent fdim(const Dependent& x, const Dependent& y) {
    return linear(x, y, std::fdim(x.value_, y.value_));
  }
  friend Dependent fmod(const Dependent& x, const Dependent& y) {
    return linear(x, y, std::fmod(x.value_, y.value_));
  }
  friend Dependent remainder(const Dependent& x, const Dependent& y) {
    return linear(x, y, std::remainder(x.value_, y.value_));
  }

  // Constant between their jumps.
  friend Dependent floor(const Dependent& x) { return std::floor(x.value_); }
  friend Dependent ceil(const Dependent& x) { return std::ceil(x.value_); }
  friend Dependent trunc(const Dependent& x) { return std::trunc(x.value_); }
  friend Dependent round(const Dependent& x) { return std::round(x.value_); }
  friend Dependent nearbyint(const Dependent& x) { return std::nearbyint(x.value_); }
  friend Dependent rint(const Dependent& x) { return std::rint(x.value_); }
  friend bool isnan(const Dependent& x) { return std::isnan(x.decided(x).value_); }
  friend bool isinf(const Dependent& x) { return std::isinf(x.decided(x).value_); }
  friend bool isfinite(const Dependent& x) { return std::isfinite(x.decided(x).value_); }
  friend bool signbit(const Dependent& x) { return std::signbit(x.decided(x).value_); }

 private:
  template <std::floating_point>
  friend class Dependent;
  using Record = detail::DependencyRecord;

  /// A result that depends on `x` as it is, at another value.
  static Dependent linear(Dependent x, T value) {
    x.value_ = value;
    return x;
  }

  static Dependent linear(const Dependent& x, const Dependent& y, T value) {
    return joined(x, y, value, &Record::sum);
  }

  static Dependent curved(const Dependent& x, T value) { return curved(x, Dependent(), value); }

  static Dependent curved(const Dependent& x, const Dependent& y, T value) {
    return joined(x, y, value, &Record::curved);
  }

  static Dependent joined(const Dependent& x, const Dependent& y, T value,
                          std::size_t (Record::*operation)(std::size_t, std::size_t)) {
    Record* record = x.record_ != nullptr ? x.record_ : y.record_;
    return record == nullptr
               ? Dependent(value)
               : Dependent(value, *record, (record->*operation)(x.vertex_, y.vertex_));
  }

  /// Returns itself, after a decision by both values was counted.
  const Dependent& decided(const Dependent& other) const {
    Record* record = record_ != nullptr ? record_ : other.record_;
    if (record != nullptr) {
      record->branch(vertex_, other.vertex_);
    }
    return *this;
  }

  T value_ = 0;
  Record* record_ = nullptr;
  std::size_t vertex_ = Record::constant;
};

}  // namespace ddx
