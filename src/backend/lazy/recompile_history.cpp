#include "backend/lazy/recompile_history.h"

#include "ddx/backend/recompiles.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/graph_diff.h"

#include "backend/lazy/executor.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {

RecompileHistory& RecompileHistory::instance() {
  // Never destroyed, as the cache of plans.
  static auto* const history = new RecompileHistory;
  return *history;
}

void RecompileHistory::keep(std::size_t most) {
  const std::scoped_lock lock(mutex_);
  most_.store(most, std::memory_order_relaxed);
  history_.clear();
  count_ = 0;
}

void RecompileHistory::add(const ir::Graph& graph, std::chrono::nanoseconds compile_time,
                           std::span<const std::shared_ptr<const PreparedGraph>> known) noexcept {
  try {
    Recompile entry;
    entry.operations = graph.node_count();
    entry.compile_time = compile_time;
    const ir::Graph* nearest = nullptr;
    for (const auto& plan : known) {
      const ir::Distance distance = ir::distance(plan->recorded(), graph);
      if (nearest == nullptr || distance <= *entry.distance) {
        nearest = &plan->recorded();
        entry.distance = distance;
      }
    }
    if (nearest != nullptr) {
      entry.difference = ir::first_difference(*nearest, graph);
      entry.extent = ir::extent_change(*nearest, graph);
    }
    const std::scoped_lock lock(mutex_);
    const std::size_t most = most_.load(std::memory_order_relaxed);
    if (most == 0) {
      return;
    }
    entry.number = ++count_;
    history_.push_back(std::move(entry));
    if (history_.size() > most) {
      history_.pop_front();
    }
  } catch (const std::bad_alloc&) {
    // The program can go on without the explanation.
  }
}

std::vector<Recompile> RecompileHistory::recompiles() const {
  const std::scoped_lock lock(mutex_);
  return {history_.begin(), history_.end()};
}

namespace {

std::string milliseconds(std::chrono::nanoseconds time) {
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.3g ms",
                                   std::chrono::duration<double, std::milli>(time).count());
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string difference_text(const ir::Difference& difference) {
  std::string text = "  " + std::string(to_string(difference.kind)) + ": " + difference.what;
  if (!difference.after.empty()) {
    text += "\n    now    " + difference.after + ", " + difference.line_after.text();
  }
  if (!difference.before.empty()) {
    text += "\n    before " + difference.before + ", " + difference.line_before.text();
  }
  return text + "\n";
}

std::string text_of(const Recompile& entry) {
  std::string text = "compilation " + std::to_string(entry.number) + ": " +
                     std::to_string(entry.operations) + " operations, " +
                     milliseconds(entry.compile_time) + "\n";
  if (!entry.distance) {
    return text + "  no graph was known before\n";
  }
  text += "  nearest graph known: " + std::to_string(entry.distance->unmatched) +
          " operations have no counterpart, " + std::to_string(entry.distance->changed) +
          " differ in types or attributes\n";
  if (entry.extent) {
    text += std::string(entry.extent->is_leading ? "  only the batch size differs: "
                                                 : "  only one extent differs: ") +
            std::to_string(entry.extent->before) + " before, " +
            std::to_string(entry.extent->after) + " now\n";
  }
  return entry.difference ? text + difference_text(*entry.difference) : text;
}

}  // namespace
}  // namespace ddx::backend::lazy

namespace ddx::backend {

void set_recompile_history(std::size_t most) {
  lazy::RecompileHistory::instance().keep(most);
}

std::vector<Recompile> recompiles() {
  return lazy::RecompileHistory::instance().recompiles();
}

std::string explain_recompiles() {
  if (!lazy::RecompileHistory::instance().is_kept()) {
    return "there is no history of compilations: set_recompile_history(n) begins one\n";
  }
  std::string text;
  for (const Recompile& entry : recompiles()) {
    text += lazy::text_of(entry);
  }
  return text.empty() ? "nothing has been compiled since the history began\n" : text;
}

}  // namespace ddx::backend
