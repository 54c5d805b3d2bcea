#include "compiler/shapes/arithmetic.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

namespace ddx::compiler::shapes {
namespace {

bool fits(clang::ASTContext& ast, std::int64_t number, clang::QualType type) {
  const unsigned width = ast.getIntWidth(type);
  if (type->isUnsignedIntegerOrEnumerationType()) {
    return number >= 0 && (width >= 64 || static_cast<std::uint64_t>(number) < (1ULL << width));
  }
  return width >= 64 || llvm::isIntN(width, number);
}

std::optional<std::int64_t> compared(clang::BinaryOperatorKind operation, std::int64_t a,
                                     std::int64_t b) {
  switch (operation) {
    case clang::BO_LT:
      return a < b;
    case clang::BO_GT:
      return a > b;
    case clang::BO_LE:
      return a <= b;
    case clang::BO_GE:
      return a >= b;
    case clang::BO_EQ:
      return a == b;
    case clang::BO_NE:
      return a != b;
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> calculated(clang::BinaryOperatorKind operation, std::int64_t a,
                                       std::int64_t b) {
  std::int64_t result = 0;
  switch (operation) {
    case clang::BO_Add:
    case clang::BO_AddAssign:
      return llvm::AddOverflow(a, b, result) ? std::nullopt : std::optional(result);
    case clang::BO_Sub:
    case clang::BO_SubAssign:
      return llvm::SubOverflow(a, b, result) ? std::nullopt : std::optional(result);
    case clang::BO_Mul:
    case clang::BO_MulAssign:
      return llvm::MulOverflow(a, b, result) ? std::nullopt : std::optional(result);
    case clang::BO_Div:
    case clang::BO_DivAssign:
      return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
    case clang::BO_Rem:
    case clang::BO_RemAssign:
      return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
    case clang::BO_And:
    case clang::BO_AndAssign:
      return a >= 0 && b >= 0 ? std::optional(a & b) : std::nullopt;
    case clang::BO_Or:
    case clang::BO_OrAssign:
      return a >= 0 && b >= 0 ? std::optional(a | b) : std::nullopt;
    case clang::BO_Shl:
      return a >= 0 && a < (1 << 30) && b >= 0 && b < 32 ? std::optional(a << b) : std::nullopt;
    case clang::BO_Shr:
      return a >= 0 && b >= 0 && b < 63 ? std::optional(a >> b) : std::nullopt;
    default:
      return compared(operation, a, b);
  }
}

const Value* of_pointers(Arena& arena, const clang::BinaryOperator* e, const Value* left,
                         const Value* right) {
  const auto operation = e->getOpcode();
  const bool adds = operation == clang::BO_Add || operation == clang::BO_AddAssign;
  const bool subtracts = operation == clang::BO_Sub || operation == clang::BO_SubAssign;
  if (adds && left->is_number()) {
    return moved(arena, right, left);
  }
  if (right->is_number() && (adds || subtracts)) {
    return moved(arena, left, subtracts ? arena.number(-right->number) : right);
  }
  if (e->isEqualityOp() && (left->is_known(0) || right->is_known(0))) {
    return arena.number(operation == clang::BO_NE ? 1 : 0);
  }
  if (const auto between = distance(*right, *left)) {
    const auto result = subtracts ? between : compared(operation, *between, 0);
    return result ? arena.number(*result) : arena.unknown(true);
  }
  return arena.unknown(true);
}

}  // namespace

const Value* converted(clang::ASTContext& ast, Arena& arena, const Value* value,
                       clang::QualType type) {
  type = type.getCanonicalType();
  if (!value->is_number()) {
    const bool keeps =
        value->kind == Kind::Number
            ? type->isIntegerType() && !type->isBooleanType() && fits(ast, value->number, type)
            : value->kind == Kind::Symbol && !type->isBooleanType();
    return keeps || value->kind == Kind::Unknown ? value : arena.unknown(true);
  }
  if (type->isBooleanType()) {
    return arena.number(value->number == 0 ? 0 : 1, value->origin);
  }
  const bool is_integer = type->isIntegralOrEnumerationType();
  return is_integer && fits(ast, value->number, type) ? value : arena.unknown(true);
}

std::optional<std::int64_t> distance(const Value& from, const Value& to) {
  if (from.kind != Kind::Pointer || to.kind != Kind::Pointer || from.number != to.number ||
      from.path.size() != to.path.size() || from.path.empty() ||
      from.path.drop_back() != to.path.drop_back() || from.path.back().in != nullptr ||
      to.path.back().in != nullptr) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(to.path.back().index) -
         static_cast<std::int64_t>(from.path.back().index);
}

const Value* moved(Arena& arena, const Value* pointer, const Value* distance) {
  if (distance->is_known(0)) {
    return pointer;
  }
  Place place = place_of(*pointer);
  if (!place.cell || !distance->is_number() || place.path.empty() ||
      place.path.back().in != nullptr) {
    return arena.unknown(true);
  }
  const std::int64_t index = place.path.back().index + distance->number;
  if (index < 0 || index > std::numeric_limits<std::int32_t>::max()) {
    return arena.unknown(true);
  }
  place.path.back().index = static_cast<unsigned>(index);
  return arena.pointer(place);
}

const Value* computed(clang::ASTContext& ast, Arena& arena, const clang::BinaryOperator* e,
                      const Value* left, const Value* right) {
  if (left->kind == Kind::Pointer || right->kind == Kind::Pointer) {
    return of_pointers(arena, e, left, right);
  }
  if (left->is_number() && right->is_number() && e->getType()->isIntegralOrEnumerationType()) {
    if (const auto result = calculated(e->getOpcode(), left->number, right->number)) {
      const clang::SourceLocation origin = left->origin.isValid()    ? left->origin
                                           : right->origin.isValid() ? right->origin
                                                                     : e->getExprLoc();
      const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(e);
      return converted(ast, arena, arena.number(*result, origin),
                       compound == nullptr ? e->getType() : compound->getComputationResultType());
    }
    return arena.unknown(true);
  }
  if (left->kind == Kind::Symbol && left == right && e->isEqualityOp()) {
    return arena.number(e->getOpcode() == clang::BO_EQ ? 1 : 0);
  }
  // A free value beside a known number stays free: data compared with a constant.
  const auto loses = [](const Value* value) {
    return value->lost || (value->kind != Kind::Unknown && value->kind != Kind::Number);
  };
  return arena.unknown(loses(left) || loses(right) || (left->is_number() && right->is_number()));
}

}  // namespace ddx::compiler::shapes
