#include "compiler/memory/observed_calls.h"

#include "compiler/memory/known_functions.h"

#include "llvm/IR/IRBuilder.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The parameters of the run time's function by which it takes its observers: kinds and objects.
constexpr unsigned observer_parameters = 2;

/// Calls `run_time` with the first parameters of `function` and, as an array, the others.
void define_observed(Function& function, Function& run_time, StringRef kinds) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  Type* const pointer = builder.getPtrTy();
  Value* const objects = builder.CreateAlloca(pointer, builder.getInt64(kinds.size()));
  SmallVector<Value*> arguments;
  const auto plain = static_cast<unsigned>(run_time.arg_size() - observer_parameters);
  for (Argument& argument : function.args()) {
    if (argument.getArgNo() < plain) {
      arguments.push_back(&argument);
    } else {
      builder.CreateStore(
          &argument, builder.CreateConstGEP1_64(pointer, objects, argument.getArgNo() - plain));
    }
  }
  arguments.push_back(builder.CreateGlobalString(kinds));
  arguments.push_back(objects);
  Value* const result = builder.CreateCall(&run_time, arguments);
  result->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(result);
}

/// `kinds`: of all observers.
Function* find_observed(StringRef base, StringRef kinds, Unit& unit) {
  Module& module = unit.module();
  Function* const run_time = unit.labelled(("ddx.rt." + base + ".observed").str());
  const std::string name = ("ddx.rt." + base + "." + kinds).str();
  if (Function* const known = module.getFunction(name); known != nullptr || run_time == nullptr) {
    return known;
  }
  FunctionType* const type = run_time->getFunctionType();
  SmallVector<Type*> parameters(type->params().drop_back(observer_parameters));
  parameters.append(kinds.size(), PointerType::getUnqual(module.getContext()));
  Function* const made =
      Function::Create(FunctionType::get(type->getReturnType(), parameters, false),
                       GlobalValue::InternalLinkage, name, module);
  define_observed(*made, *run_time, kinds);
  return made;
}

}  // namespace

Function* find_observed(const Function& function, Observer observer, Unit& unit) {
  const auto [base, kinds] = parts_of_runtime_name(function.getName());
  return find_observed(base, (kinds + Twine(static_cast<char>(observer))).str(), unit);
}

Function* observed_runtime(StringRef name, Observer observer, Unit& unit) {
  return find_observed(name, StringRef(reinterpret_cast<const char*>(&observer), 1), unit);
}

}  // namespace ddx::compiler::memory
