#include "compiler/memory/parallel_regions.h"

#include "compiler/memory/prepare.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/team_size.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr StringLiteral region_attribute = "ddx-region";     ///< Its value names the body.
constexpr StringLiteral body_attribute = "ddx-region-body";  ///< Of the copy for the sweeps.
constexpr StringLiteral sequential_attribute =
    "ddx-region-sequential";  ///< Its value names the sequential form.
constexpr StringLiteral outlined_attribute = "ddx-outlined";  ///< Of what Clang wrote.

constexpr unsigned first_captured = 3;     ///< Of the arguments of __kmpc_fork_call.
constexpr unsigned hidden_parameters = 2;  ///< Of a body: addresses of thread numbers.

/// The type of the number whose bits an integer parameter passes; null for other parameters.
/// Clang stores the integer to a variable, whose uses then read the number.
Type* number_in_bits(const Argument& parameter) {
  if (!parameter.getType()->isIntegerTy() || !parameter.hasOneUse()) {
    return nullptr;
  }
  const auto* store = dyn_cast<StoreInst>(*parameter.user_begin());
  if (store == nullptr || !isa<AllocaInst>(store->getPointerOperand())) {
    return nullptr;
  }
  Type* found = nullptr;
  for (const User* user : store->getPointerOperand()->users()) {
    const auto* load = dyn_cast<LoadInst>(user);
    if (load != nullptr && is_real(load->getType())) {
      found = load->getType();
    }
  }
  return found;
}

SmallVector<Type*> types_of(const Function& body) {
  SmallVector<Type*> types;
  for (const Argument& parameter : body.args()) {
    Type* const number = number_in_bits(parameter);
    types.push_back(number != nullptr ? number : parameter.getType());
  }
  return types;
}

/// The copy of a body that the sweeps are made of: numbers are parameters of their own type.
Function* copy_body(Function& outlined) {
  FunctionType* const type = FunctionType::get(outlined.getReturnType(), types_of(outlined), false);
  Function* const body =
      Function::Create(type, GlobalValue::InternalLinkage, "ddx.team.body." + outlined.getName(),
                       outlined.getParent());
  ValueMap<const Value*, WeakTrackingVH> values;
  clone_body(outlined, *body, values);
  body->addFnAttr(body_attribute);
  body->setDoesNotThrow();
  outlined.addFnAttr(outlined_attribute);
  return body;
}

/// The function that a call of __kmpc_fork_call becomes.
Function* make_region(CallInst& fork, Function& outlined, Function& body) {
  Module& module = *fork.getModule();
  LLVMContext& context = module.getContext();
  FunctionType* const type =
      FunctionType::get(Type::getVoidTy(context),
                        body.getFunctionType()->params().drop_front(hidden_parameters), false);
  Function* const region = Function::Create(type, GlobalValue::InternalLinkage,
                                            "ddx.team.region." + outlined.getName(), module);
  region->addFnAttr(region_attribute, body.getName());
  region->setDoesNotThrow();
  IRBuilder<> builder(BasicBlock::Create(context, "", region));
  SmallVector<Value*> arguments{fork.getArgOperand(0), fork.getArgOperand(1), &outlined};
  for (Argument& argument : region->args()) {
    Type* const passed = fork.getArgOperand(first_captured + argument.getArgNo())->getType();
    Value* value = &argument;
    if (passed != argument.getType()) {
      AllocaInst* const bits = builder.CreateAlloca(passed);
      builder.CreateStore(Constant::getNullValue(passed), bits);
      builder.CreateStore(&argument, bits);
      value = builder.CreateLoad(passed, bits);
    }
    arguments.push_back(value);
  }
  builder.CreateCall(fork.getFunctionType(), fork.getCalledOperand(), arguments);
  builder.CreateRetVoid();
  return region;
}

/// The argument that has the type of the number whose bits the call of Clang's passes.
Value* as_number(Value* bits, Type* type, IRBuilder<>& builder) {
  if (auto* load = dyn_cast<LoadInst>(bits)) {
    return builder.CreateLoad(type, load->getPointerOperand());
  }
  Type* const narrow = builder.getIntNTy(type->getScalarSizeInBits());
  return builder.CreateBitCast(builder.CreateTrunc(bits, narrow), type);
}

void replace_fork(CallInst& fork) {
  auto* outlined = dyn_cast<Function>(fork.getArgOperand(2)->stripPointerCasts());
  if (outlined == nullptr || outlined->isDeclaration()) {
    return;
  }
  Function* const body = copy_body(*outlined);
  Function* const region = make_region(fork, *outlined, *body);
  IRBuilder<> builder(&fork);
  SmallVector<Value*> arguments;
  for (Argument& parameter : region->args()) {
    Value* const passed = fork.getArgOperand(first_captured + parameter.getArgNo());
    arguments.push_back(passed->getType() == parameter.getType()
                            ? passed
                            : as_number(passed, parameter.getType(), builder));
  }
  builder.CreateCall(region, arguments);
  fork.eraseFromParent();
}

}  // namespace

