/// \file
/// The standard library over jets, where more has to be said than its templates say: algorithms
/// whose result has a kink where two elements are equal, functions of complex numbers, calls of the
/// library's own operators.

#pragma once

#include "jet.h"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace ddx::testing::jets {

using std::sqrt, std::exp, std::log, std::sin, std::cos, std::sinh, std::tanh, std::abs, std::pow;

/// By the logarithm, also where the imaginary part is 0: there libstdc++'s template for a real
/// exponent takes the power of the real part alone, which has the value and not the slope.
template <class Exponent, class V, std::size_t N>
std::complex<Jet<V, N>> power_by_logarithm(const std::complex<Jet<V, N>>& z, const Exponent& n) {
  using J = Jet<V, N>;
  const std::complex<J> l = std::log(z);
  const J magnitude = exp(l.real() * n);
  return {magnitude * cos(l.imag() * n), magnitude * sin(l.imag() * n)};
}
template <class V, std::size_t N>
std::complex<Jet<V, N>> pow(const std::complex<Jet<V, N>>& z, int n) {
  return power_by_logarithm(z, n);
}
template <class V, std::size_t N>
std::complex<Jet<V, N>> pow(const std::complex<Jet<V, N>>& z, const Jet<V, N>& n) {
  return power_by_logarithm(z, n);
}

template <class J>
J max(std::initializer_list<J> list) {
  J result = *list.begin();
  for (const J& e : list) {
    result = max(result, e);
  }
  return result;
}
template <class J>
J min(std::initializer_list<J> list) {
  J result = *list.begin();
  for (const J& e : list) {
    result = min(result, e);
  }
  return result;
}

/// Notes a kink where two elements are equal by `before`, but have not the same slopes.
template <class Iterator, class Before>
void note_ties(Iterator first, Iterator last, const Before& before) {
  for (Iterator a = first; a != last; ++a) {
    for (Iterator b = a + 1; b != last; ++b) {
      if (!before(*a, *b) && !before(*b, *a)) {
        note_tie(*a, *b);
        JetTrouble::kink |= !(*a == *b);
      }
    }
  }
}

#define DDX_JET_ORDERING(name)                                   \
  template <class Iterator, class Before = std::less<>>          \
  auto name(Iterator first, Iterator last, Before before = {}) { \
    note_ties(first, last, before);                              \
    return std::name(first, last, before);                       \
  }
DDX_JET_ORDERING(sort)
DDX_JET_ORDERING(stable_sort)
DDX_JET_ORDERING(max_element)
DDX_JET_ORDERING(min_element)
#undef DDX_JET_ORDERING

#define DDX_JET_PARTIAL_ORDERING(name)                                            \
  template <class Iterator, class Before = std::less<>>                           \
  void name(Iterator first, Iterator middle, Iterator last, Before before = {}) { \
    note_ties(first, last, before);                                               \
    std::name(first, middle, last, before);                                       \
  }
DDX_JET_PARTIAL_ORDERING(nth_element)
DDX_JET_PARTIAL_ORDERING(partial_sort)
#undef DDX_JET_PARTIAL_ORDERING

/// As std::thread, without another thread: what threads do without data races has one result.
class Thread {
 public:
  template <class F>
  explicit Thread(const F& run) {
    run();
  }
  void join() {}
};

/// As std::async, at once.
template <class F>
auto async(const F& run) {
  struct Made {
    decltype(run()) value;
    auto get() { return value; }
  };
  return Made{run()};
}

/// As ddx::checkpointed.
template <class F, class... Args>
auto checkpointed(const F& f, const Args&... args) {
  return f(args...);
}

/// The derivative of `f`, a function that is generic, by its argument.
template <class F, class V, std::size_t N>
Jet<V, N> slope(const F& f, const Jet<V, N>& x) {
  using Nested = Jet<Jet<V, N>, 1>;
  Nested at(x);
  at.slope[0] = Jet<V, N>(1);
  return f(at).slope[0];
}

}  // namespace ddx::testing::jets
