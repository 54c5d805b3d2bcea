#include "compiler/shapes/natives.h"
#include "compiler/shapes/rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

/// The extents before the last two, then these.
const Value* with_last(Operation& op, const Value* x, llvm::ArrayRef<const Value*> last) {
  Values extents(x->parts.drop_back(2));
  extents.append(last.begin(), last.end());
  return op.arena().tensor(extents);
}

const Value* rows(const Value* x) {
  return x->parts[x->parts.size() - 2];
}

/// Whether `x` is known to be matrices; fails where it is none.
bool are_matrices(Operation& op, const Value* x) {
  if (x->is_tensor() && x->parts.size() < 2) {
    (void)op.fail("the operand is no matrix; shape " + shape_text(*x), {x});
  }
  return x->is_tensor() && !op.failed();
}

bool are_square(Operation& op, const Value* x) {
  if (are_matrices(op, x) && differ(*rows(x), *x->parts.back())) {
    (void)op.fail("the matrices are not square; shape " + shape_text(*x), {x},
                  {rows(x), x->parts.back()});
  }
  return x->is_tensor() && !op.failed();
}

const Value* smaller(Operation& op, const Value* x) {
  const Value* a = rows(x);
  const Value* b = x->parts.back();
  return a == b                               ? a
         : !a->is_number() || !b->is_number() ? op.unknown()
         : a->number < b->number              ? a
                                              : b;
}

/// The solution of square systems, whose leading axes broadcast.
const Value* system(Operation& op, const Value* a, const Value* b) {
  if (!are_square(op, a) || !b->is_tensor()) {
    return op.unknown();
  }
  const std::string shapes = "; shapes " + shape_text(*a) + " and " + shape_text(*b);
  if (b->parts.size() < 2) {
    return op.fail("the right-hand side is no matrix" + shapes, {a, b});
  }
  if (differ(*rows(a), *rows(b))) {
    return op.fail("matrix of " + extent_text(*rows(a)) + " rows with a right-hand side of " +
                       extent_text(*rows(b)) + shapes,
                   {a, b}, {rows(a), rows(b)});
  }
  Operation fits(op.arena(), "");
  const Value* common = broadcast(fits, op.arena().tensor(a->parts.drop_back(2)),
                                  op.arena().tensor(b->parts.drop_back(2)));
  if (fits.failed()) {
    return op.fail("leading axes differ" + shapes, {a, b});
  }
  Values extents(common->parts);
  extents.append({rows(b), b->parts.back()});
  return common->is_tensor() ? op.arena().tensor(extents) : op.unknown();
}

/// Factors: an object whose first field has the shape of the matrices.
Result lu(Interpreter& in, const Call& call, llvm::StringRef name) {
  Operation op(in.arena(), name);
  const Value* x = argument(in, call, 1);
  (void)are_square(op, x);
  op.finish(in, call);
  const auto* type = call.function->getReturnType()->getAsCXXRecordDecl();
  if (type == nullptr || op.failed()) {
    return in.arena().unknown(true);
  }
  Values parts(part_count(*type->getDefinition()), in.arena().unknown(true));
  parts.front() = x;
  return in.arena().record(type->getCanonicalDecl(), parts);
}

Result lu_of(Interpreter& in, const Call& call) {
  Place text = place_of(*call.arguments.front());
  text.path.clear();
  const Value* name = in.state().load(text);
  return lu(in, call, name->kind == Kind::Text ? name->name : "lu");
}

Result solved(Interpreter& in, const Call& call) {
  if (call.arguments.size() != 4) {
    return std::nullopt;  // The function of tensors that calls that of arrays.
  }
  Operation op(in.arena(), "solve");
  const Value* result =
      system(op, field(op, argument(in, call, 0), "packed"), argument(in, call, 1));
  op.finish(in, call);
  return result;
}

Result triangular(Interpreter& in, const Call& call) {
  Operation op(in.arena(), "triangular_solve");
  const Value* result = system(op, argument(in, call, 0), argument(in, call, 1));
  op.finish(in, call);
  return result;
}

/// What comes of matrices.
enum class Part : std::uint8_t { Same, Stack, TwoStacks, Diagonal, Unknown };

template <Part part, bool square>
Result of_matrices(Interpreter& in, const Call& call) {
  const llvm::StringRef name = call.function->getName();
  Operation op(in.arena(), name == "determinant" ? "det" : name);
  const Value* x = argument(in, call, 0);
  const bool is_known = square ? are_square(op, x) : are_matrices(op, x);
  op.finish(in, call);
  if (!is_known) {
    return in.arena().unknown(true);
  }
  switch (part) {
    case Part::Same:
      return x;
    case Part::Stack:
      return with_last(op, x, {});
    case Part::TwoStacks:
      return in.arena().list(Values(2, with_last(op, x, {})));
    case Part::Diagonal:
      return with_last(op, x, {smaller(op, x)});
    case Part::Unknown:
      return in.arena().unknown(true);
  }
}

Result qr(Interpreter& in, const Call& call) {
  Operation op(in.arena(), "qr");
  const Value* x = argument(in, call, 0);
  const Value* full = argument(in, call, 1);
  const bool is_known = are_matrices(op, x) && full->is_number();
  op.finish(in, call);
  if (!is_known) {
    return in.arena().unknown(true);
  }
  const Value* inner = full->number != 0 ? rows(x) : smaller(op, x);
  return in.arena().list(
      {with_last(op, x, {rows(x), inner}), with_last(op, x, {inner, x->parts.back()})});
}

/// detail::check_least_squares(a, b), of shapes.
Result least_squares(Interpreter& in, const Call& call) {
  Operation op(in.arena(), "lstsq");
  const Value* a = of_shape(op, argument(in, call, 0));
  const Value* b = of_shape(op, argument(in, call, 1));
  const std::string shapes = "; shapes " + shape_text(*a) + " and " + shape_text(*b);
  const auto rank = [](const Value* x) {
    return x->is_tensor() ? std::to_string(x->parts.size()) : "?";
  };
  const auto is_none = [](const Value* x) { return x->is_tensor() && x->parts.size() < 2; };
  if (is_none(a) || is_none(b)) {
    (void)op.fail("ranks " + rank(a) + " and " + rank(b) + " are not both at least 2" + shapes,
                  {a, b});
  } else if (a->is_tensor() && b->is_tensor() && differ(*rows(a), *rows(b))) {
    (void)op.fail("matrix of " + extent_text(*rows(a)) + " rows with a right-hand side of " +
                      extent_text(*rows(b)) + shapes,
                  {a, b}, {rows(a), rows(b)});
  }
  op.finish(in, call);
  return in.arena().unknown(false);
}

}  // namespace

Native linear_algebra_native(llvm::StringRef name) {
  return llvm::StringSwitch<Native>(name)
      .Cases("lu", "regular_lu", lu_of)
      .Case("solve_by", solved)
      .Case("triangular_solve", triangular)
      .Cases("inverse", "cholesky", "matrix_exponential", of_matrices<Part::Same, true>)
      .Case("determinant", of_matrices<Part::Stack, true>)
      .Case("sign_and_log", of_matrices<Part::TwoStacks, true>)
      .Case("eigvalsh", of_matrices<Part::Diagonal, true>)
      .Case("eigh", of_matrices<Part::Unknown, true>)
      .Case("svdvals", of_matrices<Part::Diagonal, false>)
      .Case("svd", of_matrices<Part::Unknown, false>)
      .Case("qr", qr)
      .Case("check_least_squares", least_squares)
      .Default(nullptr);
}

}  // namespace ddx::compiler::shapes
