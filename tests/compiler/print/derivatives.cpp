// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// The shape of the derivatives that the compiler writes; each rule is what makes them fast or
// right. Numbers are checked by tests/compiler/exec.

#include <cmath>
#include <ddx/ad.h>
#include <vector>

// A function becomes two: the forward sweep saves into a record of plain members, the reverse sweep
// reads it. What the result alone gives back (exp) is saved as the result.
// CHECK: struct ddx_straight_record {
// CHECK-NEXT: double w_1;
// CHECK-NEXT: double t4_2;
// CHECK-NEXT: double x_3;
// CHECK-NEXT: double t5_4;
// CHECK-NEXT: };
double straight(double x, double w) {
  double y = std::exp(w * x);
  y = y * x;
  return y;
}

// A known number of iterations is one array of records; no more is allocated than runs.
// CHECK: struct ddx_counted_record_it {
// CHECK-NOT: previous
// CHECK: struct ddx_counted_record {
// CHECK-NEXT: int n_
// CHECK-NEXT: double x_
// CHECK-NEXT: ddx_counted_record_it* it_nodes;
double counted(double x, int n) {
  double p = 1;
  for (int i = 0; i < n; ++i) {
    p = p * std::tanh(x * p);
  }
  return p;
}

// An unknown one is a chain, with the number of iterations and the exit taken.
// CHECK: struct ddx_left_record_it {
// CHECK: ddx_left_record_it* previous;
// CHECK: struct ddx_left_record {
// CHECK-NEXT: std::size_t count_
// CHECK: unsigned exit_
double left(double x, int n) {
  double p = x;
  while (p < 100) {
    if (n == 2) {
      return p;
    }
    p = p * p;
  }
  return p * x;
}

// A recursive call's record is boxed, and its sweeps stay out of line.
// CHECK: struct ddx_recursive_record {
// CHECK: ddx_recursive_record* call_
// CHECK: static double ddx_recursive_forward(
double recursive(double x, int n) {
  return n == 0 ? x : recursive(x, n - 1) * x;
}

// A callee's record lies in its caller's; that of a call in a loop in the iteration's.
// CHECK: struct ddx_calls_record_it {
// CHECK-NEXT: ddx_inner_record call_
// CHECK: struct ddx_calls_record {
// CHECK-NEXT: ddx_inner_record call_
double inner(double x) {
  return std::tanh(x);
}
double calls(double x, int n) {
  double s = inner(x);
  for (int i = 0; i < n; ++i) {
    s += inner(s);
  }
  return s;
}

// Each pattern of active arguments has its own derivative: no adjoint without a use, no residual
// for it either.
// CHECK: struct ddx_clones_record {
// CHECK: ddx_clones_reverse({{.*}} seed, {{.*}}double& d_x_out, {{.*}}double& d_y_out,
// CHECK: struct ddx_clones_2_record {
// CHECK-NEXT: double y_
// CHECK-NEXT: };
// CHECK: ddx_clones_2_reverse({{.*}} seed, {{.*}}double& d_x_out, {{.*}}ddx::detail::Arena& arena);
double clones(double x, double y) {
  return x * y;
}

// Arguments that are different objects are disjoint, and so are their adjoints; the same object
// twice is not claimed to be.
// CHECK: ddx_disjoint_reverse({{.*}}double* __restrict d_a, {{.*}}double* __restrict d_b,
// CHECK: ddx_disjoint_2_reverse({{.*}}double* d_a, {{.*}}double* d_b,
double disjoint(double* a, const double* b) {
  a[0] *= b[0];
  return a[0] * b[1];
}
double pointers(double x) {
  double a[2] = {x, x};
  double b[2] = {x, x};
  return disjoint(a, b) + disjoint(a, a);
}

// A vector whose elements alone are used passes a pointer to their adjoints; one that is made
// longer cannot. The adjoint of a local vector that only grows stands in the arena, and that of a
// result is taken over from the caller. An index that the body steps is stepped back with the
// iterations.
// CHECK: ddx_squares_reverse({{.*}}double* __restrict d_made, {{.*}}double* __restrict d_v,
// CHECK: ddx_elements_reverse({{.*}}double* __restrict d_v,
// CHECK: ddx_whole_reverse({{.*}}std::vector<double>& __restrict d_v,
double elements(const std::vector<double>& v) {
  double sum = 0;
  int at = 1;
  for (int i = 0; i < 3; ++i) {
    sum += v[at] * v[i];
    at += 2;
  }
  return sum;
}
std::vector<double> squares(const std::vector<double>& v) {
  std::vector<double> made;
  made.push_back(v[0] * v[1]);
  return made;
}
double whole(std::vector<double> v) {
  v.push_back(v[0]);
  const std::vector<double> copy = squares(v);
  return elements(v) + copy[0];
}

// What an assignment destroys is copied in front of the loop that reads it; the reverse sweep asks
// for the copy below in advance.
double sliced(std::vector<double> y) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += y[i] * y[i];
  }
  y[0] = sum;
  return sum * y[0];
}

