#include "compiler/shapes/values.h"

#include "llvm/ADT/STLExtras.h"

#include <memory>
#include <utility>

namespace ddx::compiler::shapes {

Place Place::at(Step step) const {
  Place part = *this;
  if (part.cell) {
    part.path.push_back(step);
  }
  return part;
}

void Value::Profile(llvm::FoldingSetNodeID& id) const {
  id.AddInteger(static_cast<unsigned>(kind));
  id.AddBoolean(lost);
  id.AddInteger(number);
  id.AddInteger(origin.getRawEncoding());
  id.AddPointer(type);
  id.AddPointer(function);
  id.AddString(name);
  for (const Value* part : parts) {
    id.AddPointer(part);
  }
  for (const Step& step : path) {
    id.AddInteger(step.index);
    id.AddPointer(step.in);
  }
}

namespace {

template <class T>
llvm::ArrayRef<T> copied(llvm::BumpPtrAllocator& memory, llvm::ArrayRef<T> values) {
  T* const first = memory.Allocate<T>(values.size());
  std::uninitialized_copy(values.begin(), values.end(), first);
  return {first, values.size()};
}

}  // namespace

const Value* Arena::unique(const Value& value) {
  llvm::FoldingSetNodeID id;
  value.Profile(id);
  void* position = nullptr;
  if (const Value* known = values_.FindNodeOrInsertPos(id, position)) {
    return known;
  }
  auto* made = new (memory_.Allocate<Value>()) Value(value);
  made->parts = copied(memory_, value.parts);
  made->path = copied(memory_, value.path);
  made->name = value.name.copy(memory_);
  values_.InsertNode(made, position);
  return made;
}

const Value* Arena::unknown(bool lost) {
  Value value;
  value.lost = lost;
  return unique(value);
}

const Value* Arena::number(std::int64_t number, clang::SourceLocation origin) {
  Value value;
  value.kind = Kind::Number;
  value.number = number;
  value.origin = origin;
  return unique(value);
}

const Value* Arena::number_or_zero(std::int64_t number, clang::SourceLocation origin) {
  Value value;
  value.kind = Kind::Number;
  value.number = number;
  value.origin = origin;
  value.lost = true;
  return unique(value);
}

const Value* Arena::symbol(llvm::StringRef name, clang::SourceLocation origin) {
  Value value;
  value.kind = Kind::Symbol;
  value.number = symbols_++;
  value.name = name;
  value.origin = origin;
  return unique(value);
}

const Value* Arena::function(const clang::FunctionDecl* function) {
  Value value;
  value.kind = Kind::Function;
  value.function = function;
  return unique(value);
}

const Value* Arena::text(llvm::StringRef text) {
  Value value;
  value.kind = Kind::Text;
  value.name = text;
  return unique(value);
}

const Value* Arena::list(llvm::ArrayRef<const Value*> parts) {
  Value value;
  value.kind = Kind::List;
  value.parts = parts;
  return unique(value);
}

const Value* Arena::tensor(llvm::ArrayRef<const Value*> extents) {
  Value value;
  value.kind = Kind::Tensor;
  value.parts = extents;
  return unique(value);
}

const Value* Arena::record(const clang::CXXRecordDecl* type, llvm::ArrayRef<const Value*> parts) {
  Value value;
  value.kind = Kind::Record;
  value.type = type;
  value.parts = parts;
  return unique(value);
}

const Value* Arena::pointer(const Place& place) {
  if (!place.cell) {
    return unknown(true);
  }
  Value value;
  value.kind = Kind::Pointer;
  value.number = *place.cell;
  value.path = place.path;
  return unique(value);
}

const Value* Arena::with_part(const Value* whole, unsigned index, const Value* part) {
  if (index >= whole->parts.size() || whole->parts[index] == part) {
    return whole;
  }
  Values parts(whole->parts);
  parts[index] = part;
  Value value = *whole;
  value.parts = parts;
  return unique(value);
}

const Value* Arena::join(const Value* a, const Value* b) {
  if (a == b) {
    return a;
  }
  if (a->kind == Kind::Unknown && b->kind == Kind::Unknown) {
    return unknown(true);
  }
  if (a->kind == Kind::Number && b->kind == Kind::Number && a->number == b->number) {
    return a->lost ? a : b->lost ? b : a;
  }
  const bool alike = a->kind == b->kind && a->type == b->type &&
                     a->parts.size() == b->parts.size() &&
                     (a->is_list() || a->is_tensor() || a->kind == Kind::Record);
  if (!alike) {
    return unknown(true);
  }
  Values parts;
  for (const auto [in_a, in_b] : llvm::zip(a->parts, b->parts)) {
    parts.push_back(join(in_a, in_b));
  }
  Value value = *a;
  value.parts = parts;
  return unique(value);
}

llvm::SmallVector<unsigned> Arena::changes_of(llvm::function_ref<void()> action) {
  llvm::SmallVector<unsigned> changes;
  llvm::SmallVector<unsigned>* const outer = std::exchange(changes_, &changes);
  action();
  changes_ = outer;
  for (const unsigned cell : changes) {
    note_change(cell);
  }
  return changes;
}

Place place_of(const Value& pointer) {
  Place place;
  if (pointer.kind == Kind::Pointer) {
    place.cell = static_cast<unsigned>(pointer.number);
    place.path.append(pointer.path.begin(), pointer.path.end());
  }
  return place;
}

const Value* as_list(Arena& arena, const Value* value) {
  return value->is_tensor() ? arena.list(value->parts) : value;
}

bool is_informed(const Value& value) {
  return value.kind != Kind::Unknown || value.lost;
}

std::string extent_text(const Value& extent) {
  if (extent.kind == Kind::Number) {
    return std::to_string(extent.number);
  }
  return extent.name.empty() ? "?" : extent.name.str();
}

std::string shape_text(const Value& shape) {
  if (!shape.is_list() && !shape.is_tensor()) {
    return "[...]";
  }
  std::string text = "[";
  for (const Value* extent : shape.parts) {
    text += (text.size() > 1 ? ", " : "") + extent_text(*extent);
  }
  return text + "]";
}

}  // namespace ddx::compiler::shapes
