/// \file
/// Collective operations on arrays without C++ types.

#pragma once

#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/process_group.h"
#include "ddx/tensor/detail/array.h"

#include <source_location>

namespace ddx::distributed::detail {

/// The result of a collective operation, on the operand's device. Checks the operand against the
/// group before anything is sent.
///
/// Throws: UsageError if the operand does not fit the group, or the replicas' calls differ;
///         EnvironmentError if a replica does not respond.
[[nodiscard]] ddx::detail::Array run_collective(const ProcessGroup& group,
                                                const CollectiveCall& call,
                                                const ddx::detail::Array& operand,
                                                const std::source_location& where);

}  // namespace ddx::distributed::detail
