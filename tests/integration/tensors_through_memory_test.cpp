// Tensors in functions that are differentiated through memory: in lists, maps, nodes, objects
// behind virtual calls and std::function, with goto and threads. Each has the gradient of a
// function that says the same in one expression, which is promoted.

#include "ddx/ad.h"
#include "ddx/tensor/activation.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/in_place.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <any>
#include <array>
#include <cstddef>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Tensor = ddx::Tensor<float>;

const Tensor a({2, 2}, {0.1F, 0.2F, -0.3F, 0.4F});
const Tensor b({2, 2}, {0.5F, -0.2F, 0.3F, 0.1F});
const Tensor x({3, 2}, {1, 2, 3, 4, 5, 6});

void expect_near(const Tensor& result, const Tensor& expected) {
  ASSERT_EQ(result.shape(), expected.shape());
  const auto values = result.values();
  const auto wanted = expected.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], wanted[i], 1e-5F * (1 + std::abs(wanted[i]))) << "element " << i;
  }
}

/// Expects equal values, gradients by all arguments and tangents.
template <auto through_memory, auto promoted, class... Arguments>
void expect_same(const Arguments&... arguments) {
  const auto function = [](const Arguments&... at) { return through_memory(at...); };
  const auto expected = [](const Arguments&... at) { return promoted(at...); };
  const auto reverse = ddx::value_with_gradient(function, arguments...);
  const auto wanted = ddx::value_with_gradient(expected, arguments...);
  expect_near(reverse.value, wanted.value);
  if constexpr (sizeof...(Arguments) == 1) {
    expect_near(reverse.gradient, wanted.gradient);
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (expect_near(std::get<I>(reverse.gradient), std::get<I>(wanted.gradient)), ...);
    }(std::index_sequence_for<Arguments...>{});
  }
  const auto moved = ddx::jvp(function, ddx::along(Tensor(arguments * 0.5F)...), arguments...);
  const auto moved_wanted =
      ddx::jvp(expected, ddx::along(Tensor(arguments * 0.5F)...), arguments...);
  expect_near(moved.value, moved_wanted.value);
  expect_near(moved.tangent, moved_wanted.tangent);
}

Tensor of_list(const Tensor& w, const Tensor& in) {
  std::list<Tensor> kept;
  Tensor h = in;
  for (int i = 0; i < 3; ++i) {
    h = ddx::tanh(ddx::matmul(h, w));
    kept.push_front(h);
  }
  Tensor sum = kept.front() * 0.5F;
  for (const Tensor& one : kept) {
    sum += one * one;
  }
  return ddx::sum(sum);
}
Tensor of_list_promoted(const Tensor& w, const Tensor& in) {
  const Tensor h = ddx::tanh(ddx::matmul(in, w));
  const Tensor g = ddx::tanh(ddx::matmul(h, w));
  const Tensor f = ddx::tanh(ddx::matmul(g, w));
  return ddx::sum(f * 0.5F + f * f + g * g + h * h);
}
TEST(ThroughMemory, ListOfTensors) {
  expect_same<of_list, of_list_promoted>(a, x);
}

TEST(ThroughMemory, MapOfTensorsIsAnArgument) {
  using Parameters = std::map<std::string, Tensor>;
  const auto through_list = [](const Parameters& parameters, const Tensor& in) {
    std::list<Tensor> weights;
    for (const auto& [name, weight] : parameters) {
      weights.push_back(weight);
    }
    Tensor h = in;
    for (const Tensor& weight : weights) {
      h = ddx::tanh(ddx::matmul(h, weight));
    }
    return ddx::sum(h);
  };
  const auto promoted = [](const Tensor& first, const Tensor& second, const Tensor& in) {
    return ddx::sum(ddx::tanh(ddx::matmul(ddx::tanh(ddx::matmul(in, first)), second)));
  };
  const auto [by_map, by_input] = ddx::gradient(through_list, Parameters{{"1", a}, {"2", b}}, x);
  const auto [by_first, by_second, input_wanted] = ddx::gradient(promoted, a, b, x);
  expect_near(by_map.at("1"), by_first);
  expect_near(by_map.at("2"), by_second);
  expect_near(by_input, input_wanted);
}

