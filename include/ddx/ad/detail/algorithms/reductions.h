/// \file
/// Sums, inner products and scans. See algorithms.h.

#pragma once

#include "ddx/ad/detail/element_type.h"

#include <cstddef>

namespace ddx::detail::algorithms {

template <class It, class T>
T accumulate(It first, It last, T init) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = init + first[i];
  }
  return init;
}

template <class It, class T, class Operation>
T accumulate(It first, It last, T init, Operation operation) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = operation(init, first[i]);
  }
  return init;
}

template <class It, class T>
T reduce(It first, It last, T init) {
  return algorithms::accumulate(first, last, init);
}

template <class It>
ElementTypeOf<It> reduce(It first, It last) {
  return algorithms::accumulate(first, last, ElementTypeOf<It>{});
}

template <class It, class T, class Operation>
T reduce(It first, It last, T init, Operation operation) {
  return algorithms::accumulate(first, last, init, operation);
}

template <class A, class B, class T>
T inner_product(A first, A last, B other, T init) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = init + first[i] * other[i];
  }
  return init;
}

template <class A, class B, class T, class Sum, class Product>
T inner_product(A first, A last, B other, T init, Sum sum, Product product) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = sum(init, product(first[i], other[i]));
  }
  return init;
}

template <class A, class B, class T>
T transform_reduce(A first, A last, B other, T init) {
  return algorithms::inner_product(first, last, other, init);
}

template <class A, class B, class T, class Sum, class Product>
T transform_reduce(A first, A last, B other, T init, Sum sum, Product product) {
  return algorithms::inner_product(first, last, other, init, sum, product);
}

template <class It, class T, class Sum, class Transform>
T transform_reduce(It first, It last, T init, Sum sum, Transform transform) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = sum(init, transform(first[i]));
  }
  return init;
}

template <class It, class Out, class Operation>
Out partial_sum(It first, It last, Out out, Operation operation) {
  const std::ptrdiff_t count = last - first;
  if (count > 0) {
    ElementTypeOf<It> sum = first[0];
    out[0] = sum;
    for (std::ptrdiff_t i = 1; i < count; ++i) {
      sum = operation(sum, first[i]);
      out[i] = sum;
    }
  }
  return out + count;
}

template <class It, class Out>
Out partial_sum(It first, It last, Out out) {
  const std::ptrdiff_t count = last - first;
  if (count > 0) {
    ElementTypeOf<It> sum = first[0];
    out[0] = sum;
    for (std::ptrdiff_t i = 1; i < count; ++i) {
      sum = sum + first[i];
      out[i] = sum;
    }
  }
  return out + count;
}

template <class It, class Out>
Out inclusive_scan(It first, It last, Out out) {
  return algorithms::partial_sum(first, last, out);
}

template <class It, class Out, class T>
Out exclusive_scan(It first, It last, Out out, T init) {
  const std::ptrdiff_t count = last - first;
  T sum = init;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const T before = sum;
    sum = sum + first[i];
    out[i] = before;
  }
  return out + count;
}

template <class It, class Out>
Out adjacent_difference(It first, It last, Out out) {
  const std::ptrdiff_t count = last - first;
  if (count > 0) {
    ElementTypeOf<It> before = first[0];
    out[0] = before;
    for (std::ptrdiff_t i = 1; i < count; ++i) {
      const ElementTypeOf<It> here = first[i];
      out[i] = here - before;
      before = here;
    }
  }
  return out + count;
}

template <class It, class T>
void iota(It first, It last, T value) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    first[i] = value;
    ++value;
  }
}

}  // namespace ddx::detail::algorithms
