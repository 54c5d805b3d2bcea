// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// Entries of functions that are not promoted: the function by address, and calls of what the IR
// pass defines.
#include "ddx/ad.h"

#include <array>

namespace {

// Not promoted, for its goto.
double halved(double x) {
again:
  x /= 2;
  if (x > 1) {
    goto again;
  }
  return x;
}

struct Scaled {
  double factor;
  std::array<double, 2> operator()(double x, int) const { return {factor * halved(x), x}; }
};

struct Squeezed {
  std::array<double, 2> operator()(const std::array<double, 3>& x) const {
    return {halved(x[0]) * x[1], x[2]};
  }
};

}  // namespace

// The labels of slopes come once, in front of all entries.
// CHECK: #include <ddx/ad/detail/memory_path.h>
// CHECK: __asm__("ddx.slope.sin.1.0.f64")
// CHECK-NEXT: static inline double ddx_slope_sin_1_0_f64(double x0, double r) noexcept { return std::cos(x0); }
// An exponent keeps its type, and has no slope.
// CHECK: double ddx_slope_ldexp_2_0_f64(double x0, int x1, double r) noexcept __asm__("ddx.slope.ldexp.2.0.f64")
// CHECK-NOT: ddx.slope.ldexp.2.1
// CHECK-NOT: ddx.slope.floor

// What the entries call comes before them, in the order of the requests. A function that is named
// is called itself.
// CHECK: {{\[\[gnu::used\]\]}} static void ddx_memory_primal_0({{.*}}* const* f, double const* a0, double* result) __asm__("ddx.memory.primal.0");
// CHECK: ::new (static_cast<void*>(result)) double(__ddx_names::halved(*a0));
// CHECK: void ddx_memory_forward_0(const void* f, const void* a0, void* result, ddx::detail::MemorySweep* sweep) __asm__("ddx.memory.forward.0");
// CHECK-NEXT: void ddx_memory_reverse_0(ddx::detail::MemorySweep* sweep) __asm__("ddx.memory.reverse.0");
// Each function that may be meant has a part of the entry. Selected arguments are copied, the
// others are not: another argument, or the function, may refer to the same object.
// CHECK: static inline double ddx_entry(
// CHECK-NEXT: double const own_a0(a0);
// CHECK: ddx_memory_forward_0(std::addressof(f), std::addressof(own_a0), std::addressof(result.get()), sweep.get());
// CHECK-NEXT: result.complete();
// CHECK: set_cotangents(*sweep, result.get(), ddx::detail::unit_seed(result.get()));
// CHECK-NEXT: ddx_memory_reverse_0(sweep.get());
// CHECK-NEXT: add_cotangents(*sweep, own_a0, std::get<0>(tangents));
// CHECK-NEXT: memory_end_sweep(sweep.get());
const double slope = ddx::gradient(halved, 3.0);

// A pullback keeps its arguments, and its sweep.
// CHECK: ddx_memory_primal_1({{.*}}Scaled const* f, double const* a0, int const* a1, {{.*}}* result) __asm__("ddx.memory.primal.1");
// CHECK: struct ddx_pullback final
// CHECK: ddx_memory_forward_1(std::addressof(f), std::addressof(a0), std::addressof(a1), std::addressof(result.get()), sweep.get());
// CHECK: override {
// CHECK-NEXT: sweep->begin_reverse();
// CHECK-NEXT: set_cotangents(*sweep, result.get(), given);
// CHECK-NEXT: ddx_memory_reverse_1(sweep.get());
// CHECK-NEXT: add_cotangents(*sweep, a0, std::get<0>(tangents));
// CHECK-NEXT: memory_end_sweep(sweep.get());
const auto back = ddx::pullback(Scaled{2}, ddx::wrt<0>, 3.0, 1);

// CHECK: void ddx_memory_tangent_2(const void* f, const void* a0, const void* a1, void* result, ddx::detail::MemoryTangents* tangents) __asm__("ddx.memory.tangent.2");
const auto along = ddx::jvp(Scaled{2}, ddx::wrt<0>, ddx::along(1.0), 3.0, 1);

// CHECK: ddx_memory_forward_3(
const auto rows = ddx::jacobian(Squeezed{}, std::array{3.0, 1.0, 2.0});

// CHECK: set_tangents(*tangents, own_a0, d0);
// CHECK: ddx_memory_tangent_2(std::addressof(f), std::addressof(own_a0), std::addressof(a1), std::addressof(result.get()), tangents.get());
// CHECK: get_tangents(*tangents, result.get(), differential);
// CHECK: ddx_memory_forward_3(std::addressof(f), std::addressof(own_a0), std::addressof(result.get()), sweep.get());
// CHECK: while (rows.next()) {
// CHECK-NEXT: sweep->begin_reverse();
// CHECK: add_cotangents(*sweep, own_a0, std::get<0>(rows.tangents));
// CHECK-NEXT: memory_end_sweep(sweep.get());
// CHECK-NEXT: rows.end_row();
