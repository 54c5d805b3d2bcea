#include "backend/control_run.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/debug_nans.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/lazy.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ir/text.h"
#include "ddx/ir/verifier.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include "backend/lazy/fused_loop.h"
#include "backend/lazy/plan.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace control_run_test {

using Numbers = std::vector<double>;

/// Parameters of a graph, of any dtype that is f32, i32 or bool.
struct TraceInputs {
  TraceInputs(const ir::Graph& graph, const std::vector<Numbers>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ir::Type& type = graph.type(graph.parameters()[i]);
      memory.emplace_back(bytes_of(type));
      for (std::size_t k = 0; k < values[i].size(); ++k) {
        visit(type.dtype, [&](auto zero) {
          using T = decltype(zero);
          if constexpr (std::is_arithmetic_v<T>) {
            reinterpret_cast<T*>(memory.back().data())[k] = static_cast<T>(values[i][k]);
          }
        });
      }
      views.emplace_back(memory.back().data(), type.shape, type.dtype);
    }
  }

  std::vector<Buffer> memory;
  std::vector<ops::View> views;
};

Numbers numbers(const Buffer& buffer, const ir::Type& type) {
  Numbers result;
  visit(type.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_arithmetic_v<T>) {
      const auto* const data = reinterpret_cast<const T*>(buffer.data());
      result.assign(data, data + type.shape.count());
    }
  });
  return result;
}

/// The results of a graph, or the texts of their errors.
struct Answers {
  std::vector<Numbers> values;
  std::vector<std::string> errors;

  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers answers_of(const ir::Graph& graph, const std::vector<Outcome>& outcomes) {
  Answers answers;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    try {
      if (outcomes[i].error != nullptr) {
        std::rethrow_exception(outcomes[i].error);
      }
      answers.values.push_back(numbers(outcomes[i].elements, graph.type(graph.results()[i])));
      answers.errors.emplace_back();
    } catch (const Error& error) {
      answers.values.emplace_back();
      answers.errors.emplace_back(error.what());
    }
  }
  return answers;
}

/// What the plan of a graph computes; its results may be no parameters.
std::vector<Outcome> planned(const ir::Graph& graph, const Arguments& arguments) {
  const lazy::Plan plan(graph);
  const std::vector<Outcome> made = plan.run(arguments, backend_of(Device::cpu()));
  std::vector<Outcome> results;
  for (const auto& [is_parameter, place] : plan.sources()) {
    EXPECT_FALSE(is_parameter);
    results.push_back(made[place]);
  }
  return results;
}

/// What a graph computes, which the naive device, the kernels of the cpu device and a plan agree
/// about; neither of them writes over the parameters.
Answers run(const std::string& text, const std::vector<Numbers>& parameters,
            const std::vector<ir::ScalarValue>& scalars = {},
            const std::vector<ops::Check>& checks = {}) {
  const ir::Graph graph = ir::parse_graph(text);
  ir::verify(graph);
  const TraceInputs given(graph, parameters);
  const Arguments arguments{given.views, scalars, checks};
  const Answers answers =
      answers_of(graph, outcomes_of(graph, arguments, backend_of(Device::naive())));
  EXPECT_EQ(answers_of(graph, outcomes_of(graph, arguments, backend_of(Device::cpu()))), answers);
  EXPECT_EQ(answers_of(graph, planned(graph, arguments)), answers);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_EQ(numbers(given.memory[i], graph.type(graph.parameters()[i])), parameters[i]);
  }
  return answers;
}

std::vector<Numbers> values(const std::string& text, const std::vector<Numbers>& parameters,
                            const std::vector<ir::ScalarValue>& scalars = {}) {
  const Answers answers = run(text, parameters, scalars);
  for (const std::string& error : answers.errors) {
    EXPECT_EQ(error, "");
  }
  return answers.values;
}

const char* const power = R"(graph(%0: bool[], %1: f32[2]) {
  %2: f32[2], %3: f32[] = cond(%0, %1) {
    then = graph(%0: f32[2]) {
      %1: f32[2] = mul(%0, %0)
      %2: f32[2] = mul(%1, %0)
      %3: f32[] = sum(%2) {axes = 1}
      return %2, %3
    },
    else = graph(%0: f32[2]) {
      %1: f32[] = full() {value = 7}
      return %0, %1
    }
  }
  return %2, %3
})";