void make_parallel_regions(Module& module) {
  Function* const start = module.getFunction("__kmpc_fork_call");
  if (start == nullptr) {
    return;
  }
  SmallVector<CallInst*> forks;
  for (User* user : start->users()) {
    auto* call = dyn_cast<CallInst>(user);
    if (call != nullptr && call->getCalledOperand() == start) {
      forks.push_back(call);
    }
  }
  // Those in the copies of bodies, made while others are replaced, come in the next round.
  while (!forks.empty()) {
    for (CallInst* fork : forks) {
      replace_fork(*fork);
    }
    forks.clear();
    for (User* user : start->users()) {
      auto* call = dyn_cast<CallInst>(user);
      if (call != nullptr && call->getFunction()->hasFnAttribute(body_attribute)) {
        forks.push_back(call);
      }
    }
  }
}

void remove_region_bodies(Module& module) {
  SmallVector<Function*> bodies;
  for (Function& function : module) {
    if (function.hasFnAttribute(body_attribute)) {
      bodies.push_back(&function);
    }
  }
  for (Function* body : bodies) {
    body->deleteBody();
  }
  for (Function* body : bodies) {
    if (body->use_empty()) {
      body->eraseFromParent();
    }
  }
}

void order_reductions(Function& function) {
  Module& module = *function.getParent();
  FunctionType* const type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  SmallVector<CallInst*> calls;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call != nullptr && call->getCalledFunction() != nullptr) {
      calls.push_back(call);
    }
  }
  for (CallInst* call : calls) {
    const StringRef name = call->getCalledFunction()->getName();
    const bool begins = name == "__kmpc_reduce" || name == "__kmpc_reduce_nowait";
    const bool ends = name == "__kmpc_end_reduce" || name == "__kmpc_end_reduce_nowait";
    if (!begins && !ends) {
      continue;
    }
    IRBuilder<> builder(call);
    builder.CreateCall(
        module.getOrInsertFunction(begins ? "ddx.team.ordered" : "ddx.team.end_ordered", type));
    if (begins) {
      call->replaceAllUsesWith(builder.getInt32(1));
    } else if (!name.ends_with("_nowait")) {
      builder.CreateCall(module.getOrInsertFunction("__kmpc_barrier", type->getReturnType(),
                                                    builder.getPtrTy(), builder.getInt32Ty()),
                         {call->getArgOperand(0), call->getArgOperand(1)});
    }
    call->eraseFromParent();
  }
}

bool is_parallel_region(const Function& function) {
  return function.hasFnAttribute(region_attribute);
}

bool is_outlined(const Function& function) {
  return function.hasFnAttribute(outlined_attribute);
}

bool is_region_body(const Function& function) {
  return function.hasFnAttribute(body_attribute);
}

