#include "compiler/memory/bits.h"

#include "compiler/memory/reals.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

namespace ddx::compiler::memory {

using namespace llvm;

bool is_bits(const Type* type) {
  if (const auto* vector = dyn_cast<FixedVectorType>(type)) {
    return vector->getElementType()->isIntegerTy(32) || vector->getElementType()->isIntegerTy(64);
  }
  const auto* integer = dyn_cast<IntegerType>(type);
  return integer != nullptr && integer->getBitWidth() % 32 == 0;
}

namespace {

/// Whether the type that TBAA has for an access is none, or that of characters, which may alias
/// all.
bool accesses_any_type(const Instruction& access) {
  const MDNode* const tag = access.getMetadata(LLVMContext::MD_tbaa);
  if (tag == nullptr || tag->getNumOperands() < 2) {
    return true;
  }
  const auto* type = dyn_cast<MDNode>(tag->getOperand(1));
  const auto* name = type != nullptr && type->getNumOperands() > 0
                         ? dyn_cast<MDString>(type->getOperand(0))
                         : nullptr;
  return name == nullptr || name->getString() == "omnipotent char";
}

/// Whether an integer may be accessed at `address` as bytes of a real.
bool may_access_bytes(const Instruction& access, const Type* type, const Value* address) {
  if (!type->isIntOrIntVectorTy() || !accesses_any_type(access)) {
    return false;
  }
  const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(address));
  return variable == nullptr || !variable->getAllocatedType()->isIntOrPtrTy();
}

}  // namespace

bool may_write_bytes(const StoreInst& store) {
  return may_access_bytes(store, store.getValueOperand()->getType(), store.getPointerOperand());
}

bool may_read_bytes(const LoadInst& load) {
  return may_access_bytes(load, load.getType(), load.getPointerOperand());
}

unsigned pieces_of(const Type* type) {
  return static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue() / 32);
}

Type* bits_cotangent_type(Type* type) {
  LLVMContext& context = type->getContext();
  const unsigned pieces = pieces_of(type);
  return StructType::get(context, {ArrayType::get(Type::getDoubleTy(context), pieces / 2),
                                   ArrayType::get(Type::getFloatTy(context), pieces)});
}

unsigned bytes_of_member(unsigned member) {
  return member == member_f64 ? sizeof(double) : sizeof(float);
}

void for_each_lane(const Type* cotangent, function_ref<void(unsigned, unsigned, unsigned)> visit) {
  for (const unsigned member : {member_f64, member_f32}) {
    const unsigned size = bytes_of_member(member);
    const auto lanes =
        static_cast<unsigned>(cotangent->getStructElementType(member)->getArrayNumElements());
    for (unsigned lane = 0; lane < lanes; ++lane) {
      visit(member, lane, lane * size);
    }
  }
}

bool has_bits(const Type* type) {
  const auto* record = dyn_cast<StructType>(type);
  return is_bits(type) || (record != nullptr && any_of(record->elements(), has_bits));
}

Type* whole_cotangent_type(Type* type) {
  if (is_bits(type)) {
    return bits_cotangent_type(type);
  }
  auto* record = dyn_cast<StructType>(type);
  if (record == nullptr || !has_bits(record)) {
    return cotangent_type(type);
  }
  SmallVector<Type*> parts;
  for (Type* part : record->elements()) {
    parts.push_back(whole_cotangent_type(part));
  }
  return StructType::get(type->getContext(), parts);
}

Value* fit_cotangent(IRBuilderBase& builder, Value* cotangent, Type* type) {
  auto* to = dyn_cast<StructType>(type);
  auto* from = dyn_cast<StructType>(cotangent->getType());
  if (type == cotangent->getType()) {
    return cotangent;
  }
  Value* fitting = Constant::getNullValue(type);
  if (to == nullptr || from == nullptr || to->getNumElements() != from->getNumElements()) {
    return fitting;
  }
  for (unsigned i = 0; i < to->getNumElements(); ++i) {
    fitting = builder.CreateInsertValue(
        fitting,
        fit_cotangent(builder, builder.CreateExtractValue(cotangent, i), to->getElementType(i)), i);
  }
  return fitting;
}

