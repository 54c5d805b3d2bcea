#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// `return` only at the very end: such a body can be lowered in place.
bool has_single_exit(const Stmt* body) {
  const auto* compound = dyn_cast_or_null<CompoundStmt>(body);
  if (!compound || compound->body_empty() || !isa<ReturnStmt>(compound->body_back())) {
    return false;
  }
  struct Finder {
    static bool returns(const Stmt* statement) {
      if (!statement || isa<LambdaExpr>(statement)) {
        return false;
      }
      if (isa<ReturnStmt>(statement)) {
        return true;
      }
      for (const Stmt* child : statement->children()) {
        if (returns(child)) {
          return true;
        }
      }
      return false;
    }
  };
  for (const Stmt* part : compound->body()) {
    if (part != compound->body_back() && Finder::returns(part)) {
      return false;
    }
  }
  return true;
}

constexpr unsigned inline_limit = 24;  // Deeper nests of accessors are recursion.

}  // namespace

/// Lowers the body of a function that returns a reference or a lambda in place: its result is then
/// known as a path or by its captures.
Binding Lowering::inline_call(const FunctionDecl* callee, const Expr* source,
                              const Receiver& object, llvm::ArrayRef<const Expr*> arguments) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (inline_depth_ >= inline_limit || !has_single_exit(callee->getBody())) {
    return {};
  }
  const auto outer_self = self_;
  Root* const outer_alias = self_alias_;
  auto* const outer_result = inline_result_;
  std::optional<Path> new_self = self_;
  Root* new_alias = self_alias_;
  llvm::SmallVector<std::pair<const ValueDecl*, Binding>> bound;
  if (method && method->isInstance()) {
    if (method->getParent()->isLambda()) {
      const Binding bundle = object.known ? *object.known : closure(object.expression);
      if (bundle.kind != Binding::Kind::Closure) {
        return {};
      }
      auto capture = bundle.closure->captures.begin();
      for (const LambdaCapture& captured : bundle.closure->record->captures()) {
        if (captured.capturesThis()) {
          new_self = capture->path;
        } else {
          bound.emplace_back(captured.getCapturedVar(), *capture);
        }
        ++capture;
      }
    } else {
      const auto path = object_path(object);
      if (!path) {
        return {};
      }
      Path target = *path;
      if (method->isConst()) {
        target.type = target.type.withConst();
      }
      new_alias = bind_alias(target, false, "object", source->getExprLoc()).alias;
      new_self = target;
    }
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const ParmVarDecl* parameter = callee->getParamDecl(i);
    const QualType type = parameter->getType();
    const std::string name = parameter->getNameAsString();
    Binding binding;
    if (Types::is_closure(type)) {
      binding = closure(arguments[i]);
    } else if (Types::is_callable(type.getNonReferenceType())) {
      binding = callable(arguments[i]);
    } else if (context_.types.viewed(type)) {
      const auto shown = view(arguments[i]);
      if (!shown) {
        return {};
      }
      binding = *shown;
    } else if (context_.types.cursor(type)) {
      const auto made = bind_cursor(parameter, arguments[i], source->getExprLoc());
      if (!made) {
        return {};
      }
      binding = *made;
    } else if (type->isReferenceType()) {
      const auto path = lvalue(arguments[i]);
      if (!path) {
        return {};
      }
      Path target = *path;
      target.type = type.getNonReferenceType();
      binding = bind_alias(target, false, name, source->getExprLoc());
    } else {
      Root* root = new_root(Root::Kind::Local, name, type, source->getExprLoc());
      block_->roots.push_back(root);
      declare_object(root, arguments[i]);
      binding.kind = Binding::Kind::Object;
      binding.path.root = root;
      binding.path.type = type;
    }
    bound.emplace_back(parameter, binding);
  }
  // Inside, the names of captured variables are those of the captures.
  llvm::SmallVector<std::pair<const ValueDecl*, std::optional<Binding>>> outer_names;
  for (const auto& [variable, binding] : bound) {
    outer_names.emplace_back(variable, bound_to(variable));
    bind_name(variable, binding);
  }
  self_ = new_self;
  self_alias_ = new_alias;
  Binding result;
  inline_result_ = &result;
  ++inline_depth_;
  inline_site_ =
      &function_.inline_sites.emplace_back(InlineSite{callee, source->getExprLoc(), inline_site_});
  nested(block_, callee->getBody());
  inline_site_ = inline_site_->outer;
  --inline_depth_;
  inline_result_ = outer_result;
  self_ = outer_self;
  self_alias_ = outer_alias;
  for (const auto& [variable, binding] : outer_names) {
    bind_name(variable, binding);
  }
  if (result.kind == Binding::Kind::Object && callee->getReturnType()->isReferenceType()) {
    result.path.type = callee->getReturnType()->getPointeeType();
  }
  return result;
}

}  // namespace ddx::compiler
