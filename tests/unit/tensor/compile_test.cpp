#include "ddx/tensor/compile.h"

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/text.h"
#include "ddx/ir/verifier.h"
#include "ddx/tensor.h"
#include "ddx/tensor/cond.h"
#include "ddx/tensor/while_loop.h"

#include "tests/support/thrown.h"

#include <array>
#include <complex>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {
namespace compile_test {

using testing::thrown;

/// Arguments and results that are structures.
struct Line {
  Tensor<float> slope;
  std::vector<Tensor<float>> offsets;
  float scale = 1;

  auto ddx_fields() { return std::tie(slope, offsets, scale); }
  auto ddx_fields() const { return std::tie(slope, offsets, scale); }
};

TEST(Graph, HasArgumentsThenCapturedArrays) {
  const Tensor<float> captured({2}, {5, 6}, Device::lazy());
  const auto f = [&](const Tensor<float>& unused, const Tensor<float>& x) {
    return exp(x) * captured + 6.0F * static_cast<float>(unused.rank());
  };
  const ir::Graph made =
      graph(f)(Tensor<float>({7}, {1, 2, 3, 4, 5, 6, 7}), Tensor<float>({2}, {1, 2}));
  EXPECT_EQ(to_text(made), R"(graph(%0: f32[7], %1: f32[2], %2: f32[2]; #0: number) {
  %3: f32[2] = exp(%1)
  %4: f32[2] = mul(%3, %2)
  %5: f32[] = full() {value = #0}
  %6: f32[2] = add(%4, %5)
  return %6
}
)");
  ir::verify(made);
}

TEST(Graph, NestsAndLeavesTheThreadAsItWas) {
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  const Tensor<float> before = x + 1.0F;
  const auto f = [&](const Tensor<float>& y) {
    const auto inner = graph([](const Tensor<float>& z) { return -z; });
    EXPECT_EQ(inner(y).node_count(), 1U);
    return y * before;  // Recorded outside: run now, and captured.
  };
  EXPECT_EQ(graph(f)(x).parameters().size(), 2U);
  const Tensor<float> after = before * 2.0F;
  EXPECT_EQ(after.values(), (std::vector<float>{4, 6}));
}

// What a function around has made is captured, before it has elements.
TEST(Graph, CapturesWhatIsRecordedAroundIt) {
  const auto outer = [](const Tensor<float>& x) {
    const Tensor<float> y = exp(x);
    const Tensor<float> other({2}, {1, 2}, Device::lazy());
    const ir::Graph inner =
        graph([&](const Tensor<float>& z) { return std::tuple{(other + y) * z - y, x}; })(x);
    EXPECT_EQ(inner.parameters().size(), 4U);
    ir::verify(inner);
    return y;
  };
  const ir::Graph made = graph(outer)(Tensor<float>({2}, {1, 2}));
  EXPECT_EQ(made.node_count(), 1U);
}

TEST(Graph, ResultsMayBeArgumentsCapturedOrConstant) {
  const Tensor<float> captured({2}, {5, 6}, Device::lazy());
  const auto f = [&](const Tensor<float>& x) {
    return std::tuple{x,
                      captured,
                      Tensor<float>(3.0F, Device::lazy()),
                      x.shape()[0],
                      reshape(x, {1, 2}),
                      Tensor<float>()};
  };
  const Tensor<float> x({2}, {1, 2});
  const auto [a, b, c, d, e, g] = compile(f)(x);
  EXPECT_EQ(a.values(), x.values());
  EXPECT_EQ(b.values(), captured.values());
  EXPECT_EQ(c.values(), std::vector<float>{3});
  EXPECT_EQ(d, 2);
  EXPECT_EQ(e.shape(), (Shape{1, 2}));
  EXPECT_EQ(e.values(), x.values());
  EXPECT_EQ(g.values(), std::vector<float>{0});
  EXPECT_EQ(a.device(), Device::lazy());
}

TEST(Compile, RunsTheFunctionOncePerSignature) {
  int calls = 0;
  const auto f = compile([&](const Tensor<float>& x, float rate, int power) {
    ++calls;
    Tensor<float> y = x;
    for (int i = 1; i < power; ++i) {
      y = y * x;
    }
    return y * rate;
  });
  const Tensor<float> x({3}, {1, 2, 3}, Device::lazy());
  EXPECT_EQ(f(x, 2.0F, 2).values(), (std::vector<float>{2, 8, 18}));
  EXPECT_EQ(f(x + 1.0F, 2.0F, 2).values(), (std::vector<float>{8, 18, 32}));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(f(x, 3.0F, 2).values(), (std::vector<float>{3, 12, 27}));
  EXPECT_EQ(f(x, 2.0F, 3).values(), (std::vector<float>{2, 16, 54}));
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(f(Tensor<float>({1}, {5}), 2.0F, 2).values(), (std::vector<float>{50}));
  EXPECT_EQ(f(zeros<float>({0}), 2.0F, 2).values(), (std::vector<float>{}));
  EXPECT_EQ(f(Tensor<float>(4.0F), 2.0F, 2).values(), (std::vector<float>{32}));
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(f(x, 2.0F, 2).values(), (std::vector<float>{2, 8, 18}));
  EXPECT_EQ(calls, 6);
}

TEST(Compile, KeepsOnlyTheLastSignatures) {
  int calls = 0;
  const auto f = compile([&](const Tensor<float>& x, int number) {
    ++calls;
    return x + static_cast<float>(number);
  });
  const Tensor<float> x({1}, {1});
  for (int i = 0; i < 65; ++i) {
    EXPECT_EQ(f(x, i).values()[0], 1 + static_cast<float>(i));
  }
  (void)f(x, 64);
  (void)f(x, 1);
  EXPECT_EQ(calls, 65);
  (void)f(x, 0);
  EXPECT_EQ(calls, 66);
}

// A flag of C++ decides branches of C++; as a tensor it is a parameter, as a count of turns is.
TEST(Compile, AFlagIsRecordedForEachValueOrOnceAsATensor) {
  int calls = 0;
  const auto by_flag = compile([&](const Tensor<float>& x, bool doubles) {
    ++calls;
    return doubles ? x * 2.0F : x + 1.0F;
  });
  int tensor_calls = 0;
  const auto by_tensor = compile([&](const Tensor<float>& x, const Tensor<bool>& doubles,
                                     const Tensor<std::int32_t>& turns) {
    ++tensor_calls;
    const auto y = cond(doubles, [&] { return x * 2.0F; }, [&] { return x + 1.0F; });
    return while_loop(
               [&](const auto& state) { return less(state.second, turns); },
               [](const auto& state) { return std::pair(state.first + 10.0F, state.second + 1); },
               std::pair(y, Tensor<std::int32_t>(0).to(x.device())))
        .first;
  });
  const Tensor<float> x({2}, {1, 3});
  for (std::int32_t i = 0; i < 6; ++i) {
    const bool doubles = i % 2 == 0;
    const auto expected = doubles ? x * 2.0F : x + 1.0F;
    EXPECT_EQ(by_flag(x, doubles).values(), expected.values());
    EXPECT_EQ(by_tensor(x, Tensor<bool>(doubles), Tensor<std::int32_t>(i)).values(),
              (expected + 10.0F * static_cast<float>(i)).values());
  }
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(tensor_calls, 1);
}

TEST(Compile, TakesAndReturnsStructures) {
  int calls = 0;
  const auto f = compile([&](const Line& line, const std::optional<Tensor<float>>& x,
                             const std::pair<RandomKey, std::array<Tensor<float>, 2>>& rest) {
    ++calls;
    Line result = line;
    result.slope =
        line.slope * line.scale + random_uniform<float>(rest.first, {2}, {}, Device::lazy());
    for (Tensor<float>& offset : result.offsets) {
      offset = offset + rest.second[1];
    }
    if (x) {
      result.offsets.push_back(*x);
    }
    result.scale = 7;
    return result;
  });
  const Tensor<float> two({2}, {1, 2});
  const Line line{two, {two, two * 2.0F}, 3};
  const std::array rest{two, two * 10.0F};
  const Line y = f(line, std::optional(two), std::pair{RandomKey(1), rest});
  EXPECT_EQ(y.offsets.size(), 3U);
  EXPECT_EQ(y.offsets[1].values(), (std::vector<float>{12, 24}));
  EXPECT_EQ(y.offsets[2].values(), (std::vector<float>{1, 2}));
  EXPECT_EQ(y.scale, 7);
  const auto drawn = random_uniform<float>(RandomKey(1), {2});
  EXPECT_EQ(y.slope.values(), (two * 3.0F + drawn).values());
  // All that is no tensor and no key is a part of the signature.
  (void)f(line, std::optional(two), std::pair{RandomKey(1), rest});
  EXPECT_EQ(f(line, std::optional(two), std::pair{RandomKey(2), rest}).slope.values(),
            (two * 3.0F + random_uniform<float>(RandomKey(2), {2})).values());
  EXPECT_EQ(calls, 1);
  (void)f(line, std::optional<Tensor<float>>(), std::pair{RandomKey(1), rest});
  (void)f(Line{two, {two}, 3}, std::optional(two), std::pair{RandomKey(1), rest});
  (void)f(Line{two, {two, two}, 4}, std::optional(two), std::pair{RandomKey(1), rest});
  EXPECT_EQ(calls, 4);
}

TEST(Compile, WhatIsCapturedIsAParameterAndStays) {
  Tensor<float> captured({2}, {5, 6}, Device::lazy());
  const auto f = compile([&](const Tensor<float>& x) { return x * captured; });
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  EXPECT_EQ(f(x).values(), (std::vector<float>{5, 12}));
  captured += 100.0F;
  EXPECT_EQ(f(x).values(), (std::vector<float>{5, 12})) << "as it was when f was recorded";
  EXPECT_EQ(captured.values(), (std::vector<float>{105, 106}));
}

// What lies elsewhere is taken from there, as arguments are; so are constants that the function
// makes.
TEST(Compile, CapturesAndConstantsMayLieOnAnyDeviceOfTheHost) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<float> weight({2}, {1, 2}, device);
    const Tensor<std::int32_t> rows({2}, {1, 0}, device);
    const auto f = [&](const Tensor<float>& x) {
      const Tensor<float> constant({2}, {10, 20});
      auto y = weight;
      y += x;  // In the place of a copy of what is captured.
      return std::tuple(sum(weight * x) + constant, constant - y, gather(x, rows),
                        concatenate(std::vector{weight, x}), weight);
    };
    for (const Device of_argument : {Device::cpu(), Device::lazy()}) {
      const Tensor<float> x({2}, {3, 4}, of_argument);
      for (const auto& [a, b, c, d, w] : {compile(f)(x), compile(f)(x)}) {
        EXPECT_EQ(a.values(), (std::vector<float>{21, 31})) << device;
        EXPECT_EQ(b.values(), (std::vector<float>{6, 14})) << device;
        EXPECT_EQ(c.values(), (std::vector<float>{4, 3})) << device;
        EXPECT_EQ(d.values(), (std::vector<float>{1, 2, 3, 4})) << device;
        EXPECT_EQ(w.values(), (std::vector<float>{1, 2})) << device;
        EXPECT_EQ(w.device(), Device::lazy());
      }
      EXPECT_EQ(graph(f)(x).parameters().size(), 4U) << device;  // x, weight, the constant, rows.
    }
    EXPECT_EQ(weight.values(), (std::vector<float>{1, 2})) << device;
    EXPECT_EQ(weight.device(), device);
  }
}

