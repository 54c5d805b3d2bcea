#include "compiler/lower/lowering.h"
#include "compiler/support/called_operator.h"

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
  if (rest.consume_front("t") && (numbered(rest) || rest.ends_with("_vjp"))) {
    return true;
  }
  static const llvm::StringRef ends[] = {"_out",   "_nodes", "_node",    "_last",
                                         "_count", "_k",     "_storage", "_given"};
  return name.starts_with("left_") || name.starts_with("skipped_") || name.starts_with("next_") ||
         name.starts_with("over_") || name == "taken" || name == "part" || name == "parts" ||
         llvm::any_of(ends, [&](llvm::StringRef end) { return name.ends_with(end); });
}

}  // namespace

std::string Lowering::unique(const std::string& name) {
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

Root* Lowering::new_root(Root::Kind kind, const std::string& name, QualType type,
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

/// Declares `root` here. What it is initialised with is for the caller to say.
ir::Statement* Lowering::declare_local(Root* root, SourceLocation where) {
  block_->roots.push_back(root);
  ir::Statement* declaration = add(ir::Statement::Kind::Declare, where);
  declaration->root = root;
  return declaration;
}

Value* Lowering::new_value(Value::Kind kind, QualType type, SourceLocation where) {
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

Statement* Lowering::make(Statement::Kind kind, SourceLocation where) {
  Statement& statement = function_.statements.emplace_back();
  statement.kind = kind;
  statement.inlined = inline_site_;
  statement.where = where;
  return &statement;
}

Statement* Lowering::add(Statement::Kind kind, SourceLocation where) {
  Statement* statement = make(kind, where);
  statement->block = block_;
  statement->level = block_->level;
  block_->statements.push_back(statement);
  return statement;
}

Block* Lowering::new_block(Statement* owner, Level* level) {
  Block& block = function_.blocks.emplace_back();
  block.parent = block_;
  block.level = level;
  block.owner = owner;
  return &block;
}

void Lowering::define(Value* value) {
  add(Statement::Kind::Define, value->where)->value = value;
}

/// What a variable of this function that holds no real (an address, a count) holds now.
Value* Lowering::value_in(const Root& root, SourceLocation where) {
  Value* value = new_value(Value::Kind::Text, root.type, where);
  value->text = hole(root);
  value->reads = {const_cast<Root*>(&root)};
  value->cheap = true;
  define(value);
  return value;
}

/// An object is copied from or to `path`, member by member. Refused where the class does it in
/// another way.
void Lowering::refuse_copy(const Path& path, SourceLocation where) {
  if (!context_.types.copies_by_hand(path.type)) {
    return;
  }
  ir::Statement* rejected = add(Statement::Kind::Unsupported, where);
  rejected->diagnostic = Diagnostic::UnsupportedCopy;
  rejected->facts = {readable_type(path.type.getUnqualifiedType(), context_.ast)};
  rejected->primal_text = "static_cast<void>(0)";
  rejected->reads.push_back(path.root);
  rejected->text_writes.push_back(path.root);
}

Value* Lowering::load(Path path, SourceLocation where) {
  if (const CXXRecordDecl* record = Types::record(path.type);
      record && !in_library(record) && context_.types.holds_dynamic_pointer(path.type) &&
      (context_.types.cannot_copy(path.type) || context_.types.copy_works(path.type))) {
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

void Lowering::store(Path path, Value* value, SourceLocation where, Statement::StoreMode mode) {
  if (value && value->kind == Value::Kind::Load) {
    refuse_copy(path, where);
  }
  Statement* statement = add(Statement::Kind::Store, where);
  statement->path = path;
  statement->value = value;
  statement->mode = mode;
}

Value* Lowering::form(std::string text, QualType type, llvm::ArrayRef<Value*> operands,
                      SourceLocation where) {
  Value* value = new_value(Value::Kind::Operation, type, where);
  value->text = std::move(text);
  value->operands.assign(operands.begin(), operands.end());
  define(value);
  return value;
}

Value* Lowering::operation(llvm::StringRef rule, QualType type, llvm::ArrayRef<Value*> operands,
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

Value* Lowering::literal(const std::string& text, QualType type, SourceLocation where) {
  Value* value = new_value(Value::Kind::Text, type, where);
  value->text = text;
  value->cheap = true;
  define(value);
  return value;
}

std::optional<std::string> Lowering::text_of(const Expr* expression) {
  return printer_.print(expression);
}

/// True for text that names no real, but a part of an object with reals: the object may vary, and
/// what comes of the part does not.
bool Lowering::reads_a_part(const Effects& found) {
  return llvm::any_of(found.reads, [](const Root* root) { return root->has_tangent; });
}

Value* Lowering::text_value(const Expr* expression, const Effects& effects,
                            const std::string& text) {
  Value* value = new_value(Value::Kind::Text, expression->getType(), expression->getExprLoc());
  // Text leaves implicit conversions out; what uses the value need not make them again.
  const QualType natural = expression->IgnoreImpCasts()->getType();
  const bool converts = expression->getType()->isArithmeticType() && natural->isArithmeticType() &&
                        !context_.ast.hasSameUnqualifiedType(natural, expression->getType());
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  const bool stays = !converts || (is_number && value->type->isIntegerType());
  value->text = stays ? text
                : is_number && value->type->isSpecificBuiltinType(BuiltinType::Double)
                    ? text + ".0"
                    : "static_cast<" + context_.names.type(value->type) + ">(" + text + ")";
  value->reads.assign(effects.reads.begin(), effects.reads.end());
  value->cheap = !effects.costly && effects.writes.empty();
  Statement* statement = add(Statement::Kind::Define, value->where);
  statement->value = value;
  note(statement, effects);
  return value;
}

namespace {

/// True for a text with numbers in it, or with calls of functions that may have some.
bool reaches_numbers(const Stmt* statement) {
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  if (expression && Types::is_real(expression->getType())) {
    return true;
  }
  if (const auto* call = dyn_cast_or_null<CallExpr>(statement);
      call && (!call->getDirectCallee() || !in_library(call->getDirectCallee()))) {
    return true;
  }
  return statement && llvm::any_of(statement->children(),
                                   [](const Stmt* child) { return reaches_numbers(child); });
}

}  // namespace

void Lowering::touch_paths(const Stmt* statement, ir::Statement* into) {
  Effects found;
  collect_effects(statement, true, found);
  const auto leads = [&](const Root* name) {
    const Root& root = named_root(*name);
    return root.kind != Root::Kind::Memory && context_.types.holds_dynamic_pointer(root.type);
  };
  if (reaches_numbers(statement) && llvm::any_of(found.reads, leads)) {
    found.reads.push_back(memory());  // What the pointers lead to.
  }
  into->reads.assign(found.reads.begin(), found.reads.end());
  into->text_writes.assign(found.reads.begin(),
                           found.reads.end());  // It may write whatever it names.
  into->by_address = true;
}

Value* Lowering::unsupported(const Stmt* statement, Diagnostic diagnostic,
                             std::vector<std::string> facts) {
  Cause cause{diagnostic, std::move(facts), {}};
  if (const auto better = explain(statement, diagnostic)) {
    cause = *better;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  std::optional<std::string> text = expression ? text_of(expression) : std::nullopt;
  ir::Statement* rejected = add(Statement::Kind::Unsupported,
                                expression ? expression->getExprLoc() : statement->getBeginLoc());
  if (cause.where.isValid()) {
    rejected->where = cause.where;
  }
  rejected->diagnostic = cause.diagnostic;
  rejected->facts = std::move(cause.facts);
  rejected->range = statement->getSourceRange();
  rejected->primal_text = text.value_or("");
  note_unplaced(statement, rejected);
  touch_paths(statement, rejected);
  if (!expression || expression->getType()->isVoidType()) {
    return nullptr;
  }
  Value* value = new_value(Value::Kind::Text, expression->getType(), rejected->where);
  value->text = rejected->primal_text;
  value->reads.assign(rejected->reads.begin(), rejected->reads.end());
  rejected->value = value;
  return value;
}

/// The call as a whole is what cannot be done; its argument says why.
Value* Lowering::unsupported_argument(const Expr* call, const Expr* argument) {
  Value* value = unsupported(call, Diagnostic::UnsupportedArgument);
  ir::Statement& rejected = function_.statements.back();
  const auto cause = explain(argument, Diagnostic::UnsupportedArgument);
  rejected.diagnostic = cause ? cause->diagnostic : Diagnostic::UnsupportedArgument;
  rejected.facts = cause ? cause->facts : std::vector<std::string>{};
  rejected.where = cause && cause->where.isValid() ? cause->where : argument->getExprLoc();
  rejected.range = argument->getSourceRange();
  note_unplaced(argument, &rejected);
  return value;
}

}  // namespace ddx::compiler
