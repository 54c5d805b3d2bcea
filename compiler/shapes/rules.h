/// \file
/// The shape rules of operations where some extents are known.

#pragma once

#include "compiler/shapes/interpreter.h"
#include "compiler/shapes/natives.h"
#include "compiler/shapes/values.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace ddx::compiler::shapes {

/// An operation whose shapes are checked.
class Operation {
 public:
  Operation(Arena& arena, llvm::StringRef name) : arena_(arena), name_(name) {}

  [[nodiscard]] Arena& arena() { return arena_; }
  [[nodiscard]] const Value* unknown() { return arena_.unknown(true); }
  /// The operation fails for all that is possible: the facts as the library states them, the shapes
  /// that they are about, and those of their extents that do not fit; none: all. The first failure
  /// counts. Returns an unknown value.
  const Value* fail(const std::string& facts, llvm::ArrayRef<const Value*> shapes,
                    llvm::ArrayRef<const Value*> extents = {});
  [[nodiscard]] bool failed() const { return !message_.empty(); }
  /// Reports the failure, if there is one.
  void finish(Interpreter& in, const Call& call);

 private:
  Arena& arena_;
  std::string name_;
  std::string message_;
  Values shapes_;
  Values extents_;
};

/// A field of a record by its name; unknown if there is none.
const Value* field(Operation& op, const Value* record, llvm::StringRef name);

/// Whether two extents differ whatever is not known. An extent of 0 differs from none here: it may
/// come from an axis without elements.
bool differ(const Value& a, const Value& b);

/// An axis in [0, rank), negative ones from the end; nothing where it is not known. Fails where it
/// is out of range.
std::optional<unsigned> resolved_axis(Operation& op, const Value* x, const Value* axis);

/// The tensor of a shape, which is a list.
const Value* of_shape(Operation& op, const Value* shape);

// The rules. Each returns the result, a tensor or something unknown.
const Value* broadcast(Operation& op, const Value* a, const Value* b);
const Value* broadcast_to(Operation& op, const Value* x, const Value* shape);
const Value* sum_to(Operation& op, const Value* x, const Value* shape);
const Value* matmul(Operation& op, const Value* a, const Value* b, const Value* options);
const Value* reshape(Operation& op, const Value* x, const Value* extents);
const Value* transpose(Operation& op, const Value* x, const Value* order);
const Value* slice(Operation& op, const Value* x, const Value* options);
const Value* pad(Operation& op, const Value* x, const Value* low, const Value* high);
const Value* concatenate(Operation& op, const Value* parts, const Value* axis);
const Value* stack(Operation& op, const Value* parts, const Value* axis);
const Value* split(Operation& op, const Value* x, const Value* sizes, const Value* axis);
const Value* unstack(Operation& op, const Value* x, const Value* axis);
const Value* reduce(Operation& op, const Value* x, const Value* options);
const Value* arg_reduce(Operation& op, const Value* x, const Value* axis);
/// `x`, with an axis that must be one of its own.
const Value* along(Operation& op, const Value* x, const Value* axis);
const Value* gather(Operation& op, const Value* x, const Value* indices, const Value* axis);
const Value* take_along_axis(Operation& op, const Value* x, const Value* indices,
                             const Value* axis);
const Value* one_hot(Operation& op, const Value* indices, const Value* depth);
const Value* convolution(Operation& op, const Value* x, const Value* filter, const Value* motion);
const Value* pool(Operation& op, const Value* x, const Value* motion);
/// Statistics per channel, with `scale` and the others; fails where they do not fit.
const Value* per_channel(Operation& op, const Value* x, llvm::ArrayRef<const Value*> others);
const Value* attention(Operation& op, const Value* query, const Value* key, const Value* value);
const Value* cross_entropy(Operation& op, const Value* logits, const Value* labels);

void check_index(Operation& op, const Value* x, const Value* index);
void check_single(Operation& op, const Value* x);
/// The number of values of a new tensor; `is_list`: whether `values` is the list of them.
void check_count(Operation& op, const Value* x, const Value* values, bool is_list);

}  // namespace ddx::compiler::shapes
