#include "compiler/records/ranges.h"

#include "compiler/records/certainty.h"
#include "compiler/records/invariance.h"

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
bool Ranges::is_fixed(const std::string& text, const Statement* loop) {
  bool fixed = true;
  fill_holes(function_, text, [&](Root& root) {
    fixed = fixed && (loop ? writes_.is_invariant(root, *loop) : writes_.is_unwritten(root));
    return std::string();
  });
  return fixed;
}

/// The array that `load` reads an element of, as text of a pointer in front of `loop`.
std::optional<std::string> Ranges::array_text(const Path& load, const Statement& loop) {
  const Root& root = *load.root;
  std::string text = hole(root);
  if (root.kind == Root::Kind::Alias || root.kind == Root::Kind::Memory ||
      root.level == loop.inner) {
    return std::nullopt;
  }
  for (const Step& step : llvm::ArrayRef(load.steps).drop_back()) {
    if (step.base || step.part >= 0 || step.keyed) {
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
bool Ranges::count_alike(const Statement& a, const Statement& b) {
  const auto alike = [&](const Value& x, const Value& y) {
    return x.kind == Value::Kind::Text && y.kind == Value::Kind::Text && x.cheap && y.cheap &&
           x.text == y.text && is_fixed(x.text, nullptr);
  };
  return alike(*a.begin, *b.begin) && alike(*a.end, *b.end) && a.inclusive == b.inclusive &&
         a.offset == b.offset && a.step == b.step;
}

/// A range that an earlier loop copied and that has every element that `loop` loads with `index`.
Range* Ranges::copied_before(const std::string& array, const AffineIndex& index, const Root& root,
                             const Statement& loop) {
  if (!writes_.is_unwritten(root) || !is_fixed(index.base, nullptr)) {
    return nullptr;
  }
  for (Range& range : function_.ranges) {
    const auto always_runs = [&](const Block* block) {
      while (block->owner && block->owner->kind == Statement::Kind::Block) {
        block = block->parent;
      }
      return block;
    };
    const Block* around = loop.block;
    while (around && always_runs(around) != always_runs(range.loop->block)) {
      around = around->parent;
    }
    if (around && range.loop->order < loop.order && range.array == array &&
        range.base == index.base && range.low <= index.constant && index.constant <= range.high &&
        count_alike(*range.loop, loop)) {
      return &range;
    }
  }
  return nullptr;
}

/// `text` as it reads in front of `loop`, where it means the same in every iteration.
std::optional<std::string> Ranges::fixed_before(const std::string& text, const Statement& loop) {
  auto before = before_loop(function_, text, loop);
  return before && before->find(hole(*loop.root)) == std::string::npos && is_fixed(*before, &loop)
             ? before
             : std::nullopt;
}

/// Finds the outermost loop in front of which `range` can be copied: around loops that do not move
/// it, and around one that moves it by the same distance with each iteration.
void Ranges::place(Range& range, const Root& root) {
  Statement& loop = *range.loop;
  range.home = &loop;
  const auto is_text = [](const Value& value) {
    return value.kind == Value::Kind::Text && value.cheap;
  };
  std::string array = range.array;
  std::string first = range.base;
  std::string begin = is_text(*loop.begin) ? loop.begin->text : "";
  std::string end = is_text(*loop.end) ? loop.end->text : "";
  Rows rows;
  for (Statement* outer = loop.level->loop; outer && !begin.empty() && !end.empty();
       outer = range.home->level->loop) {
    if (!always_runs(*outer, *range.home) || !writes_.is_invariant(root, *outer)) {
      break;
    }
    const auto array_there = fixed_before(array, *outer);
    const auto begin_there = fixed_before(begin, *outer);
    const auto end_there = fixed_before(end, *outer);
    if (!array_there || !begin_there || !end_there) {
      break;
    }
    if (const auto first_there = fixed_before(first, *outer)) {
      if (rows.over) {
        const auto distance = fixed_before(rows.distance, *outer);
        const auto trips = fixed_before(rows.trips, *outer);
        if (!distance || !trips) {
          break;
        }
        rows.distance = *distance;
        rows.trips = *trips;
      }
      first = *first_there;
    } else {
      const auto index = rows.over || !is_text(*outer->begin) || !is_text(*outer->end)
                             ? std::nullopt
                             : row_index(function_, first, *outer);
      if (!index || !is_fixed(index->distance, outer) || !is_fixed(index->rest, outer)) {
        break;
      }
      rows.over = outer;
      rows.distance = index->distance;
      rows.trips = trips_of(*outer, outer->begin->text, outer->end->text);
      range.row = index->row;
      first = index->rest + " + static_cast<std::ptrdiff_t>(" + outer->begin->text + ") * (" +
              index->distance + ")";
    }
    array = *array_there;
    begin = *begin_there;
    end = *end_there;
    range.home = outer;
  }
  if (range.home == &loop) {
    return;
  }
  range.array_at_home = array;
  range.first_at_home = "static_cast<std::ptrdiff_t>(" + begin + ")" + first;
  range.trips_at_home = trips_of(loop, begin, end);
  if (!rows.over) {
    return;
  }
  for (Rows& known : function_.rows) {
    const Range& other = *known.members.front();
    if (known.over == rows.over && known.home == range.home && known.distance == rows.distance &&
        other.loop == range.loop && other.array_at_home == range.array_at_home &&
        other.first_at_home == range.first_at_home) {
      range.rows = &known;
    }
  }
  if (!range.rows) {
    range.rows = &function_.rows.emplace_back(rows);
    range.rows->home = range.home;
    range.rows->slot =
        add_slot(function_, range.home->level, "ddx::detail::Rows<" + range.type + ">", root.name);
    range.home->rows.push_back(range.rows);
  }
  range.rows->members.push_back(&range);
}

bool Ranges::copy(Value& load, Statement& loop) {
  const std::optional<Element> element = element_in(load, loop);
  if (!element) {
    return false;
  }
  Range* range = range_for(load, *element, loop);
  if (!range && !element->certain) {
    return false;
  }
  const long constant = element->index.constant;
  if (!range) {
    range = &function_.ranges.emplace_back();
    range->loop = &loop;
    range->array = element->array;
    range->base = element->index.base;
    range->low = range->high = constant;
    range->type = context_.names.type(load.type);
    place(*range, *load.path.root);
    if (!range->rows) {
      range->slot = add_slot(function_, range->home->level, "const " + range->type + "*",
                             load.path.root->name);
      range->home->copied.push_back(range);
    }
    loop.ranges.push_back(range);
  }
  range->low = std::min(range->low, constant);
  range->high = std::max(range->high, constant);
  load.range = range;
  load.range_loop = &loop;
  load.range_offset = constant;
  return true;
}

/// The loop in whose iterations `value` differs, or null.
Statement* Ranges::varies_in(const Value& value) {
  Level* level = value.level;
  while (level->loop && is_invariant(function_, writes_, value, *level->loop)) {
    level = level->parent;
  }
  return level->loop;
}

bool Ranges::joins(const Value& load) {
  Statement* const loop = load.kind == Value::Kind::Load ? varies_in(load) : nullptr;
  const std::optional<Element> element = loop ? element_in(load, *loop) : std::nullopt;
  return element && range_for(load, *element, *loop);
}

bool Ranges::may_copy(const Value& load) {
  Statement* const loop = load.kind == Value::Kind::Load ? varies_in(load) : nullptr;
  const std::optional<Element> element = loop ? element_in(load, *loop) : std::nullopt;
  return element && element->certain;
}

std::optional<Ranges::Element> Ranges::element_in(const Value& value, const Statement& loop) {
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

/// A range, of this loop or of an earlier one, that has the element or may grow by it.
Range* Ranges::range_for(const Value& load, const Element& element, const Statement& loop) {
  constexpr long widest = 16;  // Neighbours that share a copy.
  const long constant = element.index.constant;
  const auto found = llvm::find_if(loop.ranges, [&](const Range* range) {
    const bool inside = range->low <= constant && constant <= range->high;
    return range->array == element.array && range->base == element.index.base &&
           (inside || (element.certain &&
                       std::max(range->high, constant) - std::min(range->low, constant) <= widest));
  });
  return found != loop.ranges.end()
             ? *found
             : copied_before(element.array, element.index, *load.path.root, loop);
}

}  // namespace ddx::compiler
