#include "compiler/memory/atomics.h"

#include "compiler/memory/reals.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include <utility>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

AtomicOrdering ordering_of(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) {
    return load->getOrdering();
  }
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
    return store->getOrdering();
  }
  if (const auto* change = dyn_cast<AtomicRMWInst>(&instruction)) {
    return change->getOrdering();
  }
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    return exchange->getMergedOrdering();
  }
  if (const auto* fence = dyn_cast<FenceInst>(&instruction)) {
    return fence->getOrdering();
  }
  return AtomicOrdering::NotAtomic;
}

Value* object_of(Instruction& instruction) {
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    return exchange->getPointerOperand();
  }
  if (auto* change = dyn_cast<AtomicRMWInst>(&instruction)) {
    return change->getPointerOperand();
  }
  if (Value* const pointer = getLoadStorePointerOperand(&instruction)) {
    return pointer;
  }
  return ConstantPointerNull::get(PointerType::getUnqual(instruction.getContext()));
}

/// True for the flag of a variable that is initialised once: nothing active is ordered by it.
bool is_guard(const Value* object) {
  const auto* global = dyn_cast<GlobalVariable>(object->stripPointerCasts());
  return global != nullptr && global->getName().starts_with("_ZGV");
}

/// Rewrites the atomic operations of one function.
class Atomics {
 public:
  explicit Atomics(Function& function) : function_(function), module_(*function.getParent()) {}

  void run() {
    SmallVector<Instruction*> atomic;
    for (Instruction& instruction : instructions(function_)) {
      if (instruction.isAtomic() && !is_guard(object_of(instruction))) {
        atomic.push_back(&instruction);
      }
    }
    for (Instruction* one : atomic) {
      add_events(*one);
    }
    for (Instruction* one : atomic) {
      rewrite(*one);
    }
    if (!numbers_.empty()) {
      use_numbers();
    }
  }

 private:
  void call(IRBuilder<>& builder, StringRef name, Value* object) {
    Function* const callee = cast<Function>(
        module_.getOrInsertFunction(name, builder.getVoidTy(), builder.getPtrTy()).getCallee());
    callee->setDoesNotThrow();
    builder.CreateCall(callee, {object});
  }

  void add_events(Instruction& instruction) {
    const AtomicOrdering ordering = ordering_of(instruction);
    Value* const object = object_of(instruction);
    if (isReleaseOrStronger(ordering) && !isa<LoadInst>(instruction)) {
      IRBuilder<> builder(&instruction);
      call(builder, "ddx.event", object);
    }
    if (isAcquireOrStronger(ordering) && !isa<StoreInst>(instruction)) {
      IRBuilder<> builder(instruction.getNextNode());
      call(builder, "ddx.event", object);
    }
  }

