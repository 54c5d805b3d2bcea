/// \file
/// The memory of a function that the analysis of shapes executes, at one point of the program.

#pragma once

#include "compiler/shapes/values.h"

#include "llvm/ADT/SmallVector.h"

#include <cstddef>

namespace ddx::compiler::shapes {

/// How control gets past a point.
enum class Flow : std::uint8_t {
  Runs,    ///< It reaches the point.
  Throws,  ///< An exception passes it.
  Stops,   ///< The program ends before.
  Leaves,  ///< A return, break, continue or goto passes it.
};

/// Objects by cell, and whether what happens here must happen.
class State {
 public:
  explicit State(Arena& arena) : arena_(&arena) {}

  Flow flow = Flow::Runs;
  /// Whether executions left before this point of the function by a condition that may be related
  /// to what is known: perhaps all those in which an operation from here on would fail.
  bool guarded = false;
  bool stopped = false;  ///< As guarded, where they ended the program.

  [[nodiscard]] bool runs() const { return flow == Flow::Runs; }

  /// A new object.
  Place add(const Value* value);
  /// As add, for an object that code outside of the analysis may change.
  Place add_escaped(const Value* value);
  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  /// Ends the lives of all objects but the first `size`.
  void shrink(std::size_t size);

  [[nodiscard]] const Value* load(const Place& place) const;
  /// A store to somewhere changes all objects that have escaped.
  void store(const Place& place, const Value* value);
  /// Makes what unknown code can reach through a value escape.
  void escape(const Value* value);
  /// Unknown code runs: all that has escaped may have changed.
  void forget_escaped();
  /// Forgets the values of cells.
  void forget(llvm::ArrayRef<unsigned> cells);
  /// Forgets the cells in which `other` differs from this.
  void forget_changes(const State& other);
  /// What holds after this or `other`, where both run; else the state that runs. `lost`: whether
  /// the condition that decides between them may be related to what is known.
  void join(const State& other, bool lost);
  /// Whether both have the same objects with the same values.
  [[nodiscard]] bool same_values(const State& other) const;

 private:
  struct Cell {
    const Value* value;
    bool escaped;
    bool external;  ///< Two of these may be the same object.

    friend bool operator==(const Cell&, const Cell&) = default;
  };

  const Value* stored(const Value* whole, llvm::ArrayRef<Step> path, const Value* value);
  void join_cells(const State& other);

  Arena* arena_;
  llvm::SmallVector<Cell, 16> cells_;
};

/// The value of one part of a value.
const Value* part_of(Arena& arena, const Value* whole, const Step& step);

/// The number of parts of an object of a class: bases and fields.
unsigned part_count(const clang::CXXRecordDecl& type);

}  // namespace ddx::compiler::shapes
