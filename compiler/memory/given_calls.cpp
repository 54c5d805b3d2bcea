#include "compiler/memory/given_calls.h"

#include "llvm/IR/IRBuilder.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The function of the text: it has the parameters of the primal and `additional` pointers. Null
/// where it has not.
Function* find_text(const Derivative& made, StringRef part, unsigned additional, Unit& unit) {
  const GivenDerivative given = unit.rules().given_of(made.primal->getName());
  Function* const text = unit.labelled(("ddx.given." + part + "." + Twine(given.number)).str());
  const auto registers = static_cast<std::size_t>(
      count_if(made.signature.parameters, [](const Type* type) { return type != nullptr; }));
  if (text != nullptr && registers == given.registers &&
      text->getReturnType() == made.primal->getReturnType() &&
      text->arg_size() == made.primal->arg_size() + additional &&
      equal(made.primal->getFunctionType()->params(),
            text->getFunctionType()->params().drop_back(additional))) {
    return text;
  }
  unit.errors().internal(*made.primal, "the text of its given derivative");
  return nullptr;
}

/// Calls it with the first parameters of `caller`, as many as the primal has, and `additional`.
CallInst* call_text(IRBuilder<>& builder, Function& text, Function& caller,
                    ArrayRef<Value*> additional) {
  SmallVector<Value*> arguments;
  for (unsigned i = 0; i + additional.size() < text.arg_size(); ++i) {
    arguments.push_back(caller.getArg(i));
  }
  llvm::append_range(arguments, additional);
  CallInst* const call = builder.CreateCall(&text, arguments);
  // Of the function's attributes those of parameters and result decide how they are passed.
  const AttributeList all = text.getAttributes();
  SmallVector<AttributeSet> parameters;
  for (unsigned i = 0; i < text.arg_size(); ++i) {
    parameters.push_back(all.getParamAttrs(i));
  }
  call->setAttributes(
      AttributeList::get(text.getContext(), AttributeSet(), all.getRetAttrs(), parameters));
  return call;
}

void return_given(IRBuilder<>& builder, Value* result) {
  result->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(result);
}

/// Addresses of numbers, as an array.
Value* create_array(IRBuilder<>& builder, ArrayRef<Value*> addresses) {
  Type* const pointer = builder.getPtrTy();
  Value* const array = builder.CreateAlloca(pointer, builder.getInt64(addresses.size()));
  for (const auto& [i, address] : enumerate(addresses)) {
    builder.CreateStore(address, builder.CreateConstGEP1_64(pointer, array, i));
  }
  return array;
}

}  // namespace

bool is_given_text(const Function& function) {
  StringRef name = function.getName();
  name.consume_front("\01");
  return name.starts_with("ddx.given.");
}

bool is_refused(const Function& function, GivenBy given, const Unit& unit) {
  return unit.rules().given.contains(function.getName()) &&
         (given == GivenBy::Refused || (given == GivenBy::Body && function.isDeclaration()));
}

void define_given_sweeps(Derivative& made, Unit& unit) {
  Function* const text = find_text(made, "forward", 1, unit);
  if (text == nullptr) {
    return;
  }
  LLVMContext& context = unit.module().getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "", made.forward));
  return_given(builder,
               call_text(builder, *text, *made.forward, {std::prev(made.forward->arg_end())}));
  builder.SetInsertPoint(BasicBlock::Create(context, "", made.reverse));
  Value* result = ConstantPointerNull::get(builder.getPtrTy());
  if (made.signature.result != nullptr) {
    result = builder.CreateAlloca(made.signature.result);
    builder.CreateStore(made.reverse->getArg(1), result);
  }
  SmallVector<Value*> numbers;
  for (Type* const type : made.signature.parameters) {
    if (type != nullptr) {
      numbers.push_back(builder.CreateAlloca(type));
      builder.CreateStore(Constant::getNullValue(type), numbers.back());
    }
  }
  builder.CreateCall(unit.runtime("given_reverse"),
                     {made.reverse->getArg(0), result, create_array(builder, numbers)});
  if (numbers.empty()) {
    builder.CreateRetVoid();
    return;
  }
  Type* const type = made.reverse->getReturnType();
  Value* cotangents = PoisonValue::get(type);
  for (unsigned i = 0; i < numbers.size(); ++i) {
    Value* const cotangent = builder.CreateLoad(type->getStructElementType(i), numbers[i]);
    cotangents = builder.CreateInsertValue(cotangents, cotangent, i);
  }
  builder.CreateRet(cotangents);
}

void define_given_tangent(Derivative& made, Unit& unit) {
  Function* const text = find_text(made, "tangent", 2, unit);
  if (text == nullptr) {
    return;
  }
  IRBuilder<> builder(BasicBlock::Create(unit.module().getContext(), "", made.tangent));
  SmallVector<Value*> numbers;
  for (Argument& tangent : drop_end(drop_begin(made.tangent->args(), made.primal->arg_size()))) {
    numbers.push_back(builder.CreateAlloca(tangent.getType()));
    builder.CreateStore(&tangent, numbers.back());
  }
  Type* const type = made.tangent->getReturnType();
  Value* number = nullptr;
  if (made.signature.result != nullptr) {
    number = builder.CreateAlloca(type->getStructElementType(1));
    numbers.push_back(number);
  }
  Value* const value =
      call_text(builder, *text, *made.tangent,
                {create_array(builder, numbers), std::prev(made.tangent->arg_end())});
  if (number == nullptr) {
    return_given(builder, value);
    return;
  }
  Value* both = builder.CreateInsertValue(PoisonValue::get(type), value, 0);
  both =
      builder.CreateInsertValue(both, builder.CreateLoad(type->getStructElementType(1), number), 1);
  builder.CreateRet(both);
}

}  // namespace ddx::compiler::memory
