/// \file
/// Programs whose numbers have no names: in lists, trees, allocated arrays and rows behind
/// pointers. They are differentiated through memory.

#pragma once

#include "programs/case.h"

#include <cstddef>
#include <cstdlib>
#include <list>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::bench {

/// Room for `count` numbers from malloc.
template <class T>
T* allocated(int count) {
  void* const room = std::malloc(static_cast<std::size_t>(count) * sizeof(T));
  if (room == nullptr) {
    throw std::bad_alloc();
  }
  return static_cast<T*>(room);
}

/// A stencil in two allocated arrays that take turns.
struct AllocatedStencil {
  int steps = 0;

  template <class T>
  T operator()(const std::vector<T>& x) const {
    const int n = static_cast<int>(x.size());
    T* a = allocated<T>(n);
    T* b = allocated<T>(n);
    for (int i = 0; i < n; ++i) {
      a[i] = x[i];
    }
    for (int t = 0; t < steps; ++t) {
      b[0] = a[0];
      b[n - 1] = a[n - 1];
      for (int i = 1; i + 1 < n; ++i) {
        b[i] = a[i] + 0.1 * (a[i - 1] - 2 * a[i] + a[i + 1]) * a[i];
      }
      std::swap(a, b);
    }
    T sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += a[i] * a[i];
    }
    std::free(a);
    std::free(b);
    return sum;
  }
};

/// Numbers in a linked list, changed five times.
struct LinkedList {
  template <class T>
  T operator()(const std::vector<T>& x) const {
    std::list<T> numbers(x.begin(), x.end());
    T sum = 0;
    for (int t = 0; t < 5; ++t) {
      for (T& number : numbers) {
        number = number * (1 + 1e-3 * sum);
        sum += number * number * 1e-3;
      }
    }
    return sum;
  }
};

template <class T>
struct TreeNode {
  T value;
  TreeNode* left;
  TreeNode* right;
};

template <class T>
TreeNode<T>* tree_of(const std::vector<T>& x, std::size_t begin, std::size_t end) {
  if (begin >= end) {
    return nullptr;
  }
  const std::size_t middle = (begin + end) / 2;
  return new TreeNode<T>{x[middle], tree_of(x, begin, middle), tree_of(x, middle + 1, end)};
}

template <class T>
T value_of_tree(const TreeNode<T>* node) {
  if (node == nullptr) {
    return 1;
  }
  return node->value * value_of_tree(node->left) * 0.3 + value_of_tree(node->right);
}

template <class T>
void drop_tree(TreeNode<T>* node) {
  if (node != nullptr) {
    drop_tree(node->left);
    drop_tree(node->right);
    delete node;
  }
}

/// A balanced tree of numbers, evaluated three times.
struct BinaryTree {
  template <class T>
  T operator()(const std::vector<T>& x) const {
    TreeNode<T>* const root = tree_of(x, 0, x.size());
    T sum = 0;
    for (int t = 0; t < 3; ++t) {
      sum += value_of_tree(root);
    }
    drop_tree(root);
    return sum;
  }
};

/// Five products with a sparse matrix in compressed rows of five numbers.
struct CompressedRows {
  template <class T>
  T operator()(const std::vector<T>& x) const {
    const int n = static_cast<int>(x.size());
    int* const columns = allocated<int>(5 * n);
    T* const values = allocated<T>(5 * n);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 5; ++k) {
        columns[5 * i + k] = (i * 7 + k * 13) % n;
        values[5 * i + k] = x[i] * (k + 1);
      }
    }
    std::vector<T> y = x;
    std::vector<T> z(x.size());
    for (int t = 0; t < 5; ++t) {
      for (int i = 0; i < n; ++i) {
        T sum = 0;
        for (int k = 0; k < 5; ++k) {
          sum += values[5 * i + k] * y[columns[5 * i + k]];
        }
        z[i] = sum * 0.1;
      }
      y.swap(z);
    }
    T sum = 0;
    for (const T& v : y) {
      sum += v;
    }
    std::free(columns);
    std::free(values);
    return sum;
  }
};

/// The square of a matrix of rows behind pointers.
struct PointerMatrix {
  int rows = 0;

  template <class T>
  T operator()(const std::vector<T>& x) const {
    T** const a = new T*[rows];
    T** const c = new T*[rows];
    for (int i = 0; i < rows; ++i) {
      a[i] = new T[rows];
      c[i] = new T[rows];
      for (int j = 0; j < rows; ++j) {
        a[i][j] = x[i * rows + j];
        c[i][j] = 0;
      }
    }
    for (int i = 0; i < rows; ++i) {
      for (int k = 0; k < rows; ++k) {
        for (int j = 0; j < rows; ++j) {
          c[i][j] += a[i][k] * a[k][j];
        }
      }
    }
    T sum = 0;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < rows; ++j) {
        sum += c[i][j] * a[j][i];
      }
      delete[] c[i];
    }
    for (int i = 0; i < rows; ++i) {
      delete[] a[i];
    }
    delete[] a;
    delete[] c;
    return sum;
  }
};

/// A program of this file at `count` numbers.
template <class Program>
auto memory_case(Program program, int count) {
  std::vector<double> x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.3 + 0.1 * static_cast<double>(i % 7);
  }
  return Case{program, std::tuple{x}};
}

}  // namespace ddx::bench
