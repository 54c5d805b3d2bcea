#include "compiler/lower/builder.h"

#include "compiler/rules/scalar_rules.h"
#include "compiler/support/called_operator.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True for names of the forms that synthesised text gives: t12, d_x, it_k.
bool looks_synthesised(llvm::StringRef name) {
  const auto numbered = [](llvm::StringRef digits) {
    return !digits.empty() && digits.find_first_not_of("0123456789") == llvm::StringRef::npos;
  };
  llvm::StringRef rest = name;
  if (rest.consume_front("t") && (numbered(rest) || rest.ends_with("_vjp") ||
                                  rest.ends_with("_both") || rest.contains("_zeros_"))) {
    return true;
  }
  static const llvm::StringRef ends[] = {"_out",   "_nodes", "_node",    "_last",
                                         "_count", "_k",     "_storage", "_given"};
  return name.starts_with("left_") || name.starts_with("skipped_") || name.starts_with("next_") ||
         name.starts_with("over_") || name == "taken" || name == "part" || name == "parts" ||
         llvm::any_of(ends, [&](llvm::StringRef end) { return name.ends_with(end); });
}

}  // namespace

Builder::Builder(const Context& context, Function& function, const Scope& scope)
    : context_(context), function_(function), scope_(scope) {
  for (const char* reserved : {"r", "arena", "seed", "self", "exit", "std", "ddx"}) {
    taken_.insert(reserved);
  }
}

std::string Builder::unique(const std::string& name) {
  std::string base = name.empty() ? "temporary" : name;
  if (llvm::StringRef(base).starts_with("d_")) {
    base = "dot" + base.substr(1);  // Else it would be the adjoint of the name behind `d_`.
  } else if (looks_synthesised(base)) {
    base += "_";
  }
  std::string candidate = base;
  // On from the last number: a function may have a thousand variables of one name.
  for (unsigned& last = last_number_.try_emplace(base, 1).first->second;
       !taken_.insert(candidate).second;) {
    candidate = base + "_" + std::to_string(++last);
  }
  return candidate;
}

Root* Builder::new_root(Root::Kind kind, const std::string& name, QualType type,
                        SourceLocation where) {
  Root& root = function_.roots.emplace_back();
  root.id = static_cast<unsigned>(function_.roots.size() - 1);
  root.kind = kind;
  root.name = kind == Root::Kind::Global ? name : unique(name);
  root.type = type.getNonReferenceType();
  root.is_constant = root.type.isConstQualified();
  if (root.type->isConstantArrayType() && root.is_constant) {
    Qualifiers of_elements;
    root.type = context_.ast.getUnqualifiedArrayType(root.type, of_elements);
  }
  root.type.removeLocalConst();
  root.where = where;
  root.block = block_;
  root.level = block_ ? block_->level : function_.level;
  root.has_tangent = context_.types.has_tangent(type) && !root.type->isPointerType();
  return &root;
}

ir::Statement* Builder::declare_local(Root* root, SourceLocation where) {
  keep(root);
  ir::Statement* declaration = add(ir::Statement::Kind::Declare, where);
  declaration->root = root;
  return declaration;
}

Value* Builder::new_value(Value::Kind kind, QualType type, SourceLocation where) {
  Value& value = function_.values.emplace_back();
  value.id = static_cast<unsigned>(function_.values.size());
  value.kind = kind;
  value.type = type.getNonReferenceType().getUnqualifiedType();
  value.where = where;
  value.block = block_;
  value.level = block_->level;
  value.has_tangent = !value.type->isVoidType() && !value.type->isPointerType() &&
                      context_.types.has_tangent(value.type);
  return &value;
}

Statement* Builder::make(Statement::Kind kind, SourceLocation where) {
  Statement& statement = function_.statements.emplace_back();
  statement.kind = kind;
  statement.inlined = scope_.inline_site;
  statement.where = where;
  return &statement;
}

Statement* Builder::add(Statement::Kind kind, SourceLocation where) {
  Statement* statement = make(kind, where);
  append(statement);
  return statement;
}

void Builder::append(Statement* statement) {
  statement->block = block_;
  statement->level = block_->level;
  block_->statements.push_back(statement);
}

