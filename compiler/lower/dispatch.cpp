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
Lowering::Dispatch Lowering::begin_dispatch(const Expr* source) {
  Dispatch dispatch;
  dispatch.where = source->getExprLoc();
  dispatch.outer = block_;
  const QualType type = source->getType();
  if (!type->isVoidType()) {
    dispatch.result.root = new_root(Root::Kind::Local, "chosen", type, dispatch.where);
    dispatch.result.type = type;
    block_->roots.push_back(dispatch.result.root);
    add(ir::Statement::Kind::Declare, dispatch.where)->root = dispatch.result.root;
  }
  return dispatch;
}

/// What `call` does where `test` holds; what is lowered next belongs where it does not.
void Lowering::add_target(const Dispatch& dispatch, Value* test,
                          llvm::function_ref<Value*(std::optional<Path>*)> call) {
  const ir::Statement* branch = add_if(test, dispatch.where);
  block_ = branch->body;
  std::optional<Path> made;
  Value* value = call(&made);
  if (made) {
    value = load(*made, dispatch.where);
  }
  if (value && dispatch.result.root) {
    store(dispatch.result, value, dispatch.where);
  }
  block_ = branch->otherwise;
}

/// Where no test held, `otherwise` throws. Sets `reference` to the result.
Value* Lowering::end_dispatch(const Dispatch& dispatch, const std::string& otherwise,
                              llvm::ArrayRef<Root*> reads, std::optional<Path>* reference) {
  ir::Statement* none = add(ir::Statement::Kind::Text, dispatch.where);
  none->text = otherwise;
  none->reads.assign(reads.begin(), reads.end());
  block_ = dispatch.outer;
  if (dispatch.result.root) {
    *reference = dispatch.result;
  }
  return nullptr;
}

}  // namespace ddx::compiler
