/// \file
/// Products of partial derivatives with cotangents or tangents.

#pragma once

#include "compiler/emit/part.h"

#include <string>
#include <vector>

namespace ddx::compiler {

/// Spells the slopes of operations by the rules for scalars.
class Slopes : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// The partial by one operand times `with`, a cotangent of the result or a tangent of the
  /// operand. May declare a variable in the innermost scope.
  std::string product(const ir::Value& value, unsigned operand, const std::string& with,
                      Sweep sweep);

 private:
  std::string partial(const ir::Value& value, unsigned operand, Sweep sweep);
  std::string reciprocal(const ir::Value& divisor, clang::QualType of_type, Sweep sweep);
  std::string quotient_product(const ir::Value& division, unsigned operand, const std::string& with,
                               Sweep sweep);

  /// A variable that holds one over a value.
  struct Reciprocal {
    const ir::Value* of;
    std::string name;
    unsigned scope;  ///< Of its declaration.
  };
  std::vector<Reciprocal> reciprocals_;
};

}  // namespace ddx::compiler
