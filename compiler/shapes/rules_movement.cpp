#include "compiler/shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

namespace ddx::compiler::shapes {
namespace {

bool all_known(const Value& list) {
  return llvm::all_of(list.parts, [](const Value* extent) { return extent->is_number(); });
}

/// The quotient of two products: a number that is known, and unknown factors of the first.
struct Quotient {
  std::int64_t known = 1;
  Values unknown;
  bool is_valid = true;
};

/// The product of `factors`.
Quotient product_of(llvm::ArrayRef<const Value*> factors) {
  Quotient product;
  for (const Value* factor : factors) {
    if (!factor->is_number()) {
      product.unknown.push_back(factor);
    } else if (__builtin_mul_overflow(product.known, factor->number, &product.known)) {
      product.is_valid = false;
    }
  }
  return product;
}

/// The extent that -1 means: all elements by those of the other extents.
const Value* remaining(Operation& op, const Value& x, llvm::ArrayRef<const Value*> others) {
  Quotient all = product_of(x.parts);
  const Quotient taken = product_of(others);
  if (!all.is_valid || !taken.is_valid || taken.known == 0 || all.known % taken.known != 0) {
    return op.unknown();
  }
  for (const Value* factor : taken.unknown) {
    const auto* found = llvm::find(all.unknown, factor);
    if (factor->kind != Kind::Symbol || found == all.unknown.end()) {
      return op.unknown();
    }
    all.unknown.erase(found);
  }
  const std::int64_t known = all.known / taken.known;
  if (all.unknown.empty()) {
    clang::SourceLocation origin;
    for (const Value* extent : x.parts) {
      origin = extent->origin.isValid() ? extent->origin : origin;
    }
    return taken.unknown.empty() ? op.arena().number(known, origin)
                                 : op.arena().number_or_zero(known, origin);
  }
  return all.unknown.size() == 1 && known == 1 ? all.unknown.front() : op.unknown();
}

std::string count_text(const Value& x) {
  return std::to_string(product_of(x.parts).known);
}

}  // namespace

const Value* reshape(Operation& op, const Value* x, const Value* extents) {
  if (!extents->is_list() && !extents->is_tensor()) {
    return op.unknown();
  }
  const auto is_open = [](const Value* extent) {
    return extent->is_number() && extent->number < 0;
  };
  const auto open = llvm::count_if(extents->parts, is_open);
  const bool is_wrong = llvm::any_of(
      extents->parts, [&](const Value* extent) { return is_open(extent) && extent->number != -1; });
  if (open > 1 || is_wrong) {
    return x->is_tensor() ? op.fail("extents " + shape_text(*extents) +
                                        " are negative beyond one -1; shape " + shape_text(*x),
                                    {x, extents})
                          : op.unknown();
  }
  Values others;
  llvm::copy_if(extents->parts, std::back_inserter(others),
                [&](const Value* extent) { return !is_open(extent); });
  const Quotient taken = product_of(others);
  if (x->is_tensor() && all_known(*x) && taken.unknown.empty() && taken.is_valid) {
    const Quotient all = product_of(x->parts);
    const bool fits =
        open == 0 ? all.known == taken.known : taken.known == 0 || all.known % taken.known == 0;
    if (all.is_valid && !fits) {
      return op.fail("shape " + shape_text(*x) + " has " + count_text(*x) +
                         " elements and cannot become " + shape_text(*extents),
                     {x, extents});
    }
  }
  Values result;
  for (const Value* extent : extents->parts) {
    result.push_back(!is_open(extent) ? extent
                     : x->is_tensor() ? remaining(op, *x, others)
                                      : op.unknown());
  }
  return op.arena().tensor(result);
}

const Value* transpose(Operation& op, const Value* x, const Value* order) {
  if (!x->is_tensor() || !order->is_list()) {
    return op.unknown();
  }
  Values extents(x->parts);
  if (order->parts.empty()) {
    std::reverse(extents.begin(), extents.end());
    return op.arena().tensor(extents);
  }
  if (order->parts.size() != x->parts.size()) {
    return op.fail("order " + shape_text(*order) + " has " + std::to_string(order->parts.size()) +
                       " values, not one per axis; shape " + shape_text(*x),
                   {x});
  }
  std::vector<bool> taken(extents.size());
  for (const auto [axis, from] : llvm::enumerate(order->parts)) {
    const auto resolved = resolved_axis(op, x, from);
    if (op.failed()) {
      return op.unknown();
    }
    if (resolved && taken[*resolved]) {
      return op.fail("order " + shape_text(*order) + " names axis " + std::to_string(*resolved) +
                         " twice; shape " + shape_text(*x),
                     {x});
    }
    extents[axis] = resolved ? x->parts[*resolved] : op.unknown();
    if (resolved) {
      taken[*resolved] = true;
    }
  }
  return op.arena().tensor(extents);
}

namespace {

/// Fails where a list is not as long as the rank.
void check_length(Operation& op, const char* name, const Value* list, const Value* x) {
  if (list->is_list() && list->parts.size() != x->parts.size()) {
    op.fail(std::string(name) + " " + shape_text(*list) + " has " +
                std::to_string(list->parts.size()) + " values, not one per axis; shape " +
                shape_text(*x),
            {x});
  }
}

/// The extent of a slice along an axis.
const Value* sliced(Operation& op, const Value* extent, const Value* start, const Value* stop,
                    const Value* step) {
  const bool keeps_all = start == nullptr && stop == nullptr && step == nullptr;
  if (keeps_all) {
    return extent;
  }
  const auto known = [](const Value* value) { return value == nullptr || value->is_number(); };
  if (!extent->is_number() || !known(start) || !known(stop) || !known(step) ||
      (step != nullptr && step->number <= 0)) {
    return op.unknown();
  }
  const auto bound = [&](std::int64_t value) {
    return std::clamp<std::int64_t>(value < 0 ? value + extent->number : value, 0, extent->number);
  };
  const std::int64_t first = start == nullptr ? 0 : bound(start->number);
  const std::int64_t last = stop == nullptr ? extent->number : bound(stop->number);
  const std::int64_t distance = step == nullptr ? 1 : step->number;
  return op.arena().number(last > first ? (last - first - 1) / distance + 1 : 0,
                           stop == nullptr ? extent->origin : stop->origin);
}

}  // namespace

const Value* slice(Operation& op, const Value* x, const Value* options) {
  const Value* start = field(op, options, "start");
  const Value* stop = field(op, options, "stop");
  const Value* step = field(op, options, "step");
  if (!x->is_tensor()) {
    return op.unknown();
  }
  for (const auto& [name, list] :
       {std::pair{"start", start}, std::pair{"stop", stop}, std::pair{"step", step}}) {
    if (list->is_list() && !list->parts.empty()) {
      check_length(op, name, list, x);
    }
  }
  Values extents;
  for (unsigned axis = 0; axis < x->parts.size() && !op.failed(); ++axis) {
    const auto of = [&](const Value* list) -> const Value* {
      if (!list->is_list()) {
        return op.unknown();
      }
      return axis < list->parts.size() ? list->parts[axis] : nullptr;
    };
    if (const Value* distance = of(step);
        distance != nullptr && distance->is_number() && distance->number <= 0) {
      return op.fail("step " + shape_text(*step) + " is not positive on axis " +
                         std::to_string(axis) + "; shape " + shape_text(*x),
                     {x});
    }
    extents.push_back(sliced(op, x->parts[axis], of(start), of(stop), of(step)));
  }
  return op.failed() ? op.unknown() : op.arena().tensor(extents);
}

const Value* pad(Operation& op, const Value* x, const Value* low, const Value* high) {
  if (!x->is_tensor()) {
    return op.unknown();
  }
  check_length(op, "low", low, x);
  check_length(op, "high", high, x);
  if (op.failed() || !low->is_list() || !high->is_list()) {
    return op.unknown();
  }
  Values extents;
  for (const auto [extent, before, after] : llvm::zip(x->parts, low->parts, high->parts)) {
    const bool is_known = extent->is_number() && before->is_number() && after->is_number() &&
                          before->number < (1 << 30) && after->number < (1 << 30) &&
                          extent->number < (std::int64_t{1} << 60);
    extents.push_back(
        before->is_known(0) && after->is_known(0) ? extent
        : is_known
            ? op.arena().number(before->number + extent->number + after->number, extent->origin)
            : op.unknown());
  }
  return op.arena().tensor(extents);
}

const Value* concatenate(Operation& op, const Value* parts, const Value* axis) {
  if (!parts->is_list()) {
    return op.unknown();
  }
  if (parts->parts.empty()) {
    return op.fail("there is no part", {});
  }
  const Value* first = parts->parts.front();
  const auto along = resolved_axis(op, first, axis);
  if (!first->is_tensor() || op.failed()) {
    return op.unknown();
  }
  Values extents(first->parts);
  for (const Value* part : parts->parts.drop_front()) {
    if (!part->is_tensor()) {
      return op.unknown();
    }
    bool fits = part->parts.size() == first->parts.size();
    for (unsigned i = 0; fits && along && i < extents.size(); ++i) {
      fits = i == *along || !differ(*part->parts[i], *first->parts[i]);
    }
    if (!fits) {
      return op.fail("parts differ beyond axis " + (along ? std::to_string(*along) : "?") +
                         "; shapes " + shape_text(*first) + " and " + shape_text(*part),
                     {first, part});
    }
    if (!along) {
      continue;
    }
    const Value* sum = extents[*along];
    const Value* more = part->parts[*along];
    std::int64_t total = 0;
    const bool is_known = sum->is_number() && more->is_number() &&
                          !__builtin_add_overflow(sum->number, more->number, &total);
    extents[*along] = is_known ? op.arena().number(total, sum->origin) : op.unknown();
  }
  return along ? op.arena().tensor(extents) : op.unknown();
}

const Value* stack(Operation& op, const Value* parts, const Value* axis) {
  if (!parts->is_list()) {
    return op.unknown();
  }
  if (parts->parts.empty()) {
    return op.fail("there is no part", {});
  }
  const Value* first = parts->parts.front();
  for (const Value* part : parts->parts.drop_front()) {
    if (!first->is_tensor() || !part->is_tensor()) {
      continue;
    }
    bool fits = part->parts.size() == first->parts.size();
    for (unsigned i = 0; fits && i < first->parts.size(); ++i) {
      fits = !differ(*part->parts[i], *first->parts[i]);
    }
    if (!fits) {
      return op.fail(
          "parts differ in shape; shapes " + shape_text(*first) + " and " + shape_text(*part),
          {first, part});
    }
  }
  if (!first->is_tensor() || !axis->is_number()) {
    return op.unknown();
  }
  const auto rank = static_cast<std::int64_t>(first->parts.size()) + 1;
  if (axis->number < -rank || axis->number >= rank) {
    return op.fail("there is no place for an axis " + std::to_string(axis->number) + "; shape " +
                       shape_text(*first),
                   {first});
  }
  Values extents(first->parts);
  const std::int64_t at = axis->number < 0 ? axis->number + rank : axis->number;
  extents.insert(extents.begin() + at,
                 op.arena().number(static_cast<std::int64_t>(parts->parts.size())));
  return op.arena().tensor(extents);
}

const Value* split(Operation& op, const Value* x, const Value* sizes, const Value* axis) {
  const auto along = resolved_axis(op, x, axis);
  if (!along || !sizes->is_list()) {
    return op.unknown();
  }
  std::int64_t total = 0;
  Values results;
  bool is_known = x->parts[*along]->is_number();
  for (const Value* size : sizes->parts) {
    is_known &= size->is_number() && !__builtin_add_overflow(total, size->number, &total);
    results.push_back(op.arena().with_part(x, *along, size));
  }
  if (is_known && total != x->parts[*along]->number) {
    return op.fail("the sizes sum to " + std::to_string(total) + ", not to the extent of axis " +
                       std::to_string(*along) + "; shape " + shape_text(*x),
                   {x});
  }
  return op.arena().list(results);
}

const Value* unstack(Operation& op, const Value* x, const Value* axis) {
  const auto along = resolved_axis(op, x, axis);
  if (!along || !x->parts[*along]->is_number() || x->parts[*along]->number > 64) {
    return op.unknown();
  }
  return op.arena().list(
      Values(static_cast<std::size_t>(x->parts[*along]->number), arg_reduce(op, x, axis)));
}

}  // namespace ddx::compiler::shapes
