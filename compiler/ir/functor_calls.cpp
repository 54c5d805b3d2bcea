#include "compiler/ir/functor_calls.h"

#include "llvm/Support/ErrorHandling.h"

namespace ddx::compiler {

using namespace ir;

std::string positions(const FunctorCall& call) {
  if (call.by.empty()) {
    return "";
  }
  std::string list;
  for (const unsigned position : call.by) {
    list += (list.empty() ? "" : ", ") + std::to_string(position);
  }
  return "std::index_sequence<" + list + ">";
}

FunctorNames functor_names(FunctorCall::Kind kind) {
  switch (kind) {
    case FunctorCall::Kind::Gradient:
      return {"gradient_at", "gradient_vjp", "GradientPullback", "gradient_tangent"};
    case FunctorCall::Kind::Pullback:
      return {"pullback_at", "pullback_vjp", "PullbackPullback", "pullback_tangent"};
    case FunctorCall::Kind::Checkpoint:
      return {"checkpoint_at", "checkpoint_vjp", "CheckpointPullback", nullptr};
    case FunctorCall::Kind::CheckpointedLoop:
      return {"checkpointed_loop_at", "checkpointed_loop_vjp", "CheckpointedLoopPullback", nullptr};
    case FunctorCall::Kind::ChangedCotangent:
      return {"changed_cotangent_at", "changed_cotangent_vjp", "ChangedCotangentPullback", nullptr};
    case FunctorCall::Kind::Cond:
      return {"cond_at", "cond_vjp", "CondPullback", "cond_tangent"};
    case FunctorCall::Kind::Scan:
      return {"scan_at", "scan_vjp", "ScanPullback", "scan_tangent"};
    case FunctorCall::Kind::WhileLoop:
      return {"while_loop_at", "while_loop_vjp", "WhileLoopPullback", "while_loop_tangent"};
    case FunctorCall::Kind::Map:
      return {"mapped_at", "mapped_vjp", "MappedPullback", "mapped_tangent"};
  }
  llvm_unreachable("closed set");
}

std::string functor_pullback(const FunctorCall& call, const std::string& types) {
  const std::string number = positions(call);
  return std::string("ddx::detail::") + functor_names(call.kind).pullback + "<" + number +
         (number.empty() ? "" : ", ") + call.name + types + ">";
}

std::string functor_call(const FunctorCall& call, const char* function,
                         const std::string& arguments) {
  const std::string number = positions(call);
  return std::string("ddx::detail::") + function + (number.empty() ? "" : "<" + number + ">") +
         "(" + call.name + "{}" + (arguments.empty() ? "" : ", ") + arguments + ")";
}

}  // namespace ddx::compiler