TEST(ControlRun, CondIsTheResultOfOneRegion) {
  EXPECT_EQ(values(power, {{1}, {2, -3}}), (std::vector<Numbers>{{8, -27}, {-19}}));
  EXPECT_EQ(values(power, {{0}, {2, -3}}), (std::vector<Numbers>{{2, -3}, {7}}));
}

/// The pair (a, b) becomes (b, a + b) n times.
const char* const fibonacci = R"(graph(%0: i32[], %1: i32[], %2: i32[]) {
  %3: i32[], %4: i32[], %5: i32[] = while_loop(%0, %1, %2) {
    condition = graph(%0: i32[], %1: i32[], %2: i32[]) {
      %3: i32[] = full()
      %4: bool[] = greater(%2, %3)
      return %4
    },
    body = graph(%0: i32[], %1: i32[], %2: i32[]) {
      %3: i32[] = add(%0, %1)
      %4: i32[] = full() {value = 1i}
      %5: i32[] = sub(%2, %4)
      return %1, %3, %5
    }
  }
  return %3, %4, %5
})";

TEST(ControlRun, WhileLoopRunsUntilItsConditionIsFalse) {
  // 0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89: the pairs at 0, 1, 10.
  EXPECT_EQ(values(fibonacci, {{0}, {1}, {0}}), (std::vector<Numbers>{{0}, {1}, {0}}));
  EXPECT_EQ(values(fibonacci, {{0}, {1}, {1}}), (std::vector<Numbers>{{1}, {1}, {0}}));
  EXPECT_EQ(values(fibonacci, {{0}, {1}, {10}}), (std::vector<Numbers>{{55}, {89}, {0}}));
}

std::string recurrence(bool reverse) {
  // x = 2 x + s, and each x.
  return std::string(R"(graph(%0: f32[], %1: f32[3], %2: f32[]) {
    %3: f32[], %4: f32[3] = scan(%0, %1, %2) {carries = 1, slices = 1, trips = 3,)") +
         (reverse ? " reverse = true," : "") + R"(
      body = graph(%0: f32[], %1: f32[], %2: f32[]) {
        %3: f32[] = mul(%0, %2)
        %4: f32[] = add(%3, %1)
        return %4, %4
      }
    }
    return %3, %4
  })";
}

TEST(ControlRun, ScanGoesForwardAndFromTheEnd) {
  // 1: 2 + 1 = 3, 6 + 10 = 16, 32 + 100 = 132.
  EXPECT_EQ(values(recurrence(false), {{1}, {1, 10, 100}, {2}}),
            (std::vector<Numbers>{{132}, {3, 16, 132}}));
  // 1: 2 + 100 = 102, 204 + 10 = 214, 428 + 1 = 429; each beside its slice.
  EXPECT_EQ(values(recurrence(true), {{1}, {1, 10, 100}, {2}}),
            (std::vector<Numbers>{{429}, {429, 214, 102}}));
}

TEST(ControlRun, AnExponentialMovingAverageOfRows) {
  // m = (3 m + s) / 4 from 0: rows (4, 8), (8, 0): (1, 2), (2.75, 1.5).
  EXPECT_EQ(values(R"(graph(%0: f32[2], %1: f32[2, 2]; #0: number, #1: number) {
    %2: f32[2], %3: f32[2, 2] = scan(%0, %1; #1) {carries = 1, slices = 1, trips = 2,
      body = graph(%0: f32[2], %1: f32[2]; #0: number) {
        %2: f32[2] = sub(%1, %0)
        %3: f32[2] = add_scaled(%0, %2) {scale = #0}
        return %3, %3
      }
    }
    return %3, %2
  })",
                   {{0, 0}, {4, 8, 8, 0}}, {ops::Literal{.real = 100}, ops::Literal{.real = 0.25}}),
            (std::vector<Numbers>{{1, 2, 2.75, 1.5}, {2.75, 1.5}}));
}

