#include "ddx/backend/lazy.h"
#include "ddx/backend/recompiles.h"
#include "ddx/core/device.h"
#include "ddx/ir/graph_diff.h"
#include "ddx/tensor.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <source_location>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend {
namespace recompile_history_test {

constexpr Device lazy = Device::lazy();

/// While it lives, a history of the latest compilations is kept.
class RecompileHistoryTest : public ::testing::Test {
 protected:
  RecompileHistoryTest() {
    lazy_barrier();
    set_recompile_history(8);
  }
  ~RecompileHistoryTest() override { set_recompile_history(0); }
};

/// How the step of a program goes; its lines are those of this file.
struct Step {
  std::int64_t batch = 6;
  std::size_t axis = 1;
  bool twice = false;
  static inline std::uint32_t shape_line = 0;
  static inline std::uint32_t extra_line = 0;
  static inline std::uint32_t axis_line = 0;

  template <class Scalar = float>
  void operator()() const {
    const auto w = full<Scalar>({13, 5}, Scalar{0.75}, lazy);
    const auto x = full<Scalar>({batch, 13}, Scalar{0.25}, lazy);
    lazy_barrier();
    shape_line = std::source_location::current().line() + 1;
    auto y = matmul(x, w);
    if (twice) {
      extra_line = std::source_location::current().line() + 1;
      y = softmax(y, 0);
    }
    axis_line = std::source_location::current().line() + 1;
    (void)softmax(exp(y), static_cast<std::int64_t>(axis)).values();
  }
};

/// The latest entry, and whether its text has this in it.
Recompile latest(const std::string& text) {
  const std::string all = explain_recompiles();
  EXPECT_NE(all.find(text), std::string::npos) << all;
  const auto history = recompiles();
  return history.empty() ? Recompile{} : history.back();
}

std::string here(std::uint32_t line) {
  return std::string(std::source_location::current().file_name()) + ":" + std::to_string(line);
}

TEST_F(RecompileHistoryTest, AnotherBatchIsCalledSo) {
  Step()();
  Step{.batch = 9}();
  const Recompile entry = latest("only the batch size differs: 6 before, 9 now");
  ASSERT_TRUE(entry.extent && entry.difference && entry.distance);
  EXPECT_EQ(entry.extent->before, 6);
  EXPECT_EQ(entry.extent->after, 9);
  EXPECT_EQ(entry.distance->unmatched, 0U);
  EXPECT_EQ(entry.operations, 3U);
  EXPECT_EQ(entry.difference->kind, ir::DifferenceKind::Shape);
  EXPECT_EQ(entry.difference->before, "f32[6, 13]");
  EXPECT_EQ(entry.difference->after, "f32[9, 13]");
  EXPECT_EQ(entry.difference->line_before.where.line(), Step::shape_line);
  EXPECT_EQ(entry.difference->line_after.where.line(), Step::shape_line);
  (void)latest("now    f32[9, 13], at " + here(Step::shape_line));
}

TEST_F(RecompileHistoryTest, AnExtraOperationIsNamedWithItsLine) {
  Step{.batch = 10}();
  Step{.batch = 10, .twice = true}();
  const Recompile entry = latest("now    softmax, at " + here(Step::extra_line));
  ASSERT_TRUE(entry.difference && entry.distance);
  EXPECT_FALSE(entry.extent.has_value());
  EXPECT_EQ(entry.difference->kind, ir::DifferenceKind::Extra);
  EXPECT_EQ(entry.difference->after, "softmax");
  EXPECT_EQ(entry.difference->line_after.where.line(), Step::extra_line);
  EXPECT_EQ(entry.distance->unmatched, 1U);
}

TEST_F(RecompileHistoryTest, AnotherAxisIsAnAttribute) {
  Step{.batch = 11}();
  Step{.batch = 11, .axis = 0}();
  const Recompile entry = latest("axis of softmax\n    now    0, at " + here(Step::axis_line));
  ASSERT_TRUE(entry.difference.has_value());
  EXPECT_FALSE(entry.extent.has_value());
  EXPECT_EQ(entry.difference->kind, ir::DifferenceKind::Attribute);
  EXPECT_EQ(entry.difference->before, "1");
  EXPECT_EQ(entry.difference->after, "0");
  EXPECT_EQ(entry.difference->line_after.where.line(), Step::axis_line);
}

TEST_F(RecompileHistoryTest, AnotherDTypeIsNamed) {
  Step{.batch = 12}();
  Step{.batch = 12}.operator()<double>();
  const Recompile entry = latest("another dtype: operand 0 of matmul");
  ASSERT_TRUE(entry.difference.has_value());
  EXPECT_EQ(entry.difference->before, "f32[12, 13]");
  EXPECT_EQ(entry.difference->after, "f64[12, 13]");
}

TEST_F(RecompileHistoryTest, ComparesWithTheNearestOfAllThatAreKnown) {
  Step{.batch = 14, .twice = true}();
  Step{.batch = 14}();
  Step{.batch = 14, .axis = 0, .twice = true}();  // The second is later, the first nearer.
  EXPECT_EQ(latest("").difference->kind, ir::DifferenceKind::Attribute);
}

TEST_F(RecompileHistoryTest, KnownGraphsAreNoEntries) {
  Step{.batch = 15}();
  const std::size_t count = recompiles().size();
  Step{.batch = 15}();
  EXPECT_EQ(recompiles().size(), count);
}

TEST_F(RecompileHistoryTest, KeepsTheLatest) {
  set_recompile_history(2);
  for (std::int64_t batch = 20; batch < 25; ++batch) {
    Step{.batch = batch}();
  }
  const auto history = recompiles();
  ASSERT_EQ(history.size(), 2U);
  EXPECT_GT(history[0].number, 2U);
  EXPECT_EQ(history[1].number, history[0].number + 1);
  EXPECT_GT(history[1].compile_time, std::chrono::nanoseconds(0));
}

TEST_F(RecompileHistoryTest, WithoutAHistoryItSaysSo) {
  set_recompile_history(0);
  Step{.batch = 30}();
  EXPECT_TRUE(recompiles().empty());
  EXPECT_EQ(explain_recompiles(),
            "there is no history of compilations: set_recompile_history(n) begins one\n");
  set_recompile_history(4);
  EXPECT_EQ(explain_recompiles(), "nothing has been compiled since the history began\n");
}

TEST_F(RecompileHistoryTest, ThreadsShareIt) {
  set_recompile_history(100);
  {
    std::vector<std::jthread> running;
    for (std::int64_t i = 0; i < 4; ++i) {
      running.emplace_back([i] { (void)tanh(full<float>({40 + i}, 0.5F, lazy)).values(); });
    }
  }
  EXPECT_GE(recompiles().size(), 4U);
}

}  // namespace recompile_history_test
}  // namespace ddx::backend
