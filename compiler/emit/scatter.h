/// \file
/// Increments of neighbouring elements of one adjoint, gathered behind their loop.

#pragma once

#include "compiler/emit/part.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <utility>
#include <vector>

namespace ddx::compiler {

/// The increments of one array's adjoint at neighbouring places.
struct Scatter {
  struct Term {
    std::string terms;
    bool same_sign;
    long constant;
  };
  std::string array;  ///< The adjoint, by pointer.
  std::string base;   ///< Of the indices, in front of the loop.
  std::vector<std::pair<const ir::Value*, long>> loads;
  long low = 0;
  long span = 0;
  std::vector<Term> terms;
};

/// An array with one term per iteration.
struct ScatterTerms {
  std::string name;
  std::string type;
  long pad;
};

/// Finds the arrays whose adjoints a loop increments at several places that move with its counter.
///
/// Such increments meet in memory from one iteration to the next, which no vectoriser takes. Each
/// iteration stores its terms instead, all but those at one place, and one loop behind it gathers
/// them. Only for arrays that the loop does not write, by whatever name: there, nothing but
/// increments happens to the adjoint.
class Scatters : public EmitPart {
 public:
  using EmitPart::EmitPart;

  std::vector<Scatter> find_scatters(const ir::Statement& loop);
  /// Gives each distinct increment an array of terms, and appends these to `buffers`.
  void name_terms(const ir::Statement& loop, std::vector<Scatter>& scatters,
                  std::vector<ScatterTerms>& buffers);
  /// Adds the terms of all iterations to the adjoints of the arrays.
  void gather(const ir::Statement& loop, const std::vector<Scatter>& scatters);
  /// The array of terms that the cotangent of `value` goes to; empty where it is there already, or
  /// only such values ask for it; null where it goes to no such array.
  [[nodiscard]] const std::string* term_of(const ir::Value& value) const;

 private:
  void skip_unread_adjoints(const ir::Statement& loop);
  void gather_one(const ir::Statement& loop, const Scatter& scatter);

  llvm::DenseMap<const ir::Value*, std::string> terms_;
};

}  // namespace ddx::compiler
