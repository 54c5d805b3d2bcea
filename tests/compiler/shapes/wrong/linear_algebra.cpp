// Systems, factorisations and sums of products whose extents differ.

#include <ddx/tensor.h>

void solve_rows() {
  const auto b = ddx::zeros<float>({4, 2});
  // error: solve: matrix of 3 rows with a right-hand side of 4; shapes [3, 3] and [4, 2]
  (void)ddx::solve(ddx::eye<float>(3), b);
}

void solve_square() {
  const auto a = ddx::ones<float>({3, 2});
  // error: solve: the matrices are not square; shape [3, 2]
  (void)ddx::solve(a, ddx::zeros<float>({3, 2}));
}

void solve_vector() {
  const auto a = ddx::reshape(ddx::eye<float>(2), {1, 2, 2});
  // error: solve: the right-hand side is no matrix; shapes [1, 2, 2] and [2]
  (void)ddx::solve(a, ddx::zeros<float>({2}));
}

void solution() {
  const auto a = ddx::reshape(ddx::eye<float>(2), {1, 2, 2});
  const auto x = ddx::solve(a, ddx::zeros<float>({5, 2, 3}));
  // error: matmul: inner extents 3 and 4 differ; shapes [5, 2, 3] and [4, 1]
  (void)ddx::matmul(x, ddx::zeros<float>({4, 1}));
}

void triangular() {
  const auto l = ddx::reshape(ddx::ones<float>({9}), {3, 3});
  // error: triangular_solve: matrix of 3 rows with a right-hand side of 2; shapes [3, 3] and [2, 2]
  (void)ddx::triangular_solve(l, ddx::zeros<float>({2, 2}));
}

void cholesky() {
  const auto x = ddx::ones<double>({4, 5});
  // error: cholesky: the matrices are not square; shape [4, 5]
  (void)ddx::cholesky(x);
}

void inverse() {
  // error: inverse: the operand is no matrix; shape [4]
  (void)ddx::inverse(ddx::ones<double>({4}));
}

void determinant() {
  // error: det: the matrices are not square; shape [2, 3]
  (void)ddx::det(ddx::ones<double>({2, 3}));
}

void determinants() {
  const auto d = ddx::det(ddx::ones<double>({6, 2, 2}));
  // error: add: axis -1: extents 6 and 5 differ; shapes [6] and [5]
  (void)(d + ddx::zeros<double>({5}));
}

void qr() {
  const auto [q, r] = ddx::qr(ddx::ones<double>({5, 3}));
  // error: matmul: inner extents 3 and 5 differ; shapes [5, 3] and [5, 5]
  (void)ddx::matmul(q, ddx::zeros<double>({5, 5}));
}

void least_squares() {
  const auto a = ddx::ones<double>({5, 3});
  // error: lstsq: matrix of 5 rows with a right-hand side of 4; shapes [5, 3] and [4, 1]
  (void)ddx::lstsq(a, ddx::zeros<double>({4, 1}));
}

void einsum_between() {
  const auto a = ddx::zeros<float>({2, 3});
  // error: einsum: subscript 'j' has extent 3 in operand 0 and 4 in operand 1; shapes [2, 3] and [4, 5]
  (void)ddx::einsum("ij, jk -> ik", a, ddx::zeros<float>({4, 5}));
}

void einsum_within() {
  // error: einsum: subscript 'i' represents extents 2 and 3 of operand 0; shape [2, 3]
  (void)ddx::einsum("ii", ddx::zeros<float>({2, 3}));
}

void einsum_rank() {
  // error: einsum: operand 1 has rank 1, and "jk" names 2 axes; shape [3]
  (void)ddx::einsum("ij,jk->ik", ddx::zeros<float>({2, 3}), ddx::zeros<float>({3}));
}

void einsum_result() {
  const auto y =
      ddx::einsum("bij,jk->bki", ddx::zeros<float>({7, 2, 3}), ddx::zeros<float>({3, 4}));
  // error: add: axis -1: extents 2 and 3 differ; shapes [7, 4, 2] and [3]
  (void)(y + ddx::zeros<float>({3}));
}

void squeeze() {
  // error: squeeze: axis 1 has extent 2, not 1; shape [1, 2]
  (void)ddx::squeeze(ddx::zeros<float>({1, 2}), {-1});
}

void squeezed() {
  const auto x = ddx::squeeze(ddx::zeros<float>({1, 2, 1, 3}));
  // error: matmul: inner extents 3 and 2 differ; shapes [2, 3] and [2, 3]
  (void)ddx::matmul(x, x);
}

void in_place() {
  auto x = ddx::zeros<float>({2, 3});
  // error: sub: axis -1: extents 3 and 2 differ; shapes [2, 3] and [2, 2]
  x -= ddx::zeros<float>({2, 2});
}
