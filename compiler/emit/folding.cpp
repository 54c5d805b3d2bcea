#include "compiler/emit/folding.h"

#include <algorithm>

namespace ddx::compiler {

using namespace ir;

void count_uses(Function& function) {
  const auto use = [](Value* value, Statement* user) {
    if (!value) {
      return;
    }
    ++value->uses;
    value->user = user;
    value->nested_use = value->nested_use || user->block != value->block;
  };
  for_each_statement(function.body, [&](Statement* statement) {
    const auto use_path = [&](const Path& path) {
      for (const Step& step : path.steps) {
        for (Value* index : step.index) {
          use(index, statement);
        }
      }
    };
    if (statement->kind == Statement::Kind::Define) {
      for (Value* operand : statement->value->operands) {
        use(operand, statement);
      }
      use_path(statement->value->path);
    } else if (statement->kind != Statement::Kind::Call &&
               statement->kind != Statement::Kind::Unsupported) {
      use(statement->value, statement);
      if (statement->value && (statement->kind == Statement::Kind::Store ||
                               statement->kind == Statement::Kind::Vector ||
                               statement->kind == Statement::Kind::Declare ||
                               statement->kind == Statement::Kind::Return)) {
        ++statement->value->whole_uses;
      }
    }
    use(statement->count, statement);
    use(statement->begin, statement);
    use(statement->end, statement);
    use_path(statement->path);
    if (statement->kind == Statement::Kind::Bind) {
      use_path(statement->root->target);
    }
    for (const Argument& argument : statement->arguments) {
      use(argument.value, statement);
      use_path(argument.path);
    }
  });
}

namespace {

/// So deep may operations stand in one another where they are printed: few compilers of C++ read
/// more than 256 nested brackets.
constexpr unsigned deepest_expression = 64;

/// How deep the expression that `value` is printed as would be.
unsigned depth_of(const Value& value) {
  unsigned inner = 0;
  const auto add = [&](const Value* part) {
    inner = std::max(inner, part->folded ? part->depth : 0);
  };
  for (const Value* operand : value.operands) {
    add(operand);
  }
  for (const Step& step : value.path.steps) {
    for (const Value* part : step.index) {
      add(part);
    }
  }
  return inner + 1;
}

/// True for an object that the next statement puts in its place: printed there, it is made there,
/// and need not be one that can be copied or moved.
bool is_made_in_place(const Block& block, std::size_t definition) {
  const Value& value = *block.statements[definition]->value;
  const Statement* next =
      definition + 1 < block.statements.size() ? block.statements[definition + 1] : nullptr;
  return next && next == value.user && next->value == &value && value.type->isRecordType() &&
         (next->kind == Statement::Kind::Declare || next->constructs);
}

}  // namespace

/// A value is printed where it is used when that is its only use, nothing is saved of it, only
/// pure definitions lie between, and the expression does not become too deep.
void decide_folding(Block& block) {
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    Statement* statement = block.statements[i];
    if (statement->kind != Statement::Kind::Define) {
      continue;
    }
    Value& value = *statement->value;
    value.depth = depth_of(value);
    const bool object = value.kind == Value::Kind::Load && !value.type->isScalarType();
    if (value.depth > deepest_expression || value.nested_use ||
        (value.uses != 1 && !(object && value.uses > 0)) || value.found == Value::Found::Saved ||
        value.slope_slot || !statement->text_writes.empty()) {
      continue;
    }
    if (value.kind == Value::Kind::Text && !value.cheap && !is_made_in_place(block, i)) {
      continue;
    }
    bool pure = true;
    std::size_t k = i + 1;
    for (; pure && k < block.statements.size() && block.statements[k] != value.user; ++k) {
      const Statement& between = *block.statements[k];
      const bool definition = between.kind == Statement::Kind::Define &&
                              between.text_writes.empty() &&
                              (between.value->kind != Value::Kind::Text || between.value->cheap);
      pure = pure && (definition || between.kind == Statement::Kind::Bind);
    }
    const bool header = value.user && (value.user->kind == Statement::Kind::Loop ||
                                       value.user->kind == Statement::Kind::Bind);
    value.folded = pure && k < block.statements.size() && !header;
  }
}

}  // namespace ddx::compiler
