/// \file
/// Where IR is appended.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/lower/scope.h"
#include "compiler/support/context.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <utility>

namespace ddx::compiler {

/// Makes roots, values and statements, and appends them to the block at hand.
class Builder {
 public:
  Builder(const Context& context, ir::Function& function, const Scope& scope);

  /// The block to which statements are appended; null before the body.
  ir::Block* block() const { return block_; }
  /// Appends to `block` from here on. Returns: the block at hand before.
  ir::Block* enter(ir::Block* block) { return std::exchange(block_, block); }

  /// A name that no root of the function has: `name`, with a number behind it where that is taken.
  std::string unique(const std::string& name);
  /// Lets a root be named `name`, or keeps roots from it.
  void release_name(const std::string& name) { taken_.erase(name); }
  void reserve_name(const std::string& name) { taken_.insert(name); }

  /// A root of the block at hand, which `keep` or `declare_local` adds to the block.
  ir::Root* new_root(ir::Root::Kind kind, const std::string& name, clang::QualType type,
                     clang::SourceLocation where);
  void keep(ir::Root* root) { block_->roots.push_back(root); }
  /// Declares `root` here. What it is initialised with is for the caller to say.
  ir::Statement* declare_local(ir::Root* root, clang::SourceLocation where);

  /// A statement that `append` adds to the block at hand.
  ir::Statement* make(ir::Statement::Kind kind, clang::SourceLocation where);
  void append(ir::Statement* statement);
  /// Makes a statement and appends it.
  ir::Statement* add(ir::Statement::Kind kind, clang::SourceLocation where);
  /// An `if` on `test` with two empty branches.
  ir::Statement* add_if(ir::Value* test, clang::SourceLocation where);
  /// A block within the block at hand, for a region of `owner`.
  ir::Block* new_block(ir::Statement* owner, ir::Level* level);

  /// A value that `define` adds to the block at hand.
  ir::Value* new_value(ir::Value::Kind kind, clang::QualType type, clang::SourceLocation where);
  void define(ir::Value* value);
  /// What a variable of this function that holds no real (an address, a count) holds now.
  ir::Value* value_in(const ir::Root& root, clang::SourceLocation where);
  /// The value at `path`. Rejected for objects whose class copies in another way than member by
  /// member, as `store` of such a value is.
  ir::Value* load(ir::Path path, clang::SourceLocation where);
  void store(ir::Path path, ir::Value* value, clang::SourceLocation where,
             ir::Statement::StoreMode mode = ir::Statement::StoreMode::Assign);
  /// The result of the scalar rule named `rule`, spelled as an operator where it is one.
  ir::Value* operation(llvm::StringRef rule, clang::QualType type,
                       llvm::ArrayRef<ir::Value*> operands, clang::SourceLocation where);
  /// The result of `text`, in which $0, $1, ... are the operands.
  ir::Value* form(std::string text, clang::QualType type, llvm::ArrayRef<ir::Value*> operands,
                  clang::SourceLocation where);
  ir::Value* literal(const std::string& text, clang::QualType type, clang::SourceLocation where);

 private:
  void refuse_copy(const ir::Path& path, clang::SourceLocation where);

  const Context& context_;
  ir::Function& function_;
  const Scope& scope_;
  ir::Block* block_ = nullptr;
  llvm::StringSet<> taken_;
  llvm::StringMap<unsigned> last_number_;  ///< That `unique` has put behind a name.
};

}  // namespace ddx::compiler
