// Systems, factorisations and sums of products that fit by stretching: nothing is reported.

#include <ddx/ddx.h>
#include <string>
#include <vector>

using F = ddx::Tensor<float>;

void systems(const F& any) {
  const F one = ddx::reshape(ddx::eye<float>(2), {1, 2, 2});
  (void)(ddx::solve(one, ddx::zeros<float>({5, 2, 3})) + ddx::zeros<float>({5, 2, 3}));
  (void)(ddx::solve(ddx::eye<float>(2), ddx::zeros<float>({5, 2, 3})) +
         ddx::zeros<float>({5, 2, 3}));
  (void)ddx::solve(any, ddx::zeros<float>({4, 1}));
  (void)(ddx::triangular_solve(one, ddx::ones<float>({2, 4})) + ddx::zeros<float>({1, 2, 4}));
  (void)ddx::lstsq(ddx::ones<float>({5, 3}), ddx::ones<float>({2, 5, 1}));
}

void factors() {
  const auto [q, r] = ddx::qr(ddx::ones<float>({5, 3}));
  (void)(ddx::matmul(q, r) + ddx::zeros<float>({5, 3}));
  const auto [full_q, full_r] = ddx::qr(ddx::ones<float>({5, 3}), {.full = true});
  (void)(ddx::matmul(full_q, full_r) + ddx::zeros<float>({5, 3}));
  (void)(ddx::det(ddx::ones<float>({2, 2})) + ddx::zeros<float>({7}));
  (void)(ddx::det(ddx::zeros<float>({0, 0})) + ddx::zeros<float>({7}));
  const auto [sign, log] = ddx::slogdet(ddx::reshape(ddx::eye<float>(2), {1, 2, 2}));
  (void)(sign + log + ddx::zeros<float>({1}));
  (void)(ddx::svd(ddx::ones<float>({4, 3})).s + ddx::zeros<float>({3}));
  (void)(ddx::matmul(ddx::cholesky(ddx::eye<float>(3)), ddx::inverse(ddx::eye<float>(3))) +
         ddx::zeros<float>({3, 3}));
}

void sums_of_products(const std::string& equation) {
  const F a = ddx::zeros<float>({2, 3});
  (void)(ddx::einsum("ij,kj", a, ddx::zeros<float>({4, 1})) + ddx::zeros<float>({2, 4}));
  (void)(ddx::einsum("ba,cb", a, ddx::zeros<float>({5, 2})) + ddx::zeros<float>({3, 5}));
  (void)(ddx::einsum("ii->i", ddx::eye<float>(4)) + ddx::zeros<float>({4}));
  (void)(ddx::einsum("...ij->...ji", ddx::zeros<float>({5, 2, 3})) + ddx::zeros<float>({5, 3, 2}));
  (void)(ddx::einsum("ij->", std::vector<F>{a}) + ddx::zeros<float>({9}));
  (void)ddx::einsum(equation, a, ddx::zeros<float>({2, 3}));
  const char* product = a.rank() == 2 ? "ij,ij->i" : "ij,jk->ik";
  (void)(ddx::einsum(product, a, a) + ddx::zeros<float>({2}));
}

void axes_of_one() {
  const F x = ddx::zeros<float>({1, 2, 1});
  (void)(ddx::squeeze(x) + ddx::zeros<float>({2}));
  (void)(ddx::squeeze(x, {-1}) + ddx::zeros<float>({1, 2}));
  (void)(ddx::squeeze(ddx::zeros<float>({1, 1})) + ddx::zeros<float>({3}));
}

void in_place() {
  F a = ddx::zeros<float>({3});
  a *= ddx::zeros<float>({2, 3});
  a += a;
  a /= ddx::ones<float>({2, 1});
  (void)(a + ddx::zeros<float>({2, 3}));
}
