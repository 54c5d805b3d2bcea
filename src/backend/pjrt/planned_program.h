/// \file
/// A recorded graph as programs of a plugin.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/stablehlo/emitter.h"

#include "backend/lazy/counters.h"
#include "backend/lazy/executor.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/equal_scalars.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/memory_report.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/sent_scalars.h"
#include "backend/pjrt/uploads.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace ddx::backend::pjrt {

/// What is run of a recorded graph: the same with less, whose results are those that are no
/// parameters, each once. It is compiled when it runs first, once for each set of parameters whose
/// memory a run donates, since the text says which; sets beyond the fourth are run without.
class PlannedProgram final : public lazy::PreparedGraph {
 public:
  /// Where a result of the recorded graph comes from: a result of the program, or a parameter.
  struct Source {
    bool is_parameter;
    std::size_t place;
  };
  /// The graph compiled, the arrays of scalars that it takes behind the parameters, and what is to
  /// say if there is no memory for it.
  struct Compiled {
    Executable executable;
    std::vector<stablehlo::ScalarArray> scalars;
    std::shared_ptr<const MemoryReport> report;
  };

  /// `donates_filter_state` says whether parameters may be donated that XLA for GPUs would copy
  /// then (filter_state.h).
  ///
  /// Cost:    linear in the graph.
  explicit PlannedProgram(const ir::Graph& recorded, bool donates_filter_state = true);

  [[nodiscard]] const std::shared_ptr<const ir::Graph>& graph() const noexcept { return graph_; }
  /// By the number of the result.
  [[nodiscard]] const std::vector<Source>& sources() const noexcept { return sources_; }
  /// What a run takes, for statistics.
  [[nodiscard]] const lazy::RunCost& cost() const noexcept { return cost_; }

  /// For each parameter the result that is its next value and may overwrite it (ir::replacements).
  [[nodiscard]] const std::vector<std::optional<std::size_t>>& replacements() const noexcept {
    return replacements_;
  }
  /// For each parameter whether it is filter state that is not donated. Runs let go of it as of
  /// what they donate.
  [[nodiscard]] const std::vector<bool>& filter_state() const noexcept { return filter_state_; }

  /// Lets go of those parameters that no result replaces, and of all where too many sets have been
  /// asked for. Memory that another parameter's next value overwrites would be copied first.
  ///
  /// `given` says for each parameter whether a run could give its memory away.
  [[nodiscard]] std::vector<bool> donations(std::vector<bool> given) const;

  /// For the emitter, of a set that `donations` has returned: each parameter is overwritten by the
  /// result that replaces it.
  [[nodiscard]] std::vector<stablehlo::ParameterMemory> memory(
      const std::vector<bool>& donated) const;

  /// The program for a set that `donations` has returned, and for scalars with these values; null
  /// where the plugin does not know how to do what it asks for, or the emitter does not: then
  /// kernels of the host compute it.
  ///
  /// Throws:  EnvironmentError with the compiler's message.
  [[nodiscard]] std::shared_ptr<const Compiled> compiled(
      Platform& platform, const std::vector<bool>& donated,
      std::span<const ir::ScalarValue> values) const;

  /// The scalars of a run on the device. What they were in the last run is there.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  [[nodiscard]] std::vector<std::shared_ptr<const DeviceBuffer>> scalars(
      const Compiled& compiled, std::span<const ir::ScalarValue> values,
      const Uploads& uploads) const {
    return scalars_.of(compiled.scalars, values, uploads);
  }

 private:
  static constexpr std::size_t most_sets = 4;

  struct Variant {
    std::vector<bool> donated;
    std::shared_ptr<const Compiled> compiled;  // Null: not compiled yet.
  };

  std::shared_ptr<const ir::Graph> graph_;
  std::vector<Source> sources_;
  std::vector<std::optional<std::size_t>> replacements_;
  std::vector<bool> filter_state_;
  lazy::RunCost cost_;
  mutable std::mutex mutex_;
  mutable std::vector<Variant> variants_;
  mutable EqualScalars equal_;
  mutable bool is_refused_ = false;
  mutable SentScalars<DeviceBuffer> scalars_;
};

}  // namespace ddx::backend::pjrt
