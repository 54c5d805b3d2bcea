#include "compiler/analysis/regions.h"

namespace ddx::compiler {

using namespace ir;

bool is_inside(const Level* level, const Statement& loop) {
  for (; level; level = level->parent) {
    if (level == loop.inner) {
      return true;
    }
  }
  return false;
}

bool is_straight(const Block& block, bool branches) {
  return llvm::all_of(block.statements, [branches](const Statement* statement) {
    switch (statement->kind) {
      case Statement::Kind::Define:
      case Statement::Kind::Bind:
      case Statement::Kind::Text:
        return true;
      case Statement::Kind::Store:
        return statement->path.type->isScalarType();
      case Statement::Kind::Declare:
        return statement->root->type->isScalarType();
      case Statement::Kind::Block:
        return is_straight(*statement->body, branches);
      case Statement::Kind::If:
        return branches && is_straight(*statement->body, branches) &&
               is_straight(*statement->otherwise, branches);
      default:
        return false;
    }
  });
}

}  // namespace ddx::compiler
