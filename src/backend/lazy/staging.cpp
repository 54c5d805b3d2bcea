#include "ddx/backend/staging.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"

#include "backend/lazy/plan.h"
#include "backend/lazy/plan_cache.h"
#include "backend/lazy/trace.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {

/// A trace of its own, in the place of the thread's.
class StagingScope::Recorder {
 public:
  Recorder() : trace_(lazy::take_trace()) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() {
    if (is_begun_) {
      lazy::set_trace_of_this_thread(before_);
      trace_->end_staging();
    }
    lazy::give_trace_back(trace_);
  }

  std::vector<Buffer> begin(std::string operation, std::span<const ir::Type> arguments) {
    std::vector<Buffer> placeholders = trace_->begin_staging(std::move(operation), arguments);
    before_ = lazy::set_trace_of_this_thread(trace_);
    is_begun_ = true;
    return placeholders;
  }
  StagedGraph finish(std::span<const ops::View> results) { return trace_->staged(results); }

 private:
  lazy::Trace* trace_;
  lazy::Trace* before_ = nullptr;  // Null: that of the thread.
  bool is_begun_ = false;
};

class StagedProgram::Ready {
 public:
  explicit Ready(const ir::Graph& graph) : plan(lazy::PlanCache::instance().plan_of(graph)) {}

  std::shared_ptr<const lazy::Plan> plan;
};

StagingScope::StagingScope(std::string operation, std::span<const ir::Type> arguments)
    : recorder_(std::make_unique<Recorder>()),
      placeholders_(recorder_->begin(std::move(operation), arguments)) {}

StagingScope::~StagingScope() = default;

StagedGraph StagingScope::finish(std::span<const ops::View> results) {
  return recorder_->finish(results);
}

bool is_staging() noexcept {
  lazy::Trace* const trace = lazy::set_trace_of_this_thread(nullptr);
  lazy::set_trace_of_this_thread(trace);
  return trace != nullptr;
}

StagedProgram::StagedProgram(StagedGraph staged)
    : staged_(std::move(staged)), ready_(std::make_shared<const Ready>(staged_.graph)) {}

std::vector<Buffer> StagedProgram::run(std::span<const ops::View> arguments) const {
  const auto parameters = staged_.graph.parameters();
  if (arguments.size() != staged_.argument_count) {
    throw InternalError("run a staged graph", std::to_string(arguments.size()) + " arguments for " +
                                                  std::to_string(staged_.argument_count));
  }
  std::vector<Buffer> owners;
  std::vector<ops::View> views;
  const auto add = [&](Block& block) {
    await_elements(block);
    const ir::Type& type = staged_.graph.type(parameters[views.size()]);
    owners.emplace_back(block);
    views.emplace_back(owners.back().data(), type.shape, type.dtype);
  };
  for (const ops::View& argument : arguments) {
    const ir::Type& type = staged_.graph.type(parameters[views.size()]);
    if (argument.shape() != type.shape || argument.dtype() != type.dtype ||
        block_of(argument) == nullptr) {
      throw InternalError("run a staged graph", "an argument of another type");
    }
    add(*block_of(argument));
  }
  for (const Buffer& array : staged_.captured) {
    add(*array.block());
  }
  const auto outcomes =
      ready_->plan->run({views, staged_.scalars, staged_.checks}, backend_of(Device::lazy()));
  std::vector<Buffer> results;
  for (const auto& [is_parameter, place] : ready_->plan->sources()) {
    if (!is_parameter && outcomes[place].error != nullptr) {
      std::rethrow_exception(outcomes[place].error);
    }
    results.push_back(is_parameter ? owners[place] : outcomes[place].elements);
  }
  return results;
}

}  // namespace ddx::backend