TEST(Compile, OperandsOfTwoOtherDevicesAreAnError) {
  const Tensor<float> a({2}, {1, 2}, Device::naive());
  const Tensor<float> b({2}, {1, 2}, Device::cpu());
  const auto f = compile([&](const Tensor<float>& x) { return x + maximum(a, b); });
  EXPECT_EQ(thrown<UsageError>([&] { (void)f(b); }),
            "maximum: operands lie on devices naive and cpu; shapes [2] and [2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)maximum(b, b.to(Device::lazy())); }),
            "maximum: operands lie on devices cpu and lazy; shapes [2] and [2] (here)");
}

TEST(Compile, BecomesAPartOfWhatIsStaged) {
  int calls = 0;
  const auto inner = compile([&](const Tensor<float>& x) {
    ++calls;
    return x * x;
  });
  const auto outer = compile([&](const Tensor<float>& x) { return inner(inner(x)) + 1.0F; });
  const Tensor<float> x({2}, {2, 3});
  EXPECT_EQ(outer(x).values(), (std::vector<float>{17, 82}));
  EXPECT_EQ(outer(x).values(), (std::vector<float>{17, 82}));
  EXPECT_EQ(calls, 2);
}

TEST(Compile, LongFunctionsAreOneGraph) {
  const auto f = compile([](const Tensor<float>& x) {
    Tensor<float> y = x;
    for (int i = 0; i < 9000; ++i) {  // More than a trace records before it runs.
      y = y + x;
    }
    backend::lazy_barrier();
    return y;
  });
  const auto before = backend::lazy_statistics();
  const Tensor<float> x({2}, {1, 2});
  EXPECT_EQ(f(x).values(), (std::vector<float>{9001, 18002}));
  EXPECT_EQ(backend::lazy_statistics().flushes, before.flushes);
}

