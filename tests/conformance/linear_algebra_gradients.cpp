#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/gradient_check.h"
#include "tests/conformance/gradients.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;
using ops::Saves;

/// The same on another device, as an array and not as what would compute it.
Doubles placed(const Doubles& x, Device device) {
  return Doubles(x.shape(), std::vector<double>(x.elements().begin(), x.elements().end()), device);
}

/// Random matrices with two more on the diagonal: regular, and their singular values differ.
Doubles matrices(const Shape& shape, std::uint64_t seed, Device device) {
  const Doubles x = random_tensor(shape, seed, Device::naive());
  return placed(
      x + 2.0 * eye<double>(shape[shape.rank() - 2], shape[shape.rank() - 1], Device::naive()),
      device);
}

/// Several results as one.
Doubles joined(const std::vector<Doubles>& parts) {
  std::vector<Doubles> flat;
  for (const Doubles& part : parts) {
    flat.push_back(flatten(part));
  }
  return concatenate(flat, 0);
}

/// The cotangents of results of these shapes.
std::vector<Doubles> separated(const Doubles& dy, const std::vector<Shape>& shapes) {
  std::vector<Doubles> parts;
  std::int64_t start = 0;
  for (const Shape& shape : shapes) {
    parts.push_back(reshape(slice(dy, {.start = {start}, .stop = {start + shape.count()}}), shape));
    start += shape.count();
  }
  return parts;
}

void check_cholesky(Saves saves, Device device) {
  for (const Shape& shape : {Shape{1, 1}, Shape{4, 4}, Shape{2, 3, 3}}) {
    const Doubles root = matrices(shape, 1, Device::naive());
    expect_gradient(
        saves, [](const Doubles& x) { return cholesky(x); },
        [](const Doubles& x) { return cholesky_vjp(x, here); },
        placed(matmul(root, root, {.transpose_right = true}), device));
  }
}

/// The factors themselves are no functions that users call; what is computed by them is.
void check_lu(Saves, Device device) {
  for (const bool transposed : {false, true}) {
    for (const auto& [a, b] :
         {std::pair(Shape{3, 3}, Shape{3, 2}), std::pair(Shape{2, 4, 4}, Shape{2, 4, 1}),
          std::pair(Shape{3, 3}, Shape{2, 3, 2}), std::pair(Shape{2, 3, 3}, Shape{3, 2})}) {
      expect_gradient(
          Saves::InputsAndOutput,
          [&](const Doubles& x, const Doubles& y) {
            return ddx::detail::solve_by(x, ddx::detail::regular_lu("solve", x, here), y,
                                         transposed, here);
          },
          [&](const Doubles& x, const Doubles& y) {
            return ddx::detail::solve_by_vjp(x, ddx::detail::regular_lu("solve", x, here), y,
                                             transposed, here);
          },
          matrices(a, 1, device), random_tensor(b, 2, device));
    }
  }
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 3}, Shape{2, 4, 4}}) {
    const Doubles x = matrices(shape, 3, device);
    expect_gradient(
        Saves::Output, [](const Doubles& a) { return inverse(a); },
        [](const Doubles& a) { return inverse_vjp(a, here); }, x);
    expect_gradient(
        Saves::Inputs, [](const Doubles& a) { return det(a); },
        [](const Doubles& a) { return det_vjp(a, here); }, x);
    expect_gradient(
        Saves::Inputs, [](const Doubles& a) { return slogdet(a).log_abs_det; },
        [](const Doubles& a) {
          auto [y, pullback] = slogdet_vjp(a, here);
          return vjp(y.log_abs_det, [pullback](const Doubles& dy) {
            return pullback(SignAndLog<double>::TangentVector{dy});
          });
        },
        x);
  }
}

