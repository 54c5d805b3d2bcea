#include "ddx/tensor/complex.h"

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/fourier.h"
#include "ddx/tensor/in_place.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/polar.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/sorting.h"
#include "ddx/tensor/text.h"

#include "tests/support/recorded_complex.h"
#include "tests/support/thrown.h"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace ddx::testing {
namespace complex_test {

using C64 = std::complex<float>;
using C128 = std::complex<double>;

/// Each row that PyTorch recorded, by name, as its value with its pullback.
template <class Part, class Check>
void for_each_function(Check check) {
  using T = Tensor<std::complex<Part>>;
  check("neg", [](const T& a) { return neg_vjp(a); });
  check("add", [](const T& a, const T& b) { return add_vjp(a, b); });
  check("sub", [](const T& a, const T& b) { return sub_vjp(a, b); });
  check("mul", [](const T& a, const T& b) { return mul_vjp(a, b); });
  check("div", [](const T& a, const T& b) { return div_vjp(a, b); });
  check("square", [](const T& a) { return square_vjp(a); });
  check("reciprocal", [](const T& a) { return reciprocal_vjp(a); });
  check("exp", [](const T& a) { return exp_vjp(a); });
  check("log", [](const T& a) { return log_vjp(a); });
  check("sqrt", [](const T& a) { return sqrt_vjp(a); });
  check("sin", [](const T& a) { return sin_vjp(a); });
  check("cos", [](const T& a) { return cos_vjp(a); });
  check("tanh", [](const T& a) { return tanh_vjp(a); });
  check("conj", [](const T& a) { return conj_vjp(a); });
  check("real", [](const T& a) { return real_vjp(a); });
  check("imag", [](const T& a) { return imag_vjp(a); });
  check("sum", [](const T& a) { return sum_vjp(a, {.axes = {0}}, {}); });
  check("mean", [](const T& a) { return mean_vjp(a, {.axes = {1}}, {}); });
  check("matmul", [](const T& a, const T& b) {
    return matmul_vjp(a, b, MatmulOptions{.transpose_right = true}, {});
  });
  check("fft", [](const T& a) { return fft_vjp(a, FourierOptions{.n = 5, .axis = 1}, {}); });
  check("ifft", [](const T& a) {
    return ifft_vjp(a, FourierOptions{.n = 2, .axis = 1, .norm = FourierNorm::Ortho}, {});
  });
  check("irfft", [](const T& a) { return irfft_vjp(a, FourierOptions{.axis = 1}, {}); });
  check("irfft_odd", [](const T& a) {
    return irfft_vjp(a, FourierOptions{.n = 7, .axis = 1, .norm = FourierNorm::Forward}, {});
  });
}

template <class Part>
void expect_recorded_functions(double tolerance) {
  using Complex = std::complex<Part>;
  const auto rows = recorded_complex("functions");
  for (const Device device : backend::available_devices()) {
    for_each_function<Part>([&](const std::string& name, auto with_pullback) {
      SCOPED_TRACE(name + " on " + to_string(device));
      const auto row = std::ranges::find_if(rows, [&](const auto& r) { return r["name"] == name; });
      ASSERT_NE(row, rows.end());
      const auto operand = [&](std::size_t i) {
        return tensor_of<Complex>({2, 3}, (*row)["operands"][i].template get<std::vector<double>>(),
                                  device);
      };
      const auto numbers = [&](const char* what) {
        return (*row)[what].template get<std::vector<double>>();
      };
      const auto gradient = [&](std::size_t i) {
        return (*row)["gradients"][i].template get<std::vector<double>>();
      };
      const auto check = [&](const auto& result, auto... wanted) {
        expect_numbers(result.value, numbers("y"), tolerance);
        using Element = typename std::remove_cvref_t<decltype(result.value)>::Element;
        const auto dy = tensor_of<Element>(result.value.shape(), numbers("dy"), device);
        return result.pullback(dy, wanted...);
      };
      if constexpr (requires { with_pullback(operand(0)); }) {
        expect_numbers(check(with_pullback(operand(0))), gradient(0), tolerance);
      } else {
        const auto [da, db] = check(with_pullback(operand(0), operand(1)), Wanted<2>{true, true});
        expect_numbers(da, gradient(0), tolerance);
        expect_numbers(db, gradient(1), tolerance);
      }
    });
  }
}

TEST(Complex, ValuesAndGradientsAreThoseOfPyTorchInDouble) {
  expect_recorded_functions<double>(1e-9);
}

TEST(Complex, ValuesAndGradientsAreThoseOfPyTorchInSinglePrecision) {
  expect_recorded_functions<float>(2e-6);
}

TEST(Complex, LengthsAndAnglesAreThoseOfPyTorch) {
  for (const auto& row : recorded_complex("functions")) {
    if (row["name"] == "abs" || row["name"] == "angle") {
      for (const Device device : backend::available_devices()) {
        const auto x =
            tensor_of<C128>({2, 3}, row["operands"][0].get<std::vector<double>>(), device);
        expect_numbers(row["name"] == "abs" ? abs(x) : angle(x),
                       row["y"].get<std::vector<double>>(), 1e-10);
        expect_numbers(polar(abs(x), angle(x)), numbers_of(x), 1e-14);
      }
    }
  }
}

TEST(Complex, LengthsDoNotOverflowOnTheWay) {
  for (const Device device : backend::available_devices()) {
    const Tensor<C64> x({C64(3e30F, 4e30F), C64(3e-30F, 4e-30F), C64(0, 0)}, device);
    const auto y = abs(x).values();
    EXPECT_FLOAT_EQ(y[0], 5e30F);
    EXPECT_FLOAT_EQ(y[1], 5e-30F);
    EXPECT_EQ(y[2], 0);
    const Tensor<C128> large({C128(3e300, 4e300)}, device);
    EXPECT_DOUBLE_EQ(abs(large).item(), 5e300);
  }
}

TEST(Complex, NumbersGoWithTensors) {
  for (const Device device : backend::available_devices()) {
    const Tensor<C128> x({C128(1, 2), C128(-3, 0.5)}, device);
    const C128 c(0.5, -1);
    const auto expect = [&](const Tensor<C128>& got, auto f) {
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(std::abs(got.elements()[i] - f(x.elements()[i])), 0, 1e-15);
      }
    };
    expect(x + c, [&](C128 e) { return e + c; });
    expect(c + x, [&](C128 e) { return c + e; });
    expect(x - c, [&](C128 e) { return e - c; });
    expect(c - x, [&](C128 e) { return c - e; });
    expect(x * c, [&](C128 e) { return e * c; });
    expect(x / c, [&](C128 e) { return e / c; });
    expect(c / x, [&](C128 e) { return c / e; });
    Tensor<C128> y = x;
    y += c;
    y *= x;
    y -= x;
    y /= c;
    expect(y, [&](C128 e) { return ((e + c) * e - e) / c; });
    EXPECT_EQ(x.values(), (std::vector<C128>{C128(1, 2), C128(-3, 0.5)}));
  }
}