// Sums of adjoints may be reordered; a store takes the adjoint and zeroes it before anything is
// added; the adjoint of a scalar parameter is a local and leaves once.
// CHECK-LABEL: void ddx_straight_reverse({{.*}}) {
// CHECK-NEXT: DDX_ADJOINT_SUM
// CHECK-NEXT: double d_x = -0.0;
// CHECK-NEXT: double d_y = -0.0;
// CHECK-NEXT: double d_t8 = seed;
// CHECK-NEXT: d_y += d_t8;
// CHECK-NEXT: double d_t7 = d_y;
// CHECK-NEXT: d_y = -0.0;
// CHECK-NEXT: double d_t5 = (r.x_3) * d_t7;
// CHECK-NEXT: double d_t6 = (r.t5_4) * d_t7;
// CHECK-NEXT: d_x += d_t6;
// CHECK-NEXT: d_y += d_t5;
// CHECK-NEXT: double d_t4 = d_y;
// CHECK-NEXT: double d_t3 = ddx::detail::scaled(d_t4, r.t4_2);
// CHECK-NEXT: double d_t2 = (r.w_1) * d_t3;
// CHECK-NEXT: d_x += d_t2;
// CHECK-NEXT: d_x_out += d_x;
// CHECK-NEXT: }

// CHECK-LABEL: double ddx_counted_forward({{.*}}) {
// CHECK: it_nodes = arena.alloc<ddx_counted_record_it>(ddx::detail::trip_count(t2, t3, 1));
// CHECK-NOT: alloc
// CHECK: for (int i = t2; i < t3; ++i) {
// CHECK-NEXT: ddx_counted_record_it& it = it_nodes[it_count++];
// CHECK-NOT: alloc
// CHECK-LABEL: void ddx_counted_reverse({{.*}}) {
// CHECK: if (std::size_t it_k = ddx::detail::trip_count(0, r.n_1, 1); it_k > 0) {
// CHECK-NEXT: int i = ddx::detail::counter_at<int>(0, it_k - 1, 1);
// CHECK-NEXT: for (;; i -= 1) {
// CHECK-NEXT: --it_k;
// CHECK-NEXT: const ddx_counted_record_it& it = it_nodes[it_k];
// CHECK-NOT: _out
// CHECK: d_x_out += d_x;

// The reverse sweep enters at the exit taken and undoes that partial iteration first.
// CHECK-LABEL: double ddx_left_forward({{.*}}) {
// CHECK: while (p < 100) {
// CHECK-NEXT: ddx_left_record_it& it = *arena.alloc<ddx_left_record_it>(1);
// CHECK-NEXT: it.previous = it_last;
// CHECK: r.exit_2 = 1;
// CHECK-NEXT: return p;
// CHECK: r.exit_2 = 2;
// CHECK-NEXT: return (t7 * x);
// CHECK-LABEL: void ddx_left_reverse({{.*}}) {
// CHECK: unsigned exit = r.exit_2;
// CHECK: if ((exit == 0 || exit > 1)) {
// CHECK-NEXT: double d_t9 = seed;
// CHECK: if (std::size_t it_k = r.count_1; it_k > 0) {
// CHECK: it_node = it.previous;
// CHECK: if ((exit == 0 || exit > 1)) {
// CHECK: if (exit == 1) {
// CHECK-NEXT: double d_t3 = seed;
// CHECK-NEXT: if (exit <= 1) exit = 0;

// CHECK-LABEL: double ddx_recursive_forward({{.*}}) {
// CHECK: r.call_2 = arena.alloc<ddx_recursive_record>(1);
// CHECK-NEXT: double t5 = ddx_recursive_forward(x, (n - 1), *r.call_2, arena);

// The callee is not run again: its reverse sweep reads the record of that iteration.
// CHECK-LABEL: void ddx_calls_reverse({{.*}}) {
// CHECK-NOT: inner_forward
// CHECK: ddx_inner_reverse(it.call_3, d_t6, d_t5, arena);
// CHECK: ddx_inner_reverse(r.call_1, d_t2, d_t1, arena);

// CHECK-LABEL: void ddx_sliced_reverse({{.*}}) {
// CHECK: ddx::detail::fetch_below(arena, r.y_1, 1 * ddx::detail::trip_count(0, 3, 1) + 0);
// CHECK-NEXT: {
// CHECK-NEXT: if (std::size_t it_n =

// CHECK-LABEL: void ddx_elements_reverse({{.*}}) {
// CHECK: int i = static_cast<int>(0);
// CHECK-NEXT: int at_[[AT:at_[0-9]+]] = static_cast<int>(r.[[AT]]);
// CHECK-NEXT: for (std::size_t it_k = 0; it_k < it_n; ++it_k, i += 1, at_[[AT]] += 2) {
// CHECK: d_v[at_[[AT]]] +=

// The user's call enters here. Records die with the call, in one arena.
// CHECK-LABEL: void ddx_whole_reverse({{.*}}) {
// CHECK-NEXT: DDX_ADJOINT_SUM
// CHECK-NEXT: const ddx::detail::Arena::Mark d_copy_mark = arena.mark();
// CHECK-NEXT: double* const d_copy = arena.zeros<double>(r.copy_size_3);
// CHECK: ddx_squares_reverse(r.call_1, d_copy, std::data(d_v), arena);
// CHECK: arena.release(d_copy_mark);
// CHECK-LABEL: template <> inline double ddx::detail::value_with_gradient_entry<
// CHECK-NEXT: ddx::detail::ArenaScope scope;
// CHECK: ddx_primal_forward(f.cap_n, a0, r, arena);
// CHECK: ddx_primal_reverse(r, std::move(seed), std::get<0>(tangents), arena);
// CHECK-NEXT: return value;
double use(double x, int n) {
  return ddx::gradient(
      [n](double y) {
        return straight(y, 2.0) + counted(y, n) + left(y, n) + recursive(y, n) + calls(y, n) +
               clones(y, y) + clones(y, 2) + pointers(y) + sliced({y, y, y}) +
               whole({y, y, y, y, y, y});
      },
      x);
}
