#include "compiler/lower/calls/virtual_calls.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/dispatch.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/types.h"

#include "clang/AST/CXXInheritance.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

const CXXRecordDecl* VirtualCalls::class_of(const Path& path, Path* whole) {
  *whole = path;
  while (!whole->steps.empty() && whole->steps.back().base) {
    whole->steps.pop_back();
  }
  const bool constant = path.type.isConstQualified();
  const auto of_type = [&](QualType type) {
    const CXXRecordDecl* record = Types::record(type);
    whole->type = constant ? type.withConst() : type;
    return record;
  };
  const Root& root = *whole->root;
  if (whole->steps.empty()) {
    const CXXRecordDecl* record = Types::record(root.type);
    const bool exact = root.kind == Root::Kind::Local || root.kind == Root::Kind::Global ||
                       root.is_most_derived || (record && record->isEffectivelyFinal());
    return exact ? of_type(root.type) : nullptr;
  }
  const Step& last = whole->steps.back();
  if (last.field) {
    return of_type(last.field->getType());
  }
  const bool held = root.type->isPointerType();
  if (whole->steps.size() == 1 && (held || root.kind == Root::Kind::Pointer)) {
    const QualType pointee = held ? root.type->getPointeeType() : root.type;
    const CXXRecordDecl* record = Types::record(pointee);
    return record && (root.is_most_derived || record->isEffectivelyFinal()) ? of_type(pointee)
                                                                            : nullptr;
  }
  const QualType sequence = iterators_.sequence_of(*whole).type;
  if (last.part >= 0) {
    return of_type(Types::parts(sequence)[static_cast<std::size_t>(last.part)]);
  }
  return Types::container(sequence) == Container::None ? nullptr
                                                       : of_type(context_.types.element(sequence));
}

std::optional<Path> VirtualCalls::part_of_class(Path object, const CXXRecordDecl* record,
                                                const CXXRecordDecl* base) {
  if (record->getCanonicalDecl() == base->getCanonicalDecl()) {
    return object;
  }
  CXXBasePaths paths(/*FindAmbiguities=*/true, /*RecordPaths=*/true, /*DetectVirtual=*/true);
  if (!record->isDerivedFrom(base, paths) || paths.getDetectedVirtual() ||
      paths.isAmbiguous(context_.ast.getCanonicalType(context_.ast.getRecordType(base)))) {
    return std::nullopt;
  }
  for (const CXXBasePathElement& step : paths.front()) {
    object = places_.base_path(object, step.Base->getType()->getAsCXXRecordDecl());
  }
  return object;
}

bool VirtualCalls::expand_whole(ir::Statement* made, const Path& path, bool is_constant) {
  Path whole;
  const CXXRecordDecl* record = class_of(path, &whole);
  const CXXRecordDecl* declared = Types::record(path.type);
  const bool is_handle = whole.steps.size() < path.steps.size() && declared && declared->isEmpty();
  if (!record || !declared || !(declared->isPolymorphic() || scope_.callee_casts || is_handle)) {
    return false;
  }
  arguments_.expand_path(made, whole, false, is_constant);
  made->arguments.back().whole = record;
  made->by_name = false;
  return true;
}

Value* VirtualCalls::call_virtual(const CXXMethodDecl* method, const Expr* source,
                                  const Receiver& object, llvm::ArrayRef<const Expr*> arguments,
                                  std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const std::optional<Path> path =
      object.known || context_.types.has_tangent(context_.ast.getRecordType(method->getParent())) ||
              object.expression->isGLValue() ||
              isa<DeclRefExpr, CXXThisExpr>(object.expression->IgnoreParenImpCasts())
          ? places_.object_path(object)
          : std::nullopt;
  const auto resolved = [&](const CXXRecordDecl* record, const Path& whole,
                            std::optional<Path>* made) -> Value* {
    const auto* target = method->getCorrespondingMethodInClass(record, true);
    const auto part = target ? part_of_class(whole, record, target->getParent()) : std::nullopt;
    if (!part) {
      return rejections_.unsupported(source, Diagnostic::UnsupportedVirtualCall,
                                     {method->getQualifiedNameAsString()});
    }
    Binding binding;
    binding.kind = Binding::Kind::Object;
    binding.path = *part;
    Receiver receiver(binding);
    receiver.resolved = true;
    return calls_.lower_call(target, source, receiver, arguments, made);
  };
  Path whole;
  if (const CXXRecordDecl* record = path ? class_of(*path, &whole) : nullptr) {
    return resolved(record, whole, reference);
  }
  std::optional<std::string> text;
  Effects found;
  if (!object.known) {
    found = effects_.of(object.expression);
    text = found.lowers ? std::nullopt : texts_.text_of(object.expression);
    if (text && object.expression->getType()->isPointerType()) {
      text = "(*" + *text + ")";
    }
  } else if (path->steps.empty()) {
    text = hole(*path->root);
    found.reads.push_back(path->root);
  }
  const auto classes = context_.types.concrete_classes(method->getParent());
  if (!text || source->isGLValue() || classes.empty()) {
    return rejections_.unsupported(source, Diagnostic::UnsupportedVirtualCall,
                                   {method->getQualifiedNameAsString()});
  }
  // The object under a name of its own, as a constant: an error where it is active.
  const QualType pointee = object.known ? path->type
                           : object.expression->getType()->isPointerType()
                               ? object.expression->getType()->getPointeeType()
                               : object.expression->getType();
  const auto declare_pointer_to = [&](QualType type, const std::string& initialiser,
                                      llvm::ArrayRef<Root*> reads) {
    Root* root =
        builder_.new_root(Root::Kind::Local, "object", context_.ast.getPointerType(type), where);
    root->has_tangent = false;
    ir::Statement* declaration = builder_.declare_local(root, where);
    declaration->text = " = " + initialiser;
    declaration->reads.assign(reads.begin(), reads.end());
    if (!method->isConst()) {
      declaration->text_writes.assign(reads.begin(), reads.end());  // By the member called.
    }
    declaration->diagnostic = Diagnostic::UnsupportedVirtualCall;
    declaration->facts = {method->getQualifiedNameAsString()};
    return root;
  };
  Root* const held = declare_pointer_to(pointee, "&" + *text, found.reads);
  const Dispatch dispatch = dispatcher_.begin_dispatch(source);
  for (const CXXRecordDecl* record : classes) {
    const QualType of = context_.ast.getRecordType(record);
    Value* test = builder_.new_value(Value::Kind::Text, context_.ast.BoolTy, where);
    test->text = "ddx::detail::is_exactly<" + context_.names.type(of) + ">(*" + hole(*held) + ")";
    test->reads = {held};
    builder_.define(test);
    dispatcher_.add_target(dispatch, test, [&](std::optional<Path>* made) {
      const QualType qualified = pointee.isConstQualified() ? of.withConst() : of;
      Root* const exact = declare_pointer_to(
          qualified,
          "static_cast<" + context_.names.type(context_.ast.getPointerType(qualified)) + ">(" +
              hole(*held) + ")",
          {held});
      exact->is_most_derived = true;
      Path target;
      target.root = exact;
      target.steps.emplace_back();
      target.type = qualified;
      return resolved(record, target, made);
    });
  }
  return dispatcher_.end_dispatch(dispatch,
                                  "ddx::detail::throw_unknown_class(*" + hole(*held) + ", \"" +
                                      method->getQualifiedNameAsString() + "\")",
                                  {held}, reference);
}

}  // namespace ddx::compiler
