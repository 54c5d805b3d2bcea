#include "compiler/memory/place_calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"

namespace ddx::compiler::memory {

using namespace llvm;

std::optional<std::pair<PlaceUse, Type*>> use_of(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  StringRef name = callee != nullptr ? callee->getName() : "";
  name.consume_front("\01");
  if (!name.consume_front("ddx.rt.")) {
    return {};
  }
  const auto [what, kind] = name.split('_');
  LLVMContext& context = call.getContext();
  Type* const real = kind == "f64"   ? Type::getDoubleTy(context)
                     : kind == "f32" ? Type::getFloatTy(context)
                     : kind == "f80" ? Type::getX86_FP80Ty(context)
                                     : nullptr;
  const auto use = what == "place"     ? std::optional(PlaceUse::Place)
                   : what == "take"    ? std::optional(PlaceUse::Take)
                   : what == "get"     ? std::optional(PlaceUse::Get)
                   : what == "tangent" ? std::optional(PlaceUse::Tangent)
                                       : std::nullopt;
  return real != nullptr && use ? std::optional(std::pair(*use, real)) : std::nullopt;
}

bool is_apart_from_places(const Instruction& instruction, bool of_tangents) {
  const Value* const pointer = getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr) {
    return false;
  }
  SmallVector<const Value*> objects;
  getUnderlyingObjects(pointer, objects);
  return all_of(objects, [&](const Value* object) {
    if (const auto* call = dyn_cast<CallBase>(object)) {
      const Function* const callee = call->getCalledFunction();
      StringRef name = callee != nullptr ? callee->getName() : "";
      name.consume_front("\01");
      return !name.consume_front("ddx.rt.") || name == "pop" || name == "push" ||
             name.starts_with("tangent_") != of_tangents;
    }
    return isa<LoadInst>(object) || isa<AllocaInst>(object) || isa<Argument>(object) ||
           isa<GlobalVariable>(object);
  });
}

}  // namespace ddx::compiler::memory
