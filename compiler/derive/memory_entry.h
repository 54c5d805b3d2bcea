/// \file
/// Entries of the memory path: text that calls functions which the pass over LLVM IR defines.

#pragma once

#include "compiler/request/request.h"
#include "compiler/support/context.h"

#include <string>
#include <vector>

namespace ddx::compiler {

/// Writes one entry. The functions that it calls have labels with the number of the entry:
/// `ddx.memory.primal.N`, which is defined here, and `forward`, `reverse` and `tangent`, which are
/// declared only.
class MemoryEntry {
 public:
  /// `target`: the function, where the request is for a pointer to functions; else null.
  MemoryEntry(const Context& context, const Request& request, const clang::FunctionDecl* target);

  /// The statements of the entry.
  std::string body();

  /// What must be defined before it, at global scope; complete once the body is written.
  const std::string& declarations() const { return declarations_; }

 private:
  std::string label(const std::string& part) const;
  std::string name(const std::string& part) const;
  std::string parameters(bool typed) const;
  std::string arguments() const;
  std::string gather(const std::string& owner, const std::string& tangents) const;
  std::string own_arguments() const;
  std::string forward_call(const std::string& result) const;
  bool has_own_copy(unsigned argument) const;
  void declare_primal();
  void declare_sweeps();
  std::string begin_sweeps();
  std::string gradient_body();
  std::string rows_body();
  std::string pullback_body();
  std::string differential_body();

  const Context& context_;
  const Request& request_;
  const clang::FunctionDecl* target_;
  std::string number_;
  std::string result_;              ///< The type of the result.
  std::vector<std::string> types_;  ///< Of the function and its arguments, constant.
  std::string declarations_;
};

}  // namespace ddx::compiler
