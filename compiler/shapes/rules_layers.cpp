#include "compiler/shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace ddx::compiler::shapes {

const Value* gather(Operation& op, const Value* x, const Value* indices, const Value* axis) {
  const auto along = resolved_axis(op, x, axis);
  if (!along || !indices->is_tensor()) {
    return op.unknown();
  }
  Values extents(x->parts.take_front(*along));
  extents.append(indices->parts.begin(), indices->parts.end());
  const auto rest = x->parts.drop_front(*along + 1);
  extents.append(rest.begin(), rest.end());
  return op.arena().tensor(extents);
}

const Value* take_along_axis(Operation& op, const Value* x, const Value* indices,
                             const Value* axis) {
  const auto along = resolved_axis(op, x, axis);
  if (!x->is_tensor() || !indices->is_tensor() || !along) {
    return indices->is_tensor() ? indices : op.unknown();
  }
  bool fits = x->parts.size() == indices->parts.size();
  for (unsigned i = 0; fits && i < x->parts.size(); ++i) {
    fits = i == *along || !differ(*x->parts[i], *indices->parts[i]);
  }
  if (!fits) {
    return op.fail("the indices differ beyond axis " + std::to_string(*along) + "; shapes " +
                       shape_text(*x) + " and " + shape_text(*indices),
                   {x, indices});
  }
  return indices;
}

const Value* one_hot(Operation& op, const Value* indices, const Value* depth) {
  if (!indices->is_tensor()) {
    return op.unknown();
  }
  Values extents(indices->parts);
  extents.push_back(depth);
  return op.arena().tensor(extents);
}

namespace {

/// A window of a convolution or of pooling, where it is known.
struct Window {
  const Value* size;
  const Value* strides;
  const Value* dilations;
  const Value* groups;
  const Value* padding;  ///< The options.
};

const Value* on_axis(Operation& op, const Value* list, unsigned axis) {
  return (list->is_list() || list->is_tensor()) && axis < list->parts.size() ? list->parts[axis]
                                                                             : op.unknown();
}

/// The number of places of a window along an axis.
const Value* places(Operation& op, const Window& window, const Value* x, unsigned axis,
                    const std::string& shapes) {
  const Value* extent = x->is_tensor() ? x->parts[axis + 1] : op.unknown();
  const Value* size = on_axis(op, window.size, axis);
  const Value* stride = on_axis(op, window.strides, axis);
  const Value* dilation = on_axis(op, window.dilations, axis);
  const Value* kind = field(op, window.padding, "kind");
  const auto usable = [](const Value* value) {
    return value->is_number() && value->number > 0 && value->number < (1 << 30);
  };
  if (!usable(extent) || !usable(size) || !usable(stride) || !usable(dilation) ||
      !kind->is_number()) {
    return op.unknown();
  }
  if (kind->number == 1) {  // Padding::Kind::Same
    return op.arena().number((extent->number - 1) / stride->number + 1, extent->origin);
  }
  std::int64_t amount = 0;
  if (kind->number == 2) {  // Padding::Kind::Amounts
    const Value* low = on_axis(op, field(op, window.padding, "low"), axis);
    const Value* high = on_axis(op, field(op, window.padding, "high"), axis);
    const auto is_amount = [](const Value* value) {
      return value->is_number() && value->number >= 0 && value->number < (1 << 30);
    };
    if (!is_amount(low) || !is_amount(high)) {
      return op.unknown();
    }
    amount = low->number + high->number;
  }
  const std::int64_t reach = (size->number - 1) * dilation->number + 1;
  if (extent->number + amount < reach) {
    return op.fail("extent " + extent_text(*extent) + " with padding " + std::to_string(amount) +
                       " is smaller than the window, " + std::to_string(reach) + "; " + shapes,
                   {x}, {extent, size});
  }
  return op.arena().number((extent->number + amount - reach) / stride->number + 1, extent->origin);
}

Window window_of(Operation& op, const Value* motion, const Value* size) {
  const Value* window = field(op, motion, "window");
  return {.size = size == nullptr ? field(op, window, "size") : size,
          .strides = field(op, window, "strides"),
          .dilations = field(op, window, "dilations"),
          .groups = field(op, window, "groups"),
          .padding = field(op, motion, "padding")};
}

/// The result of a window that moves over the axes between the first and the last.
const Value* windowed(Operation& op, const Window& window, const Value* x, unsigned axes,
                      const Value* channels, const std::string& shapes) {
  Values extents;
  extents.push_back(x->is_tensor() ? x->parts.front() : op.arena().symbol());
  for (unsigned axis = 0; axis < axes; ++axis) {
    extents.push_back(places(op, window, x, axis, shapes));
  }
  extents.push_back(channels);
  return op.failed() ? op.unknown() : op.arena().tensor(extents);
}

/// Fails where the groups do not divide the channels as the filter says.
void check_groups(Operation& op, const Value* channels, const Value* of_filter, const Value* groups,
                  const std::string& shapes, llvm::ArrayRef<const Value*> both) {
  if (groups->is_known(1) && differ(*channels, *of_filter)) {
    op.fail("channels " + extent_text(*channels) + " and " + extent_text(*of_filter) + " differ; " +
                shapes,
            both, {channels, of_filter});
  }
  std::int64_t all = 0;
  if (groups->is_number() && groups->number > 1 && channels->is_number() &&
      of_filter->is_number() && !__builtin_mul_overflow(groups->number, of_filter->number, &all) &&
      all != channels->number) {
    op.fail("channels " + extent_text(*channels) + " are not " + extent_text(*groups) +
                " groups of " + extent_text(*of_filter) + "; " + shapes,
            both, {channels, of_filter, groups});
  }
}

}  // namespace

