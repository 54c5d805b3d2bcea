#include "ddx/ad/detail/memory_path.h"

#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace memory_path_test {

using ddx::detail::MemoryFunction;
using ddx::detail::MemorySweep;
using ddx::detail::MemoryTangents;

// The functions as the compiler calls them: by their names in LLVM IR.
char* push(MemorySweep* sweep, std::size_t bytes) __asm__("ddx.rt.push");
char* pop(MemorySweep* sweep, std::size_t bytes) __asm__("ddx.rt.pop");
double* place_f64(MemorySweep* sweep, const void* address) __asm__("ddx.rt.place_f64");
float* place_f32(MemorySweep* sweep, const void* address) __asm__("ddx.rt.place_f32");
long double* place_f80(MemorySweep* sweep, const void* address) __asm__("ddx.rt.place_f80");
void move(MemorySweep* sweep, void* dst, const void* src, std::size_t bytes) __asm__("ddx.rt.move");
void clear(MemorySweep* sweep, void* begin, std::size_t bytes) __asm__("ddx.rt.clear");
double* tangent_f64(MemoryTangents* tangents, const void* address) __asm__("ddx.rt.tangent_f64");
float* tangent_f32(MemoryTangents* tangents, const void* address) __asm__("ddx.rt.tangent_f32");
long double* tangent_f80(MemoryTangents* tangents,
                         const void* address) __asm__("ddx.rt.tangent_f80");
double* tangent_range_f64(MemoryTangents* tangents, const void* first,
                          const void* last) __asm__("ddx.rt.tangent_range_f64");
float* tangent_range_f32(MemoryTangents* tangents, const void* first,
                         const void* last) __asm__("ddx.rt.tangent_range_f32");
long double* tangent_range_f80(MemoryTangents* tangents, const void* first,
                               const void* last) __asm__("ddx.rt.tangent_range_f80");
void tangent_move(MemoryTangents* tangents, void* dst, const void* src,
                  std::size_t bytes) __asm__("ddx.rt.tangent_move");
void tangent_clear(MemoryTangents* tangents, void* begin,
                   std::size_t bytes) __asm__("ddx.rt.tangent_clear");
const MemoryFunction* find(const void* function) __asm__("ddx.rt.find");
void register_functions(const MemoryFunction* first,
                        std::size_t count) __asm__("ddx.rt.register_functions");

TEST(MemoryPath, HasTheTapeUnderItsNames) {
  MemorySweep sweep;
  char* const record = push(&sweep, 16);
  sweep.begin_reverse();
  EXPECT_EQ(pop(&sweep, 16), record);
}

TEST(MemoryPath, HasCotangentsUnderTheirNames) {
  MemorySweep sweep;
  double x[2] = {};
  float y = 0;
  long double z = 0;
  *place_f64(&sweep, &x[0]) = 1;
  *place_f32(&sweep, &y) = 2;
  *place_f80(&sweep, &z) = 3;
  EXPECT_EQ(*sweep.place<double>(&x[0]), 1);
  EXPECT_EQ(*sweep.place<float>(&y), 2);
  EXPECT_EQ(*sweep.place<long double>(&z), 3);
  move(&sweep, &x[0], &x[1], sizeof(double));
  EXPECT_EQ(*place_f64(&sweep, &x[0]), 0);
  EXPECT_EQ(*place_f64(&sweep, &x[1]), 1);
  clear(&sweep, &x[0], sizeof(x));
  EXPECT_EQ(*place_f64(&sweep, &x[1]), 0);
}

TEST(MemoryPath, HasTangentsUnderTheirNames) {
  MemoryTangents tangents;
  double x[2] = {};
  float y = 0;
  long double z = 0;
  *tangent_f64(&tangents, &x[0]) = 1;
  *tangent_f32(&tangents, &y) = 2;
  *tangent_f80(&tangents, &z) = 3;
  EXPECT_EQ(*tangents.place<double>(&x[0]), 1);
  EXPECT_EQ(*tangents.place<float>(&y), 2);
  EXPECT_EQ(*tangents.place<long double>(&z), 3);
  tangent_move(&tangents, &x[1], &x[0], sizeof(double));
  EXPECT_EQ(*tangent_f64(&tangents, &x[0]), 1);
  EXPECT_EQ(*tangent_f64(&tangents, &x[1]), 1);
  tangent_clear(&tangents, &x[0], sizeof(x));
  EXPECT_EQ(*tangent_f64(&tangents, &x[1]), 0);
}