struct Layer {
  Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  virtual ~Layer() = default;
  virtual Tensor apply(const Tensor& in) const = 0;
};
struct Dense final : Layer {
  explicit Dense(Tensor given) : weight(std::move(given)) {}
  Tensor apply(const Tensor& in) const override { return ddx::matmul(in, weight); }
  Tensor weight;
};
struct Tanh final : Layer {
  Tensor apply(const Tensor& in) const override { return ddx::tanh(in); }
};

Tensor of_layers(const Tensor& first, const Tensor& second, const Tensor& in) {
  std::list<std::unique_ptr<Layer>> layers;
  layers.push_back(std::make_unique<Dense>(first));
  layers.push_back(std::make_unique<Tanh>());
  layers.push_back(std::make_unique<Dense>(second));
  Tensor h = in;
  for (const auto& layer : layers) {
    h = layer->apply(h);
  }
  return ddx::sum(h * h);
}
Tensor of_layers_promoted(const Tensor& first, const Tensor& second, const Tensor& in) {
  const Tensor h = ddx::matmul(ddx::tanh(ddx::matmul(in, first)), second);
  return ddx::sum(h * h);
}
TEST(ThroughMemory, LayersBehindVirtualCalls) {
  expect_same<of_layers, of_layers_promoted>(a, b, x);
}

Tensor of_jumps(const Tensor& w) {
  Tensor h = w;
  int i = 0;
  const std::function<Tensor(const Tensor&)> step = [&w](const Tensor& t) { return t * w + 1.0F; };
again:
  h = step(h);
  if (++i < 3) {
    goto again;
  }
  return ddx::sum(h);
}
Tensor of_jumps_promoted(const Tensor& w) {
  return ddx::sum(((w * w + 1.0F) * w + 1.0F) * w + 1.0F);
}
TEST(ThroughMemory, GotoAndStoredFunctions) {
  expect_same<of_jumps, of_jumps_promoted>(a);
}

/// Copies, moves, assignments to itself, exchanges; vectors that move their elements.
Tensor of_copies(const Tensor& v, const Tensor& w) {
  std::list<std::vector<Tensor>> rows(1);
  std::vector<Tensor>& row = rows.front();
  for (int i = 0; i < 5; ++i) {
    row.push_back(i % 2 == 0 ? v : w);
  }
  std::swap(row[0], row[1]);   // w v v w v
  row.erase(row.begin() + 2);  // w v w v
  Tensor& third = row[2];
  third = row[2];
  row.insert(row.begin(), row[1] * 2.0F);  // 2v w v w v
  Tensor taken = std::move(row[4]);        // v
  row[4] = taken * row[3];                 // vw
  std::array<Tensor, 2> pair{row[4], row[0]};
  pair[0] *= pair[1];  // 2 v v w
  return ddx::sum(pair[0] + row[1] * 3.0F + taken);
}
Tensor of_copies_promoted(const Tensor& v, const Tensor& w) {
  return ddx::sum(v * v * w * 2.0F + w * 3.0F + v);
}
TEST(ThroughMemory, CopiesAndMoves) {
  expect_same<of_copies, of_copies_promoted>(a, b);
}

