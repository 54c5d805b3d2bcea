/// A call that does one of several things, and only at run time is it known which: a chain of
/// branches, with an exception at its end.

#include "compiler/lower/calls/dispatch.h"

#include "compiler/lower/builder.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Dispatch Dispatcher::begin_dispatch(const Expr* source) {
  Dispatch dispatch;
  dispatch.where = source->getExprLoc();
  dispatch.outer = builder_.block();
  const QualType type = source->getType();
  if (!type->isVoidType()) {
    dispatch.result.root = builder_.new_root(Root::Kind::Local, "chosen", type, dispatch.where);
    dispatch.result.type = type;
    builder_.keep(dispatch.result.root);
    builder_.add(ir::Statement::Kind::Declare, dispatch.where)->root = dispatch.result.root;
  }
  return dispatch;
}

void Dispatcher::add_target(const Dispatch& dispatch, Value* test,
                            llvm::function_ref<Value*(std::optional<Path>*)> call) {
  const ir::Statement* branch = builder_.add_if(test, dispatch.where);
  builder_.enter(branch->body);
  std::optional<Path> made;
  Value* value = call(&made);
  if (made) {
    value = builder_.load(*made, dispatch.where);
  }
  if (value && dispatch.result.root) {
    builder_.store(dispatch.result, value, dispatch.where);
  }
  builder_.enter(branch->otherwise);
}

Value* Dispatcher::end_dispatch(const Dispatch& dispatch, const std::string& otherwise,
                                llvm::ArrayRef<Root*> reads, std::optional<Path>* reference) {
  ir::Statement* none = builder_.add(ir::Statement::Kind::Text, dispatch.where);
  none->text = otherwise;
  none->reads.assign(reads.begin(), reads.end());
  builder_.enter(dispatch.outer);
  if (dispatch.result.root) {
    *reference = dispatch.result;
  }
  return nullptr;
}

}  // namespace ddx::compiler