TEST(Compile, LookingAtElementsIsAnError) {
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  const auto of_argument = compile([](const Tensor<float>& y) { return y * y.values()[0]; });
  EXPECT_EQ(thrown<UsageError>([&] { (void)of_argument(x); }),
            "compile: the function observes elements of argument 0, which has none while it is "
            "recorded");
  const auto of_result = graph([](const Tensor<float>& y) {
    const auto z = exp(y);
    (void)z.values();
    return z;
  });
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)of_result(x);
            }).find("graph: the function observes elements of the result of exp"),
            0U);
  // What hides the error gets it with the result.
  const auto hidden = compile([](const Tensor<float>& y) {
    try {
      (void)y.values();
    } catch (const UsageError&) {
    }
    return y + 1.0F;
  });
  EXPECT_EQ(thrown<UsageError>([&] { (void)hidden(x); }),
            "compile: the function observes elements of argument 0, which has none while it is "
            "recorded");
  // Also where nothing that is returned depends on what was looked at.
  const auto unconcerned = compile([&](const Tensor<float>& y) {
    try {
      (void)y.values();
    } catch (const UsageError&) {
    }
    return x * 2.0F;
  });
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)unconcerned(Tensor<float>({2}, {7, 7}));
            }).find("compile: the function observes elements of argument 0"),
            0U);
  // The thread goes on as before.
  EXPECT_EQ((x + 1.0F).values(), (std::vector<float>{2, 3}));
  const auto right = compile([](const Tensor<float>& y) { return y + 1.0F; });
  EXPECT_EQ(right(x).values(), (std::vector<float>{2, 3}));
}

