#include "compiler/analysis/shape_changes.h"

#include "compiler/analysis/activity.h"
#include "compiler/analysis/writes.h"
#include "compiler/ir/derivative.h"
#include "compiler/ir/overlap.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// The objects whose shape some statement may change.
class Changes {
 public:
  explicit Changes(Types& types) : types_(types) {}

  void add(const Statement& statement) {
    for (const Root* written : statement.text_writes) {
      note(*written);
    }
    switch (statement.kind) {
      case Statement::Kind::Store:
        if (types_.is_shaped(statement.path.type)) {
          note(*statement.path.root);
        }
        return;
      case Statement::Kind::Vector:
        if (statement.action != Statement::VectorAction::Fill) {
          note(*statement.path.root);
        }
        return;
      case Statement::Kind::Call:
        for (std::size_t i = 0; i < statement.arguments.size(); ++i) {
          const Argument& passed = statement.arguments[i];
          if (!passed.is_constant && passed.path.root && !keeps_shape(statement, i)) {
            note(*passed.path.root);
          }
        }
        return;
      default:
        return;
    }
  }

  [[nodiscard]] bool reach(const Root& root) const {
    return llvm::any_of(changed_, [&](const Root* changed) { return overlap(*changed, root); });
  }

 private:
  void note(const Root& root) { changed_.insert(&named_root(root)); }

  Types& types_;
  llvm::SmallPtrSet<const Root*, 8> changed_;
};

}  // namespace

std::vector<bool> kept_shapes(const Function& function, Types& types) {
  if (llvm::isa<clang::CXXConstructorDecl>(function.key.function)) {
    return {};  // There was no shape before.
  }
  Changes changes(types);
  for_each_statement(function.body, [&](const Statement* statement) { changes.add(*statement); });
  std::vector<bool> kept;
  for (const Root* parameter : function.parameters) {
    kept.push_back(!changes.reach(*parameter));
  }
  return kept;
}

bool keeps_shape(const Statement& call, std::size_t position) {
  const Derivative* const callee = call.derivative;
  return callee && !callee->in_progress && !call.registered && !call.functor &&
         position < callee->keeps_shape.size() && callee->keeps_shape[position];
}

}  // namespace ddx::compiler