void check_triangular_solve(Saves saves, Device device) {
  for (int kind = 0; kind < 8; ++kind) {
    const TriangularOptions options{(kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0};
    for (const auto& [a, b] :
         {std::pair(Shape{3, 3}, Shape{3, 2}), std::pair(Shape{2, 3, 3}, Shape{2, 3, 1}),
          std::pair(Shape{3, 3}, Shape{2, 3, 2}), std::pair(Shape{2, 3, 3}, Shape{3, 2})}) {
      expect_gradient(
          saves,
          [&](const Doubles& x, const Doubles& y) { return triangular_solve(x, y, options); },
          [&](const Doubles& x, const Doubles& y) {
            return triangular_solve_vjp(x, y, options, here);
          },
          matrices(a, 1, device), random_tensor(b, 2, device));
    }
  }
}

void check_qr(Saves saves, Device device) {
  for (const Shape& shape :
       {Shape{1, 1}, Shape{3, 3}, Shape{5, 3}, Shape{3, 5}, Shape{2, 4, 2}, Shape{2, 2, 3}}) {
    const DecompositionOptions options{.full = shape == Shape{3, 5}};
    expect_gradient(
        saves,
        [&](const Doubles& x) {
          const auto y = qr(x, options);
          return joined({y.q, y.r});
        },
        [&](const Doubles& x) {
          auto [y, pullback] = qr_vjp(x, options, here);
          return vjp(joined({y.q, y.r}),
                     [pullback, shapes = std::vector{y.q.shape(), y.r.shape()}](const Doubles& dy) {
                       if (dy.is_symbolic_zero()) {
                         return pullback({});
                       }
                       const auto parts = separated(dy, shapes);
                       return pullback({parts[0], parts[1]});
                     });
        },
        matrices(shape, 1, device));
  }
}

void check_svd(Saves saves, Device device) {
  for (const Shape& shape :
       {Shape{1, 1}, Shape{3, 3}, Shape{5, 3}, Shape{3, 5}, Shape{2, 4, 2}, Shape{2, 2, 3}}) {
    const DecompositionOptions options{.full = shape == Shape{3, 3}};
    expect_gradient(
        saves,
        [&](const Doubles& x) {
          const auto y = svd(x, options);
          return joined({y.u, y.s, y.v});
        },
        [&](const Doubles& x) {
          auto [y, pullback] = svd_vjp(x, options, here);
          return vjp(joined({y.u, y.s, y.v}),
                     [pullback, shapes = std::vector{y.u.shape(), y.s.shape(), y.v.shape()}](
                         const Doubles& dy) {
                       if (dy.is_symbolic_zero()) {
                         return pullback({});
                       }
                       const auto parts = separated(dy, shapes);
                       return pullback({parts[0], parts[1], parts[2]});
                     });
        },
        matrices(shape, 7, device));
  }
}

void check_svdvals(Saves saves, Device device) {
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 3}, Shape{2, 4, 2}, Shape{3, 5}}) {
    expect_gradient(
        saves, [](const Doubles& x) { return svdvals(x); },
        [](const Doubles& x) { return svdvals_vjp(x, here); }, matrices(shape, 7, device));
  }
}

void check_eigh(Saves saves, Device device) {
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 3}, Shape{2, 4, 4}}) {
    expect_gradient(
        saves,
        [](const Doubles& x) {
          const auto y = eigh(x);
          return joined({y.values, y.vectors});
        },
        [](const Doubles& x) {
          auto [y, pullback] = eigh_vjp(x, here);
          return vjp(joined({y.values, y.vectors}),
                     [pullback, shapes = std::vector{y.values.shape(), y.vectors.shape()}](
                         const Doubles& dy) {
                       if (dy.is_symbolic_zero()) {
                         return pullback({});
                       }
                       const auto parts = separated(dy, shapes);
                       return pullback({parts[0], parts[1]});
                     });
        },
        random_tensor(shape, 3, device));
  }
}

void check_eigvalsh(Saves saves, Device device) {
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 3}, Shape{2, 4, 4}}) {
    expect_gradient(
        saves, [](const Doubles& x) { return eigvalsh(x); },
        [](const Doubles& x) { return eigvalsh_vjp(x, here); }, random_tensor(shape, 3, device));
  }
}

}  // namespace

std::map<Op, GradientCheck> linear_algebra_gradients() {
  return {{Op::cholesky, check_cholesky},
          {Op::lu, check_lu},
          {Op::triangular_solve, check_triangular_solve},
          {Op::qr, check_qr},
          {Op::svd, check_svd},
          {Op::svdvals, check_svdvals},
          {Op::eigh, check_eigh},
          {Op::eigvalsh, check_eigvalsh}};
}

}  // namespace ddx::testing
