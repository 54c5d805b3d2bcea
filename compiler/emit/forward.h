/// \file
/// Writes the forward sweep.

#pragma once

#include "compiler/emit/part.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace ddx::compiler {

/// Writes one statement of a sweep that runs in the order of the primal.
class StatementWriter {
 public:
  virtual ~StatementWriter() = default;
  virtual void forward_statement(ir::Statement& statement) = 0;
};

/// Writes the primal statement for statement, and what it saves for the reverse sweep.
class ForwardSweep final : public EmitPart, public StatementWriter {
 public:
  using EmitPart::EmitPart;

  void forward_block(ir::Block& block);
  void forward_statement(ir::Statement& statement) override;
  void forward_define(ir::Value& value, const ir::Statement& statement);
  void forward_declare(ir::Statement& statement);
  void forward_store(ir::Statement& statement);
  void forward_vector(ir::Statement& statement);
  void forward_jump(ir::Statement& statement);
  /// Saves a value among the residuals, if it is to be.
  void save(const ir::Value& value);

  /// From now on `other` writes the statements of blocks.
  void set_statement_writer(StatementWriter& other) { statements_ = &other; }

 private:
  std::string handed_on(const ir::Value& given);
  [[nodiscard]] bool stays_in_residuals(clang::QualType kept) const;
  void forward_declare_kept(ir::Statement& statement);
  void forward_bind(const ir::Root& alias);
  void forward_if(ir::Statement& statement);
  void forward_switch(ir::Statement& statement);

  StatementWriter* statements_ = this;
  llvm::SmallPtrSet<const ir::Root*, 4> in_storage_;  ///< In raw storage.
};

}  // namespace ddx::compiler