TEST(ControlRun, RegionsNest) {
  // Cumulative sums, twice: 1, 2, 3; 1, 3, 6; 1, 4, 10.
  EXPECT_EQ(values(R"(graph(%0: f32[3], %1: i32[]; #0: number) {
    %2: f32[3], %3: i32[] = while_loop(%0, %1; #0) {
      condition = graph(%0: f32[3], %1: i32[]; #0: number) {
        %2: i32[] = full()
        %3: bool[] = greater(%1, %2)
        return %3
      },
      body = graph(%0: f32[3], %1: i32[]; #0: number) {
        %2: f32[] = full()
        %3: f32[], %4: f32[3] = scan(%2, %0; #0) {carries = 1, slices = 1, trips = 3,
          body = graph(%0: f32[], %1: f32[]; #0: number) {
            %2: f32[] = add_scaled(%0, %1) {scale = #0}
            return %2, %2
          }
        }
        %5: i32[] = full() {value = 1i}
        %6: i32[] = sub(%1, %5)
        return %4, %6
      }
    }
    return %2
  })",
                   {{1, 2, 3}, {2}}, {ops::Literal{.real = 1}}),
            (std::vector<Numbers>{{1, 4, 10}}));
}

TEST(ControlRun, NoTripsLeaveTheCarry) {
  EXPECT_EQ(values(R"(graph(%0: f32[2], %1: f32[0, 3]) {
    %2: f32[2], %3: f32[0, 2] = scan(%0, %1) {carries = 1, slices = 1,
      body = graph(%0: f32[2], %1: f32[3]) {
        %2: f32[2] = neg(%0)
        return %2, %2
      }
    }
    return %2, %3
  })",
                   {{5, 6}, {}}),
            (std::vector<Numbers>{{5, 6}, {}}));
}

TEST(ControlRun, SlicesAndCarriesMayHaveNoElements) {
  EXPECT_EQ(values(R"(graph(%0: f32[0], %1: f32[2, 0], %2: i32[]) {
    %3: f32[0], %4: i32[], %5: f32[2, 0] = scan(%0, %2, %1) {carries = 2, slices = 1, trips = 2,
      body = graph(%0: f32[0], %1: i32[], %2: f32[0]) {
        %3: f32[0] = add(%0, %2)
        %4: i32[] = add(%1, %1)
        return %3, %4, %2
      }
    }
    return %3, %4, %5
  })",
                   {{}, {}, {3}}),
            (std::vector<Numbers>{{}, {12}, {}}));
}

TEST(ControlRun, AScanWithoutSlicesCountsItsTrips) {
  EXPECT_EQ(values(R"(graph(%0: f32[1]) {
    %1: f32[1], %2: f32[4, 1] = scan(%0) {carries = 1, trips = 4,
      body = graph(%0: f32[1]) {
        %1: f32[1] = add(%0, %0)
        return %1, %0
      }
    }
    return %1, %2
  })",
                   {{3}}),
            (std::vector<Numbers>{{48}, {3, 6, 12, 24}}));
}

TEST(ControlRun, CarriesMayChangePlacesAndBeEqual) {
  // (a, b, c) becomes (b, a, a).
  EXPECT_EQ(values(R"(graph(%0: f32[1], %1: f32[1], %2: f32[1]) {
    %3: f32[1], %4: f32[1], %5: f32[1] = scan(%0, %1, %2) {carries = 3, trips = 3,
      body = graph(%0: f32[1], %1: f32[1], %2: f32[1]) { return %1, %0, %0 }
    }
    return %3, %4, %5
  })",
                   {{1}, {2}, {3}}),
            (std::vector<Numbers>{{2}, {1}, {1}}));
  // (a, b) becomes (-a b, -a b): 2, 2; -4, -4; -16, -16. Both lie in one buffer, which may not be
  // written over by -a while b is to be read.
  EXPECT_EQ(values(R"(graph(%0: f32[1], %1: f32[1]) {
    %2: f32[1], %3: f32[1] = scan(%0, %1) {carries = 2, trips = 2,
      body = graph(%0: f32[1], %1: f32[1]) {
        %2: f32[1] = neg(%0)
        %3: f32[1] = mul(%2, %1)
        return %3, %3
      }
    }
    return %2, %3
  })",
                   {{2}, {2}}),
            (std::vector<Numbers>{{-16}, {-16}}));
}

/// How often it has been asked.
int asked = 0;

ops::Check below(float limit) {
  static float most = 0;
  most = limit;
  return {.before =
              [](const ops::Call& call) {
                ++asked;
                const bool is_below = call.input(0).data<float>()[0] < most;
                return is_below ? std::nullopt : std::optional<std::string>("too large");
              },
          .site = {"doubled"}};
}

