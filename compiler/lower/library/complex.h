/// \file
/// Complex numbers.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// A complex value. A real operand of complex arithmetic has no imaginary part.
struct ComplexValue {
  ir::Value* real = nullptr;
  ir::Value* imaginary = nullptr;
};

/// Lowers complex numbers as two reals.
class ComplexNumbers : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// `ddx::detail::parts(z)[k]`, as synthesised text names a part.
  std::optional<ir::Path> written_part(const clang::ArraySubscriptExpr* subscript);
  /// The two parts of the complex number at `number`.
  ComplexValue load_parts(const ir::Path& number, clang::SourceLocation where);
  /// Stores both parts of a complex number.
  void store_parts(ir::Path number, const ComplexValue& parts, clang::SourceLocation where);
  /// The value of a complex expression as two real values; nothing where they could not be found.
  std::optional<ComplexValue> complex_parts(const clang::Expr* expression);

 private:
  /// `z.real()`, `z *= w`, `std::norm(z)` and similar. Returns false for what is not among them.
  bool complex_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                    const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                    ir::Value** value, std::optional<ir::Path>* reference);
  ir::Path number_part(ir::Path number, unsigned part);
  ir::Path complex_object(clang::QualType type, const ComplexValue& parts,
                          clang::SourceLocation where);
  ComplexValue product(const ComplexValue& a, const ComplexValue& b, clang::QualType real,
                       clang::SourceLocation where);
  std::optional<ComplexValue> operand_parts(const clang::Expr* expression, clang::QualType real);
  std::optional<ComplexValue> combined(clang::OverloadedOperatorKind opcode, const ComplexValue& a,
                                       const ComplexValue& b, clang::QualType real,
                                       clang::SourceLocation where);
};

}  // namespace ddx::compiler
