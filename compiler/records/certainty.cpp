#include "compiler/records/certainty.h"

#include "llvm/ADT/StringExtras.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// True when `text` may call a function: a parenthesis behind a name that is no cast.
bool calls(llvm::StringRef text) {
  for (std::size_t i = text.find('('); i != llvm::StringRef::npos; i = text.find('(', i + 1)) {
    const llvm::StringRef before = text.take_front(i);
    if (!before.empty() && (llvm::isAlnum(before.back()) || before.back() == '_') &&
        !before.ends_with(".size")) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_plain(const Block& block) {
  return llvm::all_of(block.statements, [](const Statement* statement) {
    switch (statement->kind) {
      case Statement::Kind::Define:
        return statement->text_writes.empty() &&
               (statement->value->kind != Value::Kind::Text ||
                (statement->value->cheap && !calls(statement->value->text)));
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