namespace {

/// Builds the derivatives of one region.
class RegionSweeps {
 public:
  RegionSweeps(Derivative& region, const Derivative& body, Unit& unit)
      : made_(region),
        module_(unit.module()),
        context_(module_.getContext()),
        pointer_(PointerType::getUnqual(context_)),
        integer_(Type::getInt32Ty(context_)),
        nothing_(Type::getVoidTy(context_)),
        body_(body) {
    for (Instruction& instruction : instructions(*region.primal)) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call != nullptr) {
        fork_ = call;
      }
    }
  }

  void define_forward() {
    Function* const forward = made_.forward;
    IRBuilder<> builder(BasicBlock::Create(context_, "", forward));
    AllocaInst* const frame = make_frame(builder, *forward);
    auto* const frame_type = cast<StructType>(frame->getAllocatedType());
    Value* const sweep = std::prev(forward->arg_end());
    call_runtime(builder, "team_begin", nothing_, {sweep});
    start_team(builder, *define_forward_task(frame_type), frame);
    call_runtime(builder, "team_end", nothing_, {sweep});
    builder.CreateRetVoid();
  }

  /// The sequential form of a derivative of the region: that of the body, in this thread alone.
  void define_sequential(Function& of_region, Function& of_body) {
    Function* const sequential =
        Function::Create(of_region.getFunctionType(), GlobalValue::InternalLinkage,
                         of_region.getName() + ".sequential", module_);
    sequential->addFnAttr(body_attribute);
    of_region.addFnAttr(sequential_attribute, sequential->getName());
    IRBuilder<> builder(BasicBlock::Create(context_, "", sequential));
    Value* const place = fork_->getArgOperand(0);
    Value* const thread = builder.CreateCall(
        module_.getOrInsertFunction("__kmpc_global_thread_num", integer_, pointer_), {place});
    SmallVector<Value*> arguments;
    if (of_body.arg_size() > of_region.arg_size()) {  // Not the reverse sweep.
      for (Value* const number : {thread, static_cast<Value*>(builder.getInt32(0))}) {
        arguments.push_back(builder.CreateAlloca(integer_));
        builder.CreateStore(number, arguments.back());
      }
    }
    for (Argument& argument : sequential->args()) {
      arguments.push_back(&argument);
    }
    const auto call = [&](StringRef name) {
      builder.CreateCall(module_.getOrInsertFunction(name, nothing_, pointer_, integer_),
                         {place, thread});
    };
    call("__kmpc_serialized_parallel");
    Value* const result = builder.CreateCall(&of_body, arguments);
    call("__kmpc_end_serialized_parallel");
    result->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(result);
  }

  void define_tangent() {
    Function* const tangent = made_.tangent;
    IRBuilder<> builder(BasicBlock::Create(context_, "", tangent));
    AllocaInst* const frame = make_frame(builder, *tangent);
    auto* const frame_type = cast<StructType>(frame->getAllocatedType());
    call_runtime(builder, "share_tangents", nothing_, {std::prev(tangent->arg_end())});
    start_team(builder, *define_tangent_task(frame_type), frame);
    builder.CreateRetVoid();
  }

  void define_reverse() {
    Function* const reverse = made_.reverse;
    Type* const result = reverse->getReturnType();
    Type* const cotangents = result->isVoidTy() ? StructType::get(context_) : result;
    StructType* const frame_type = StructType::get(context_, {pointer_, cotangents});
    IRBuilder<> builder(BasicBlock::Create(context_, "", reverse));
    Value* const sweep = reverse->getArg(0);
    AllocaInst* const frame = builder.CreateAlloca(frame_type);
    Value* const sum = builder.CreateStructGEP(frame_type, frame, 1);
    builder.CreateStore(sweep, frame);
    builder.CreateStore(Constant::getNullValue(cotangents), sum);
    Value* const size = call_runtime(builder, "team_begin_reverse", integer_, {sweep});
    Value* const place = fork_->getArgOperand(0);
    Value* const thread = builder.CreateCall(
        module_.getOrInsertFunction("__kmpc_global_thread_num", integer_, pointer_), {place});
    builder.CreateCall(module_.getOrInsertFunction("__kmpc_push_num_threads", nothing_, pointer_,
                                                   integer_, integer_),
                       {place, thread, size});
    start_team(builder, *define_reverse_task(*define_reverse_body(frame_type)), frame);
    call_runtime(builder, "team_end_reverse", nothing_, {sweep});
    if (result->isVoidTy()) {
      builder.CreateRetVoid();
    } else {
      builder.CreateRet(builder.CreateLoad(cotangents, sum));
    }
  }

 private:
  /// A variable with all arguments of a function.
  AllocaInst* make_frame(IRBuilder<>& builder, Function& function) {
    StructType* const type = StructType::get(context_, function.getFunctionType()->params());
    AllocaInst* const frame = builder.CreateAlloca(type);
    for (Argument& argument : function.args()) {
      builder.CreateStore(&argument, builder.CreateStructGEP(type, frame, argument.getArgNo()));
    }
    return frame;
  }

  /// The arguments of the body's derivative: a task's thread numbers, and what the frame has.
  SmallVector<Value*> read_frame(IRBuilder<>& builder, StructType* type, Function& task) {
    SmallVector<Value*> arguments{task.getArg(0), task.getArg(1)};
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      arguments.push_back(builder.CreateLoad(type->getElementType(i),
                                             builder.CreateStructGEP(type, task.getArg(2), i)));
    }
    return arguments;
  }

  Value* call_runtime(IRBuilder<>& builder, StringRef name, Type* result,
                      ArrayRef<Value*> arguments) {
    SmallVector<Type*> types;
    for (const Value* argument : arguments) {
      types.push_back(argument->getType());
    }
    return builder.CreateCall(module_.getOrInsertFunction(("ddx.rt." + name).str(),
                                                          FunctionType::get(result, types, false)),
                              arguments);
  }

  Value* call_openmp(IRBuilder<>& builder, StringRef name) {
    return builder.CreateCall(module_.getOrInsertFunction(name, integer_), {});
  }

  void start_team(IRBuilder<>& builder, Function& task, Value* frame) {
    builder.CreateCall(fork_->getFunctionType(), fork_->getCalledOperand(),
                       {fork_->getArgOperand(0), builder.getInt32(1), &task, frame});
  }

  Function* make(StringRef name, ArrayRef<Type*> parameters) {
    Function* const made =
        Function::Create(FunctionType::get(nothing_, parameters, false),
                         GlobalValue::InternalLinkage, made_.primal->getName() + name, module_);
    BasicBlock::Create(context_, "", made);
    return made;
  }

  /// Run by each thread of the team: the forward sweep of the body.
  Function* define_forward_task(StructType* frame_type) {
    Function* const task = make(".forward.task", {pointer_, pointer_, pointer_});
    IRBuilder<> builder(&task->getEntryBlock());
    SmallVector<Value*> arguments = read_frame(builder, frame_type, *task);
    Value* const index = call_openmp(builder, "omp_get_thread_num");
    Value* const size = call_openmp(builder, "omp_get_num_threads");
    arguments.back() =
        call_runtime(builder, "team_member", pointer_, {arguments.back(), index, size});
    builder.CreateCall(body_.forward, arguments);
    builder.CreateRetVoid();
    return task;
  }

  /// Run by each thread of the team: the tangent of the body.
  Function* define_tangent_task(StructType* frame_type) {
    Function* const task = make(".tangent.task", {pointer_, pointer_, pointer_});
    IRBuilder<> builder(&task->getEntryBlock());
    builder.CreateCall(body_.tangent, read_frame(builder, frame_type, *task));
    builder.CreateRetVoid();
    return task;
  }

  /// The reverse sweep of one member of the team. Cotangents of what the body captured by value are
  /// added in the order of the members.
  Function* define_reverse_body(StructType* frame_type) {
    Function* const body = make(".reverse.body", {pointer_, integer_});
    IRBuilder<> builder(&body->getEntryBlock());
    Value* const frame = body->getArg(0);
    Value* const parent = builder.CreateLoad(pointer_, frame);
    Value* const sweep =
        call_runtime(builder, "team_enter_reverse", pointer_, {parent, body->getArg(1)});
    Value* const cotangents = builder.CreateCall(body_.reverse, {sweep});
    call_runtime(builder, "team_turn_reverse", nothing_, {sweep});
    if (!cotangents->getType()->isVoidTy()) {
      Value* const sum = builder.CreateStructGEP(frame_type, frame, 1);
      Value* const old = builder.CreateLoad(cotangents->getType(), sum);
      builder.CreateStore(add_cotangents(builder, old, cotangents), sum);
    }
    call_runtime(builder, "team_leave_reverse", nothing_, {sweep});
    builder.CreateRetVoid();
    return body;
  }

  /// Run by each thread that OpenMP gives.
  Function* define_reverse_task(Function& body) {
    Function* const task = make(".reverse.task", {pointer_, pointer_, pointer_});
    IRBuilder<> builder(&task->getEntryBlock());
    Value* const parent = builder.CreateLoad(pointer_, task->getArg(2));
    Value* const index = call_openmp(builder, "omp_get_thread_num");
    Value* const count = call_openmp(builder, "omp_get_num_threads");
    call_runtime(builder, "team_run_reverse", nothing_,
                 {parent, index, count, &body, task->getArg(2)});
    builder.CreateRetVoid();
    return task;
  }

  Derivative& made_;
  Module& module_;
  LLVMContext& context_;
  PointerType* pointer_;
  Type* integer_;
  Type* nothing_;
  const Derivative& body_;
  CallInst* fork_ = nullptr;
};

Function& body_of(const Derivative& region, Unit& unit) {
  return *unit.module().getFunction(
      region.primal->getFnAttribute(region_attribute).getValueAsString());
}

}  // namespace

void define_region_tangent(Derivative& region, Unit& unit) {
  const Derivative& body = unit.tangent_of(body_of(region, unit));
  RegionSweeps sweeps(region, body, unit);
  sweeps.define_tangent();
  if (is_independent_of_team_size(*body.primal)) {
    sweeps.define_sequential(*region.tangent, *body.tangent);
  }
}

void define_region_sweeps(Derivative& region, Unit& unit) {
  const Derivative& body = unit.sweeps_of(body_of(region, unit));
  RegionSweeps sweeps(region, body, unit);
  sweeps.define_forward();
  sweeps.define_reverse();
  if (is_independent_of_team_size(*body.primal)) {
    sweeps.define_sequential(*region.forward, *body.forward);
    sweeps.define_sequential(*region.reverse, *body.reverse);
  }
}

Function& sequential_form(Function& function) {
  const StringRef name = function.getFnAttribute(sequential_attribute).getValueAsString();
  return name.empty() ? function : *function.getParent()->getFunction(name);
}

}  // namespace ddx::compiler::memory
