#include "compiler/shapes/classes.h"
#include "compiler/shapes/natives.h"
#include "compiler/shapes/rules.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

/// The arguments of a call of an operation on arrays.
class Operands {
 public:
  Operands(Interpreter& in, const Call& call) : in_(in), call_(call) {}

  [[nodiscard]] std::size_t count() const { return call_.arguments.size(); }

  /// The value of an argument.
  const Value* operator[](unsigned index) const {
    if (index >= call_.arguments.size()) {
      return in_.arena().unknown(true);
    }
    const bool is_reference = call_.function->getParamDecl(index)->getType()->isReferenceType();
    return is_reference ? in_.loaded(call_.arguments[index]) : call_.arguments[index];
  }

  /// The name of an enumerator of ddx::ops::Op; "operation" where it is not known.
  [[nodiscard]] std::string name_of_op(unsigned index) const {
    const Value* value = (*this)[index];
    const auto* type = call_.function->getParamDecl(index)->getType()->getAs<clang::EnumType>();
    if (type != nullptr && value->is_number()) {
      for (const clang::EnumConstantDecl* one : type->getDecl()->enumerators()) {
        if (one->getInitVal() == value->number) {
          return one->getNameAsString();
        }
      }
    }
    return "operation";
  }

 private:
  Interpreter& in_;
  const Call& call_;
};

using Rule = const Value* (*)(Operation& op, const Operands& x);

/// Applies a rule, under a name.
template <Rule rule>
Result named(Interpreter& in, const Call& call) {
  Operation op(in.arena(), call.function->getName());
  const Value* result = rule(op, Operands(in, call));
  op.finish(in, call);
  return result;
}

/// Applies a rule, under the name of the operation that the first argument is.
template <Rule rule>
Result by_op(Interpreter& in, const Call& call) {
  const Operands operands(in, call);
  Operation op(in.arena(), operands.name_of_op(0));
  const Value* result = rule(op, operands);
  op.finish(in, call);
  return result;
}

/// Applies a rule under the name of a window motion, which is the argument at `index`.
template <unsigned index, Rule rule>
Result by_motion(Interpreter& in, const Call& call) {
  const Operands operands(in, call);
  Operation probe(in.arena(), "");
  const Value* text = field(probe, operands[index], "operation");
  if (text->kind == Kind::Pointer) {
    Place place = place_of(*text);
    place.path.clear();
    text = in.state().load(place);
  }
  Operation op(in.arena(), text->kind == Kind::Text ? text->name : call.function->getName());
  const Value* result = rule(op, operands);
  op.finish(in, call);
  return result;
}

/// The operand at `index`, whose shape the result has.
template <unsigned index>
const Value* like(Operation& /*op*/, const Operands& x) {
  return x[index];
}

template <unsigned index>
const Value* of_shape_at(Operation& op, const Operands& x) {
  return of_shape(op, x[index]);
}

/// What a list of pointers to arrays points to.
const Value* pointed_to(Interpreter& in, const Value* list) {
  if (!list->is_list()) {
    return in.arena().unknown(true);
  }
  Values parts;
  for (const Value* pointer : list->parts) {
    parts.push_back(in.loaded(pointer));
  }
  return in.arena().list(parts);
}

template <const Value* (*rule)(Operation&, const Value*, const Value*)>
Result of_parts(Interpreter& in, const Call& call) {
  Operation op(in.arena(), call.function->getName());
  const Operands x(in, call);
  const Value* result = rule(op, pointed_to(in, x[0]), x[1]);
  op.finish(in, call);
  return result;
}

Result counted(Interpreter& in, const Call& call) {
  const Value* count = Operands(in, call)[0];
  return in.arena().tensor({count});
}

const Value* selected(Operation& op, const Operands& x) {
  return broadcast(op, broadcast(op, x[0], x[1]), x[2]);
}

/// x, statistics per row or channel.
const Value* normalised(Operation& op, const Operands& x) {
  const Value* all = per_channel(op, x[0], {x[1], x[2]});
  return op.arena().list({all, op.unknown(), op.unknown()});
}

const Value* normalised_by(Operation& op, const Operands& x) {
  return per_channel(op, x[0], {x[1], x[2], x[3], x[4]});
}

const Value* cumulated(Operation& op, const Operands& x) {
  return along(op, x[1], field(op, x[2], "axis"));
}

const Value* sorted(Operation& op, const Operands& x) {
  return along(op, x[0], field(op, x[1], "axis"));
}

const Value* scaled_sum(Operation& op, const Operands& x) {
  return broadcast(op, x[0], x[2]);
}