const Value* convolution(Operation& op, const Value* x, const Value* filter, const Value* motion) {
  const Value* axes = field(op, field(op, motion, "window"), "axes");
  if (!axes->is_number()) {
    return op.unknown();
  }
  const auto count = static_cast<unsigned>(axes->number);
  const std::size_t rank = count + 2;
  const std::string shapes = "shapes " + shape_text(*x) + " and " + shape_text(*filter);
  const auto wrong = [&](const Value* tensor) {
    return tensor->is_tensor() && tensor->parts.size() != rank;
  };
  if (wrong(x) || wrong(filter)) {
    const auto text = [](const Value* tensor) {
      return tensor->is_tensor() ? std::to_string(tensor->parts.size()) : "?";
    };
    return op.fail("ranks " + text(x) + " and " + text(filter) + " are not both " +
                       std::to_string(rank) + "; " + shapes,
                   {x, filter});
  }
  if (!filter->is_tensor()) {
    return op.unknown();
  }
  const Window window = window_of(op, motion, filter);
  if (x->is_tensor()) {
    check_groups(op, x->parts.back(), filter->parts[rank - 2], window.groups, shapes, {x, filter});
  }
  return windowed(op, window, x, count, filter->parts.back(), shapes);
}

const Value* pool(Operation& op, const Value* x, const Value* motion) {
  const Value* axes = field(op, field(op, motion, "window"), "axes");
  if (!axes->is_number() || !x->is_tensor()) {
    return op.unknown();
  }
  const auto count = static_cast<unsigned>(axes->number);
  const std::string shapes = "shape " + shape_text(*x);
  if (x->parts.size() != count + 2) {
    return op.fail("rank " + std::to_string(x->parts.size()) + " is not " +
                       std::to_string(count + 2) + "; " + shapes,
                   {x});
  }
  return windowed(op, window_of(op, motion, nullptr), x, count, x->parts.back(), shapes);
}

const Value* per_channel(Operation& op, const Value* x, llvm::ArrayRef<const Value*> others) {
  if (!x->is_tensor()) {
    return x;
  }
  if (x->parts.empty()) {
    return op.fail("a scalar has no channels; shape []", {x});
  }
  for (const Value* other : others) {
    if (other->is_tensor() &&
        (other->parts.size() != 1 || differ(*other->parts.front(), *x->parts.back()))) {
      return op.fail("shapes " + shape_text(*x) + " and " + shape_text(*other) +
                         " do not fit: one value per channel is [" + extent_text(*x->parts.back()) +
                         "]",
                     {x, other});
    }
  }
  return x;
}

