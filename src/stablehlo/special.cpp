// The error function and related functions, the logarithm of the gamma function and its
// derivatives.

#include "ddx/core/dtype.h"
#include "ddx/ops/elementwise.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

// Chebyshev series, computed with 50 digits at 64 and 36 points. Relative errors of the first 12
// and 26 terms of one: 2e-8 and 1.4e-16; of the first 7 and 12 of the other: 1.4e-9 and 8e-18.

/// e^(x^2) erfc(x) / t with t = 2 / (2 + x) in 2 t - 1, for x >= 0.
constexpr std::array scaled_complement = {
    1.1540674772329393772,      0.35543692127049848731,    0.06509515882878652455,
    0.0036711423958366391659,   -0.0011128447433526324969, -0.00016075829915378079758,
    0.000032780315741731370605, 5.4424416455050160333e-6,  -1.5154665553171481622e-6,
    -1.4297608181169864917e-7,  8.234608827419493433e-8,   -1.2962846852306562536e-9,
    -4.1547216310151983042e-9,  6.3470582783628111814e-10, 1.4320822712256223707e-10,
    -6.1603901052045855418e-11, 2.0612138554721696306e-12, 3.571493148847704445e-12,
    -8.5864228432517964757e-13, -6.145600213790630554e-14, 7.4187257485966170573e-14,
    -1.2895042755032325615e-14, -2.358726385710632357e-15, 1.5729349381685911399e-15,
    -2.2782966239546465188e-16, -6.3123304507564298094e-17};

/// erf(x) / x in 2 x^2 - 1, for |x| <= 1.
constexpr std::array error_quotient = {
    1.950953878765308192,       -0.14226120510371364238,    0.010035582187599795576,
    -0.00057687646997674847651, 0.000027419931252196061034, -1.1043175507344507604e-6,
    3.848875542034503695e-8,    -1.180858253387546697e-9,   3.2334215826050909646e-11,
    -7.9910159470045487582e-13, 1.7990725113961455612e-14,  -3.7186354878186926382e-16};

/// The sum of a Chebyshev series, whose first term counts half (C. W. Clenshaw, 1955).
Value chebyshev(std::span<const double> terms, const Value& u) {
  const Value twice = u * 2;
  Value next = u.builder().filled(0, u.shape(), u.dtype());
  Value after = next;
  for (std::size_t k = terms.size() - 1; k > 0; --k) {
    const Value sum = twice * next - after + terms[k];
    after = next;
    next = sum;
  }
  return u * next - after + terms[0] / 2;
}

template <std::size_t n>
std::span<const double> first_terms(const std::array<double, n>& terms, DType dtype,
                                    std::size_t for_single) {
  return std::span(terms).first(dtype == DType::f64 ? n : for_single);
}

/// erfc(x), accurate where it is small.
Value error_complement(const Value& x) {
  const Value size = absolute(x);
  const Value t = 2 / (size + 2);
  const Value positive = unary(Code::exponential_, -(size * size)) * t *
                         chebyshev(first_terms(scaled_complement, x.dtype(), 12), t * 2 - 1);
  return select(compare("LT", x, 0), 2 - positive, positive);
}

Value error(const Value& x) {
  const Value near = x * chebyshev(first_terms(error_quotient, x.dtype(), 7), x * x * 2 - 1);
  return select(compare("LE", absolute(x), 1), near, 1 - error_complement(x));
}

/// The distribution function of the normal distribution.
Value normal_distribution(const Value& x) {
  return error_complement(x * -std::numbers::sqrt2 * 0.5) * 0.5;
}

Value gelu_slope(const Value& x) {
  const Value density =
      unary(Code::exponential_, x * x * -0.5) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  return normal_distribution(x) + x * density;
}

Value floor_of(const Value& x) {
  return unary(Code::floor_, x);
}

/// The difference of x from the nearest integer, for circular functions of pi x.
Value centred(const Value& x) {
  return x - floor_of(x + 0.5);
}

/// The argument from which a series for large arguments is used: there its error is below 1e-17.
constexpr int steps = 10;

/// log gamma(x) of x >= 10, by Stirling's series.
Value stirling(const Value& x) {
  // Bernoulli numbers B_2k / (2k (2k - 1)).
  constexpr std::array series = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                 1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  const Value inverse = 1 / x;
  const Value square = inverse * inverse;
  Value tail = x.builder().filled(series.back(), x.shape(), x.dtype());
  for (std::size_t k = series.size() - 1; k-- > 0;) {
    tail = tail * square + series[k];
  }
  const double constant = 0.5 * std::log(2 * std::numbers::pi) - 0.5;
  return (x - 0.5) * (logarithm(x) - 1) + constant + tail * inverse;
}

/// log |gamma(x)| of x > 0: gamma(x + 10) = gamma(x) x (x + 1) ... (x + 9).
Value positive_log_gamma(const Value& x) {
  Value product = x;
  for (int k = 1; k < steps; ++k) {
    product = product * (x + k);
  }
  const Value is_small = compare("LT", x, steps);
  const Value shifted = stirling(select(is_small, x + steps, x));
  return select(is_small, shifted - logarithm(product), shifted);
}

Value log_gamma(const Value& x) {
  const Value negative = compare("LT", x, 0);
  const Value positive = positive_log_gamma(select(negative, 1 - x, x));
  const Value sine = absolute(unary(Code::sine_, centred(x) * std::numbers::pi));
  const Value reflected = std::log(std::numbers::pi) - logarithm(sine) - positive;
  return select(compare("EQ", absolute(x), infinity), infinity,
                select(negative, reflected, positive));
}

