#include "compiler/emit/selections.h"

#include "compiler/emit/all_parts.h"

#include <algorithm>

namespace ddx::compiler {

using namespace ir;

namespace {

/// More statements than this cost as much as a branch that is predicted wrongly.
constexpr unsigned most_selected = 6;

bool is_float_or_double(clang::QualType type) {
  return type->isSpecificBuiltinType(clang::BuiltinType::Float) ||
         type->isSpecificBuiltinType(clang::BuiltinType::Double);
}

}  // namespace

/// True when what `load` reads exists, whether the branch is taken or not: it is a whole variable,
/// or an element that has been read or written in front of the branch, in the same block.
bool Selections::is_accessed_before(const Path& load, const Statement& branch) {
  const Root& root = *load.root;
  if (load.steps.empty()) {
    const bool may_be_null = root.kind == Root::Kind::Pointer || root.is_pointer_alias;
    return root.block != branch.body && !may_be_null;
  }
  if (!root.active() || (root.resized && !adjoint_arrays_.is_array(root))) {
    return false;
  }
  const std::string place = speller_.adjoint(load);
  const std::vector<Statement*>& statements = branch.block->statements;
  return std::any_of(statements.begin(), std::find(statements.begin(), statements.end(), &branch),
                     [&](const Statement* before) {
                       const Path* const path = before->kind == Statement::Kind::Store
                                                    ? &before->path
                                                : before->kind == Statement::Kind::Define &&
                                                        before->value->kind == Value::Kind::Load
                                                    ? &before->value->path
                                                    : nullptr;
                       return before->reversed && path && path->root == load.root &&
                              path->type->isScalarType() && speller_.adjoint(*path) == place;
                     });
}

/// True when the reverse sweep finds the value, whatever of the arm was executed: it is of an older
/// block, a constant, a residual (of no use where it was not saved), or read from what exists.
bool Selections::is_found_outside(const Value& factor, const Statement& branch) {
  if (factor.block != branch.body || factor.found == Value::Found::Saved) {
    return true;
  }
  return factor.kind == Value::Kind::Text
             ? factor.cheap && factor.reads.empty()
             : factor.kind == Value::Kind::Load && factor.found != Value::Found::Copied &&
                   is_accessed_before(factor.path, branch);
}

/// True when the reverse of the statement, in the arm of `branch`, does nothing where its cotangent
/// and its factors are zero.
bool Selections::is_selectable_part(const Statement& part, const Statement& branch) {
  const Value* const value = part.value;
  if (!value || !is_float_or_double(value->type) || scatters_.term_of(*value)) {
    return false;
  }
  if (part.kind == Statement::Kind::Vector) {
    return part.action == Statement::VectorAction::Append && part.path.steps.empty() &&
           adjoint_arrays_.contains(part.path.root);
  }
  if (part.kind != Statement::Kind::Define) {
    return false;
  }
  if (value->kind == Value::Kind::Load) {
    return !value->path.root->active() || is_accessed_before(value->path, branch);
  }
  const bool simple = value->kind == Value::Kind::Operation && value->rule &&
                      (value->rule->name == "operator mul" || value->rule->name == "operator add");
  return simple &&
         std::all_of(value->operands.begin(), value->operands.end(), [&](const Value* operand) {
           return operand->type.getCanonicalType().getUnqualifiedType() ==
                      value->type.getCanonicalType().getUnqualifiedType() &&
                  is_found_outside(*operand, branch);
         });
}

/// True for a branch in a loop that does little but append to a vector whose adjoint is an array:
/// its reverse is then one of products and sums, which may be run with zeros. No loop with such a
/// branch can be vectorised.
bool Selections::is_selectable(const Statement& branch) {
  if (speller_.is_batched() || !branch.level->loop || branch.last_slot || branch.only_exit ||
      branch.exits.any() || !branch.otherwise->statements.empty() || !branch.body->roots.empty()) {
    return false;
  }
  unsigned parts = 0;
  bool appends = false;
  for (const Statement* part : branch.body->statements) {
    if (part->reversed) {
      ++parts;
      appends = appends || part->kind == Statement::Kind::Vector;
      if (!is_selectable_part(*part, branch)) {
        return false;
      }
    }
  }
  return appends && parts <= most_selected;
}

void Selections::reverse_selected(Statement& branch) {
  open("{");
  line("const ddx::detail::Selection arm(" + conditions_.taken(branch) + ");");
  is_selected_ = true;
  reverse_.reverse_block(*branch.body);
  is_selected_ = false;
  close();
}

}  // namespace ddx::compiler
