#include "compiler/memory/odd_widths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstdint>
#include <optional>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr unsigned piece_bits = 32;

/// The parts of an integer of an odd width.
struct Parts {
  IntegerType* whole;  ///< The next width that is a multiple of 32 bits.
  IntegerType* low;
  IntegerType* high;

  [[nodiscard]] std::uint64_t high_byte() const { return low->getBitWidth() / 8; }
};

std::optional<Parts> parts_of(Type* type) {
  const auto* integer = dyn_cast<IntegerType>(type);
  const unsigned width = integer != nullptr ? integer->getBitWidth() : 0;
  if (width <= piece_bits || width % 8 != 0 || width % piece_bits == 0) {
    return std::nullopt;
  }
  LLVMContext& context = type->getContext();
  const unsigned low = width / piece_bits * piece_bits;
  return Parts{IntegerType::get(context, low + piece_bits), IntegerType::get(context, low),
               IntegerType::get(context, width - low)};
}

void split_store(StoreInst& store, const Parts& parts) {
  IRBuilder<> builder(&store);
  Value* value = store.getValueOperand();
  // The integer that it was cut from shows where reals lie.
  if (auto* cut = dyn_cast<TruncInst>(value)) {
    value = cut->getOperand(0);
  }
  Value* const high =
      builder.CreateTrunc(builder.CreateLShr(value, parts.low->getBitWidth()), parts.high);
  Value* const place = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), store.getPointerOperand(), parts.high_byte());
  builder.CreateAlignedStore(builder.CreateTrunc(value, parts.low), store.getPointerOperand(),
                             store.getAlign());
  builder.CreateAlignedStore(high, place, commonAlignment(store.getAlign(), parts.high_byte()));
  Value* const stored = store.getValueOperand();
  store.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(stored);
}

void split_load(LoadInst& load, const Parts& parts) {
  IRBuilder<> builder(&load);
  Value* const place = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), load.getPointerOperand(), parts.high_byte());
  Value* const low =
      builder.CreateAlignedLoad(parts.low, load.getPointerOperand(), load.getAlign());
  Value* const high = builder.CreateAlignedLoad(
      parts.high, place, commonAlignment(load.getAlign(), parts.high_byte()));
  const auto joined = [&](Type* type) {
    return builder.CreateOr(
        builder.CreateZExt(low, type),
        builder.CreateShl(builder.CreateZExt(high, type), parts.low->getBitWidth()));
  };
  Value* const whole = joined(parts.whole);
  for (User* user : make_early_inc_range(load.users())) {
    auto* wider = dyn_cast<ZExtInst>(user);
    if (wider != nullptr && wider->getType() == parts.whole) {
      wider->replaceAllUsesWith(whole);
      wider->eraseFromParent();
    }
  }
  if (!load.use_empty()) {
    load.replaceAllUsesWith(builder.CreateTrunc(whole, load.getType()));
  }
  load.eraseFromParent();
}

}  // namespace

void split_odd_widths(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* store = dyn_cast<StoreInst>(&instruction); store != nullptr && store->isSimple()) {
      if (const auto parts = parts_of(store->getValueOperand()->getType())) {
        split_store(*store, *parts);
      }
    } else if (auto* load = dyn_cast<LoadInst>(&instruction); load != nullptr && load->isSimple()) {
      if (const auto parts = parts_of(load->getType())) {
        split_load(*load, *parts);
      }
    }
  }
}

}  // namespace ddx::compiler::memory
