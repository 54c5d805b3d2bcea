/// \file
/// Recorded graphs run by a plugin on all devices of a mesh.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/mesh.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"
#include "ddx/stablehlo/module.h"

#include "backend/lazy/executor.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/mesh_array.h"
#include "backend/pjrt/mesh_program.h"
#include "backend/pjrt/mesh_uploads.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/run_steps.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace ddx::backend::pjrt {

/// The executor of a mesh: as that of a device of PJRT, with arrays that are divided. Arrays of the
/// host go to every device as a whole; results are divided as ResultShardings says.
class MeshExecutor final : public lazy::Executor {
 public:
  /// Opens the plugin. Throws as `mesh_executor_of`.
  explicit MeshExecutor(const Mesh& mesh);

  [[nodiscard]] std::shared_ptr<const lazy::PreparedGraph> prepare(
      const ir::Graph& recorded) const override;

  void run(const lazy::PreparedGraph& graph, lazy::TraceInputs& given,
           std::span<const ops::Check> checks, std::span<Block* const> results) const override;

  /// A block whose elements lie on the mesh, divided so. Of elements that lie there in this way,
  /// their own block.
  ///
  /// Throws:  EnvironmentError with the plugin's message; what the elements have failed with.
  [[nodiscard]] Buffer divided(const Buffer& elements, const ir::Type& type,
                               const stablehlo::Sharding& sharding) const;

  /// The elements of a block on the mesh, made where they are only recorded; null where they lie on
  /// the host.
  ///
  /// Throws:  what they have failed with.
  [[nodiscard]] const MeshArray* array_of(const Buffer& elements) const;

 private:
  [[nodiscard]] std::vector<const DeviceInfo*> devices(const Mesh& mesh) const;
  /// The array of a parameter on the devices, if it is there as elements of this type.
  [[nodiscard]] const MeshArray* resident(const Buffer& buffer, const ir::Type& type) const;
  [[nodiscard]] MeshProgram::Variant variant(const MeshProgram& program,
                                             lazy::TraceInputs& given) const;
  /// Whose memory a run may donate: the array has no other owner, or its elements.
  [[nodiscard]] std::vector<bool> donatable(const MeshProgram& program,
                                            lazy::TraceInputs& given) const;
  [[nodiscard]] Parameters<MeshBuffers> parameters(const MeshProgram& program,
                                                   const lazy::TraceInputs& given,
                                                   const MeshProgram::Variant& variant) const;
  [[nodiscard]] std::shared_ptr<const MeshBuffers> reshaped(
      const MeshArray& array, const ir::Type& to, const stablehlo::Sharding& sharding) const;
  [[nodiscard]] std::vector<std::vector<DeviceBuffer>> start(
      const MeshProgram::Compiled& compiled,
      std::span<const std::shared_ptr<const MeshBuffers>> parameters,
      std::span<const std::shared_ptr<const MeshBuffers>> scalars,
      std::span<const ops::Check> checks) const;
  void run_compiled(const MeshProgram& program, const MeshProgram::Compiled& compiled,
                    const MeshProgram::Variant& variant, lazy::TraceInputs& given,
                    std::span<const ops::Check> checks, std::span<Block* const> results) const;
  Platform& platform_;
  MeshLayout layout_;
  mutable MeshResidency residency_;
  mutable MeshUploads uploads_;
};

/// The executor of a mesh. It is made, and its plugin opened, by the first call.
///
/// Throws:  EnvironmentError as Platform::of; UsageError where the plugin has not all its devices.
[[nodiscard]] const MeshExecutor& mesh_executor_of(const Mesh& mesh);

}  // namespace ddx::backend::pjrt
