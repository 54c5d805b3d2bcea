#include "compiler/residuals/shape_slots.h"

#include "compiler/residuals/residuals.h"

namespace ddx::compiler {

using namespace ir;

void plan_shapes(Function& function, const Context& context) {
  for (Root& root : function.roots) {
    if (root.kind != Root::Kind::Local || !root.active() || !context.types.is_shaped(root.type)) {
      continue;
    }
    if (context.types.is_flat_vector(root.type)) {
      root.size_slot = add_slot(function, root.level, "std::size_t", root.name + "_size");
    } else {
      root.shape_slot = add_slot(function, root.level, context.types.tangent(root.type) + "*",
                                 root.name + "_shape");
    }
  }
}

void plan_old_shape(Function& function, const Context& context, Statement& statement) {
  const clang::QualType type = statement.path.type;
  const bool whole = statement.kind == Statement::Kind::Store;
  const bool drops = statement.kind == Statement::Kind::Vector &&
                     (statement.action == Statement::VectorAction::Resize ||
                      statement.action == Statement::VectorAction::Clear);
  if (statement.constructs) {
    return;  // There was nothing before.
  }
  if (context.types.is_flat_vector(type)) {
    if (whole || drops) {
      statement.slot = add_slot(function, statement.level, "std::size_t", "old_size");
    }
  } else if (context.types.is_shaped(type) && keeps_dropped_elements(statement)) {
    statement.slot =
        add_slot(function, statement.level,
                 "ddx::detail::OldElements<" + context.types.tangent(type) + ">", "old_elements");
  } else if (context.types.is_shaped(type) && (whole || drops)) {
    statement.slot =
        add_slot(function, statement.level, context.types.tangent(type) + "*", "old_shape");
  } else if (context.types.is_shaped(type) && statement.kind == Statement::Kind::Vector &&
             (statement.action == Statement::VectorAction::RemoveLast ||
              statement.action == Statement::VectorAction::RemoveFirst)) {
    statement.slot =
        add_slot(function, statement.level,
                 context.types.tangent(context.types.element(type)) + "*", "last_shape");
  }
}

bool keeps_dropped_elements(const Statement& statement) {
  return statement.kind == Statement::Kind::Vector &&
         (statement.action == Statement::VectorAction::Resize ||
          statement.action == Statement::VectorAction::Clear);
}

}  // namespace ddx::compiler