/// Constants have no cotangents; those that their addresses had before are not theirs.
Tensor of_constants(const Tensor& w) {
  std::list<Tensor> terms;
  for (int i = 0; i < 3; ++i) {
    const Tensor scale({2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
    const Tensor ones = Tensor(2.0F);
    terms.push_back(w * scale + ones * w);
    if (w.rank() != 2) {
      throw std::invalid_argument("a matrix is expected");
    }
  }
  Tensor sum;
  for (const Tensor& term : terms) {
    sum += term * w;
  }
  return ddx::sum(sum);
}
Tensor of_constants_promoted(const Tensor& w) {
  const Tensor scale({2, 2}, {3.0F, 4.0F, 5.0F, 6.0F});
  return ddx::sum(w * w * scale * 3.0F);
}
TEST(ThroughMemory, Constants) {
  expect_same<of_constants, of_constants_promoted>(a);
}

/// Numbers of tensors, and tensors of numbers.
double of_numbers(const Tensor& w, double scale) {
  std::list<double> parts;
  for (int i = 0; i < 2; ++i) {
    parts.push_back(static_cast<double>((w * static_cast<float>(scale))[{i, 1}]));
  }
  return parts.front() * parts.back();
}
TEST(ThroughMemory, Numbers) {
  // (s w01) (s w11)
  const auto [by_tensor, by_scale] = ddx::gradient(of_numbers, a, 3.0);
  expect_near(by_tensor, Tensor({2, 2}, {0, 9 * 0.4F, 0, 9 * 0.2F}));
  EXPECT_NEAR(by_scale, 2 * 3 * 0.2 * 0.4, 1e-6);
}

struct Failure {
  Tensor partial;
};
Tensor of_exceptions(const Tensor& w) {
  std::list<Tensor> done;
  for (int i = 0; i < 3; ++i) {
    try {
      const Tensor next = w * static_cast<float>(i + 1);
      if (i == 1) {
        throw Failure{next * w};
      }
      done.push_back(next);
    } catch (const Failure& failure) {
      done.push_back(failure.partial);
    }
  }
  return ddx::sum(done.front() * done.back() + *std::next(done.begin()));
}
Tensor of_exceptions_promoted(const Tensor& w) {
  return ddx::sum(w * w * 3.0F + w * w * 2.0F);
}
TEST(ThroughMemory, ExceptionsThatCarryTensors) {
  expect_same<of_exceptions, of_exceptions_promoted>(a);
}

Tensor of_threads(const Tensor& v, const Tensor& w) {
  std::array<Tensor, 2> products;
  std::thread other([&] { products[0] = ddx::tanh(ddx::matmul(v, w)); });
  products[1] = ddx::matmul(w, v);
  other.join();
  std::future<Tensor> last = std::async(std::launch::async, [&] { return v * products[0]; });
  return ddx::sum(products[1] * w + last.get());
}
Tensor of_threads_promoted(const Tensor& v, const Tensor& w) {
  return ddx::sum(ddx::matmul(w, v) * w + v * ddx::tanh(ddx::matmul(v, w)));
}
TEST(ThroughMemory, Threads) {
  expect_same<of_threads, of_threads_promoted>(a, b);
}

/// A node with constants that points to itself.
struct Ring {
  Ring* next;
  float elements[2];
};
Tensor of_constants_in_a_ring(const std::map<int, Tensor>& factors) {
  const Ring node{const_cast<Ring*>(&node), {1, 2}};
  Tensor product({2}, std::span<const float>(node.elements, 2));
  for (const auto& [key, factor] : factors) {
    product = product * factor;
  }
  return ddx::sum(product);
}
TEST(ThroughMemory, ConstantsBesideAPointerToThemselves) {
  const std::map<int, Tensor> factors{{3, Tensor{3, 4}}, {5, Tensor{5, 6}}};
  const auto gradient = ddx::gradient(of_constants_in_a_ring, factors);
  expect_near(gradient.at(3), Tensor{5, 12});
  expect_near(gradient.at(5), Tensor{3, 8});
}

TEST(ThroughMemory, PullbacksAreCalledAgain) {
  const auto function = [](const Tensor& w, const Tensor& in) { return of_list(w, in); };
  const auto promoted = [](const Tensor& w, const Tensor& in) { return of_list_promoted(w, in); };
  const auto [value, pullback] = ddx::value_with_pullback(function, a, x);
  const auto [once_w, once_x] = pullback(Tensor(1.0F));
  const auto [twice_w, twice_x] = pullback(Tensor(2.0F));
  expect_near(twice_w, once_w * 2.0F);
  expect_near(twice_x, once_x * 2.0F);
  expect_near(once_w, std::get<0>(ddx::gradient(promoted, a, x)));
}

}  // namespace
