#include "backend/control_run.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend {

using ir::Graph;

Buffer copy_of(const ops::View& view) {
  const std::size_t bytes =
      static_cast<std::size_t>(view.shape().count()) * info(view.dtype()).bytes;
  Buffer copy(bytes);
  if (bytes > 0) {
    std::memcpy(copy.data(), view.data<std::byte>(), bytes);
  }
  return copy;
}

namespace {

class ControlRun {
 public:
  ControlRun(const Graph& graph, const ir::Node& node, std::span<const ops::View> operands,
             const Arguments& arguments, const RegionRunner& run_region, std::span<Buffer> own)
      : graph_(graph), node_(node), operands_(operands), run_region_(run_region), own_(own) {
    for (const ir::ScalarId scalar : node.region_scalars) {
      scalars_.push_back(arguments.scalars[Graph::index(scalar)]);
    }
    for (const ir::CheckId check : node.region_checks) {
      checks_.push_back(arguments.checks[Graph::index(check)]);
    }
  }

  std::vector<Outcome> run() {
    switch (node_.op.control()) {
      case ir::Control::Cond:
        return run_cond();
      case ir::Control::WhileLoop:
        return run_while_loop();
      case ir::Control::Scan:
        return run_scan();
    }
    __builtin_unreachable();
  }

 private:
  [[nodiscard]] std::vector<Outcome> run_region(std::size_t i,
                                                std::span<const ops::View> parameters,
                                                std::span<Buffer> donated = {}) const {
    return run_region_(node_.regions[i], {parameters, scalars_, checks_}, donated);
  }

  /// All results without elements, where one of these has none.
  [[nodiscard]] std::vector<Outcome> failed(const std::vector<Outcome>& outcomes) const {
    for (const Outcome& outcome : outcomes) {
      if (outcome.error != nullptr) {
        return std::vector<Outcome>(node_.result_count, {Buffer(), outcome.error});
      }
    }
    return {};
  }

  [[nodiscard]] std::vector<Outcome> run_cond() const {
    const bool holds = *operands_[0].data<bool>();
    const std::vector<Outcome> outcomes = run_region(holds ? 0 : 1, operands_.subspan(1));
    const std::vector<Outcome> failure = failed(outcomes);
    return failure.empty() ? outcomes : failure;
  }

  std::vector<Outcome> run_while_loop() {
    begin(node_.result_count);
    while (true) {
      const std::vector<Outcome> condition = run_region(0, parameters_);
      if (auto failure = failed(condition); condition[0].error != nullptr) {
        return failure;
      }
      if (!*reinterpret_cast<const bool*>(condition[0].elements.data())) {
        break;
      }
      std::vector<Outcome> next = run_region(1, parameters_, donated_);
      if (auto failure = failed(next); !failure.empty()) {
        return failure;
      }
      take(next);
    }
    return carry();
  }

  std::vector<Outcome> run_scan() {
    const ir::ScanFields& scan = node_.scan;
    begin(scan.carries);
    std::vector<Buffer> stacks;
    for (std::size_t i = scan.carries; i < node_.result_count; ++i) {
      stacks.emplace_back(bytes_of(graph_.type(node_.result(i))));
    }
    const Graph& body = graph_.region(node_.regions[0]);
    for (std::int64_t trip = 0; trip < scan.trips; ++trip) {
      const auto place = static_cast<std::size_t>(scan.reverse ? scan.trips - 1 - trip : trip);
      for (std::size_t i = scan.carries; i < std::size_t{scan.carries} + scan.slices; ++i) {
        const ir::Type& slice = body.type(body.parameters()[i]);
        parameters_[i] = {operands_[i].data<std::byte>() + place * bytes_of(slice), slice.shape,
                          slice.dtype};
      }
      std::vector<Outcome> next = run_region(0, parameters_, donated_);
      if (auto failure = failed(next); !failure.empty()) {
        return failure;
      }
      for (std::size_t i = 0; i < stacks.size(); ++i) {
        const std::size_t bytes = bytes_of(body.type(body.results()[scan.carries + i]));
        if (bytes > 0) {
          std::memcpy(stacks[i].data() + place * bytes, next[scan.carries + i].elements.data(),
                      bytes);
        }
      }
      next.resize(scan.carries);
      take(next);
    }
    std::vector<Outcome> results = carry();
    for (Buffer& stack : stacks) {
      results.push_back({std::move(stack), nullptr});
    }
    return results;
  }

  /// Lets the first operands be the carry, to be written over where no other reader needs them.
  void begin(std::size_t carries) {
    carries_ = carries;
    parameters_.assign(operands_.begin(), operands_.end());
    donated_.resize(operands_.size());
    for (std::size_t i = 0; i < carries; ++i) {
      donated_[i] = std::exchange(own_[i], Buffer());
    }
  }

  /// Lets what a body has returned be the next carry, which the body may write over in its turn.
  void take(std::vector<Outcome>& next) {
    for (std::size_t i = 0; i < carries_; ++i) {
      donated_[i] = std::move(next[i].elements);
      parameters_[i] = {donated_[i].data(), operands_[i].shape(), operands_[i].dtype()};
    }
  }

  std::vector<Outcome> carry() {
    std::vector<Outcome> results;
    for (std::size_t i = 0; i < carries_; ++i) {
      const bool is_own = donated_[i].block() != nullptr;
      results.push_back({is_own ? std::move(donated_[i]) : copy_of(parameters_[i]), nullptr});
    }
    return results;
  }

  const Graph& graph_;
  const ir::Node& node_;
  std::span<const ops::View> operands_;
  const RegionRunner& run_region_;
  std::span<Buffer> own_;
  std::vector<ir::ScalarValue> scalars_;
  std::vector<ops::Check> checks_;
  std::size_t carries_ = 0;
  std::vector<ops::View> parameters_;  // Of the body.
  std::vector<Buffer> donated_;        // For each of them, its buffer where it is the loop's own.
};

}  // namespace

std::vector<Outcome> run_control(const Graph& graph, const ir::Node& node,
                                 std::span<const ops::View> operands, const Arguments& arguments,
                                 const RegionRunner& run_region, std::span<Buffer> donated) {
  return ControlRun(graph, node, operands, arguments, run_region, donated).run();
}

}  // namespace ddx::backend