Block* Builder::new_block(Statement* owner, Level* level) {
  Block& block = function_.blocks.emplace_back();
  block.parent = block_;
  block.level = level;
  block.owner = owner;
  return &block;
}

void Builder::define(Value* value) {
  add(Statement::Kind::Define, value->where)->value = value;
}

Value* Builder::value_in(const Root& root, SourceLocation where) {
  Value* value = new_value(Value::Kind::Text, root.type, where);
  value->text = hole(root);
  value->reads = {const_cast<Root*>(&root)};
  value->cheap = true;
  define(value);
  return value;
}

/// An object is copied from or to `path`, member by member. Refused where the class does it in
/// another way; the text of derivatives names such objects for their shapes alone.
void Builder::refuse_copy(const Path& path, SourceLocation where) {
  if (!context_.copies.copies_by_hand(path.type) ||
      is_synthesised(scope_.inline_depth > 0 ? scope_.inline_site->callee
                                             : function_.key.function)) {
    return;
  }
  ir::Statement* rejected = add(Statement::Kind::Unsupported, where);
  rejected->diagnostic = Diagnostic::UnsupportedCopy;
  rejected->facts = {readable_type(path.type.getUnqualifiedType(), context_.ast)};
  rejected->primal_text = "static_cast<void>(0)";
  rejected->reads.push_back(path.root);
  rejected->text_writes.push_back(path.root);
}

Value* Builder::load(Path path, SourceLocation where) {
  if (const CXXRecordDecl* record = Types::record(path.type);
      record && !in_library(record) && context_.types.holds_dynamic_pointer(path.type) &&
      (context_.copies.cannot_copy(path.type) || record->hasUserDeclaredCopyConstructor())) {
    ir::Statement* rejected = add(Statement::Kind::Unsupported, where);
    rejected->diagnostic = Diagnostic::UnsupportedObject;
    rejected->facts = {readable_type(path.type.getUnqualifiedType(), context_.ast)};
    rejected->always = true;
  }
  refuse_copy(path, where);
  Value* value = new_value(Value::Kind::Load, path.type, where);
  value->path = path;
  define(value);
  return value;
}

void Builder::store(Path path, Value* value, SourceLocation where, Statement::StoreMode mode) {
  if (value && value->kind == Value::Kind::Load) {
    refuse_copy(path, where);
  }
  Statement* statement = add(Statement::Kind::Store, where);
  statement->path = path;
  statement->value = value;
  statement->mode = mode;
}

Value* Builder::form(std::string text, QualType type, llvm::ArrayRef<Value*> operands,
                     SourceLocation where) {
  Value* value = new_value(Value::Kind::Operation, type, where);
  value->text = std::move(text);
  value->operands.assign(operands.begin(), operands.end());
  define(value);
  return value;
}

Value* Builder::operation(llvm::StringRef rule, QualType type, llvm::ArrayRef<Value*> operands,
                          SourceLocation where) {
  static const llvm::StringRef forms[][2] = {{"add", "$0 + $1"},
                                             {"sub", "$0 - $1"},
                                             {"mul", "$0 * $1"},
                                             {"div", "$0 / $1"},
                                             {"neg", "-$0"}};
  std::string text;
  for (const auto& [name, infix] : forms) {
    if (rule == name) {
      text = infix.str();
    }
  }
  Value* value = new_value(Value::Kind::Operation, type, where);
  value->text = text;
  value->rule = find_scalar_rule(rule, static_cast<unsigned>(operands.size()));
  value->operands.assign(operands.begin(), operands.end());
  define(value);
  return value;
}

Value* Builder::literal(const std::string& text, QualType type, SourceLocation where) {
  Value* value = new_value(Value::Kind::Text, type, where);
  value->text = text;
  value->cheap = true;
  define(value);
  return value;
}

ir::Statement* Builder::add_if(Value* test, SourceLocation where) {
  ir::Statement* branch = add(ir::Statement::Kind::If, where);
  branch->value = test;
  branch->body = new_block(branch, block_->level);
  branch->otherwise = new_block(branch, block_->level);
  return branch;
}

}  // namespace ddx::compiler