TEST(Complex, BroadcastsAsRealNumbersDo) {
  for (const Device device : backend::available_devices()) {
    const Tensor<C64> column(Shape{2, 1}, {C64(1, 1), C64(2, -1)}, device);
    const Tensor<C64> row({C64(0, 1), C64(3, 0), C64(1, 2)}, device);
    const Tensor<C64> sum(
        {2, 3}, {C64(1, 2), C64(4, 1), C64(2, 3), C64(2, 0), C64(5, -1), C64(3, 1)}, device);
    const Tensor<C64> product(
        {2, 3}, {C64(-1, 1), C64(3, 3), C64(-1, 3), C64(1, 2), C64(6, -3), C64(4, 3)}, device);
    EXPECT_EQ(column + row, sum);
    EXPECT_EQ(column * row, product);
    EXPECT_EQ(thrown<UsageError>([&] {
                (void)(sum + Tensor<C64>({C64(1), C64(2)}, device));
              }).substr(0, 4),
              "add:");
  }
}

TEST(Complex, ElementsMoveAsWholes) {
  for (const Device device : backend::available_devices()) {
    const Tensor<C128> x(
        {2, 3}, {C128(1, -1), C128(2, -2), C128(3, -3), C128(4, -4), C128(5, -5), C128(6, -6)},
        device);
    EXPECT_EQ(transpose(x).values(), (std::vector<C128>{C128(1, -1), C128(4, -4), C128(2, -2),
                                                        C128(5, -5), C128(3, -3), C128(6, -6)}));
    EXPECT_EQ(slice(x, {.start = {1, 0}, .step = {1, 2}}).values(),
              (std::vector<C128>{C128(4, -4), C128(6, -6)}));
    EXPECT_EQ(gather(x, Tensor<std::int32_t>({2, 0}, device), 1).values(),
              (std::vector<C128>{C128(3, -3), C128(1, -1), C128(6, -6), C128(4, -4)}));
    EXPECT_EQ(concatenate<C128>({x, x}, 1).shape(), Shape({2, 6}));
    EXPECT_EQ(pad(x, {0, 1}, {0, 0}, C128(7, 8)).values()[4], C128(7, 8));
    EXPECT_EQ(broadcast_to(x, {2, 2, 3}).values()[11], C128(6, -6));
    EXPECT_EQ(select(not_equal(x, C128(2, -2)), x, C128(0, 9)).values()[1], C128(0, 9));
    EXPECT_EQ(equal(x, conj(x)).values(), std::vector<bool>(6, false));
  }
}

