/// \file
/// How large a value becomes when it is spelled by what it is computed from.

#pragma once

#include "compiler/ir/ir.h"

#include "llvm/ADT/DenseMap.h"

namespace ddx::compiler {

/// A bound on the text of every value of a function, known before it is decided which are saved.
///
/// The reverse sweep spells a value that is computed again by its operands, and these by theirs: a
/// few operations at each of many variables would double the text each time. So each value has the
/// size of its own expansion, and one that is too large is a wall: it is never computed again, and
/// counts nothing in the values computed from it.
class Expansion {
 public:
  /// Up to so many operations are done again rather than saved (emission rule 8).
  static constexpr unsigned most_operations = 3;
  /// Up to so many reads of elements stand in one another's index.
  static constexpr unsigned most_nested_reads = 3;

  explicit Expansion(const ir::Function& function);

  /// Whether the reverse sweep may spell `value` by what it is computed from.
  bool is_small(const ir::Value& value) const;

 private:
  struct Size {
    unsigned operations = 0;
    unsigned nested_reads = 0;

    bool is_small() const {
      return operations <= most_operations && nested_reads <= most_nested_reads;
    }
    void add(const Size& other);
  };

  Size size_of(const ir::Value& value) const;
  Size size_of(const ir::Root& root) const;
  Size size_of(const ir::Path& path) const;
  /// What `value` counts in a value computed from it.
  Size inside(const ir::Value& value) const;

  const ir::Function& function_;
  llvm::DenseMap<const ir::Value*, Size> sizes_;
};

}  // namespace ddx::compiler
