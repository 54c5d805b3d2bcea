#include "compiler/shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace ddx::compiler::shapes {

const Value* Operation::fail(const std::string& facts, llvm::ArrayRef<const Value*> shapes,
                             llvm::ArrayRef<const Value*> extents) {
  if (!failed()) {
    message_ = name_ + ": " + facts;
    shapes_.assign(shapes.begin(), shapes.end());
    extents_.assign(extents.begin(), extents.end());
  }
  return unknown();
}

void Operation::finish(Interpreter& in, const Call& call) {
  if (failed()) {
    in.fail(call, message_, shapes_, extents_);
  }
}

const Value* field(Operation& op, const Value* record, llvm::StringRef name) {
  if (record->kind != Kind::Record) {
    return op.unknown();
  }
  const clang::CXXRecordDecl* type = record->type->getDefinition();
  for (const clang::FieldDecl* one : type->fields()) {
    if (one->getName() == name) {
      return record->parts[type->getNumBases() + one->getFieldIndex()];
    }
  }
  return op.unknown();
}

bool differ(const Value& a, const Value& b) {
  return a.kind == Kind::Number && b.kind == Kind::Number && a.number != b.number &&
         a.number != 0 && b.number != 0;
}

std::optional<unsigned> resolved_axis(Operation& op, const Value* x, const Value* axis) {
  if (!x->is_tensor() || !axis->is_number()) {
    return std::nullopt;
  }
  const auto rank = static_cast<std::int64_t>(x->parts.size());
  if (axis->number < -rank || axis->number >= rank) {
    op.fail("axis " + std::to_string(axis->number) + " is not in [" + std::to_string(-rank) + ", " +
                std::to_string(rank) + "); shape " + shape_text(*x),
            {x});
    return std::nullopt;
  }
  return static_cast<unsigned>(axis->number < 0 ? axis->number + rank : axis->number);
}

const Value* of_shape(Operation& op, const Value* shape) {
  return shape->is_list() || shape->is_tensor() ? op.arena().tensor(shape->parts) : op.unknown();
}

namespace {

/// The extent that two broadcast to, which do not differ.
const Value* common_extent(Operation& op, const Value* a, const Value* b) {
  if (a->is_known(1) || a == b) {
    return b;
  }
  if (b->is_known(1)) {
    return a;
  }
  // One that is not 1 is kept: the other is 1 or equal to it.
  return a->kind == Kind::Number ? a : b->kind == Kind::Number ? b : op.unknown();
}

}  // namespace

const Value* broadcast(Operation& op, const Value* a, const Value* b) {
  if (!a->is_tensor() || !b->is_tensor()) {
    return op.unknown();
  }
  const std::size_t rank = std::max(a->parts.size(), b->parts.size());
  const Value* one = op.arena().number(1);
  Values extents(rank, one);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const Value* in_a = axis < a->parts.size() ? a->parts[a->parts.size() - 1 - axis] : one;
    const Value* in_b = axis < b->parts.size() ? b->parts[b->parts.size() - 1 - axis] : one;
    if (differ(*in_a, *in_b) && !in_a->is_known(1) && !in_b->is_known(1)) {
      return op.fail("axis -" + std::to_string(axis + 1) + ": extents " + extent_text(*in_a) +
                         " and " + extent_text(*in_b) + " differ; shapes " + shape_text(*a) +
                         " and " + shape_text(*b),
                     {a, b}, {in_a, in_b});
    }
    extents[rank - 1 - axis] = common_extent(op, in_a, in_b);
  }
  return op.arena().tensor(extents);
}

namespace {

/// Whether a tensor of shape `from` stretches to no tensor of shape `to`.
bool never_stretches(const Value& from, const Value& to) {
  if (from.parts.size() > to.parts.size()) {
    return true;
  }
  const std::size_t missing = to.parts.size() - from.parts.size();
  for (std::size_t axis = 0; axis < from.parts.size(); ++axis) {
    const Value& extent = *from.parts[axis];
    if (!extent.is_known(1) && differ(extent, *to.parts[axis + missing])) {
      return true;
    }
  }
  return false;
}

bool is_shape(const Value& value) {
  return value.is_list() || value.is_tensor();
}

}  // namespace

const Value* broadcast_to(Operation& op, const Value* x, const Value* shape) {
  if (x->is_tensor() && is_shape(*shape) && never_stretches(*x, *shape)) {
    return op.fail("shape " + shape_text(*x) + " does not stretch to " + shape_text(*shape),
                   {x, shape});
  }
  return of_shape(op, shape);
}

const Value* sum_to(Operation& op, const Value* x, const Value* shape) {
  if (x->is_tensor() && is_shape(*shape) && never_stretches(*shape, *x)) {
    return op.fail("shape " + shape_text(*shape) + " does not stretch to " + shape_text(*x),
                   {shape, x});
  }
  return of_shape(op, shape);
}

