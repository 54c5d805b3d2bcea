#include "compiler/shapes/natives.h"
#include "compiler/shapes/rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <utility>

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

const Value* list_at(Interpreter& in, const Call& call, unsigned index) {
  return as_list(in.arena(), argument(in, call, index));
}

/// The characters of a pointer to a text.
std::string text_of(Interpreter& in, const Value* pointer, llvm::StringRef fallback) {
  Place place = place_of(*pointer);
  place.path.clear();
  const Value* text = in.state().load(place);
  return (text->kind == Kind::Text ? text->name : fallback).str();
}

/// The quotient of two numbers that are known; unknown where they do not divide.
const Value* quotient(Arena& arena, const Value* a, const Value* b) {
  const bool divides =
      a->is_number() && b->is_number() && b->number > 0 && a->number % b->number == 0;
  return divides ? arena.number(a->number / b->number, a->origin) : arena.unknown(true);
}

const Value* product_of_two(Arena& arena, const Value* a, const Value* b) {
  return product(arena, *arena.list({a, b}));
}

/// ops::inserted_axis(site, x, axis): x with an axis of extent 1.
Result inserted_axis(Interpreter& in, const Call& call) {
  Arena& arena = in.arena();
  Operation probe(arena, "");
  const Value* name = field(probe, argument(in, call, 0), "operation");
  Operation op(arena, text_of(in, name, "expand_dims"));
  const Value* x = list_at(in, call, 1);
  const Value* axis = argument(in, call, 2);
  if (!x->is_list() || !axis->is_number()) {
    return arena.unknown(true);
  }
  const auto rank = static_cast<std::int64_t>(x->parts.size()) + 1;
  if (axis->number < -rank || axis->number >= rank) {
    (void)op.fail("there is no place for an axis " + std::to_string(axis->number) + "; shape " +
                      shape_text(*x),
                  {x});
    op.finish(in, call);
    return arena.unknown(true);
  }
  Values extents(x->parts);
  extents.insert(extents.begin() + (axis->number < 0 ? axis->number + rank : axis->number),
                 arena.number(1));
  return arena.list(extents);
}

/// detail::squeezed(x, axes): the extents of x without axes of extent 1.
Result squeezed(Interpreter& in, const Call& call) {
  Arena& arena = in.arena();
  Operation op(arena, "squeeze");
  const Value* x = of_shape(op, list_at(in, call, 0));
  const Value* axes = list_at(in, call, 1);
  if (!x->is_tensor() || !axes->is_list()) {
    return arena.unknown(true);
  }
  const bool drops_all = axes->parts.empty();
  Values extents(x->parts);
  bool is_known =
      !drops_all || llvm::all_of(x->parts, [](const Value* one) { return one->is_number(); });
  for (const Value* axis : axes->parts) {
    const auto at = resolved_axis(op, x, axis);
    is_known &= at.has_value();
    if (at && x->parts[*at]->is_number() && !x->parts[*at]->is_known(1)) {
      (void)op.fail("axis " + std::to_string(*at) + " has extent " + extent_text(*x->parts[*at]) +
                        ", not 1; shape " + shape_text(*x),
                    {x}, {x->parts[*at]});
    }
    if (at) {
      extents[*at] = nullptr;
    }
  }
  op.finish(in, call);
  llvm::erase_if(
      extents, [&](const Value* one) { return one == nullptr || (drops_all && one->is_known(1)); });
  return is_known && !op.failed() ? arena.list(extents) : arena.unknown(true);
}

/// detail::equal_sizes(shape, count, axis): the extents of equal parts.
Result equal_sizes(Interpreter& in, const Call& call) {
  Arena& arena = in.arena();
  Operation op(arena, "split_equally");
  const Value* x = of_shape(op, list_at(in, call, 0));
  const Value* count = argument(in, call, 1);
  const auto axis = resolved_axis(op, x, argument(in, call, 2));
  const bool is_known = axis && x->parts[*axis]->is_number() && count->is_number();
  if (is_known && (count->number <= 0 || x->parts[*axis]->number % count->number != 0)) {
    (void)op.fail("extent " + extent_text(*x->parts[*axis]) + " of axis " +
                      extent_text(*argument(in, call, 2)) + " is not made up of " +
                      extent_text(*count) + " equal parts; shape " + shape_text(*x),
                  {x}, {x->parts[*axis], count});
  }
  op.finish(in, call);
  const bool is_short = count->is_number() && count->number > 0 && count->number <= 64;
  if (!is_known || op.failed() || !is_short) {
    return arena.unknown(true);
  }
  return arena.list(
      Values(static_cast<std::size_t>(count->number), quotient(arena, x->parts[*axis], count)));
}

