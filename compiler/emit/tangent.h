/// \file
/// Writes the tangent function of one function (forward mode) as C++ text.

#pragma once

#include "compiler/emit/forward.h"
#include "compiler/emit/part.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace ddx::compiler {

/// Fills the texts of `derivative`, which is one of forward mode.
void emit_tangent(const Context& context, ir::Derivative& derivative, const Writes& writes);

/// The primal, statement for statement, each active one with its tangent before it: operands are
/// then still what the primal reads. Objects of active roots have a tangent object beside them, by
/// the name that the reverse sweep gives to adjoints. The text is ordinary C++ of the language that
/// the compiler accepts, so it can be differentiated again.
class TangentSweep final : public EmitPart, public StatementWriter {
 public:
  using EmitPart::EmitPart;

  /// Fills the derivative's texts.
  void run();

  void forward_statement(ir::Statement& statement) override;

 private:
  /// Where the tangent of the result goes.
  static constexpr const char* result_tangent = "tangent_out";

  // tangent.cpp
  std::string signature();
  std::string constness(const ir::Root& parameter) const;
  void keep_operands();
  bool is_active(const ir::Path& path) const;
  std::string tangent_of(const ir::Value& value);
  std::string moved_tangent_of(const ir::Value& value);
  std::string derivative_of(const ir::Value& operation);
  void define(ir::Value& value, const ir::Statement& statement);
  const ir::Root* find_returned() const;
  void declare(ir::Statement& statement);
  void declare_zeros(const ir::Root& root);
  void declare_zeros(clang::QualType primal, const std::string& name, const std::string& source);
  void set_zeros(const ir::Path& path);
  void store(ir::Statement& statement);
  void change_vector(ir::Statement& statement);
  void fill(const ir::Statement& statement);
  void leave(ir::Statement& statement);

  // tangent_calls.cpp
  void call(ir::Statement& call);
  void find_declared_results();
  void call_tangent(const ir::Statement& call, const std::string& declared,
                    const std::string& result);
  void call_jvp(const ir::Statement& call, const std::string& declared);
  void call_registered(const ir::Statement& call, const std::string& declared);
  std::string functor_tangent(const ir::Statement& call);
  std::string tangent_argument(const ir::Argument& argument);

  bool gives_tangent_ = false;          ///< The function hands out the tangent of its result.
  const ir::Root* returned_ = nullptr;  ///< The variable whose tangent is that of the result.
  llvm::DenseMap<const ir::Statement*, const ir::Statement*> declared_results_;
  llvm::SmallPtrSet<const ir::Statement*, 8> made_by_calls_;  ///< The declarations among them.
};

}  // namespace ddx::compiler