const char* const checked = R"(graph(%0: f32[], %1: f32[4]; checks 2) {
  %2: f32[], %3: f32[4] = scan(%0, %1; !1) {carries = 1, slices = 1, trips = 4,
    body = graph(%0: f32[], %1: f32[]; checks 1) {
      %2: f32[] = add(%0, %0) !0
      return %2, %1
    }
  }
  %4: f32[] = neg(%2)
  %5: f32[] = neg(%0)
  return %2, %3, %4, %5
})";

TEST(ControlRun, WhatFailsInARegionFailsTheNode) {
  asked = 0;
  // 1, 2, 4: the third trip is refused, and no other one begins.
  const Answers answers = run(checked, {{1}, {1, 2, 3, 4}}, {}, {{}, below(4)});
  EXPECT_EQ(asked, 3 * 3);
  EXPECT_EQ(answers.errors, (std::vector<std::string>{"doubled: too large", "doubled: too large",
                                                      "doubled: too large", ""}));
  EXPECT_EQ(answers.values[3], (Numbers{-1}));
}

TEST(ControlRun, WhatHoldsInEveryTripFailsNothing) {
  asked = 0;
  const Answers answers = run(checked, {{1}, {1, 2, 3, 4}}, {}, {{}, below(100)});
  EXPECT_EQ(asked, 3 * 4);
  EXPECT_EQ(answers.values[0], (Numbers{16}));
}

TEST(ControlRun, OnlyTheRegionThatRunsAsks) {
  const char* const text = R"(graph(%0: bool[], %1: f32[]; checks 1) {
    %2: f32[] = cond(%0, %1; !0) {
      then = graph(%0: f32[]; checks 1) {
        %1: f32[] = add(%0, %0) !0
        return %1
      },
      else = graph(%0: f32[]; checks 1) {
        %1: f32[] = neg(%0)
        return %1
      }
    }
    return %2
  })";
  asked = 0;
  EXPECT_EQ(run(text, {{0}, {9}}, {}, {below(4)}).values[0], (Numbers{-9}));
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(run(text, {{1}, {9}}, {}, {below(4)}).errors[0], "doubled: too large");
  EXPECT_EQ(asked, 3);
}

TEST(ControlRun, AConditionThatFailsEndsTheLoop) {
  const char* const text = R"(graph(%0: f32[]; checks 1) {
    %1: f32[] = while_loop(%0; !0) {
      condition = graph(%0: f32[]; checks 1) {
        %1: f32[] = full() {value = 100}
        %2: bool[] = less(%0, %1) !0
        return %2
      },
      body = graph(%0: f32[]; checks 1) {
        %1: f32[] = add(%0, %0)
        return %1
      }
    }
    return %1
  })";
  EXPECT_EQ(run(text, {{1}}, {}, {below(10)}).errors[0], "doubled: too large");
  EXPECT_EQ(run(text, {{1}}, {}, {below(1000)}).values[0], (Numbers{128}));
}

/// A loop of n turns over an array, or its negative, with a few elementwise operations in it; %2 is
/// what goes in and %3 what comes out.
std::string long_loop(int extent, const std::string& results = "%3") {
  const std::string x = "f32[" + std::to_string(extent) + "]";
  return "graph(%0: " + x + ", %1: i32[]) { %2: " + x + " = neg(%0) %3: " + x +
         ", %4: i32[] = while_loop(%2, %1) {" + "condition = graph(%0: " + x +
         ", %1: i32[]) { %2: i32[] = full() %3: bool[] = greater(%1, %2) return %3 }," +
         "body = graph(%0: " + x + ", %1: i32[]) { %2: f32[] = full() {value = 0.5}" + " %3: " + x +
         " = mul(%0, %2) %4: f32[] = full() {value = 3} %5: " + x + " = add(%3, %4)" +
         " %6: i32[] = full() {value = 1i} %7: i32[] = sub(%1, %6) return %5, %7 } }" + " return " +
         results + " }";
}

