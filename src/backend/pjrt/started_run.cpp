#include "backend/pjrt/started_run.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/passes/remove_dead_code.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/pjrt/dependencies.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/memory_report.h"
#include "backend/pjrt/pjrt.h"
#include "core/call_stack/called_at.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

/// The node that a check is of.
std::size_t node_of_check(const ir::Graph& graph, std::size_t check) {
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const ir::Node node = graph.node(i);
    const auto is_it = [&](ir::CheckId id) { return ir::Graph::index(id) == check; };
    if ((node.check != ir::unchecked && is_it(node.check)) ||
        std::ranges::any_of(node.region_checks, is_it)) {
      return i;
    }
  }
  throw InternalError("check a run", "no operation has check " + std::to_string(check));
}

/// The graph that ends with a node.
ir::Graph up_to(const ir::Graph& graph, std::size_t last) {
  ir::Graph part = graph;
  part.set_results({graph.node(last).result()});
  return ir::remove_dead_code(part);
}

}  // namespace

StartedRun::StartedRun(std::shared_ptr<const ir::Graph> graph, std::optional<DeviceBuffer> flags,
                       Evidence evidence, std::vector<Source> sources)
    : graph_(std::move(graph)),
      flags_(std::move(flags)),
      evidence_(std::move(evidence)),
      sources_(std::move(sources)),
      site_(site_of_user(evidence_.checks)) {
  for (const Source& source : sources_) {
    depth_ = std::max(depth_, source.run->depth() + 1);
  }
}

std::exception_ptr StartedRun::error_of(std::size_t result) {
  if (!settled_.load(std::memory_order_acquire)) {
    const std::scoped_lock lock(mutex_);
    if (!settled_.load(std::memory_order_relaxed)) {
      settle();
    }
  }
  return errors_.empty() ? nullptr : errors_[result];
}

bool StartedRun::is_settled() {
  if (settled_.load(std::memory_order_acquire)) {
    return true;
  }
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    return false;
  }
  if (settled_.load(std::memory_order_relaxed)) {
    return true;
  }
  const bool is_done =
      (!flags_ || flags_->ready().is_ready()) &&
      std::ranges::all_of(sources_, [](const Source& source) { return source.run->is_settled(); });
  if (is_done) {
    settle();
  }
  return is_done;
}

void StartedRun::settle() {
  bool any = false;
  std::vector<std::exception_ptr> parameters(graph_->parameters().size());
  std::vector<std::exception_ptr> checks;
  try {
    for (const Source& source : sources_) {
      parameters[source.parameter] = source.run->error_of(source.result);
      any = any || parameters[source.parameter] != nullptr;
    }
    checks = errors_of_checks(any);
    if (any) {
      errors_ = errors_of_results(*graph_, parameters, checks);
    }
  } catch (...) {
    // The program itself has failed, or there is no memory to say what has.
    errors_.assign(graph_->results().size(), std::current_exception());
  }
  flags_.reset();
  evidence_ = {};
  sources_.clear();
  settled_.store(true, std::memory_order_release);
}

std::vector<std::exception_ptr> StartedRun::errors_of_checks(bool& any) const {
  std::vector<std::byte> are_wrong(flags_ ? graph_->check_count() : 0);
  if (flags_) {
    flags_->take_to_host(are_wrong);
  }
  std::vector<std::exception_ptr> errors(are_wrong.size());
  for (std::size_t i = 0; i < are_wrong.size(); ++i) {
    if (are_wrong[i] != std::byte{}) {
      any = true;
      try {
        errors[i] = error_of_check(i);
      } catch (...) {  // Of a parameter, say, that has failed itself.
        errors[i] = std::current_exception();
      }
    }
  }
  return errors;
}

std::exception_ptr StartedRun::error_of_check(std::size_t check) const {
  const std::size_t node = node_of_check(*graph_, check);
  const bool all_there = std::ranges::all_of(
      evidence_.arrays, [](const auto& array) { return array.buffer.block() != nullptr; });
  // With zeros in the place of what is gone loops might never end.
  if (all_there || graph_->region_count() == 0) {
    std::vector<Buffer> zeros;
    std::vector<ops::View> views;
    for (std::size_t i = 0; i < evidence_.arrays.size(); ++i) {
      const ir::Type& type = graph_->type(graph_->parameters()[i]);
      Buffer array = evidence_.arrays[i].buffer;
      if (array.block() == nullptr) {
        array = Buffer(std::max<std::size_t>(bytes_of(type), 1));
        std::memset(array.data(), 0, bytes_of(type));
        zeros.push_back(array);
      } else {
        array.await_elements();
      }
      views.emplace_back(array.data(), type.shape, type.dtype);
    }
    auto outcomes = outcomes_of(up_to(*graph_, node), {views, evidence_.scalars, evidence_.checks},
                                pjrt_backend());
    if (outcomes[0].error != nullptr) {
      return outcomes[0].error;
    }
  }
  const WithoutUserLine observed;
  const ops::Check& asked = evidence_.checks[check];
  const std::string name = *asked.site.operation != '\0'
                               ? std::string(asked.site.operation)
                               : std::string(to_string(graph_->node(node).op));
  return std::make_exception_ptr(
      UsageError(name,
                 "an element is one that the operation cannot work with, as the device reports; "
                 "which one is not known, since the operands have been written over",
                 asked.site.where));
}

}  // namespace ddx::backend::pjrt
