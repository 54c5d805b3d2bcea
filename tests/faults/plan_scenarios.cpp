// Plans of random graphs, whose runs stop where memory runs out and go on when it is there.

#include "ddx/backend/backend.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/core/device.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/passes/optimise.h"

#include "backend/lazy/plan.h"
#include "backend/lazy/plan_run.h"
#include "injection.h"
#include "scenario.h"
#include "tests/support/plan_comparison.h"
#include "tests/support/random_graph.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ddx::faults {
namespace {

using backend::lazy::Plan;
using backend::lazy::PlanRun;

/// A graph, what it is to give, and a run that may write over its parameters.
class RandomRun {
 public:
  explicit RandomRun(std::uint64_t seed)
      : graph_(ir::optimised(testing::random_graph(seed, 30, 40))),
        arguments_(testing::random_arguments(graph_, seed)),
        plan_(graph_),
        right_(plan_.run(given(arguments_.parameters), backend())),
        donated_(given(arguments_.parameters)) {
    run_ = std::make_unique<PlanRun>(plan_, given(donated_.views), backend());
    run_->take(donated_.memory);
  }

  void go_on() { run_->go_on(); }
  void check() {
    run_->go_on();
    expect(run_->stopping_error() == nullptr, "a step waits though nothing fails");
    for (std::size_t i = 0; i < plan_.sources().size(); ++i) {
      const auto [is_parameter, place] = plan_.sources()[i];
      if (is_parameter) {
        continue;
      }
      const backend::Outcome outcome = run_->outcome(place);
      expect(outcome.error == nullptr &&
                 std::memcmp(outcome.elements.data(), right_[place].elements.data(),
                             ir::bytes_of(graph_.type(graph_.results()[i]))) == 0,
             "result " + std::to_string(i) + " is another one");
    }
  }

 private:
  [[nodiscard]] backend::Arguments given(std::span<const ops::View> parameters) const {
    return {parameters, arguments_.scalars, {}};
  }
  static const backend::Backend& backend() { return backend::backend_of(Device::cpu()); }

  ir::Graph graph_;
  testing::Arguments arguments_;
  Plan plan_;
  std::vector<backend::Outcome> right_;
  testing::Donated donated_;
  std::unique_ptr<PlanRun> run_;
};

template <bool is_compiled>
class RandomPlans final : public Scenario {
 public:
  explicit RandomPlans(const std::filesystem::path& /*folder*/) {
    backend::set_loop_compilation({.is_on = is_compiled, .in_background = false});
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      runs_.push_back(std::make_unique<RandomRun>(seed));
    }
  }
  void attempt() override {
    for (const auto& run : runs_) {
      run->go_on();
    }
  }
  void check(bool /*has_succeeded*/) override {
    for (const auto& run : runs_) {
      run->check();
    }
  }

 private:
  std::vector<std::unique_ptr<RandomRun>> runs_;
};

}  // namespace

std::span<const Row> plan_scenarios() {
  static constexpr std::array rows{
      Row{"lazy.random_plans", make<RandomPlans<false>>},
      Row{"lazy.compiled_random_plans", make<RandomPlans<true>>, false},
  };
  return rows;
}

}  // namespace ddx::faults