const Value* attention(Operation& op, const Value* query, const Value* key, const Value* value) {
  if (!query->is_tensor() || !key->is_tensor() || !value->is_tensor()) {
    return op.unknown();
  }
  const std::size_t rank = query->parts.size();
  bool fits = rank >= 2 && key->parts.size() == rank && value->parts.size() == rank;
  for (std::size_t i = 0; fits && i + 2 < rank; ++i) {
    fits = !differ(*query->parts[i], *key->parts[i]) && !differ(*query->parts[i], *value->parts[i]);
  }
  fits = fits && !differ(*query->parts[rank - 1], *key->parts[rank - 1]) &&
         !differ(*key->parts[rank - 2], *value->parts[rank - 2]);
  if (!fits) {
    return op.fail("query " + shape_text(*query) + ", key " + shape_text(*key) + " and value " +
                       shape_text(*value) +
                       " are not [batch, queries, depth], [batch, keys, depth] and [batch, keys, "
                       "out]",
                   {query, key, value});
  }
  return op.arena().with_part(query, static_cast<unsigned>(rank) - 1, value->parts.back());
}

const Value* cross_entropy(Operation& op, const Value* logits, const Value* labels) {
  const auto wrong = [](const Value* x, std::size_t rank) {
    return x->is_tensor() && x->parts.size() != rank;
  };
  const std::string shapes = "; shapes " + shape_text(*logits) + " and " + shape_text(*labels);
  if (wrong(logits, 2) || wrong(labels, 1)) {
    const auto text = [](const Value* x) {
      return x->is_tensor() ? std::to_string(x->parts.size()) : "?";
    };
    return op.fail("ranks " + text(logits) + " and " + text(labels) + " are not 2 and 1" + shapes,
                   {logits, labels});
  }
  if (logits->is_tensor() && labels->is_tensor() &&
      differ(*logits->parts.front(), *labels->parts.front())) {
    return op.fail("rows " + extent_text(*logits->parts.front()) + " and " +
                       extent_text(*labels->parts.front()) + " differ" + shapes,
                   {logits, labels}, {logits->parts.front(), labels->parts.front()});
  }
  return labels;
}

void check_index(Operation& op, const Value* x, const Value* index) {
  if (!x->is_tensor() || !index->is_list()) {
    return;
  }
  if (x->parts.size() != index->parts.size()) {
    op.fail(
        "position " + shape_text(*index) + " has not one value per axis; shape " + shape_text(*x),
        {x});
    return;
  }
  for (const auto [axis, position] : llvm::enumerate(index->parts)) {
    const Value* extent = x->parts[axis];
    if (extent->is_number() && position->is_number() &&
        (position->number >= extent->number || position->number < -extent->number)) {
      op.fail("position " + shape_text(*index) + " lies outside on axis " + std::to_string(axis) +
                  "; shape " + shape_text(*x),
              {x});
      return;
    }
  }
}

void check_single(Operation& op, const Value* x) {
  const Value* count = product(op.arena(), *x);
  if (x->is_tensor() && count->is_number() && count->number != 1) {
    op.fail(
        "there are " + std::to_string(count->number) + " elements, not 1; shape " + shape_text(*x),
        {x});
  }
}

void check_count(Operation& op, const Value* x, const Value* values, bool is_list) {
  const Value* count = product(op.arena(), *x);
  if (is_list && values->is_list() && x->is_tensor() && count->is_number() &&
      count->number != static_cast<std::int64_t>(values->parts.size())) {
    op.fail(std::to_string(values->parts.size()) + " values do not fill shape " + shape_text(*x) +
                " of " + std::to_string(count->number) + " elements",
            {x});
  }
}

}  // namespace ddx::compiler::shapes
