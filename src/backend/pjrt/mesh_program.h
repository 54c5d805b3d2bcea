/// \file
/// A recorded graph as programs for the devices of a mesh.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/stablehlo/emitter.h"
#include "ddx/stablehlo/module.h"

#include "backend/lazy/executor.h"
#include "backend/pjrt/equal_scalars.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/mesh_array.h"
#include "backend/pjrt/mesh_uploads.h"
#include "backend/pjrt/planned_program.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/result_shardings.h"
#include "backend/pjrt/sent_scalars.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ddx::backend::pjrt {

/// The devices that programs run on.
struct MeshLayout {
  stablehlo::Mesh axes;
  std::vector<std::int64_t> ids;  ///< As the plugin counts them.
};

/// What is run of a recorded graph: as PlannedProgram has it, divided among devices by XLA. It is
/// compiled once for each way in which parameters are divided and donated.
class MeshProgram final : public lazy::PreparedGraph {
 public:
  /// What a program is compiled for.
  struct Variant {
    std::vector<bool> donated;
    std::vector<stablehlo::Sharding> parameters;
    std::vector<stablehlo::Sharding> results;

    friend bool operator==(const Variant&, const Variant&) = default;
  };
  /// As of PlannedProgram.
  using Compiled = PlannedProgram::Compiled;

  /// As PlannedProgram.
  explicit MeshProgram(const ir::Graph& recorded, bool donates_filter_state = true)
      : PreparedGraph(recorded),
        planned_(recorded, donates_filter_state),
        results_(*planned_.graph()) {}

  /// The graph that is run, and where the results of the recorded one come from.
  [[nodiscard]] const PlannedProgram& planned() const noexcept { return planned_; }

  /// What is compiled for parameters that are divided so, and of which a run could give these away:
  /// results are divided as ResultShardings says; of the parameters those are donated that a result
  /// replaces which is divided as they are.
  [[nodiscard]] Variant variant(std::vector<stablehlo::Sharding> parameters,
                                std::vector<bool> donatable) const;

  /// The program of a variant, for scalars with these values; null where the plugin does not know
  /// how to do what it asks for.
  ///
  /// Throws:  EnvironmentError with the compiler's message.
  [[nodiscard]] std::shared_ptr<const Compiled> compiled(
      Platform& platform, const MeshLayout& layout, const Variant& variant,
      std::span<const ir::ScalarValue> values) const;

  /// The scalars of a run on every device. What they were in the last run is there.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  [[nodiscard]] std::vector<std::shared_ptr<const MeshBuffers>> scalars(
      const Compiled& compiled, std::span<const ir::ScalarValue> values,
      const MeshUploads& uploads) const {
    return scalars_.of(compiled.scalars, values, uploads);
  }

 private:
  // Of a program whose arrays are divided in ever new ways, this many are kept for nothing.
  static constexpr std::size_t most_variants = 16;

  struct Entry {
    Variant variant;
    std::shared_ptr<const Compiled> compiled;
  };

  PlannedProgram planned_;
  ResultShardings results_;
  mutable std::mutex mutex_;
  mutable std::vector<Entry> entries_;  // The one that was compiled last at the end.
  mutable EqualScalars equal_;
  mutable bool is_refused_ = false;
  mutable SentScalars<MeshBuffers> scalars_;
};

}  // namespace ddx::backend::pjrt
