#include "ddx/distributed/detail/run_collective.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/process_group.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/tensor.h"

#include "distributed/reduce.h"

#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::distributed::detail {
namespace {

using ddx::detail::Array;

/// Throws: UsageError if the operand has no first axis, or one that cannot be divided evenly.
void check_rows(const CollectiveCall& call, const Shape& shape, std::int64_t size) {
  if (shape.rank() == 0) {
    throw UsageError(call.operation, "a tensor of rank 0 has no first axis", call.where);
  }
  if (call.kind != CollectiveKind::AllGather && shape[0] % size != 0) {
    throw UsageError(call.operation,
                     "the first axis of shape " + to_string(shape) +
                         " cannot be dealt out evenly to " + std::to_string(size) + " replicas",
                     call.where);
  }
}

void check(const CollectiveCall& call, const Array& operand, std::int64_t size) {
  switch (call.kind) {
    case CollectiveKind::ReduceScatter:
      check_rows(call, operand.shape(), size);
      [[fallthrough]];
    case CollectiveKind::AllReduce:
      if (!is_reducible(operand.dtype(), call.reduction)) {
        throw UsageError(call.operation,
                         "there is no " + std::string(to_string(call.reduction)) + " of " +
                             std::string(to_string(operand.dtype())),
                         call.where);
      }
      return;
    case CollectiveKind::AllGather:
    case CollectiveKind::AllToAll:
      check_rows(call, operand.shape(), size);
      return;
    case CollectiveKind::Broadcast:
      if (call.root < 0 || call.root >= size) {
        throw UsageError(call.operation,
                         "there is no rank " + std::to_string(call.root) + " in a group of " +
                             std::to_string(size),
                         call.where);
      }
      return;
    case CollectiveKind::Barrier:
    case CollectiveKind::Leave:
      return;
  }
}

}  // namespace

Array run_collective(const ProcessGroup& group, const CollectiveCall& call, const Array& operand,
                     const std::source_location& where) {
  CollectiveCall located = call;
  located.where = where;
  check(located, operand, group.size());
  if (group.size() == 1) {
    return operand;
  }
  return ddx::detail::moved(group.collective()->run(located, operand), operand.device());
}

}  // namespace ddx::distributed::detail
