/// \file
/// Plans of graphs that are written as text: what they are made of, and how they run.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/debug_nans.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include "backend/cpu/isa.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/cpu_jit/object_code.h"
#include "backend/lazy/plan.h"
#include "tests/support/loop_choice.h"
#include "tests/support/plan_comparison.h"
#include "tests/support/random_graph.h"
#include "tests/support/thrown.h"

#include <array>
#include <cstddef>
#include <exception>
#include <gtest/gtest.h>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::testing {

/// A word and its replacement in a text.
struct Word {
  std::string_view name;
  std::string meaning;
};

/// The text with the meaning of each word in its place.
inline std::string with_words(std::string text, std::initializer_list<Word> words) {
  for (const Word& word : words) {
    for (std::size_t at = text.find(word.name); at != std::string::npos;
         at = text.find(word.name)) {
      text.replace(at, word.name.size(), word.meaning);
    }
  }
  return text;
}

/// How many nodes each of some parts of a plan has.
template <class Part>
std::vector<std::size_t> node_counts(const std::vector<Part>& parts) {
  std::vector<std::size_t> nodes;
  for (const Part& part : parts) {
    nodes.push_back(part.nodes().size());
  }
  return nodes;
}

/// Expects that a plan has parts of so many nodes, where loops are compiled, and gives the bits of
/// node by node. Returns how many results then lie where a parameter was.
template <class Part>
std::size_t expect_parts(const std::string& text,
                         const std::vector<Part>& (backend::lazy::Plan::*parts)() const noexcept,
                         const std::vector<std::size_t>& nodes) {
  SCOPED_TRACE(text);
  const LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(text);
  const Arguments arguments = random_arguments(graph, 5);
  const backend::lazy::Plan plan(graph);
  if (backend::cpu_jit::is_on()) {
    EXPECT_EQ(node_counts((plan.*parts)()), nodes);
  }
  return expect_same(graph, plan, {arguments.parameters, arguments.scalars, {}});
}

/// What a run of a graph takes of memory at most, beside its parameters; where these are donated,
/// beside them, too, less what it has given back.
inline std::size_t peak_of_run(const std::string& text, bool is_donated = false) {
  const LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(text);
  const Arguments arguments = random_arguments(graph, 1);
  const backend::lazy::Plan plan(graph);
  Donated donated({arguments.parameters, {}, {}});
  const std::size_t before = backend::memory_statistics().in_use;
  backend::reset_memory_peak();
  if (is_donated) {
    (void)plan.run({donated.views, {}, {}}, backend::backend_of(Device::cpu()), donated.memory);
  } else {
    (void)plan.run({arguments.parameters, {}, {}}, backend::backend_of(Device::cpu()));
  }
  return backend::memory_statistics().peak - before;
}

/// Of each result of a graph, whether it has failed, where the graph's only check fails.
inline std::vector<bool> failed_results(const std::string& text) {
  const LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(text);
  const Arguments arguments = random_arguments(graph, 1);
  const std::array checks{
      ops::Check{.before = [](const ops::Call&) { return std::optional<std::string>("wrong"); },
                 .site = {"neg"}}};
  std::vector<bool> failed;
  for (const backend::Outcome& outcome : backend::lazy::Plan(graph).run(
           {arguments.parameters, {}, checks}, backend::backend_of(Device::cpu()))) {
    failed.push_back(outcome.error != nullptr);
  }
  return failed;
}

/// Why the first result of a graph fails while NaNs are debugged; nothing where it does not.
inline std::string first_nan(const std::string& text) {
  const LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(text);
  const Arguments arguments = random_arguments(graph, 1);
  const backend::lazy::Plan plan(graph);
  const backend::DebugNans nans;
  const auto outcomes =
      plan.run({arguments.parameters, {}, {}}, backend::backend_of(Device::cpu()));
  const std::exception_ptr error = outcomes[0].error;
  return error == nullptr ? "" : thrown<UsageError>([&] { std::rethrow_exception(error); });
}

/// While it lives, code never comes for loops that are new.
class NoLoopCode {
 public:
  NoLoopCode()
      : before_(backend::cpu_jit::set_object_compiler(
            [](std::span<const backend::cpu_jit::FunctionText>,
               backend::cpu::Isa) -> backend::cpu_jit::ObjectCode {
              throw EnvironmentError("compile loops", "not today");
            })) {}
  ~NoLoopCode() { backend::cpu_jit::set_object_compiler(before_); }
  NoLoopCode(const NoLoopCode&) = delete;
  NoLoopCode& operator=(const NoLoopCode&) = delete;

 private:
  backend::cpu_jit::ObjectCompiler before_;
};

}  // namespace ddx::testing
