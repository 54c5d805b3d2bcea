/// A call that does one of several things, and only at run time is it known which: a chain of
/// branches, with an exception at its end.

#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

ir::Statement* Lowering::add_if(Value* test, SourceLocation where) {
  ir::Statement* branch = add(ir::Statement::Kind::If, where);
  branch->value = test;
  branch->body = new_block(branch, block_->level);
  branch->otherwise = new_block(branch, block_->level);
  return branch;
}

/// Declares what the call `source` returns.
Lowering::RunTimeChoice Lowering::begin_choice(const Expr* source) {
  RunTimeChoice choice;
  choice.where = source->getExprLoc();
  choice.outer = block_;
  const QualType type = source->getType();
  if (!type->isVoidType()) {
    choice.result.root = new_root(Root::Kind::Local, "chosen", type, choice.where);
    choice.result.type = type;
    block_->roots.push_back(choice.result.root);
    add(ir::Statement::Kind::Declare, choice.where)->root = choice.result.root;
  }
  return choice;
}

/// What `call` does where `test` holds; what is lowered next belongs where it does not.
void Lowering::add_choice(const RunTimeChoice& choice, Value* test,
                          llvm::function_ref<Value*(std::optional<Path>*)> call) {
  const ir::Statement* branch = add_if(test, choice.where);
  block_ = branch->body;
  std::optional<Path> made;
  Value* value = call(&made);
  if (made) {
    value = load(*made, choice.where);
  }
  if (value && choice.result.root) {
    store(choice.result, value, choice.where);
  }
  block_ = branch->otherwise;
}

/// Where no test held, `otherwise` throws. Sets `reference` to the result.
Value* Lowering::end_choice(const RunTimeChoice& choice, const std::string& otherwise,
                            llvm::ArrayRef<Root*> reads, std::optional<Path>* reference) {
  ir::Statement* none = add(ir::Statement::Kind::Text, choice.where);
  none->text = otherwise;
  none->reads.assign(reads.begin(), reads.end());
  block_ = choice.outer;
  if (choice.result.root) {
    *reference = choice.result;
  }
  return nullptr;
}

}  // namespace ddx::compiler