const Value* attended(Operation& op, const Operands& x) {
  return op.arena().list({attention(op, x[0], x[1], x[2]), op.unknown()});
}

const Value* updated(Operation& op, const Operands& x) {
  const Value* box = slice(op, x[0], x[2]);
  if (!op.failed() && box->is_tensor() && x[1]->is_tensor()) {
    Operation fits(op.arena(), "");
    (void)broadcast_to(fits, x[1], box);
    if (fits.failed()) {
      op.fail("the update of shape " + shape_text(*x[1]) + " does not stretch to the box " +
                  shape_text(*box) + " of shape " + shape_text(*x[0]),
              {x[1], x[0]});
    }
  }
  return x[0];
}

template <const Value* (*rule)(Operation&, const Value*, const Value*), unsigned first = 0>
const Value* two(Operation& op, const Operands& x) {
  return rule(op, x[first], x[first + 1]);
}

template <const Value* (*rule)(Operation&, const Value*, const Value*, const Value*)>
const Value* three(Operation& op, const Operands& x) {
  return rule(op, x[0], x[1], x[2]);
}

Native elementwise(llvm::StringRef name) {
  return llvm::StringSwitch<Native>(name)
      .Cases("cast", "part_of", "conjugate", "polygamma", "integer_power", "crop_like",
             named<like<0>>)
      .Case("narrowed_indices", named<like<1>>)
      .Cases("unary", "binary_right", "binary_right_into", named<like<1>>)
      .Case("binary_left", named<like<2>>)
      .Case("binary", by_op<two<broadcast, 1>>)
      .Case("add_scaled", named<scaled_sum>)
      .Case("select", named<selected>)
      .Case("complex_of", named<two<broadcast>>)
      .Cases("full", "random_uniform", "random_normal", "random_bernoulli", named<of_shape_at<0>>)
      .Cases("iota", "wrapping_iota", counted)
      .Default(nullptr);
}

Native movement(llvm::StringRef name) {
  return llvm::StringSwitch<Native>(name)
      .Case("reshape", named<two<reshape>>)
      .Case("broadcast_to", named<two<broadcast_to>>)
      .Case("sum_to", named<two<sum_to>>)
      .Case("transpose", named<two<transpose>>)
      .Case("slice", named<two<slice>>)
      .Cases("slice_gradient", "part", named<of_shape_at<1>>)
      .Case("crop", named<of_shape_at<2>>)
      .Cases("reverse", "shifted", "update_at", named<like<0>>)
      .Case("update_slice", named<updated>)
      .Case("pad", named<three<pad>>)
      .Case("stack", of_parts<stack>)
      .Case("concatenate", of_parts<concatenate>)
      .Case("split", named<three<split>>)
      .Case("unstack", named<two<unstack>>)
      .Case("gather", named<three<gather>>)
      .Cases("gather_gradient", "take_along_axis_gradient", named<of_shape_at<2>>)
      .Case("take_along_axis", named<three<take_along_axis>>)
      .Case("scatter_sum", named<of_shape_at<3>>)
      .Case("one_hot", named<two<one_hot>>)
      .Default(nullptr);
}

}  // namespace

Native operation_native(llvm::StringRef name) {
  if (const Native native = elementwise(name)) {
    return native;
  }
  if (const Native native = movement(name)) {
    return native;
  }
  if (const Native native = linear_algebra_native(name)) {
    return native;
  }
  return llvm::StringSwitch<Native>(name)
      .Case("reduce", by_op<two<reduce, 1>>)
      .Case("arg_reduce", by_op<two<arg_reduce, 1>>)
      .Case("cumulative", by_op<cumulated>)
      .Case("argsort", named<sorted>)
      .Case("softmax", by_op<two<along, 1>>)
      .Case("softmax_gradient", named<like<1>>)
      .Case("softmax_cross_entropy", named<two<cross_entropy>>)
      .Case("softmax_cross_entropy_gradient", named<like<0>>)
      .Case("matmul", named<three<matmul>>)
      .Case("convolution", by_motion<2, three<convolution>>)
      .Case("convolution_input_gradient", named<of_shape_at<2>>)
      .Case("convolution_filter_gradient", named<of_shape_at<2>>)
      .Case("pool", by_motion<2, two<pool, 1>>)
      .Case("avg_pool_gradient", named<of_shape_at<1>>)
      .Case("max_pool_gradient", named<like<0>>)
      .Cases("layer_norm", "batch_norm_training", named<normalised>)
      .Case("batch_norm_inference", named<normalised_by>)
      .Case("attention", named<attended>)
      .Default(nullptr);
}

}  // namespace ddx::compiler::shapes
