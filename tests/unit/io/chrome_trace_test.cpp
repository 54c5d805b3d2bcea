#include "ddx/io/chrome_trace.h"

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"
#include "ddx/tensor/span_recording.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace ddx::io {
namespace chrome_trace_test {

using nlohmann::json;

constexpr std::int64_t rows = 256;
constexpr std::int64_t columns = 512;

/// A loop of three operations and a product of matrices; `batch` makes another graph.
void step(std::int64_t batch = rows) {
  const auto x = full<float>({batch, columns}, 0.5F, Device::lazy());
  const auto w = full<float>({columns, 8}, 0.25F, Device::lazy());
  backend::lazy_barrier();
  const auto y = matmul(exp(x) * x + x, w);
  (void)y.values();
}

/// The events of a file with a duration, in the order of their beginnings, the longer first.
std::vector<json> events_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const json document = json::parse(stream);
  std::vector<json> events;
  for (const json& event : document.at("traceEvents")) {
    EXPECT_TRUE(event.at("ph") == "X" || event.at("ph") == "M") << event;
    if (event.at("ph") == "X") {
      EXPECT_GE(event.at("ts").get<double>(), 0) << event;
      EXPECT_GE(event.at("dur").get<double>(), 0) << event;
      events.push_back(event);
    }
  }
  std::ranges::sort(events, [](const json& a, const json& b) {
    return a["ts"] != b["ts"] ? a["ts"] < b["ts"] : a["dur"] > b["dur"];
  });
  return events;
}

std::vector<json> of_category(const std::vector<json>& events, const std::string& category) {
  std::vector<json> chosen;
  std::ranges::copy_if(events, std::back_inserter(chosen),
                       [&](const json& event) { return event.at("cat") == category; });
  return chosen;
}

double end_of(const json& event) {
  return event.at("ts").get<double>() + event.at("dur").get<double>();
}

/// Times are printed to a fraction of a nanosecond.
constexpr double rounding = 1e-3;

bool contains(const json& outer, const json& inner) {
  return outer.at("tid") == inner.at("tid") &&
         outer.at("ts").get<double>() <= inner.at("ts").get<double>() + rounding &&
         end_of(inner) <= end_of(outer) + rounding;
}

/// Whether every event of one category lies within one of another.
void expect_within(const std::vector<json>& events, const std::string& inner,
                   const std::string& outer) {
  const auto around = of_category(events, outer);
  const auto within = of_category(events, inner);
  EXPECT_FALSE(within.empty()) << inner;
  for (const json& event : within) {
    EXPECT_TRUE(
        std::ranges::any_of(around, [&](const json& each) { return contains(each, event); }))
        << event << " lies in no " << outer;
  }
}

/// Of one thread, two events have no time in common, or one contains the other.
void expect_nested(const std::vector<json>& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (std::size_t j = i + 1; j < events.size(); ++j) {
      if (events[i]["tid"] == events[j]["tid"]) {
        EXPECT_TRUE(end_of(events[i]) <= events[j]["ts"].get<double>() + rounding ||
                    contains(events[i], events[j]) || contains(events[j], events[i]))
            << events[i] << events[j];
      }
    }
  }
}

TEST(ChromeTrace, SpansNestAndSayWhatTheyAre) {
  const ddx::testing::TemporaryFolder folder;
  const auto file = folder.path() / "trace.json";
  backend::lazy_barrier();
  {
    ChromeTrace trace(file);
    step();
  }
  const auto events = events_of(file);
  expect_nested(events);
  expect_within(events, "kernel", "run");
  expect_within(events, "run", "flush");
  expect_within(events, "compile", "flush");
  expect_within(events, "pass", "compile");
  std::set<std::string> passes;
  for (const json& pass : of_category(events, "pass")) {
    passes.insert(pass.at("name"));
  }
  EXPECT_EQ(passes, (std::set<std::string>{"simplify", "merge_equal_nodes", "remove_dead_code",
                                           "rematerialise", "plan", "request code"}));
  // One for each cut: that which fills the operands, and that of the step.
  const auto records = of_category(events, "record");
  const auto cuts = of_category(events, "flush");
  ASSERT_EQ(cuts.size(), 2U);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_LE(end_of(records[0]), cuts[0]["ts"].get<double>() + rounding);
  EXPECT_LE(end_of(cuts[0]), records[1]["ts"].get<double>() + rounding);
  EXPECT_EQ(cuts[1]["args"]["operations"], 4);
}