TEST(MemoryPath, HasRangesOfTangentsUnderTheirNames) {
  MemoryTangents tangents;
  std::vector<double> x(2000);
  std::vector<float> y(2000);
  std::vector<long double> z(2000);
  double* const of_x = tangent_range_f64(&tangents, &x.front(), &x.back());
  float* const of_y = tangent_range_f32(&tangents, &y.front(), &y.back());
  long double* const of_z = tangent_range_f80(&tangents, &z.front(), &z.back());
  ASSERT_TRUE(of_x != nullptr && of_y != nullptr && of_z != nullptr);
  for (const std::size_t i : {0U, 1U, 777U, 1999U}) {
    EXPECT_EQ(tangents.place<double>(&x[i]), of_x + i);
    EXPECT_EQ(tangents.place<float>(&y[i]), of_y + i);
    EXPECT_EQ(tangents.place<long double>(&z[i]), of_z + i);
  }
}

TEST(MemoryPath, HasNoRangesOfTangentsThatThreadsShare) {
  MemoryTangents tangents;
  const std::vector<double> x(10);
  tangents.share();
  EXPECT_EQ(tangent_range_f64(&tangents, &x.front(), &x.back()), nullptr);
}

TEST(MemoryPath, FindsTheFunctionsOfTheUnit) {
  static int function, forward, reverse, tangent;
  static const MemoryFunction functions[] = {{&function, &forward, &reverse, &tangent}};
  register_functions(functions, 1);
  EXPECT_EQ(find(&function), functions);
}

// What the compiler makes of `p = x[0] * x[1]; memcpy(&q, &p); return {q * x[0], q}`, by hand.
using Vector = std::vector<double>;
using Pair = std::pair<double, float>;

struct Frame {
  double p, q;
};

void forward(const Vector& x, Pair* result, MemorySweep* sweep, Frame* frame) {
  auto* const record = reinterpret_cast<double*>(push(sweep, 16));
  record[0] = x[0];
  record[1] = x[1];
  frame->p = x[0] * x[1];
  std::memcpy(&frame->q, &frame->p, sizeof(double));
  *reinterpret_cast<double*>(push(sweep, 16)) = frame->q;
  *result = {frame->q * x[0], static_cast<float>(frame->q)};
}

double taken(double* cotangent) {
  return std::exchange(*cotangent, 0.0);
}

void reverse(const Vector& x, Pair* result, MemorySweep* sweep, Frame* frame) {
  const double q = *reinterpret_cast<double*>(pop(sweep, 16));
  const auto* const factors = reinterpret_cast<double*>(pop(sweep, 16));
  const auto of_second =
      static_cast<double>(std::exchange(*place_f32(sweep, &result->second), 0.F));
  const double of_first = taken(place_f64(sweep, &result->first));
  *place_f64(sweep, &frame->q) += of_second + of_first * factors[0];
  *place_f64(sweep, &x[0]) += of_first * q;
  move(sweep, &frame->q, &frame->p, sizeof(double));
  const double of_p = taken(place_f64(sweep, &frame->p));
  *place_f64(sweep, &x[0]) += of_p * factors[1];
  *place_f64(sweep, &x[1]) += of_p * factors[0];
}

TEST(MemoryPath, ReversesAFunctionAsOftenAsItsPullbackIsCalled) {
  const Vector x{3, 5};
  Pair result;
  Frame frame{};
  const ddx::detail::Reused<MemorySweep> sweep;
  forward(x, &result, sweep.get(), &frame);
  EXPECT_EQ(result, (Pair{45, 15.F}));
  const auto pullback = [&](const Pair& seed) {
    Vector gradient{100, 100};
    sweep->begin_reverse();
    ddx::detail::set_cotangents(*sweep, result, seed);
    reverse(x, &result, sweep.get(), &frame);
    ddx::detail::add_cotangents(*sweep, x, gradient);
    return gradient;
  };
  // The first result is x0^2 x1, with derivatives 2 x0 x1 = 30 and x0^2 = 9; the second x0 x1.
  EXPECT_EQ(pullback({1, 0.F}), (Vector{130, 109}));
  EXPECT_EQ(pullback({0, 1.F}), (Vector{105, 103}));
  EXPECT_EQ(pullback({1, 2.F}), (Vector{140, 115}));
}

}  // namespace memory_path_test
