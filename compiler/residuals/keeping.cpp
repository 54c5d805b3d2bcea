#include "compiler/analysis/activity.h"
#include "compiler/residuals/residuals.h"

namespace ddx::compiler {

using namespace ir;

void find_keepable(Function& function, const Context& context) {
  for_each_statement(function.body, [&](Statement* statement) {
    if (statement->kind != Statement::Kind::Declare) {
      return;
    }
    Root& declared = *statement->root;
    const bool is_object = declared.type->isRecordType() || declared.type->isArrayType();
    declared.keepable = declared.kind == Root::Kind::Local && is_object && !statement->in_storage &&
                        statement->stands_for.empty() &&
                        (Types::container(declared.type) == Container::StdVector ||
                         declared.type.isTriviallyCopyableType(context.ast));
  });
  const auto give_away = [](const Path& path) {
    if (path.root && path.steps.empty()) {
      path.root->keepable = false;
    }
  };
  for_each_statement(function.body, [&](Statement* statement) {
    if (statement->kind == Statement::Kind::Return && statement->value &&
        statement->value->kind == Value::Kind::Load) {
      give_away(statement->value->path);
    }
    for (const Argument& argument : statement->arguments) {
      if (argument.is_moved) {
        give_away(argument.path);
      }
    }
  });
}

}  // namespace ddx::compiler