TEST(ChromeTrace, LaunchesComeWithTheirWork) {
  const ddx::testing::TemporaryFolder folder;
  const auto file = folder.path() / "trace.json";
  {
    ChromeTrace trace(file);
    step();
  }
  auto kernels = of_category(events_of(file), "kernel");
  ASSERT_EQ(kernels.size(), 4U);  // Two that fill.
  const json& loop = kernels[2];
  const json& product = kernels[3];
  EXPECT_EQ(loop["name"], "loop of 3");
  EXPECT_EQ(loop["args"]["names"], "exp, mul, add");
  EXPECT_EQ(loop["args"]["types"], "f32[256, 512] -> f32[256, 512]");
  EXPECT_EQ(loop["args"]["flops"], 3 * rows * columns);
  EXPECT_EQ(loop["args"]["bytes written"], 4 * rows * columns);
  EXPECT_EQ(product["name"], "matmul");
  EXPECT_EQ(product["args"]["types"], "f32[256, 512], f32[512, 8] -> f32[256, 8]");
  EXPECT_EQ(product["args"]["flops"], 2 * rows * columns * 8);
  EXPECT_NE(product["args"]["line"].get<std::string>().find("chrome_trace_test.cpp:"),
            std::string::npos);
  EXPECT_GE(product["ts"].get<double>() + rounding, end_of(loop));
}

TEST(ChromeTrace, WhatIsKnownIsNotCompiled) {
  const ddx::testing::TemporaryFolder folder;
  const auto file = folder.path() / "trace.json";
  step(264);
  {
    ChromeTrace trace(file);
    step(264);
  }
  const auto events = events_of(file);
  EXPECT_TRUE(of_category(events, "compile").empty());
  EXPECT_EQ(of_category(events, "run").size(), 2U);
}

TEST(ChromeTrace, ThreadsHaveRowsOfTheirOwn) {
  const ddx::testing::TemporaryFolder folder;
  const auto file = folder.path() / "trace.json";
  {
    ChromeTrace trace(file);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([] { step(); });
    }
  }
  const auto events = events_of(file);
  std::set<int> rows_seen;
  for (const json& event : of_category(events, "kernel")) {
    rows_seen.insert(event.at("tid").get<int>());
  }
  EXPECT_EQ(rows_seen.size(), 3U);
  EXPECT_EQ(of_category(events, "kernel").size(), 12U);
  expect_nested(events);
  expect_within(events, "kernel", "run");
}

TEST(ChromeTrace, AnExceptionLosesNothing) {
  const ddx::testing::TemporaryFolder folder;
  const auto file = folder.path() / "trace.json";
  try {
    ChromeTrace trace(file);
    step();
    // The graph fails while it runs, and then the program.
    const auto x = full<std::int32_t>({3}, 7, Device::lazy());
    (void)(x / (x - 7)).values();
  } catch (const UsageError&) {
  }
  const auto events = events_of(file);
  EXPECT_EQ(of_category(events, "flush").size(), 3U);
  EXPECT_EQ(of_category(events, "run").size(), 3U);
  expect_nested(events);
}

TEST(ChromeTrace, AFileThatCannotBeWrittenIsAnError) {
  const ddx::testing::TemporaryFolder folder;
  ChromeTrace trace(folder.path() / "absent" / "trace.json");
  try {
    trace.write();
    ADD_FAILURE() << "no error";
  } catch (const EnvironmentError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("chrome trace: ")) << error.what();
  }
}

TEST(ChromeTrace, WritesAsOftenAsAsked) {
  const ddx::testing::TemporaryFolder folder;
  const auto file = folder.path() / "trace.json";
  ChromeTrace trace(file);
  trace.write();
  EXPECT_TRUE(events_of(file).empty());
  step();
  trace.write();
  const std::size_t once = events_of(file).size();
  step();
  trace.write();
  EXPECT_GT(events_of(file).size(), once);
}

TEST(SpanRecording, RecordsWhileItLives) {
  const SpanRecording outer;
  step();
  const std::size_t before = outer.spans().size();
  EXPECT_GT(before, 0U);
  {
    const SpanRecording inner;
    EXPECT_TRUE(inner.spans().empty());
    step();
    EXPECT_EQ(inner.spans().size(), outer.spans().size() - before);
  }
  EXPECT_EQ(outer.lost(), 0U);
}

}  // namespace chrome_trace_test
}  // namespace ddx::io