bool moves_bits(const Instruction& instruction) {
  if (!has_bits(instruction.getType())) {
    return false;
  }
  switch (instruction.getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return is_bits(instruction.getType());
    case Instruction::PHI:
    case Instruction::Freeze:
    case Instruction::ExtractValue:
    case Instruction::InsertValue:
      return true;
    case Instruction::Select:
      return !instruction.getOperand(0)->getType()->isVectorTy();
    default:
      return moved_pieces(instruction).has_value();
  }
}

namespace {

using Pieces = SmallVector<Piece>;

/// The pieces of an operand from `first` on, `count` of them; those outside are zero.
Pieces run(int operand, int first, unsigned count, unsigned available) {
  Pieces pieces(count);
  for (unsigned i = 0; i < count; ++i) {
    const int at = first + static_cast<int>(i);
    if (at >= 0 && at < static_cast<int>(available)) {
      pieces[i] = {operand, static_cast<unsigned>(at)};
    }
  }
  return pieces;
}

std::optional<Pieces> shifted(const Instruction& instruction) {
  const auto* amount = dyn_cast<ConstantInt>(instruction.getOperand(1));
  if (amount == nullptr || amount->getZExtValue() % 32 != 0) {
    return std::nullopt;
  }
  const int distance = static_cast<int>(amount->getZExtValue() / 32);
  const unsigned count = pieces_of(instruction.getType());
  return run(0, instruction.getOpcode() == Instruction::Shl ? -distance : distance, count, count);
}

unsigned pieces_of_element(const Type* vector) {
  return vector->getScalarSizeInBits() / 32;
}

std::optional<Pieces> inserted(const Instruction& instruction) {
  const auto* index = dyn_cast<ConstantInt>(instruction.getOperand(2));
  if (index == nullptr) {
    return std::nullopt;
  }
  const unsigned count = pieces_of(instruction.getType());
  const unsigned width = pieces_of_element(instruction.getType());
  Pieces pieces = run(0, 0, count, count);
  for (unsigned i = 0; i < width; ++i) {
    pieces[static_cast<unsigned>(index->getZExtValue()) * width + i] = {1, i};
  }
  return pieces;
}

std::optional<Pieces> extracted(const Instruction& instruction) {
  const auto* index = dyn_cast<ConstantInt>(instruction.getOperand(1));
  const Type* const from = instruction.getOperand(0)->getType();
  if (index == nullptr) {
    return std::nullopt;
  }
  const unsigned width = pieces_of_element(from);
  return run(0, static_cast<int>(index->getZExtValue() * width), width, pieces_of(from));
}

Pieces shuffled(const ShuffleVectorInst& shuffle) {
  const unsigned width = pieces_of_element(shuffle.getType());
  const int lanes =
      static_cast<int>(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  Pieces pieces;
  for (const int lane : shuffle.getShuffleMask()) {
    for (unsigned i = 0; i < width; ++i) {
      pieces.push_back(lane < 0
                           ? Piece()
                           : Piece{lane / lanes, static_cast<unsigned>(lane % lanes) * width + i});
    }
  }
  return pieces;
}

}  // namespace

std::optional<Pieces> moved_pieces(const Instruction& instruction) {
  if (!is_bits(instruction.getType())) {
    return std::nullopt;
  }
  switch (instruction.getOpcode()) {
    case Instruction::BitCast:
    case Instruction::Trunc:
    case Instruction::ZExt:
      if (!is_bits(instruction.getOperand(0)->getType()) ||
          (instruction.getType()->isVectorTy() &&
           instruction.getOpcode() != Instruction::BitCast)) {
        return std::nullopt;
      }
      return run(0, 0, pieces_of(instruction.getType()),
                 pieces_of(instruction.getOperand(0)->getType()));
    case Instruction::Shl:
    case Instruction::LShr:
      return shifted(instruction);
    case Instruction::InsertElement:
      return inserted(instruction);
    case Instruction::ExtractElement:
      return extracted(instruction);
    case Instruction::ShuffleVector:
      return shuffled(cast<ShuffleVectorInst>(instruction));
    default:
      return std::nullopt;
  }
}

}  // namespace ddx::compiler::memory
