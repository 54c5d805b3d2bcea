// Branches, loops, jumps, handlers and calls that decide on shapes: nothing is reported.

#include <algorithm>
#include <cstdint>
#include <ddx/ddx.h>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

using F = ddx::Tensor<float>;

void capture_by_value_mutable() {
  F a = ddx::zeros<float>({2, 3});
  auto f = [a]() mutable {
    auto y = ddx::matmul(a, ddx::zeros<float>({a.shape()[1], 4}));
    a = y;
    return y;
  };
  (void)f();
  const F last = f();
  (void)(last + ddx::zeros<float>({2, 4}));
  (void)(a + ddx::zeros<float>({2, 3}));
}

void loop_swaps(int n) {
  F a = ddx::zeros<float>({2, 3}), b = ddx::zeros<float>({3, 2});
  for (int i = 0; i < n; ++i) std::swap(a, b);
  (void)(a + ddx::zeros<float>({n % 2 == 0 ? 2 : 3, n % 2 == 0 ? 3 : 2}));
}

F halve(F x) {
  if (x.shape()[0] <= 2)
    return x;
  return halve(ddx::slice(x, {.start = {0, 0}, .stop = {x.shape()[0] / 2, x.shape()[1]}}));
}

void recursion_on_shape() {
  (void)(halve(ddx::zeros<float>({32, 3})) + ddx::zeros<float>({2, 3}));
}

F early_rank(const F& x) {
  if (x.rank() == 4)
    return ddx::reshape(x, {x.shape()[0], -1});
  return x;
}

void early_return_rank() {
  (void)ddx::matmul(early_rank(ddx::zeros<float>({2, 3, 4, 5})), ddx::zeros<float>({60, 5}));
  (void)ddx::matmul(early_rank(ddx::zeros<float>({2, 3})), ddx::zeros<float>({3, 5}));
}

void sort_by_rows() {
  std::vector<F> v{ddx::zeros<float>({5, 3}), ddx::zeros<float>({3, 5})};
  std::sort(v.begin(), v.end(), [](const F& a, const F& b) { return a.shape()[0] < b.shape()[0]; });
  (void)ddx::matmul(v[0], v[1]);
  (void)(v[0] + ddx::zeros<float>({3, 5}));
}

void accumulate() {
  std::vector<F> v{ddx::zeros<float>({5, 3}), ddx::zeros<float>({3, 4})};
  const F y = std::accumulate(v.begin(), v.end(), ddx::zeros<float>({2, 5}),
                              [](const F& a, const F& b) { return ddx::matmul(a, b); });
  (void)(y + ddx::zeros<float>({2, 4}));
}

void transform() {
  std::vector<F> v{ddx::zeros<float>({5, 3}), ddx::zeros<float>({3, 4})};
  std::transform(v.begin(), v.end(), v.begin(),
                 [](const F& a) { return ddx::transpose(a, {1, 0}); });
  (void)ddx::matmul(v[1], v[0]);
}

void jump_forward(bool b) {
  F a = ddx::zeros<float>({2, 3});
  if (b)
    goto end;
  a = ddx::zeros<float>({2, 4});
end:
  (void)ddx::matmul(a, ddx::zeros<float>({b ? 3 : 4, 1}));
}

void jump_back() {
  F a = ddx::zeros<float>({1, 1});
  int i = 0;
again:
  a = ddx::concatenate(std::vector<F>{a, a}, 1);
  if (++i < 3)
    goto again;
  (void)ddx::matmul(a, ddx::zeros<float>({8, 1}));
}

void rethrown() {
  try {
    try {
      throw 1;
    } catch (int) {
      throw std::runtime_error("x");
    }
  } catch (...) {
    return;
  }
  (void)ddx::matmul(ddx::zeros<float>({2, 3}), ddx::zeros<float>({4, 5}));
}

template <class G>
bool rejects(G g) {
  try {
    g();
  } catch (const ddx::UsageError&) {
    return true;
  }
  return false;
}

void bad() {
  (void)ddx::matmul(ddx::zeros<float>({2, 3}), ddx::zeros<float>({4, 5}));
}

void expected_by_template() {
  (void)rejects([] { bad(); });
  (void)rejects(bad);
  (void)rejects(&bad);
}

F& growing() {
  static F s = ddx::zeros<float>({1, 2});
  s = ddx::concatenate(std::vector<F>{s, s}, 0);
  return s;
}

void statics() {
  (void)growing();
  (void)growing();
  (void)ddx::matmul(ddx::zeros<float>({1, 8}), growing());
}

void static_local() {
  static int n = 0;
  ++n;
  static F t = ddx::zeros<float>({2, 3});
  const F u = t;
  t = ddx::transpose(t, {1, 0});
  (void)(u + ddx::zeros<float>({n % 2 ? 2 : 3, n % 2 ? 3 : 2}));
}

struct Base {
  virtual ~Base() = default;
  virtual std::int64_t out() const { return 3; }
  F apply(const F& x) const { return ddx::matmul(x, ddx::zeros<float>({x.shape()[1], out()})); }
};

struct Derived : Base {
  std::int64_t out() const override { return 5; }
};

void virtuals() {
  const Derived d;
  const Base& b = d;
  (void)(b.apply(ddx::zeros<float>({2, 4})) + ddx::zeros<float>({2, 5}));
  (void)(Base{}.apply(ddx::zeros<float>({2, 4})) + ddx::zeros<float>({2, 3}));
}

