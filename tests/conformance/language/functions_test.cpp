/// \file
/// Functions, templates and lambdas.

#include "gradient_check.h"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {
namespace program_inactive_parameters {
enum class K { A, B };
double g(K k, const std::string& s, bool b, double x) {
  return (k == K::A ? x : x * x) * static_cast<double>(s.size()) + (b ? x : 0.0);
}
double inactive_parameters(double x) {
  return g(K::B, "abc", true, x) + g(K::A, std::string("zz"), false, x);
}
}  // namespace program_inactive_parameters
using program_inactive_parameters::inactive_parameters;
}  // namespace

namespace {
namespace program_partial_and_full_specialisations {
template <class T, int N>
struct P {
  static double e(T x) { return x * N; }
};
template <class T>
struct P<T, 2> {
  static double e(T x) { return x * x; }
};
template <>
struct P<float, 2> {
  static double e(float x) { return 2 * x; }
};
double partial_and_full_specialisations(double x) {
  return P<double, 3>::e(x) + P<double, 2>::e(x);
}
}  // namespace program_partial_and_full_specialisations
using program_partial_and_full_specialisations::partial_and_full_specialisations;
}  // namespace

namespace {
namespace program_compile_time_functions {
consteval double c(int n) {
  return n * 2.0;
}
template <int N>
double pw(double x) {
  if constexpr (N == 0)
    return 1;
  else
    return x * pw<N - 1>(x);
}
double compile_time_functions(double x) {
  return c(3) * x + pw<3>(x);
}
}  // namespace program_compile_time_functions
using program_compile_time_functions::compile_time_functions;
}  // namespace

namespace {
namespace program_concepts {
template <class T>
concept R = std::floating_point<T>;
auto sq(R auto v) {
  return v * v;
}
template <class T>
  requires R<T>
T cu(T v) {
  return v * v * v;
}
double concepts(double x) {
  return sq(x) + cu(x);
}
}  // namespace program_concepts
using program_concepts::concepts;
}  // namespace

namespace {
namespace program_lambdas_from_functions {
auto make(double a) {
  return [a](double y) { return a * y; };
}
double lambdas_from_functions(double x) {
  auto g = make(x);
  return g(x) + make(2 * x)(x);
}
}  // namespace program_lambdas_from_functions
using program_lambdas_from_functions::lambdas_from_functions;
}  // namespace

namespace {
namespace program_lambda_given_itself {
double lambda_given_itself(double x) {
  auto g = [&](auto&& self, int n) -> double { return n == 0 ? 1.0 : x * self(self, n - 1); };
  return g(g, 3);
}
}  // namespace program_lambda_given_itself
using program_lambda_given_itself::lambda_given_itself;
}  // namespace

namespace {
namespace program_function_object_handed_on {
double app(const std::function<double(double)>& g, double x) {
  return g(x) * g(x + 1);
}
double function_object_handed_on(double x) {
  return app([x](double y) { return x * y; }, x);
}
}  // namespace program_function_object_handed_on
using program_function_object_handed_on::function_object_handed_on;
}  // namespace

namespace {
namespace program_guard_that_may_throw {
double guard_that_may_throw(double x) {
  if (x > 100)
    throw std::runtime_error("bad " + std::to_string(x));
  return x * x;
}
}  // namespace program_guard_that_may_throw
using program_guard_that_may_throw::guard_that_may_throw;
}  // namespace

namespace {
namespace program_logging {
double logging(double x) {
  double y = x * x;
  if (y > 1e9)
    std::cout << "y = " << y << ' ' << x << std::endl;
  return y;
}
}  // namespace program_logging
using program_logging::logging;
}  // namespace

namespace {
namespace program_strings_beside_reals {
double strings_beside_reals(double x) {
  std::string s = "a";
  s += std::to_string(3);
  return x * static_cast<double>(s.size());
}
}  // namespace program_strings_beside_reals
using program_strings_beside_reals::strings_beside_reals;
}  // namespace

DDX_CHECK_GRADIENT(inactive_parameters, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(partial_and_full_specialisations, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(compile_time_functions, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(concepts, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(lambdas_from_functions, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(lambda_given_itself, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(function_object_handed_on, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(guard_that_may_throw, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(logging, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(strings_beside_reals, at(0.83), at(1.7), at(-1.37))