TEST(ControlRun, ALoopTakesTheMemoryOfAFewTurns) {
  constexpr int extent = 1 << 18;  // A megabyte.
  const ir::Graph graph = ir::parse_graph(long_loop(extent));
  const TraceInputs given(graph, {Numbers(extent, -2.0), {50}});
  const Arguments arguments{given.views, {}, {}};
  const auto peak_of = [&](const auto& compute) {
    reset_memory_peak();
    const std::size_t before = memory_statistics().in_use;
    const std::vector<Outcome> outcomes = compute();
    // x = x / 2 + 3 goes from 2 to 6, which 50 halvings of the distance reach in f32.
    EXPECT_EQ(numbers(outcomes[0].elements, graph.type(graph.results()[0]))[extent - 1], 6);
    return memory_statistics().peak - before;
  };
  EXPECT_LT(peak_of([&] { return outcomes_of(graph, arguments, backend_of(Device::naive())); }),
            std::size_t{4} << 20);
  // The loop in the body is written over the carry from the second turn on.
  EXPECT_LT(peak_of([&] { return planned(graph, arguments); }), std::size_t{3} << 19);
}

TEST(ControlRun, ACarryThatOnlyTheLoopReadsIsWrittenOver) {
  constexpr int extent = 1 << 18;
  // -x goes through the loop; of one graph it is a result too.
  for (const bool is_read_later : {false, true}) {
    const ir::Graph graph = ir::parse_graph(long_loop(extent, is_read_later ? "%3, %2" : "%3"));
    ir::verify(graph);
    const TraceInputs given(graph, {Numbers(extent, 2.0), {2}});
    reset_memory_peak();
    const std::size_t before = memory_statistics().in_use;
    const std::vector<Outcome> outcomes = planned(graph, {given.views, {}, {}});
    const std::size_t peak = memory_statistics().peak - before;
    // -2, 2, 4.
    EXPECT_EQ(numbers(outcomes[0].elements, graph.type(graph.results()[0]))[extent - 1], 4);
    EXPECT_EQ(numbers(given.memory[0], {{extent}, DType::f32})[0], 2);
    if (is_read_later) {
      EXPECT_EQ(numbers(outcomes[1].elements, graph.type(graph.results()[1]))[extent - 1], -2);
      EXPECT_GE(peak, std::size_t{2} << 20);
    } else {
      EXPECT_LT(peak, std::size_t{3} << 19);
    }
  }
}

TEST(ControlRun, LaunchesInRegionsHaveTheirSpansAndTheNodeHasNone) {
  const ir::Graph graph = ir::parse_graph(fibonacci);
  const TraceInputs given(graph, {{0}, {1}, {2}});
  SpanRecording recording;
  (void)planned(graph, {given.views, {}, {}});
  std::map<std::string, std::size_t> launches;
  for (const Span& span : recording.spans()) {
    if (span.kind == SpanKind::Kernel) {
      ++launches[span.kernel->operations];
    }
  }
  // Three conditions, two bodies, each with a number.
  EXPECT_EQ(launches, (std::map<std::string, std::size_t>{
                          {"add", 2}, {"full", 5}, {"greater", 3}, {"sub", 2}}));
}

TEST(ControlRun, WhatIsNotFiniteInARegionIsBlamed) {
  const DebugNans debugging;
  const Answers answers = run(R"(graph(%0: f32[1]) {
    %1: f32[1] = scan(%0) {carries = 1, trips = 3,
      body = graph(%0: f32[1]) {
        %1: f32[1] = log(%0)
        return %1
      }
    }
    return %1
  })",
                              {{1}});
  // log(1) = 0, whose log is no number.
  EXPECT_NE(answers.errors[0].find("log: "), std::string::npos) << answers.errors[0];
}

TEST(ControlRun, ThePlanOfARegionHasLoopsAndCountsWhatRuns) {
  constexpr int extent = 1 << 16;
  const ir::Graph graph = ir::parse_graph(long_loop(extent));
  const TraceInputs given(graph, {Numbers(extent, 2.0), {10}});
  const LazyStatistics before = lazy_statistics();
  (void)planned(graph, {given.views, {}, {}});
  const LazyStatistics after = lazy_statistics();
  // Once: neg. Each of 10 turns: mul and add in one launch; sub, and its number. Each of 11
  // conditions: greater, and its number.
  EXPECT_EQ(after.kernels - before.kernels, 1 + 10U * 3 + 11 * 2);
  EXPECT_EQ(after.operations - before.operations, 1 + 10U * 4 + 11 * 2);
  EXPECT_EQ(after.flops - before.flops, extent + 10U * (2 * extent + 1) + 11);
}

}  // namespace control_run_test
}  // namespace ddx::backend