void optionals() {
  std::optional<F> o;
  if (!o)
    o = ddx::zeros<float>({2, 3});
  (void)ddx::matmul(*o, ddx::zeros<float>({3, 1}));
  o.emplace(ddx::zeros<float>({4, 4}));
  (void)ddx::matmul(o.value(), ddx::zeros<float>({4, 1}));
  o.reset();
  (void)ddx::matmul(o.value_or(ddx::zeros<float>({6, 6})), ddx::zeros<float>({6, 1}));
}

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
  ddx::matmul(ddx::zeros<float>({2, 3}), ddx::zeros<float>({4, 5}));
};

void probes() {
  static_assert(Addable<F, F>);
  if (false) {
    (void)ddx::matmul(ddx::zeros<float>({2, 3}), ddx::zeros<float>({4, 5}));
  }
  constexpr bool never = false;
  if constexpr (never) {
    (void)ddx::matmul(ddx::zeros<float>({2, 3}), ddx::zeros<float>({4, 5}));
  }
  (void)sizeof(ddx::matmul(ddx::zeros<float>({2, 3}), ddx::zeros<float>({4, 5})));
  using T = decltype(ddx::matmul(ddx::zeros<float>({2, 3}), ddx::zeros<float>({4, 5})));
  (void)T{};
  (void) noexcept(ddx::matmul(ddx::zeros<float>({2, 3}), ddx::zeros<float>({4, 5})));
}

template <int n>
F fixed(const F& x) {
  if constexpr (n == 2)
    return ddx::matmul(x, ddx::zeros<float>({2, 2}));
  else if (x.shape()[1] == 3)
    return ddx::matmul(x, ddx::zeros<float>({3, n}));
  else
    return x;
}

void if_constexpr() {
  (void)fixed<2>(ddx::zeros<float>({1, 2}));
  (void)fixed<3>(ddx::zeros<float>({1, 3}));
  (void)fixed<4>(ddx::zeros<float>({1, 2}));
}

struct Dispatch {
  int kind;
  F operator()(const F& x) const {
    switch (kind) {
      case 0:
        return ddx::matmul(x, ddx::zeros<float>({3, 3}));
      case 1:
        return ddx::matmul(x, ddx::zeros<float>({4, 4}));
      default:
        return x;
    }
  }
};

void switches() {
  (void)Dispatch{0}(ddx::zeros<float>({1, 3}));
  (void)Dispatch{1}(ddx::zeros<float>({1, 4}));
  (void)Dispatch{2}(ddx::zeros<float>({1, 5}));
}

void fall_through(int k) {
  F a = ddx::zeros<float>({2, 3});
  switch (k) {
    case 0:
      a = ddx::zeros<float>({3, 3});
      [[fallthrough]];
    case 1:
      a = ddx::matmul(a, ddx::zeros<float>({3, 5}));
      break;
    default:
      a = ddx::zeros<float>({2, 5});
  }
  (void)ddx::matmul(a, ddx::zeros<float>({5, 1}));
}

void while_shape() {
  F a = ddx::zeros<float>({64, 3});
  while (a.shape()[0] > 5) a = ddx::slice(a, {.start = {0, 0}, .stop = {a.shape()[0] / 2, 3}});
  (void)(a + ddx::zeros<float>({4, 3}));
  do {
    a = ddx::concatenate(std::vector<F>{a, a}, 0);
  } while (a.shape()[0] < 20);
  (void)(a + ddx::zeros<float>({32, 3}));
}

void do_once() {
  F a;
  do {
    a = ddx::zeros<float>({2, 2});
    if (a.rank() == 2)
      break;
    a = ddx::zeros<float>({9});
  } while (true);
  (void)(a + ddx::zeros<float>({2, 2}));
}

void long_loop() {
  std::int64_t n = 0;
  for (int i = 0; i < 100000; ++i) n += i % 3 == 0;
  (void)ddx::matmul(ddx::zeros<float>({1, n}), ddx::zeros<float>({33334, 1}));
}

void lambda_recursion() {
  std::function<F(F, int)> f = [&](F x, int n) -> F {
    return n == 0 ? x : f(ddx::transpose(x, {1, 0}), n - 1);
  };
  (void)(f(ddx::zeros<float>({2, 3}), 3) + ddx::zeros<float>({3, 2}));
  auto g = [](auto self, F x, int n) -> F {
    if (n == 0)
      return x;
    return self(self, ddx::concatenate(std::vector<F>{x, x}, 0), n - 1);
  };
  (void)(g(g, ddx::zeros<float>({1, 3}), 4) + ddx::zeros<float>({16, 3}));
}

struct Counter {
  int n = 0;
  void operator()(const F&) { ++n; }
};

void functor_by_value() {
  Counter c;
  auto apply = [](Counter d, const F& x) {
    d(x);
    return d;
  };
  c = apply(c, ddx::zeros<float>({1}));
  c = apply(c, ddx::zeros<float>({1}));
  (void)ddx::matmul(ddx::zeros<float>({1, c.n}), ddx::zeros<float>({2, 1}));
}

void threw_in_callee() {
  auto f = [](F& a) {
    a = ddx::zeros<float>({8, 8});
    throw 1;
  };
  F a = ddx::zeros<float>({2, 3});
  try {
    f(a);
    a = ddx::zeros<float>({3, 3});
  } catch (int) {
    (void)ddx::matmul(a, ddx::zeros<float>({8, 1}));
  }
  (void)ddx::matmul(a, ddx::zeros<float>({8, 1}));
}

F tried(const F& x) try {
  return ddx::matmul(x, ddx::zeros<float>({4, 5}));
} catch (const std::exception&) {
  return x;
}

void function_try() {
  (void)tried(ddx::zeros<float>({2, 3}));
}
