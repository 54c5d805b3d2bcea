/// \file
/// Writes the reverse sweep.

#pragma once

#include "compiler/emit/part.h"

#include <string>
#include <vector>

namespace ddx::compiler {

/// Visits the regions backwards, and hands the cotangent of what each statement makes to what it
/// was made from.
class ReverseSweep : public EmitPart {
 public:
  using EmitPart::EmitPart;

  void reverse_block(ir::Block& block);
  /// Increments the adjoint of a scalar value; where this is its only use, defines it. Not as a
  /// constant: Clang looks through the initialisers of constants, in cubic time for a chain of
  /// them.
  void add_to(ir::Value& value, const std::string& increment);

 private:
  void reverse_statements(const std::vector<ir::Statement*>& statements, std::size_t from);
  void reverse_statement(ir::Statement& statement);
  void reverse_define(ir::Value& value);
  void reverse_declare(ir::Statement& statement);
  void reverse_store(ir::Statement& statement);
  void reverse_object_store(ir::Statement& statement);
  void reverse_vector(ir::Statement& statement);
  void reverse_switch(ir::Statement& statement);
  void reverse_return(ir::Statement& statement);
  void declare_adjoints(ir::Block& block);
  void pass_object(ir::Value& value, const std::string& moved);
};

}  // namespace ddx::compiler
