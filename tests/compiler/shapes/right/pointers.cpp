// Tensors that change through pointers, iterators, references to elements and bytes: nothing is
// reported.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ddx/ddx.h>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

using F = ddx::Tensor<float>;

void alias_reference() {
  F a = ddx::zeros<float>({2, 3});
  F& r = a;
  r = ddx::zeros<float>({3, 4});
  (void)ddx::matmul(a, ddx::zeros<float>({4, 5}));
}

void alias_pointer() {
  F a = ddx::zeros<float>({2, 3});
  F b = ddx::zeros<float>({9, 3});
  F* p = &a;
  F** pp = &p;
  *pp = &b;
  *p = ddx::zeros<float>({7, 7});
  (void)ddx::matmul(b, ddx::zeros<float>({7, 5}));
  (void)ddx::matmul(a, ddx::zeros<float>({3, 5}));
}

void vector_reference() {
  std::vector<F> v(3, ddx::zeros<float>({2, 3}));
  F& r = v[1];
  r = ddx::zeros<float>({4, 4});
  (void)ddx::matmul(v[1], ddx::zeros<float>({4, 1}));
  for (F& t : v) t = ddx::zeros<float>({6, 6});
  (void)ddx::matmul(v[0], ddx::zeros<float>({6, 1}));
}

void unique() {
  auto p = std::make_unique<F>(ddx::zeros<float>({2, 3}));
  *p = ddx::zeros<float>({4, 4});
  auto q = std::move(p);
  (void)ddx::matmul(*q, ddx::zeros<float>({4, 1}));
  p = std::make_unique<F>(ddx::zeros<float>({5, 5}));
  std::swap(p, q);
  (void)ddx::matmul(*p, ddx::zeros<float>({4, 1}));
}

void shared() {
  auto p = std::make_shared<F>(ddx::zeros<float>({2, 3}));
  auto q = p;
  *q = ddx::zeros<float>({4, 4});
  (void)ddx::matmul(*p, ddx::zeros<float>({4, 1}));
}

struct Net {
  ddx::nn::Dense<float> a{{.in = 3, .out = 4}};
  ddx::nn::Dense<float> b{{.in = 4, .out = 2}};
  F operator()(const F& x) const { return b(a(x)); }
};

void members_by_pointer() {
  Net n;
  ddx::nn::Dense<float> Net::* p = &Net::a;
  n.*p = ddx::nn::Dense<float>({.in = 7, .out = 4});
  (void)n(ddx::zeros<float>({1, 7}));
}

void set(F& a, const F& b) {
  a = ddx::zeros<float>({9, 9});
  (void)ddx::matmul(b, ddx::zeros<float>({b.shape()[1], 1}));
}