/// detail::exchanged_last_axes(operation, x): the order of the axes of a transposed matrix.
Result exchanged_last_axes(Interpreter& in, const Call& call) {
  Arena& arena = in.arena();
  Operation op(arena, text_of(in, argument(in, call, 0), "matrix_transpose"));
  const Value* x = list_at(in, call, 1);
  if (!x->is_list()) {
    return arena.unknown(true);
  }
  if (x->parts.size() < 2) {
    (void)op.fail("the operand is no matrix; shape " + shape_text(*x), {x});
    op.finish(in, call);
    return arena.unknown(true);
  }
  Values order;
  for (std::size_t axis = 0; axis < x->parts.size(); ++axis) {
    order.push_back(arena.number(static_cast<std::int64_t>(axis)));
  }
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return arena.list(order);
}

/// nn::detail::require_divisor(layer, part name, part, whole name, whole).
Result require_divisor(Interpreter& in, const Call& call) {
  Operation op(in.arena(), text_of(in, argument(in, call, 0), "layer"));
  const Value* part = argument(in, call, 2);
  const Value* whole = argument(in, call, 4);
  if (part->is_number() && whole->is_number() && part->number > 0 &&
      whole->number % part->number != 0) {
    (void)op.fail(text_of(in, argument(in, call, 3), "the whole") + " is " + extent_text(*whole) +
                      ", no multiple of " + text_of(in, argument(in, call, 1), "the part") +
                      ", which is " + extent_text(*part),
                  {}, {whole, part});
  }
  op.finish(in, call);
  return in.arena().unknown(false);
}

/// nn::detail::head_extents(layer, x, heads): [n, time, heads, depth].
Result head_extents(Interpreter& in, const Call& call) {
  Arena& arena = in.arena();
  Operation op(arena, text_of(in, argument(in, call, 0), "attention"));
  const Value* x = list_at(in, call, 1);
  const Value* heads = argument(in, call, 2);
  if (!x->is_list()) {
    return arena.unknown(true);
  }
  if (x->parts.size() != 3) {
    (void)op.fail("shape " + shape_text(*x) + " is not [n, time, features]", {x});
    op.finish(in, call);
    return arena.unknown(true);
  }
  return arena.list({x->parts[0], x->parts[1], heads, quotient(arena, x->parts[2], heads)});
}

/// nn::detail::joined_extents(x): [n, time, features].
Result joined_extents(Interpreter& in, const Call& call) {
  const Value* x = list_at(in, call, 0);
  if (!x->is_list() || x->parts.size() != 4) {
    return in.arena().unknown(true);
  }
  return in.arena().list(
      {x->parts[0], x->parts[2], product_of_two(in.arena(), x->parts[1], x->parts[3])});
}

/// nn::scaled_dot_product_attention(query, key, value).
Result scaled_attention(Interpreter& in, const Call& call) {
  Operation op(in.arena(), "scaled_dot_product_attention");
  const Value* result =
      attention(op, argument(in, call, 0), argument(in, call, 1), argument(in, call, 2));
  op.finish(in, call);
  return result;
}

}  // namespace

Native extents_native(llvm::StringRef name) {
  return llvm::StringSwitch<Native>(name)
      .Case("ops::inserted_axis", inserted_axis)
      .Case("detail::equal_sizes", equal_sizes)
      .Case("detail::squeezed", squeezed)
      .Case("detail::exchanged_last_axes", exchanged_last_axes)
      .Case("nn::detail::require_divisor", require_divisor)
      .Case("nn::detail::head_extents", head_extents)
      .Case("nn::detail::joined_extents", joined_extents)
      .Case("nn::scaled_dot_product_attention", scaled_attention)
      .Default(nullptr);
}

}  // namespace ddx::compiler::shapes
