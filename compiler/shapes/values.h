/// \file
/// What the analysis of shapes knows of an object: numbers, lists, records, tensors, pointers.

#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ddx::compiler::shapes {

/// What a value is.
enum class Kind : std::uint8_t {
  Unknown,   ///< Anything.
  Number,    ///< An integer, truth value or enumerator that is known.
  Symbol,    ///< An integer that is not known, with an identity: equal symbols are equal numbers.
  List,      ///< A list whose length is known: shapes, arrays, vectors, pairs, tuples.
  Tensor,    ///< A tensor whose rank is known; the parts are its extents.
  Record,    ///< An object of a class; the parts are its bases and then its fields.
  Pointer,   ///< A reference or pointer to a known place.
  Function,  ///< A function, or a pointer to it.
  Text,      ///< A string literal.
};

/// A step from an object to one of its parts.
struct Step {
  unsigned index = 0;
  const clang::CXXRecordDecl* in = nullptr;  ///< The class of the whole; null for a list.

  friend bool operator==(const Step&, const Step&) = default;
};

/// Where an object is: a cell and a path in it. Without a cell: somewhere.
struct Place {
  std::optional<unsigned> cell;
  llvm::SmallVector<Step, 4> path;

  [[nodiscard]] Place at(Step step) const;
};

/// A value. Values are immutable, owned by their arena, and equal only if they are identical.
class Value : public llvm::FoldingSetNode {
 public:
  Kind kind = Kind::Unknown;
  /// Of Unknown: the program determines it by what the analysis knows, or may; the analysis has
  /// lost it. Otherwise nothing known is related to it: an argument of an entry, data, an element.
  /// Of Number: it is that number or 0, where a tensor has no element.
  bool lost = false;
  std::int64_t number = 0;       ///< A number, or the identity of a symbol, or a cell.
  clang::SourceLocation origin;  ///< Where the program states the number, if anywhere.
  llvm::StringRef name;          ///< Of a symbol; may be empty. The characters of a text.
  const clang::FunctionDecl* function = nullptr;
  llvm::ArrayRef<const Value*> parts;          ///< Of lists, tensors, records.
  llvm::ArrayRef<Step> path;                   ///< Of pointers.
  const clang::CXXRecordDecl* type = nullptr;  ///< Of records.

  [[nodiscard]] bool is_number() const { return kind == Kind::Number && !lost; }
  [[nodiscard]] bool is_known(std::int64_t value) const { return is_number() && number == value; }
  [[nodiscard]] bool is_list() const { return kind == Kind::List; }
  [[nodiscard]] bool is_tensor() const { return kind == Kind::Tensor; }

  /// What makes a value equal to another, for the arena.
  void Profile(llvm::FoldingSetNodeID& id) const;  // NOLINT(readability-identifier-naming)
};

using Values = llvm::SmallVector<const Value*, 8>;

/// Makes values and owns them.
class Arena {
 public:
  /// A value of which nothing is known; see Value::lost.
  const Value* unknown(bool lost);
  const Value* number(std::int64_t number, clang::SourceLocation origin = {});
  /// A number that is 0 where a tensor has no element.
  const Value* number_or_zero(std::int64_t number, clang::SourceLocation origin);
  /// A new symbol.
  const Value* symbol(llvm::StringRef name = {}, clang::SourceLocation origin = {});
  const Value* function(const clang::FunctionDecl* function);
  const Value* text(llvm::StringRef text);
  const Value* list(llvm::ArrayRef<const Value*> parts);
  const Value* tensor(llvm::ArrayRef<const Value*> extents);
  const Value* record(const clang::CXXRecordDecl* type, llvm::ArrayRef<const Value*> parts);
  /// A pointer to a place; an unknown value for a place somewhere.
  const Value* pointer(const Place& place);
  /// `whole` with another part; `whole` itself where it has no such part.
  const Value* with_part(const Value* whole, unsigned index, const Value* part);
  /// What both have in common.
  const Value* join(const Value* a, const Value* b);

  /// The cells that are written while `action` runs, in any state.
  llvm::SmallVector<unsigned> changes_of(llvm::function_ref<void()> action);
  /// A state has written a cell.
  void note_change(unsigned cell) {
    if (changes_ != nullptr) {
      changes_->push_back(cell);
    }
  }

 private:
  const Value* unique(const Value& value);

  llvm::BumpPtrAllocator memory_;
  llvm::FoldingSet<Value> values_;
  std::int64_t symbols_ = 0;
  llvm::SmallVector<unsigned>* changes_ = nullptr;
};

/// The place that a pointer points to; somewhere for any other value.
Place place_of(const Value& pointer);

/// The extents of a tensor as a list; other values as they are.
const Value* as_list(Arena& arena, const Value* value);

/// Whether the value states anything, or may have been computed from what is known.
bool is_informed(const Value& value);

/// "[n, 784]": the extents of a list or tensor; "?" for an extent that is unknown, "[...]" for an
/// unknown rank.
std::string shape_text(const Value& shape);

/// "784", "n" or "?".
std::string extent_text(const Value& extent);

}  // namespace ddx::compiler::shapes