void self_alias() {
  F a = ddx::zeros<float>({2, 3});
  set(a, a);
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void spans() {
  std::array<F, 2> v{ddx::zeros<float>({2, 3}), ddx::zeros<float>({3, 4})};
  std::span<F> s(v);
  s[0] = ddx::zeros<float>({5, 3});
  (void)ddx::matmul(v[0], v[1]);
  std::span<F> t = s.subspan(1);
  t[0] = ddx::zeros<float>({3, 6});
  (void)(ddx::matmul(s[0], s[1]) + ddx::zeros<float>({5, 6}));
}

void c_arrays() {
  F v[2] = {ddx::zeros<float>({2, 3}), ddx::zeros<float>({3, 4})};
  F* p = v;
  ++p;
  *p = ddx::zeros<float>({3, 7});
  p[-1] = ddx::zeros<float>({5, 3});
  (void)(ddx::matmul(v[0], v[1]) + ddx::zeros<float>({5, 7}));
  std::swap(v[0], v[1]);
  (void)ddx::matmul(v[1], v[0]);
}

void unknown_index(std::size_t i) {
  std::vector<F> v{ddx::zeros<float>({2, 3}), ddx::zeros<float>({3, 4})};
  v[i % 2] = ddx::zeros<float>({7, 7});
  if (i % 2 == 0)
    (void)ddx::matmul(v[0], ddx::zeros<float>({7, 1}));
  else
    (void)ddx::matmul(v[1], ddx::zeros<float>({7, 1}));
}

void bytes() {
  std::int64_t n = 3;
  *reinterpret_cast<char*>(&n) = 4;
  (void)ddx::matmul(ddx::zeros<float>({1, n}), ddx::zeros<float>({4, 1}));
  std::int64_t m = 3;
  std::int64_t* p = &m;
  *(p + 0) += 2;
  (void)ddx::matmul(ddx::zeros<float>({1, m}), ddx::zeros<float>({5, 1}));
  const std::int64_t c = 3;
  (void)c;
  struct {
    std::int64_t x : 3;
  } b{};
  b.x = 2;
  b.x = static_cast<std::int64_t>(b.x + 1);
  (void)ddx::matmul(ddx::zeros<float>({1, static_cast<std::int64_t>(b.x & 7)}),
                    ddx::zeros<float>({3, 1}));
}

struct Node {
  F t;
  Node* next = nullptr;
};

void linked() {
  Node b{ddx::zeros<float>({3, 4}), nullptr}, a{ddx::zeros<float>({2, 3}), &b};
  for (Node* n = &a; n != nullptr; n = n->next) n->t = ddx::transpose(n->t, {1, 0});
  (void)ddx::matmul(b.t, a.t);
  a.next = &a;
  a.next->t = ddx::zeros<float>({6});
  (void)(a.t + ddx::zeros<float>({6}));
}

void iterator_by_unknown(std::size_t i) {
  std::vector<F> v{ddx::zeros<float>({2, 3}), ddx::zeros<float>({3, 4})};
  auto it = v.begin() + static_cast<std::ptrdiff_t>(i);
  *it = ddx::zeros<float>({7, 7});
  (void)ddx::matmul(v[i], ddx::zeros<float>({7, 1}));
  if (i == 0)
    (void)ddx::matmul(v[0], ddx::zeros<float>({7, 1}));
  else
    (void)ddx::matmul(v[1], ddx::zeros<float>({7, 1}));
}

void iterator_by_rank(std::size_t i) {
  std::vector<F> v{ddx::zeros<float>({2, 3}), ddx::zeros<float>({3, 4})};
  auto it = v.begin();
  it += static_cast<std::ptrdiff_t>(i);
  *it = ddx::zeros<float>({7, 7});
  (void)ddx::matmul(v[i], ddx::zeros<float>({7, 1}));
  std::size_t j = i;
  auto e = v.end();
  e -= static_cast<std::ptrdiff_t>(2 - j);
  *e = ddx::zeros<float>({8, 7});
  F* p = v.data();
  p += i;
  *p = ddx::zeros<float>({9, 9});
  (void)ddx::matmul(*(v.data() + i), ddx::zeros<float>({9, 1}));
  if (i == 1)
    (void)ddx::matmul(v[1], ddx::zeros<float>({9, 1}));
}

void iterator_must(std::size_t i) {
  std::vector<F> v{ddx::zeros<float>({2, 3})};
  auto it = v.begin() + static_cast<std::ptrdiff_t>(i - i);
  *it = ddx::zeros<float>({7, 7});
  (void)ddx::matmul(v[0], ddx::zeros<float>({7, 1}));
}

void iterator_must2(std::size_t i) {
  std::vector<F> v{ddx::zeros<float>({2, 3})};
  auto it = v.begin();
  it += static_cast<std::ptrdiff_t>(i - i);
  *it = ddx::zeros<float>({7, 7});
  (void)ddx::matmul(v[0], ddx::zeros<float>({7, 1}));
}

void iterator_must3(std::size_t i) {
  std::vector<F> v{ddx::zeros<float>({2, 3})};
  auto it = std::next(v.begin(), static_cast<std::ptrdiff_t>(i - i));
  *it = ddx::zeros<float>({7, 7});
  (void)ddx::matmul(v[0], ddx::zeros<float>({7, 1}));
  v.begin()[static_cast<std::ptrdiff_t>(i - i)] = ddx::zeros<float>({8, 8});
  (void)ddx::matmul(v[0], ddx::zeros<float>({8, 1}));
  v.data()[i - i] = ddx::zeros<float>({9, 9});
  (void)ddx::matmul(v[0], ddx::zeros<float>({9, 1}));
  v[i - i] = ddx::zeros<float>({5, 5});
  (void)ddx::matmul(v[0], ddx::zeros<float>({5, 1}));
  v.at(i - i) = ddx::zeros<float>({6, 6});
  (void)ddx::matmul(v[0], ddx::zeros<float>({6, 1}));
}

void pointer_must(std::size_t i) {
  F a = ddx::zeros<float>({2, 3});
  F* p = &a + (i - i);
  *p = ddx::zeros<float>({7, 7});
  (void)ddx::matmul(a, ddx::zeros<float>({7, 1}));
  F* q = &a;
  q += i - i;
  *q = ddx::zeros<float>({8, 8});
  (void)ddx::matmul(a, ddx::zeros<float>({8, 1}));
  F* r = &a;
  ++r;
  --r;
  *r = ddx::zeros<float>({9, 9});
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
  F* s = i == 5 ? nullptr : &a;
  *s = ddx::zeros<float>({5, 5});
  (void)ddx::matmul(a, ddx::zeros<float>({5, 1}));
  F b[2] = {a, a};
  F* t = b;
  t += 1;
  *t = ddx::zeros<float>({6, 6});
  (void)ddx::matmul(b[1], ddx::zeros<float>({6, 1}));
}

void copy_to_unknown(std::size_t i) {
  std::vector<F> v{ddx::zeros<float>({2, 3})};
  const std::vector<F> w{ddx::zeros<float>({4, 4})};
  std::copy(w.begin(), w.end(), v.begin() + static_cast<std::ptrdiff_t>(i - i));
  (void)ddx::matmul(v[0], ddx::zeros<float>({4, 1}));
  std::fill(v.begin(), v.end(), ddx::zeros<float>({5, 5}));
  (void)ddx::matmul(v[0], ddx::zeros<float>({5, 1}));
  std::array<std::int64_t, 3> n{1, 2, 3};
  std::iota(n.begin(), n.end(), 4);
  (void)ddx::matmul(ddx::zeros<float>({1, n[0]}), ddx::zeros<float>({4, 1}));
  std::swap_ranges(n.begin(), n.begin() + 1, n.begin() + 1);
  (void)ddx::matmul(ddx::zeros<float>({1, n[0]}), ddx::zeros<float>({5, 1}));
  std::rotate(n.begin(), n.begin() + 1, n.end());
  (void)ddx::matmul(ddx::zeros<float>({1, n[0]}), ddx::zeros<float>({4, 1}));
}

void bind_front() {
  F a = ddx::zeros<float>({2, 3});
  auto f = [](F& x, std::int64_t n) { x = ddx::zeros<float>({n, n}); };
  auto g = std::bind_front(f, std::ref(a));
  a = ddx::zeros<float>({2, 3});
  g(9);
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
  std::function<void()> h = [&a] { a = ddx::zeros<float>({4, 4}); };
  a = ddx::zeros<float>({2, 3});
  h();
  (void)ddx::matmul(a, ddx::zeros<float>({4, 1}));
  std::invoke(f, a, 5);
  (void)ddx::matmul(a, ddx::zeros<float>({5, 1}));
  std::apply(f, std::tuple<F&, std::int64_t>(a, 6));
  (void)ddx::matmul(a, ddx::zeros<float>({6, 1}));
}

void ties() {
  F a = ddx::zeros<float>({2, 3}), b = ddx::zeros<float>({3, 4});
  std::tie(a, b) = std::make_tuple(ddx::zeros<float>({5, 5}), ddx::zeros<float>({6, 6}));
  (void)ddx::matmul(a, ddx::zeros<float>({5, 1}));
  auto t = std::forward_as_tuple(a, b);
  std::get<1>(t) = ddx::zeros<float>({7, 7});
  (void)ddx::matmul(b, ddx::zeros<float>({7, 1}));
  std::pair<F&, F&> p{a, b};
  p.first = ddx::zeros<float>({8, 8});
  (void)ddx::matmul(a, ddx::zeros<float>({8, 1}));
  std::tie(a, b) = std::make_pair(b, a);
  (void)ddx::matmul(a, ddx::zeros<float>({7, 1}));
  std::reference_wrapper<F> r = a;
  r.get() = ddx::zeros<float>({4});
  (void)(a + ddx::zeros<float>({4}));
  std::vector<F*> q{&a, &b};
  for (F* x : q) *x = ddx::zeros<float>({6});
  (void)(a + ddx::zeros<float>({6}));
}

void emplaced_values() {
  std::vector<F> v;
  v.emplace_back(std::initializer_list<float>{1, 2, 3});
  (void)(ddx::zeros<float>(v[0].shape()) + ddx::zeros<float>({3}));
  const F s = ddx::zeros<float>(v[0].shape());
  (void)ddx::concatenate(std::vector<F>{s, ddx::zeros<float>({3})}, 0);
  std::vector<std::vector<std::int64_t>> n;
  n.emplace_back(3);
  (void)ddx::matmul(ddx::zeros<float>({1, static_cast<std::int64_t>(n[0].size())}),
                    ddx::zeros<float>({3, 1}));
}
