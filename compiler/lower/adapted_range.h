/// \file
/// A range seen through adaptors of the library, as the program writes it.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/lower/binding.h"

#include "clang/AST/Expr.h"

#include <functional>
#include <optional>
#include <vector>

namespace ddx::compiler {

/// One of `std::views::reverse`, `take(n)`, `drop(n)`, `transform(f)`, `filter(p)`, `keys` and
/// `values`, `all`.
struct Adaptor {
  enum class Kind { Reverse, Take, Drop, Transform, Filter, Part, All };
  Kind kind = Kind::All;
  const clang::Expr* argument =
      nullptr;        ///< Take, Drop: how many; Transform, Filter: the function.
  unsigned part = 0;  ///< Part: 0 the key, 1 the value.
};

/// The elements of `below`, or the numbers from `first` to `last`, seen through `adaptors`, the
/// lowest first.
struct AdaptedRange {
  const clang::Expr* below = nullptr;
  const clang::Expr* first = nullptr;
  const clang::Expr* last = nullptr;
  std::vector<Adaptor> adaptors;
};

/// An adapted range whose numbers and functions have been evaluated, as a view keeps them.
struct PreparedRange {
  AdaptedRange range;
  ir::Value* first = nullptr;
  ir::Value* last = nullptr;
  /// For each adaptor, where it has one: how many; the function.
  std::vector<ir::Value*> counts;
  std::vector<Binding> targets;
};

/// The places `begin` to `end` that a loop counts over, and what is at one of them.
struct CountedRange {
  ir::Value* begin = nullptr;
  ir::Value* end = nullptr;
  bool reversed = false;  ///< The last one first.
  std::function<ir::Path(ir::Value* position)> at;
};

/// Reads `expression`, where it is such a range.
std::optional<AdaptedRange> adapted_range(const clang::Expr* expression);

}  // namespace ddx::compiler
