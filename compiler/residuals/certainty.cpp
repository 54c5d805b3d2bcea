#include "compiler/residuals/certainty.h"

#include "compiler/support/text_calls.h"

namespace ddx::compiler {

using namespace ir;

bool is_plain(const Block& block) {
  return llvm::all_of(block.statements, [](const Statement* statement) {
    switch (statement->kind) {
      case Statement::Kind::Define:
        return statement->text_writes.empty() &&
               (statement->value->kind != Value::Kind::Text ||
                (statement->value->cheap && !calls_function(statement->value->text)));
      case Statement::Kind::Declare:
        return statement->value && statement->root->type->isScalarType();
      case Statement::Kind::Store:
        return statement->path.type->isScalarType();
      case Statement::Kind::Bind:
        return true;
      case Statement::Kind::If:
      case Statement::Kind::Block:
        return is_plain(*statement->body) &&
               (!statement->otherwise || is_plain(*statement->otherwise));
      case Statement::Kind::Loop:
        return statement->form == Statement::LoopForm::Counted && !statement->exits.any() &&
               is_plain(*statement->body);
      case Statement::Kind::Text:
        return statement->stepped != nullptr;
      default:
        return false;
    }
  });
}

bool is_certain(const Value& value, const Statement& loop) {
  const Block* block = value.block;
  while (block != loop.body && block->owner && block->owner->kind == Statement::Kind::Block) {
    block = block->parent;
  }
  return block == loop.body && loop.continue_sites == 0;
}

}  // namespace ddx::compiler