TEST(Compile, WhatFallsOutOfTheFunctionHasNoElements) {
  Tensor<float> kept({2}, {5, 6}, Device::lazy());
  const auto f = compile([&](const Tensor<float>& x) {
    kept = x + 1.0F;
    return x;
  });
  (void)f(Tensor<float>({2}, {1, 2}));
  EXPECT_EQ(thrown<UsageError>([&] { (void)kept.values(); }),
            "compile: this tensor stood for a value while the function was recorded, and has none "
            "after");
  EXPECT_EQ(thrown<UsageError>([&] { (void)(kept + 1.0F).values(); }),
            "compile: this tensor stood for a value while the function was recorded, and has none "
            "after");
}

TEST(Compile, AnotherThreadMayNotLookEither) {
  const auto f = compile([](const Tensor<float>& x) {
    std::string said;
    std::thread([&] { said = thrown<UsageError>([&] { (void)(x + 1.0F).values(); }); }).join();
    EXPECT_EQ(said.find("compile: the function observes elements of argument 0"), 0U) << said;
    return x;
  });
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)f(Tensor<float>({2}, {1, 2}));
            }).find("compile: the function observes elements of argument 0"),
            0U);
}

TEST(Compile, WhatTheFunctionThrowsComesOut) {
  const auto f = compile([](const Tensor<float>& x, bool fails) {
    const Tensor<float> y = x + 1.0F;
    if (fails) {
      throw std::runtime_error("not this way");
    }
    return matmul(y, y);
  });
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6}, Device::lazy());
  EXPECT_THROW((void)f(x, true), std::runtime_error);
  EXPECT_NE(thrown<UsageError>([&] { (void)f(x, false); }).find("matmul"), std::string::npos);
  EXPECT_EQ(f(ones<float>({1, 1}), false).values(), std::vector<float>{4});
}

TEST(Compile, DemandsOnElementsAreAskedAtEachCall) {
  const auto f =
      compile([](const Tensor<std::int32_t>& a, const Tensor<std::int32_t>& b) { return a / b; });
  const Tensor<std::int32_t> a({2}, {6, 8});
  EXPECT_EQ(f(a, Tensor<std::int32_t>({2}, {2, 4})).values(), (std::vector<std::int32_t>{3, 2}));
  EXPECT_NE(thrown<UsageError>([&] {
              (void)f(a, Tensor<std::int32_t>({2}, {2, 0}));
            }).find("divisor is 0"),
            std::string::npos);
  EXPECT_EQ(f(a, Tensor<std::int32_t>({2}, {1, 1})).values(), (std::vector<std::int32_t>{6, 8}));
}

// The parts of complex numbers are bytes seen as another type, which no graph has.
TEST(Compile, PartsOfComplexNumbersAreAnError) {
  const auto f = compile([](const Tensor<std::complex<float>>& x) { return real(x) + imag(x); });
  const Tensor<std::complex<float>> x({1}, {{1, 2}});
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)f(x);
            }).find("compile: the function observes elements of argument 0"),
            0U);
}

TEST(Compile, ManyThreadsMayCallIt) {
  const auto f = compile([](const Tensor<float>& x, int n) { return x * static_cast<float>(n); });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Tensor<float> x({2}, {1, static_cast<float>(t)}, Device::lazy());
      for (int i = 0; i < 50; ++i) {
        const auto y = f(x, i % 5);
        EXPECT_EQ(y.values()[1], static_cast<float>(t * (i % 5)));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace compile_test
}  // namespace ddx