namespace {

/// Leading axes of stacks of matrices, which broadcast.
std::optional<Values> leading(Operation& op, const Value* a, const Value* b,
                              const std::string& shapes) {
  const llvm::ArrayRef<const Value*> in_a = a->parts.drop_back(2);
  const llvm::ArrayRef<const Value*> in_b = b->parts.drop_back(2);
  const Value* one = op.arena().number(1);
  Values extents(std::max(in_a.size(), in_b.size()), one);
  for (std::size_t axis = 1; axis <= extents.size(); ++axis) {
    const Value* left = axis <= in_a.size() ? in_a[in_a.size() - axis] : one;
    const Value* right = axis <= in_b.size() ? in_b[in_b.size() - axis] : one;
    if (differ(*left, *right) && !left->is_known(1) && !right->is_known(1)) {
      op.fail("leading extents " + extent_text(*left) + " and " + extent_text(*right) + " differ" +
                  shapes,
              {a, b}, {left, right});
      return std::nullopt;
    }
    extents[extents.size() - axis] = common_extent(op, left, right);
  }
  return extents;
}

}  // namespace

const Value* matmul(Operation& op, const Value* a, const Value* b, const Value* options) {
  const Value* left = field(op, options, "transpose_left");
  const Value* right = field(op, options, "transpose_right");
  const auto low_rank = [](const Value* x) { return x->is_tensor() && x->parts.size() < 2; };
  if (low_rank(a) || low_rank(b)) {
    const auto rank = [](const Value* x) {
      return x->is_tensor() ? std::to_string(x->parts.size()) : "?";
    };
    return op.fail("ranks " + rank(a) + " and " + rank(b) + " are not both at least 2; shapes " +
                       shape_text(*a) + " and " + shape_text(*b),
                   {a, b});
  }
  if (!a->is_tensor() || !b->is_tensor() || !left->is_number() || !right->is_number()) {
    return op.unknown();
  }
  const auto text = [](const Value* x, const Value* transposed) {
    return shape_text(*x) + (transposed->number != 0 ? " transposed" : "");
  };
  const std::string shapes = "; shapes " + text(a, left) + " and " + text(b, right);
  const std::size_t rank_a = a->parts.size();
  const std::size_t rank_b = b->parts.size();
  const Value* inner_a = a->parts[rank_a - (left->number != 0 ? 2 : 1)];
  const Value* inner_b = b->parts[rank_b - (right->number != 0 ? 1 : 2)];
  if (differ(*inner_a, *inner_b)) {
    return op.fail("inner extents " + extent_text(*inner_a) + " and " + extent_text(*inner_b) +
                       " differ" + shapes,
                   {a, b}, {inner_a, inner_b});
  }
  std::optional<Values> extents = leading(op, a, b, shapes);
  if (!extents) {
    return op.unknown();
  }
  extents->push_back(a->parts[rank_a - (left->number != 0 ? 1 : 2)]);
  extents->push_back(b->parts[rank_b - (right->number != 0 ? 2 : 1)]);
  return op.arena().tensor(*extents);
}

const Value* reduce(Operation& op, const Value* x, const Value* options) {
  const Value* axes = field(op, options, "axes");
  const Value* keeps = field(op, options, "keep_dims");
  if (!x->is_tensor() || !axes->is_list()) {
    return op.unknown();
  }
  std::vector<bool> reduced(x->parts.size(), axes->parts.empty());
  bool is_known = keeps->is_number();
  for (const Value* axis : axes->parts) {
    const auto resolved = resolved_axis(op, x, axis);
    is_known &= resolved.has_value();
    if (op.failed()) {
      return op.unknown();
    }
    if (resolved && reduced[*resolved]) {
      return op.fail("axes " + shape_text(*axes) + " name axis " + std::to_string(*resolved) +
                         " twice; shape " + shape_text(*x),
                     {x});
    }
    if (resolved) {
      reduced[*resolved] = true;
    }
  }
  if (!is_known) {
    return op.unknown();
  }
  Values extents;
  for (const auto [axis, extent] : llvm::enumerate(x->parts)) {
    if (!reduced[axis]) {
      extents.push_back(extent);
    } else if (keeps->number != 0) {
      extents.push_back(op.arena().number(1));
    }
  }
  return op.arena().tensor(extents);
}

const Value* arg_reduce(Operation& op, const Value* x, const Value* axis) {
  const auto along = resolved_axis(op, x, axis);
  if (!along) {
    return op.unknown();
  }
  Values extents(x->parts);
  extents.erase(extents.begin() + *along);
  return op.arena().tensor(extents);
}

const Value* along(Operation& op, const Value* x, const Value* axis) {
  (void)resolved_axis(op, x, axis);
  return x;
}

}  // namespace ddx::compiler::shapes
