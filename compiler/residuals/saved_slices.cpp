#include "compiler/residuals/saved_slices.h"

#include "compiler/residuals/certainty.h"
#include "compiler/residuals/invariance.h"

#include <algorithm>
#include <cstdlib>

namespace ddx::compiler {

using namespace ir;

namespace {

/// The number of iterations of a counted loop, as text.
std::string trips_of(const Statement& loop, const std::string& begin, const std::string& end) {
  const std::string first = loop.offset == 0
                                ? begin
                                : "((" + begin + ")" + (loop.offset > 0 ? " + " : " - ") +
                                      std::to_string(std::abs(loop.offset)) + ")";
  return std::string("ddx::detail::") + (loop.inclusive ? "trip_count_inclusive(" : "trip_count(") +
         first + ", " + end + ", 1)";
}

/// True when every iteration of `outer` runs `loop`, once, and nothing makes it leave.
bool always_runs(const Statement& outer, const Statement& loop) {
  const Block* block = loop.block;
  while (block != outer.body && block->owner && block->owner->kind == Statement::Kind::Block) {
    block = block->parent;
  }
  return block == outer.body && outer.form == Statement::LoopForm::Counted && outer.step == 1 &&
         !outer.chained && outer.continue_sites == 0 && outer.break_sites == 0 &&
         !outer.exits.any() && !outer.increment && is_plain(*outer.body);
}

}  // namespace

/// True when all roots of `text` have in the reverse sweep, or at least in `loop`, the values
/// that they have in front of it.
bool SavedSlices::is_fixed(const std::string& text, const Statement* loop) {
  bool fixed = true;
  fill_holes(function_, text, [&](Root& root) {
    fixed = fixed && (loop ? writes_.is_invariant(root, *loop) : writes_.is_unwritten(root));
    return std::string();
  });
  return fixed;
}

/// The array that `load` reads an element of, as text of a pointer in front of `loop`.
std::optional<std::string> SavedSlices::array_text(const Path& load, const Statement& loop) {
  const Root& root = *load.root;
  std::string text = hole(root);
  if (root.kind == Root::Kind::Alias || root.level == loop.inner) {
    return std::nullopt;
  }
  for (const Step& step : llvm::ArrayRef(load.steps).drop_back()) {
    if (step.base || step.part >= 0) {
      return std::nullopt;
    }
    if (step.field) {
      text += "." + context_.names.field(step.field);
      continue;
    }
    std::string sum;
    for (const Value* part : step.index) {
      const auto outer = part->kind == Value::Kind::Text && part->cheap
                             ? before_loop(function_, part->text, loop)
                             : std::nullopt;
      if (!outer || !is_fixed(*outer, &loop)) {
        return std::nullopt;
      }
      sum += (sum.empty() ? "" : " + ") + ("(" + *outer + ")");
    }
    text += "[" + (sum.empty() ? "0" : sum) + "]";
  }
  const bool is_pointer = root.kind == Root::Kind::Pointer && load.steps.size() == 1;
  return is_pointer ? text : "std::data(" + text + ")";
}

/// True when both loops count from the same to the same number, whenever they run.
bool SavedSlices::count_alike(const Statement& a, const Statement& b) {
  const auto alike = [&](const Value& x, const Value& y) {
    return x.kind == Value::Kind::Text && y.kind == Value::Kind::Text && x.cheap && y.cheap &&
           x.text == y.text && is_fixed(x.text, nullptr);
  };
  return alike(*a.begin, *b.begin) && alike(*a.end, *b.end) && a.inclusive == b.inclusive &&
         a.offset == b.offset && a.step == b.step;
}

/// A slice that an earlier loop copied and that has every element that `loop` loads with `index`.
SavedSlice* SavedSlices::copied_before(const std::string& array, const AffineIndex& index,
                                       const Root& root, const Statement& loop) {
  if (!writes_.is_unwritten(root) || !is_fixed(index.base, nullptr)) {
    return nullptr;
  }
  for (SavedSlice& slice : function_.slices) {
    const auto always_runs = [&](const Block* block) {
      while (block->owner && block->owner->kind == Statement::Kind::Block) {
        block = block->parent;
      }
      return block;
    };
    const Block* around = loop.block;
    while (around && always_runs(around) != always_runs(slice.loop->block)) {
      around = around->parent;
    }
    if (around && slice.loop->order < loop.order && slice.array == array &&
        slice.base == index.base && slice.low <= index.constant && index.constant <= slice.high &&
        count_alike(*slice.loop, loop)) {
      return &slice;
    }
  }
  return nullptr;
}

/// `text` as it reads in front of `loop`, where it means the same in every iteration.
std::optional<std::string> SavedSlices::fixed_before(const std::string& text,
                                                     const Statement& loop) {
  auto before = before_loop(function_, text, loop);
  return before && before->find(hole(*loop.root)) == std::string::npos && is_fixed(*before, &loop)
             ? before
             : std::nullopt;
}

/// Finds the outermost loop in front of which `slice` can be copied: around loops that do not move
/// it, and around one that moves it by the same distance with each iteration.
void SavedSlices::place(SavedSlice& slice, const Root& root) {
  Statement& loop = *slice.loop;
  slice.home = &loop;
  const auto is_text = [](const Value& value) {
    return value.kind == Value::Kind::Text && value.cheap;
  };
  std::string array = slice.array;
  std::string first = slice.base;
  std::string begin = is_text(*loop.begin) ? loop.begin->text : "";
  std::string end = is_text(*loop.end) ? loop.end->text : "";
  SavedTile tile;
  for (Statement* outer = loop.level->loop; outer && !begin.empty() && !end.empty();
       outer = slice.home->level->loop) {
    if (!always_runs(*outer, *slice.home) || !writes_.is_invariant(root, *outer)) {
      break;
    }
    const auto array_there = fixed_before(array, *outer);
    const auto begin_there = fixed_before(begin, *outer);
    const auto end_there = fixed_before(end, *outer);
    if (!array_there || !begin_there || !end_there) {
      break;
    }
    if (const auto first_there = fixed_before(first, *outer)) {
      if (tile.over) {
        const auto distance = fixed_before(tile.distance, *outer);
        const auto trips = fixed_before(tile.trips, *outer);
        if (!distance || !trips) {
          break;
        }
        tile.distance = *distance;
        tile.trips = *trips;
      }
      first = *first_there;
    } else {
      const auto index = tile.over || !is_text(*outer->begin) || !is_text(*outer->end)
                             ? std::nullopt
                             : row_index(function_, first, *outer);
      if (!index || !is_fixed(index->distance, outer) || !is_fixed(index->rest, outer)) {
        break;
      }
      tile.over = outer;
      tile.distance = index->distance;
      tile.trips = trips_of(*outer, outer->begin->text, outer->end->text);
      slice.row = index->row;
      first = index->rest + " + static_cast<std::ptrdiff_t>(" + outer->begin->text + ") * (" +
              index->distance + ")";
    }
    array = *array_there;
    begin = *begin_there;
    end = *end_there;
    slice.home = outer;
  }
  if (slice.home == &loop) {
    return;
  }
  slice.array_at_home = array;
  slice.first_at_home = "static_cast<std::ptrdiff_t>(" + begin + ")" + first;
  slice.trips_at_home = trips_of(loop, begin, end);
  if (!tile.over) {
    return;
  }
  for (SavedTile& known : function_.tiles) {
    const SavedSlice& other = *known.members.front();
    if (known.over == tile.over && known.home == slice.home && known.distance == tile.distance &&
        other.loop == slice.loop && other.array_at_home == slice.array_at_home &&
        other.first_at_home == slice.first_at_home) {
      slice.tile = &known;
    }
  }
  if (!slice.tile) {
    slice.tile = &function_.tiles.emplace_back(tile);
    slice.tile->home = slice.home;
    slice.tile->slot =
        add_slot(function_, slice.home->level, "ddx::detail::Rows<" + slice.type + ">", root.name);
    slice.home->tiles.push_back(slice.tile);
  }
  slice.tile->members.push_back(&slice);
}

bool SavedSlices::copy(Value& load, Statement& loop) {
  const std::optional<Element> element = element_in(load, loop);
  if (!element) {
    return false;
  }
  SavedSlice* slice = slice_for(load, *element, loop);
  if (!slice && !element->certain) {
    return false;
  }
  const long constant = element->index.constant;
  if (!slice) {
    slice = &function_.slices.emplace_back();
    slice->loop = &loop;
    slice->array = element->array;
    slice->base = element->index.base;
    slice->low = slice->high = constant;
    slice->type = context_.names.type(load.type);
    place(*slice, *load.path.root);
    if (!slice->tile) {
      slice->slot = add_slot(function_, slice->home->level, "const " + slice->type + "*",
                             load.path.root->name);
      slice->home->copied.push_back(slice);
    }
    loop.slices.push_back(slice);
  }
  slice->low = std::min(slice->low, constant);
  slice->high = std::max(slice->high, constant);
  load.slice = slice;
  load.slice_loop = &loop;
  load.slice_offset = constant;
  return true;
}

/// The loop in whose iterations `value` differs, or null.
Statement* SavedSlices::varies_in(const Value& value) {
  Level* level = value.level;
  while (level->loop && is_invariant(function_, writes_, value, *level->loop)) {
    level = level->parent;
  }
  return level->loop;
}

bool SavedSlices::joins(const Value& load) {
  Statement* const loop = load.kind == Value::Kind::Load ? varies_in(load) : nullptr;
  const std::optional<Element> element = loop ? element_in(load, *loop) : std::nullopt;
  return element && slice_for(load, *element, *loop);
}

bool SavedSlices::may_copy(const Value& load) {
  Statement* const loop = load.kind == Value::Kind::Load ? varies_in(load) : nullptr;
  const std::optional<Element> element = loop ? element_in(load, *loop) : std::nullopt;
  return element && element->certain;
}

std::optional<SavedSlices::Element> SavedSlices::element_in(const Value& value,
                                                            const Statement& loop) {
  if (value.kind != Value::Kind::Load || !value.type->isArithmeticType() ||
      value.path.steps.empty() || !value.path.steps.back().is_element() ||
      value.path.steps.back().segmented || loop.form != Statement::LoopForm::Counted ||
      loop.step != 1 || loop.chained || !writes_.is_invariant(*value.path.root, loop)) {
    return std::nullopt;
  }
  const auto array = array_text(value.path, loop);
  const auto index = affine_index(function_, value.path.steps.back(), loop);
  if (!array || !index || !is_fixed(index->base, &loop)) {
    return std::nullopt;
  }
  return Element{*array, *index, is_certain(value, loop) && is_plain(*loop.body)};
}

/// A slice, of this loop or of an earlier one, that has the element or may grow by it.
SavedSlice* SavedSlices::slice_for(const Value& load, const Element& element,
                                   const Statement& loop) {
  constexpr long widest = 16;  // Neighbours that share a copy.
  const long constant = element.index.constant;
  const auto found = llvm::find_if(loop.slices, [&](const SavedSlice* slice) {
    const bool inside = slice->low <= constant && constant <= slice->high;
    return slice->array == element.array && slice->base == element.index.base &&
           (inside || (element.certain &&
                       std::max(slice->high, constant) - std::min(slice->low, constant) <= widest));
  });
  return found != loop.slices.end()
             ? *found
             : copied_before(element.array, element.index, *load.path.root, loop);
}

}  // namespace ddx::compiler