  /// The type of the numbers whose bits `value` is; null for others.
  Type* number_type(Value* value, SmallPtrSetImpl<Value*>& seen) const {
    if (!value->getType()->isIntegerTy() || !seen.insert(value).second) {
      return nullptr;
    }
    if (auto* cast = dyn_cast<BitCastInst>(value); cast && is_real(cast->getSrcTy())) {
      return cast->getSrcTy();
    }
    for (User* user : value->users()) {
      Type* found = nullptr;
      if (isa<BitCastInst>(user) && is_real(user->getType())) {
        found = user->getType();
      } else if (isa<PHINode>(user)) {
        found = number_type(user, seen);
      } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(user);
                 exchange != nullptr && value != exchange->getNewValOperand()) {
        found = number_type(exchange->getNewValOperand(), seen);
      }
      if (found != nullptr) {
        return found;
      }
    }
    return nullptr;
  }

  Type* number_type(Value* value) const {
    SmallPtrSet<Value*, 8> seen;
    return number_type(value, seen);
  }

  /// The bits of a number, as an integer of the type of `like`.
  static Value* bits_of(IRBuilder<>& builder, Value* number, Type* like) {
    return builder.CreateBitCast(number, like);
  }

  void rewrite(Instruction& instruction) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      rewrite_load(*load);
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      rewrite_store(*store);
    } else if (auto* change = dyn_cast<AtomicRMWInst>(&instruction)) {
      rewrite_change(*change);
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      rewrite_exchange(*exchange);
    }
  }

  /// A read of a number, in a section of its own or in the one that `builder` is in.
  static LoadInst* read(IRBuilder<>& builder, Type* type, Value* object, Align align) {
    LoadInst* const made = builder.CreateAlignedLoad(type, object, align);
    made->setAtomic(AtomicOrdering::Monotonic);
    return made;
  }

  static void write(IRBuilder<>& builder, Value* number, Value* object, Align align) {
    builder.CreateAlignedStore(number, object, align)->setAtomic(AtomicOrdering::Monotonic);
  }

  void rewrite_load(LoadInst& load) {
    Type* const type = is_real(load.getType()) ? load.getType() : number_type(&load);
    if (type == nullptr) {
      return;
    }
    IRBuilder<> builder(&load);
    Value* const object = load.getPointerOperand();
    call(builder, "ddx.atomic.begin", object);
    LoadInst* const number = read(builder, type, object, load.getAlign());
    call(builder, "ddx.atomic.end", object);
    replace(load, number, builder);
  }

  void rewrite_store(StoreInst& store) {
    Value* number = store.getValueOperand();
    IRBuilder<> builder(&store);
    if (!is_real(number->getType())) {
      Type* const type = number_type(number);
      if (type == nullptr) {
        return;
      }
      number = as_number(number, type);
    }
    if (number == nullptr) {
      return;
    }
    Value* const object = store.getPointerOperand();
    call(builder, "ddx.atomic.begin", object);
    write(builder, number, object, store.getAlign());
    call(builder, "ddx.atomic.end", object);
    store.eraseFromParent();
  }

  void rewrite_change(AtomicRMWInst& change) {
    Type* type = change.getType();
    const bool exchanges = change.getOperation() == AtomicRMWInst::Xchg;
    if (!is_real(type)) {
      type = exchanges ? number_type(change.getValOperand()) : nullptr;
      type = type == nullptr && exchanges ? number_type(&change) : type;
    } else if (change.use_empty() && !exchanges) {
      return;
    }
    Value* const number = type == nullptr ? nullptr : as_number(change.getValOperand(), type);
    if (number == nullptr) {
      return;
    }
    IRBuilder<> builder(&change);
    Value* const object = change.getPointerOperand();
    call(builder, "ddx.atomic.begin", object);
    AtomicRMWInst* const made =
        builder.CreateAtomicRMW(change.getOperation(), object, number, change.getAlign(),
                                AtomicOrdering::Monotonic, change.getSyncScopeID());
    call(builder, "ddx.atomic.end", object);
    replace(change, made, builder);
  }

  /// A comparison and exchange of bits becomes a read, a choice and a write in one section.
  void rewrite_exchange(AtomicCmpXchgInst& exchange) {
    Type* type = number_type(exchange.getNewValOperand());
    type = type == nullptr ? number_type(exchange.getCompareOperand()) : type;
    Value* const desired = type == nullptr ? nullptr : as_number(exchange.getNewValOperand(), type);
    if (desired == nullptr) {
      return;
    }
    IRBuilder<> builder(&exchange);
    Value* const object = exchange.getPointerOperand();
    Value* const expected = exchange.getCompareOperand();
    call(builder, "ddx.atomic.begin", object);
    LoadInst* const number = read(builder, type, object, exchange.getAlign());
    Value* const bits = bits_of(builder, number, expected->getType());
    Value* const is_equal = builder.CreateICmpEQ(bits, expected);
    comparisons_.emplace_back(cast<Instruction>(is_equal), type);
    write(builder, builder.CreateSelect(is_equal, desired, number), object, exchange.getAlign());
    call(builder, "ddx.atomic.end", object);
    numbers_[bits] = number;
    Value* whole = PoisonValue::get(exchange.getType());
    whole = builder.CreateInsertValue(builder.CreateInsertValue(whole, bits, 0), is_equal, 1);
    for (User* user : make_early_inc_range(exchange.users())) {
      if (auto* part = dyn_cast<ExtractValueInst>(user)) {
        part->replaceAllUsesWith(part->getIndices().front() == 0 ? bits : is_equal);
        part->eraseFromParent();
      }
    }
    exchange.replaceAllUsesWith(whole);
    exchange.eraseFromParent();
  }

  void replace(Instruction& old, Value* number, IRBuilder<>& builder) {
    if (old.getType() == number->getType()) {
      old.replaceAllUsesWith(number);
    } else {
      Value* const bits = bits_of(builder, number, old.getType());
      numbers_[bits] = number;
      old.replaceAllUsesWith(bits);
    }
    old.eraseFromParent();
  }

  /// The number whose bits `bits` is; null where it cannot be had.
  Value* as_number(Value* bits, Type* type) {
    if (bits->getType() == type) {
      return bits;
    }
    if (Value* const known = numbers_.lookup(bits)) {
      return known->getType() == type ? known : nullptr;
    }
    if (auto* constant = dyn_cast<Constant>(bits)) {
      return ConstantExpr::getBitCast(constant, type);
    }
    if (auto* cast = dyn_cast<BitCastInst>(bits)) {
      return cast->getSrcTy() == type ? cast->getOperand(0) : nullptr;
    }
    if (auto* load = dyn_cast<LoadInst>(bits); load != nullptr && !load->isAtomic()) {
      IRBuilder<> builder(load->getNextNode());
      return numbers_[bits] =
                 builder.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign());
    }
    auto* phi = dyn_cast<PHINode>(bits);
    if (phi == nullptr) {
      return nullptr;
    }
    PHINode* const made =
        PHINode::Create(type, phi->getNumIncomingValues(), "", phi->getIterator());
    numbers_[phi] = made;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      Value* const incoming = as_number(phi->getIncomingValue(i), type);
      made->addIncoming(incoming != nullptr ? incoming : PoisonValue::get(type),
                        phi->getIncomingBlock(i));
      failed_ = failed_ || incoming == nullptr;
    }
    return made;
  }

  /// Replaces the numbers that are made of bits, and the bits that are stored or compared.
  void use_numbers() {
    replace_casts();
    replace_stores();
    for (const auto& [comparison, type] : comparisons_) {
      Value* const number = as_number(comparison->getOperand(1), type);
      if (number != nullptr && !failed_) {
        IRBuilder<> builder(comparison);
        comparison->setOperand(1, bits_of(builder, number, comparison->getOperand(1)->getType()));
      }
    }
    remove_unused_bits();
  }

  void replace_casts() {
    SmallVector<BitCastInst*> casts;
    for (Instruction& instruction : instructions(function_)) {
      auto* cast = dyn_cast<BitCastInst>(&instruction);
      if (cast != nullptr && is_real(cast->getType()) && cast->getSrcTy()->isIntegerTy()) {
        casts.push_back(cast);
      }
    }
    for (BitCastInst* cast : casts) {
      Value* const number = as_number(cast->getOperand(0), cast->getType());
      if (number != nullptr && !failed_) {
        cast->replaceAllUsesWith(number);
        cast->eraseFromParent();
      }
    }
  }

  void replace_stores() {
    SmallVector<StoreInst*> stores;
    for (Instruction& instruction : instructions(function_)) {
      auto* store = dyn_cast<StoreInst>(&instruction);
      if (store != nullptr && numbers_.contains(store->getValueOperand())) {
        stores.push_back(store);
      }
    }
    for (StoreInst* store : stores) {
      IRBuilder<> builder(store);
      builder.CreateAlignedStore(numbers_.lookup(store->getValueOperand()),
                                 store->getPointerOperand(), store->getAlign());
      store->eraseFromParent();
    }
  }

  /// Values that pass on the bits of numbers that are now passed on themselves.
  void remove_unused_bits() {
    SmallVector<WeakTrackingVH> phis;
    for (const auto& [bits, number] : numbers_) {
      if (isa<PHINode>(bits)) {
        phis.emplace_back(bits);
      }
    }
    numbers_.clear();
    for (const WeakTrackingVH& phi : phis) {
      if (auto* one = dyn_cast_or_null<PHINode>(static_cast<Value*>(phi))) {
        RecursivelyDeleteDeadPHINode(one);
      }
    }
  }

  Function& function_;
  Module& module_;
  DenseMap<Value*, Value*> numbers_;                         ///< Of bits.
  SmallVector<std::pair<Instruction*, Type*>> comparisons_;  ///< Of bits of such numbers.
  bool failed_ = false;  ///< A number could not be had: its bits stay, and are refused.
};

}  // namespace

bool orders_threads(const Instruction& instruction) {
  return isAcquireOrStronger(ordering_of(instruction)) ||
         isReleaseOrStronger(ordering_of(instruction));
}

void prepare_atomics(Function& function) {
  Atomics(function).run();
}

}  // namespace ddx::compiler::memory
