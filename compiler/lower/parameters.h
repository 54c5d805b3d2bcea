/// \file
/// Parameters of the function being lowered.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/part.h"

#include <string>

namespace ddx::compiler {

/// Makes the roots that represent parameters, in the order in which callers pass them.
class Parameters : Part {
 public:
  using Part::Part;

  /// Makes the roots of all parameters and binds their names.
  void lower_parameters();

 private:
  Binding expand_parameter(clang::QualType type, std::string name, const clang::VarDecl* decl);
  Binding expand_closure(const clang::CXXRecordDecl* record, const std::string& name);
  Binding expand_functor(const clang::CXXMethodDecl* method, const std::string& name);
  Binding expand_object(clang::QualType type, const std::string& name);
  void bind_captures(const ScalarizedObject& scalarized);
  ir::ParameterFacts next_facts();

  std::size_t next_parameter_ = 0;
  std::size_t next_target_ = 0;
};

}  // namespace ddx::compiler
