/// \file
/// What the compiler differentiates in the place of the algorithms of the standard library that
/// write to a std::back_inserter: `append_` and the algorithm's name, with the container in its
/// place. See algorithms.h.

#pragma once

#include <cstddef>

namespace ddx::detail::algorithms {

template <class It, class Container>
void append_copy(It first, It last, Container& out) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out.push_back(first[i]);
  }
}

template <class It, class Size, class Container>
void append_copy_n(It first, Size count, Container& out) {
  for (Size i = 0; i < count; ++i) {
    out.push_back(first[i]);
  }
}

template <class It, class Container, class Test>
void append_copy_if(It first, It last, Container& out, Test test) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (test(first[i])) {
      out.push_back(first[i]);
    }
  }
}

template <class It, class Container, class Test>
void append_remove_copy_if(It first, It last, Container& out, Test test) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (!test(first[i])) {
      out.push_back(first[i]);
    }
  }
}

template <class It, class Container>
void append_reverse_copy(It first, It last, Container& out) {
  for (std::ptrdiff_t i = last - first; i-- > 0;) {
    out.push_back(first[i]);
  }
}

template <class It, class Container, class Unary>
void append_transform(It first, It last, Container& out, Unary function) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out.push_back(function(first[i]));
  }
}

template <class It, class Other, class Container, class Binary>
void append_transform(It first, It last, Other other, Container& out, Binary function) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out.push_back(function(first[i], other[i]));
  }
}

template <class Container, class Size, class T>
void append_fill_n(Container& out, Size count, const T& value) {
  for (Size i = 0; i < count; ++i) {
    out.push_back(value);
  }
}

template <class Container, class Size, class Generator>
void append_generate_n(Container& out, Size count, Generator generator) {
  for (Size i = 0; i < count; ++i) {
    out.push_back(generator());
  }
}

template <class It, class Container>
void append_partial_sum(It first, It last, Container& out) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (i == 0) {
      out.push_back(first[i]);
    } else {
      out.push_back(out.back() + first[i]);
    }
  }
}

template <class It, class Container>
void append_adjacent_difference(It first, It last, Container& out) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (i == 0) {
      out.push_back(first[i]);
    } else {
      out.push_back(first[i] - first[i - 1]);
    }
  }
}

}  // namespace ddx::detail::algorithms
