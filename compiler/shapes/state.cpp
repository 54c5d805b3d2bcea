#include "compiler/shapes/state.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace ddx::compiler::shapes {

unsigned part_count(const clang::CXXRecordDecl& type) {
  return type.getNumBases() +
         static_cast<unsigned>(std::distance(type.field_begin(), type.field_end()));
}

const Value* part_of(Arena& arena, const Value* whole, const Step& step) {
  if (whole->kind == Kind::Unknown) {
    return whole;
  }
  const bool fits = step.in == nullptr ? whole->is_list() || whole->is_tensor()
                                       : whole->kind == Kind::Record && whole->type == step.in;
  return fits && step.index < whole->parts.size() ? whole->parts[step.index] : arena.unknown(true);
}

Place State::add(const Value* value) {
  cells_.push_back({value, false, false});
  return {static_cast<unsigned>(cells_.size() - 1), {}};
}

Place State::add_escaped(const Value* value) {
  cells_.push_back({value, true, true});
  return {static_cast<unsigned>(cells_.size() - 1), {}};
}

void State::shrink(std::size_t size) {
  if (size < cells_.size()) {
    cells_.truncate(size);
  }
}

const Value* State::load(const Place& place) const {
  if (!place.cell || *place.cell >= cells_.size()) {
    return arena_->unknown(true);
  }
  const Value* value = cells_[*place.cell].value;
  for (const Step& step : place.path) {
    value = part_of(*arena_, value, step);
  }
  return value;
}

const Value* State::stored(const Value* whole, llvm::ArrayRef<Step> path, const Value* value) {
  if (path.empty()) {
    return value;
  }
  const Step& step = path.front();
  if (whole->kind == Kind::Unknown && step.in != nullptr) {
    whole = arena_->record(step.in, Values(part_count(*step.in), whole));
  }
  const bool fits =
      step.in == nullptr ? whole->is_list() : whole->kind == Kind::Record && whole->type == step.in;
  if (!fits || step.index >= whole->parts.size()) {
    return arena_->unknown(true);
  }
  return arena_->with_part(whole, step.index,
                           stored(whole->parts[step.index], path.drop_front(), value));
}

void State::store(const Place& place, const Value* value) {
  if (!place.cell || *place.cell >= cells_.size()) {
    forget_escaped();
    return;
  }
  arena_->note_change(*place.cell);
  Cell& cell = cells_[*place.cell];
  cell.value = stored(cell.value, place.path, value);
  if (cell.escaped) {
    escape(value);
  }
  if (cell.external) {
    for (unsigned i = 0; i < cells_.size(); ++i) {
      if (cells_[i].external && i != *place.cell) {
        arena_->note_change(i);
        cells_[i].value = arena_->unknown(true);
      }
    }
  }
}

void State::escape(const Value* value) {
  if (value->kind == Kind::Pointer) {
    const auto index = static_cast<std::size_t>(value->number);
    if (index < cells_.size() && !cells_[index].escaped) {
      cells_[index].escaped = true;
      escape(cells_[index].value);
    }
    return;
  }
  for (const Value* part : value->parts) {
    escape(part);
  }
}

void State::forget_escaped() {
  for (unsigned i = 0; i < cells_.size(); ++i) {
    if (cells_[i].escaped) {
      arena_->note_change(i);
      cells_[i].value = arena_->unknown(true);
    }
  }
}

void State::forget(llvm::ArrayRef<unsigned> cells) {
  for (const unsigned cell : cells) {
    if (cell < cells_.size()) {
      cells_[cell].value = arena_->unknown(true);
    }
  }
}

void State::forget_changes(const State& other) {
  for (std::size_t i = 0; i < std::min(cells_.size(), other.cells_.size()); ++i) {
    if (cells_[i].value != other.cells_[i].value) {
      cells_[i].value = arena_->unknown(true);
    }
    cells_[i].escaped |= other.cells_[i].escaped;
  }
}

void State::join_cells(const State& other) {
  shrink(other.cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    Cell& cell = cells_[i];
    const Cell& there = other.cells_[i];
    cell.escaped |= there.escaped;
    const Value* const joined = arena_->join(cell.value, there.value);
    if (joined != cell.value) {
      // A pointer to one of two objects is lost: either may change through it.
      escape(cell.value);
      escape(there.value);
      cell.value = joined;
    }
  }
}

void State::join(const State& other, bool lost) {
  if (runs() && other.runs()) {
    join_cells(other);
    guarded |= other.guarded;
    stopped |= other.stopped;
    return;
  }
  if (!runs() && !other.runs()) {
    flow = std::max(flow, other.flow);
    return;
  }
  const Flow left = runs() ? other.flow : flow;
  if (!runs()) {
    *this = other;
  }
  guarded |= lost && left == Flow::Leaves;
  stopped |= lost && left == Flow::Stops;
}

bool State::same_values(const State& other) const {
  return cells_.size() == other.cells_.size() &&
         std::equal(cells_.begin(), cells_.end(), other.cells_.begin());
}

}  // namespace ddx::compiler::shapes
