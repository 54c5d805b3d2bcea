#include "ddx/tensor/vmap.h"

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {
namespace vmap_test {

using testing::thrown;

/// 0, 1, 2, ... in this shape.
Tensor<float> numbered(const Shape& shape) {
  std::vector<float> elements(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<float>(i);
  }
  return {shape, elements};
}

TEST(Vmap, ComputesEachExample) {
  const auto dot = [](const Tensor<float>& a, const Tensor<float>& b) { return sum(a * b); };
  const auto y = vmap(dot)(numbered({3, 2}), numbered({3, 2}) + 1.0F);
  EXPECT_EQ(y.shape(), Shape{3});
  EXPECT_EQ(y.values(), (std::vector<float>{0 * 1 + 1 * 2, 2 * 3 + 3 * 4, 4 * 5 + 5 * 6}));
  EXPECT_EQ(y.device(), Device());
  const auto lazy = vmap(dot)(numbered({3, 2}).to(Device::lazy()), numbered({3, 2}));
  EXPECT_EQ(lazy.device(), Device::lazy());
}

TEST(Vmap, MapsAnyAxisOrNone) {
  const auto f = [](const Tensor<float>& a, const Tensor<float>& b) { return matmul(a, b); };
  const auto a = numbered({2, 4, 3});  // Examples along the second axis.
  const auto b = numbered({3, 5});
  const auto y = vmap(f, {1, std::nullopt})(a, b);
  EXPECT_EQ(y.shape(), (Shape{4, 2, 5}));
  EXPECT_EQ(vmap(f, {-2, std::nullopt})(a, b).values(), y.values());
  for (std::int64_t i = 0; i < 4; ++i) {
    const auto one = matmul(squeeze(slice(a, {.start = {0, i, 0}, .stop = {2, i + 1, 3}}), {1}), b);
    EXPECT_EQ(squeeze(slice(y, {.start = {i, 0, 0}, .stop = {i + 1, 2, 5}}), {0}).values(),
              one.values())
        << i;
  }
  // Of one operand both.
  const auto square =
      vmap([](const Tensor<float>& x, const Tensor<float>& all) { return sum(x) + sum(all); },
           {0, std::nullopt});
  EXPECT_EQ(square(b, b).values(), (std::vector<float>{10 + 105, 35 + 105, 60 + 105}));
}

TEST(Vmap, NestsAndIsCompiled) {
  int calls = 0;
  const auto outer_product = [&](const Tensor<float>& x, const Tensor<float>& y) {
    const auto row = [&](const Tensor<float>& one) {
      ++calls;
      return vmap([&](const Tensor<float>& other) { return one * other; })(y);
    };
    return vmap(row)(x);
  };
  const Tensor<float> x({2}, {2, 3});
  const Tensor<float> y({3}, {1, 10, 100});
  const std::vector<float> expected{2, 20, 200, 3, 30, 300};
  EXPECT_EQ(outer_product(x, y).values(), expected);
  calls = 0;
  const auto compiled = compile(outer_product);
  EXPECT_EQ(compiled(x, y).values(), expected);
  EXPECT_EQ(compiled(x + 0.0F, y).values(), expected);
  EXPECT_EQ(calls, 1);
  const auto mapped = vmap(compiled, {0, std::nullopt});
  EXPECT_EQ(mapped(numbered({2, 1}), y).shape(), (Shape{2, 1, 3}));
  EXPECT_EQ(graph(vmap([](const Tensor<float>& z) { return -z; }))(numbered({4, 2})).node_count(),
            1U);
}

TEST(Vmap, ResultsThatDoNotDependOnExamplesAreRepeated) {
  const Tensor<float> captured({2}, {5, 6});
  const auto f = [&](const Tensor<float>& x, int n) {
    return std::tuple{x, captured, random_uniform<float>(RandomKey(3), {2}, {}, Device::lazy()), n,
                      Tensor<float>(7.0F, Device::lazy())};
  };
  const auto [a, b, c, n, d] = vmap(f)(numbered({3, 1}), 4);
  EXPECT_EQ(a.values(), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(b.values(), (std::vector<float>{5, 6, 5, 6, 5, 6}));
  EXPECT_EQ(n, 4);
  EXPECT_EQ(d.values(), (std::vector<float>{7, 7, 7}));
  const auto drawn = random_uniform<float>(RandomKey(3), {2}).values();
  EXPECT_EQ(c.values(),
            (std::vector<float>{drawn[0], drawn[1], drawn[0], drawn[1], drawn[0], drawn[1]}));
}

TEST(Vmap, WorksOnWhatIsNotRunYetAndIsNotRunItself) {
  const Tensor<float> x = numbered({3, 2}).to(Device::lazy()) * 2.0F;
  const auto before = backend::lazy_statistics().flushes;
  const auto y = vmap([](const Tensor<float>& one) { return max(one); })(x) + 1.0F;
  EXPECT_EQ(backend::lazy_statistics().flushes, before);
  EXPECT_EQ(y.values(), (std::vector<float>{3, 7, 11}));
}

TEST(Vmap, TakesOneExampleOrNone) {
  const auto f = vmap([](const Tensor<float>& x) { return sum(exp(x)); });
  EXPECT_EQ(f(numbered({1, 1})).values(), std::vector<float>{1});
  EXPECT_EQ(f(zeros<float>({0, 4})).shape(), Shape{0});
  EXPECT_EQ(f(zeros<float>({2, 0})).values(), (std::vector<float>{0, 0}));
}

TEST(Vmap, DemandsOnElementsAreAsked) {
  const auto f =
      vmap([](const Tensor<std::int32_t>& a, const Tensor<std::int32_t>& b) { return a / b; });
  const Tensor<std::int32_t> a({2}, {6, 8});
  EXPECT_EQ(f(a, a).values(), (std::vector<std::int32_t>{1, 1}));
  EXPECT_NE(thrown<UsageError>([&] {
              (void)f(a, Tensor<std::int32_t>({2}, {2, 0})).values();
            }).find("divisor is 0"),
            std::string::npos);
  // Of operations that are computed one by one, too.
  const auto chosen =
      vmap([](const Tensor<float>& x, const Tensor<std::int32_t>& i) { return gather(x, i, 0); });
  EXPECT_EQ(chosen(numbered({2, 3}), Tensor<std::int32_t>({2, 1}, {2, 0})).values(),
            (std::vector<float>{2, 3}));
  EXPECT_NE(thrown<UsageError>([&] {
              (void)chosen(numbered({2, 3}), Tensor<std::int32_t>({2, 1}, {2, 3})).values();
            }).find("gather"),
            std::string::npos);
}

// Each operation asks what is its own, also behind one that is asked for each example.
TEST(Vmap, DemandsStayWithTheirOperations) {
  const auto f = vmap([](const Tensor<std::int32_t>& x, const Tensor<std::int32_t>& i) {
    return x / gather(x, i, 0);
  });
  const Tensor<std::int32_t> index({2, 1}, {1, 0});
  EXPECT_EQ(f(Tensor<std::int32_t>({2, 2}, {8, 4, 3, 9}), index).values(),
            (std::vector<std::int32_t>{2, 1, 1, 3}));
  EXPECT_NE(thrown<UsageError>([&] {
              (void)f(Tensor<std::int32_t>({2, 2}, {8, 4, 0, 9}), index).values();
            }).find("divisor is 0"),
            std::string::npos);
}

TEST(Vmap, RefusesWhatDoesNotFit) {
  const auto f = [](const Tensor<float>& a, const Tensor<float>& b) { return a + b; };
  EXPECT_EQ(thrown<UsageError>([&] { (void)vmap(f)(numbered({3, 2}), numbered({4, 2})); }),
            "vmap: argument 1 has a tensor of 4 examples, one before it has 3");
  EXPECT_EQ(thrown<UsageError>([&] { (void)vmap(f)(Tensor<float>(1.0F), numbered({4, 2})); }),
            "vmap: argument 0 has a tensor of shape [], which has no axis 0");
  EXPECT_EQ(thrown<UsageError>([&] { (void)vmap(f, {0, 2})(numbered({3, 2}), numbered({3, 2})); }),
            "vmap: argument 1 has a tensor of shape [3, 2], which has no axis 2");
  EXPECT_EQ(thrown<UsageError>([&] { (void)vmap(f, {0})(numbered({3, 2}), numbered({3, 2})); }),
            "vmap: 1 axes are named for 2 arguments");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)vmap(f, {std::nullopt, std::nullopt})(numbered({3, 2}), numbered({3, 2}));
            }),
            "vmap: no tensor among the arguments is mapped: nothing says how many examples there "
            "are");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)vmap([](const Tensor<float>& x) { return x.values()[0] > 0 ? x : -x; })(
                  numbered({3, 2}));
            }),
            "vmap: the function observes elements of argument 0, which has none while it is "
            "recorded");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)vmap([](const Tensor<float>& x) {
                return reshape(x, {1, 1, 1, 1, 1, 1, 1, 1});
              })(numbered({3}));
            }),
            "vmap: an array of shape [1, 1, 1, 1, 1, 1, 1, 1] has no place for one axis more: "
            "shapes have at most 8");
}

TEST(Vmap, CapturesMayLieOnAnyDeviceOfTheHost) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<float> weight({2}, {1, 2}, device);
    const auto product = [&](const Tensor<float>& row) { return sum(weight * row); };
    for (const Device of_argument : {Device::cpu(), Device::lazy()}) {
      const auto rows = numbered({3, 2}).to(of_argument) + 1.0F;
      EXPECT_EQ(vmap(product)(rows).values(), (std::vector<float>{5, 11, 17})) << device;
      EXPECT_EQ(compile(vmap(product))(rows).values(), (std::vector<float>{5, 11, 17})) << device;
    }
  }
}

}  // namespace vmap_test
}  // namespace ddx