TEST(Complex, GradientsOfGatheredElementsAreAddedUp) {
  for (const Device device : backend::available_devices()) {
    const Tensor<C64> x({C64(1, 2), C64(3, 4)}, device);
    const auto y = gather_vjp(x, Tensor<std::int32_t>({1, 1, 0}, device), 0, {});
    const auto dx = y.pullback(Tensor<C64>({C64(1, 1), C64(2, -3), C64(5, 0)}, device));
    EXPECT_EQ(dx.values(), (std::vector<C64>{C64(5, 0), C64(3, -2)}));
  }
}

TEST(Complex, CastsKeepTheImaginaryPartOrRefuse) {
  const Tensor<C128> x{C128(1, 2), C128(0, 0)};
  EXPECT_EQ(cast<C64>(x).values(), (std::vector<C64>{C64(1, 2), C64(0, 0)}));
  EXPECT_EQ(cast<bool>(x).values(), (std::vector<bool>{true, false}));
  EXPECT_EQ(cast<C64>(Tensor<std::int32_t>{3, -4}).values(), (std::vector<C64>{C64(3), C64(-4)}));
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)cast<float>(x); }),
      "cast: from c128 to f32 the imaginary parts would be lost; take real or imag; shape [2]");
}

TEST(Complex, WhatNeedsAnOrderNamesTheElementType) {
  const Tensor<C64> x{C64(1, 2)};
  for (const Device device : backend::available_devices()) {
    const auto y = x.to(device);
    const std::string end = " unsupported on device " + to_string(device) +
                            " for c64: the operation is not defined for this dtype";
    EXPECT_EQ(thrown<UsageError>([&] { (void)max(y); }), "max:" + end);
    EXPECT_EQ(thrown<UsageError>([&] { (void)less(y, y); }), "less:" + end);
    EXPECT_EQ(thrown<UsageError>([&] { (void)argsort(y); }), "argsort:" + end);
  }
}

TEST(Complex, PartsOfDifferentShapesAreNamed) {
  EXPECT_EQ(thrown<UsageError>([] { (void)make_complex(zeros<float>({2}), zeros<float>({3})); }),
            "make_complex: the parts differ in shape; shapes [2] and [3] (here)");
}

TEST(Complex, OnlyARealResultHasAGradient) {
  EXPECT_EQ(
      thrown<UsageError>([] { (void)ddx_unit_seed(Tensor<C64>(C64(1, 2))); }),
      "gradient: the result is of dtype c64: only a real result has a gradient; shape []; take "
      "its real part or its abs, or use pullback");
}

TEST(Complex, TextIsThatOfNumPy) {
  EXPECT_EQ(to_string(Tensor<C64>{C64(1, 2.5F), C64(-0.5F, -3)}), "[1+2.5j, -0.5-3j]");
}

TEST(Complex, SymbolicZerosReadAsZero) {
  const Tensor<C128> none;
  const Tensor<C128> x{C128(1, 2)};
  EXPECT_EQ((none + x).values(), x.values());
  EXPECT_EQ(sum(none).item(), C128(0));
  EXPECT_EQ(ddx_inner(none, x), 0);
  EXPECT_EQ(ddx_inner(x, x), 5);
}

}  // namespace complex_test
}  // namespace ddx::testing