Value positive_digamma(const Value& x) {
  const Value is_small = compare("LT", x, steps);
  Value inverses = 1 / x;
  for (int k = 1; k < steps; ++k) {
    inverses = inverses + 1 / (x + k);
  }
  const Value far = select(is_small, x + steps, x);
  // Bernoulli numbers B_2k / 2k.
  constexpr std::array series = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                 1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
  const Value square = 1 / (far * far);
  Value tail = x.builder().filled(0, x.shape(), x.dtype());
  for (std::size_t k = series.size(); k-- > 0;) {
    tail = (tail + series[k]) * square;
  }
  const Value result = logarithm(far) - 0.5 / far - tail;
  return select(is_small, result - inverses, result);
}

Value digamma(const Value& x) {
  const Value negative = compare("LT", x, 0);
  const Value positive = positive_digamma(select(negative, 1 - x, x));
  const Value angle = centred(x) * std::numbers::pi;
  const Value cotangent = unary(Code::cosine_, angle) / unary(Code::sine_, angle);
  const Value is_pole = negative & compare("EQ", x, floor_of(x));
  const Value reflected = positive - cotangent * std::numbers::pi;
  const Value result = select(is_pole, nan, select(negative, reflected, positive));
  return select(compare("EQ", x, 0), -1 / x, result);
}

/// The sum over k >= 0 of (x + k)^-s for x > 0, s > 1: term by term up to x + k >= 10 + s, the rest
/// by Euler and Maclaurin's formula (as in src/ops/detail/gamma.h).
Value hurwitz_zeta(const Value& s, const Value& start) {
  const Values last = while_loop(
      {start, start.builder().zeros(start.type()), s},
      [](const Values& v) { return any(compare("LT", v[0], v[2] + 10)); },
      [](const Values& v) {
        const Value goes_on = compare("LT", v[0], v[2] + 10);
        const Value term = binary(Code::power_, v[0], -v[2]);
        return Values{select(goes_on, v[0] + 1, v[0]), select(goes_on, v[1] + term, v[1]), v[2]};
      });
  const Value& x = last[0];
  const Value power = binary(Code::power_, x, -s);
  Value sum = last[1] + power * x / (s - 1) + power * 0.5;
  // B_2k / (2k)!
  constexpr std::array series = {1.0 / 12,          -1.0 / 720,
                                 1.0 / 30240,       -1.0 / 1209600,
                                 1.0 / 47900160,    -691.0 / 1307674368000,
                                 1.0 / 74724249600, -3617.0 / 10670622842880000};
  Value factor = power * s / x;
  for (std::size_t k = 0; k < series.size(); ++k) {
    sum = sum + factor * series[k];
    const Value next = s + 2 * static_cast<double>(k);
    factor = factor * ((next + 1) / x) * ((next + 2) / x);
  }
  return select(compare("EQ", x, infinity), 0, sum);
}

/// The sum over k >= 0 of (x + k)^-(n + 1). For x < 0 it is the sum over all integers k, which
/// depends only on the fractional part of x, minus that over k < 0.
Value sum_of_powers(const Value& order, const Value& x, const Value& is_odd) {
  const Value s = order + 1;
  const Value negative = compare("LT", x, 0);
  const Value safe = x.builder().filled(1, x.shape(), x.dtype());
  const Value rest = select(negative, x - floor_of(x), safe);
  const Value from_right = hurwitz_zeta(s, select(negative, rest, x));
  const Value from_left = hurwitz_zeta(s, select(negative, 1 - rest, safe));
  const Value below = hurwitz_zeta(s, select(negative, 1 - x, safe));
  const Value difference = from_left - below;
  return select(negative, from_right + select(is_odd, difference, -difference), from_right);
}

}  // namespace

Values emit_special(const Call& call) {
  switch (call.op) {
    case Op::erf:
      return {error(call.in(0))};
    case Op::erfc:
      return {error_complement(call.in(0))};
    case Op::gelu:
      // Below -40 the distribution function is 0, also in a product with an infinity.
      return {maximum(call.in(0), -40) * normal_distribution(call.in(0))};
    case Op::gelu_gradient:
      return {cotangent_times(call.in(0), gelu_slope(call.in(1)))};
    case Op::lgamma:
      return {log_gamma(call.in(0))};
    default:
      return {digamma(call.in(0))};
  }
}

// In f64, as factorials and powers of high orders exceed the range of f32.
Values emit_polygamma(const Call& call) {
  const Value order = stretched(convert(call.in(0), DType::f64), call.shape());
  const Value x = stretched(convert(call.in(1), DType::f64), call.shape());
  const Value is_order = compare("GE", order, 0) & compare("LE", order, ops::most_polygamma_order) &
                         compare("EQ", order, floor_of(order));
  const Value n = select(is_order & compare("GT", order, 0), order, 1);
  const Value is_odd = compare("NE", n * 0.5, floor_of(n * 0.5));
  const Value is_pole = compare("LE", x, 0) & compare("EQ", x, floor_of(x));
  const Value inside = select(is_pole, 1, x);
  const Value factorial = unary(Code::exponential_, log_gamma(n + 1));
  const Value size = factorial * sum_of_powers(n, inside, is_odd);
  const Value at_pole = select(is_odd & is_finite(x), infinity, x * nan);
  const Value high = select(is_pole, at_pole, select(is_odd, size, -size));
  const Value result = select(compare("EQ", order, 0), digamma(x), high);
  return {convert(select(is_order, result, nan), call.dtype())};
}

}  // namespace ddx::stablehlo::detail
