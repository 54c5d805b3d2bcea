#include "compiler/shapes/interpreter.h"

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/shapes/classes.h"
#include "compiler/shapes/natives.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace ddx::compiler::shapes {
namespace {

/// The part of all steps that one entry may take.
constexpr std::size_t entry_part = 5;

/// Lists up to this length are known by their elements.
constexpr std::uint64_t most_elements = 64;

/// The number of elements and their type, of arrays whose type has them.
std::optional<std::pair<std::uint64_t, clang::QualType>> fixed_length(clang::ASTContext& ast,
                                                                      clang::QualType type) {
  if (const auto* array = ast.getAsConstantArrayType(type)) {
    return std::pair(array->getSize().getZExtValue(), array->getElementType());
  }
  const auto* made =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (made != nullptr && class_name(made) == "std::array") {
    const auto& arguments = made->getTemplateArgs();
    return std::pair(arguments[1].getAsIntegral().getZExtValue(), arguments[0].getAsType());
  }
  return std::nullopt;
}

/// What is called; of `x | layer`, the layer.
std::string name_of_call(const clang::Expr& e) {
  const auto& call = llvm::cast<clang::CallExpr>(e);
  const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const clang::Expr* named =
      operation == nullptr                         ? nullptr
      : operation->getOperator() == clang::OO_Pipe ? operation->getArg(1)->IgnoreImplicit()
      : operation->getOperator() == clang::OO_Call ? operation->getArg(0)->IgnoreImplicit()
                                                   : nullptr;
  if (const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(named)) {
    return member->getMemberDecl()->getNameAsString();
  }
  if (const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(named)) {
    return reference->getDecl()->getNameAsString();
  }
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee == nullptr ? std::string() : callee->getNameAsString();
}

}  // namespace

Interpreter::Interpreter(clang::ASTContext& ast, Findings& findings, std::size_t steps)
    : ast_(ast), findings_(findings), state_(arena_), limit_(steps), destruction_(ast) {}

bool Interpreter::step() {
  if (++steps_ > entry_limit_) {
    gave_up_ = true;
  }
  return !gave_up_;
}

void Interpreter::run_entry(const clang::FunctionDecl& function) {
  if (steps_ >= limit_) {
    return;
  }
  entry_limit_ = std::min(steps_ + limit_ / entry_part, limit_);
  const std::size_t found = findings_.count();
  gave_up_ = false;
  state_ = State(arena_);
  lost_branches_ = 0;
  handlers_ = 0;
  Call call{.function = &function, .self = std::nullopt, .arguments = {}, .at = nullptr};
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method != nullptr && method->isInstance()) {
    call.self = state_.add_escaped(arena_.unknown(false));
  }
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const Value* value = arena_.unknown(false);
    call.arguments.push_back(parameter->getType()->isReferenceType()
                                 ? arena_.pointer(state_.add_escaped(value))
                                 : value);
  }
  run(function, call);
  if (gave_up_) {
    findings_.shrink(found);
  }
}

const Value* Interpreter::blank(clang::QualType type) {
  if (const auto fixed = fixed_length(ast_, type)) {
    return fixed->first <= most_elements ? arena_.list(Values(fixed->first, blank(fixed->second)))
                                         : arena_.unknown(true);
  }
  if (class_of(type) != Class::Record || type->isReferenceType()) {
    return arena_.unknown(false);
  }
  const auto* record = type->getAsCXXRecordDecl();
  Values parts;
  for (const clang::CXXBaseSpecifier& base : record->getDefinition()->bases()) {
    parts.push_back(blank(base.getType()));
  }
  for (const clang::FieldDecl* field : record->getDefinition()->fields()) {
    parts.push_back(blank(field->getType()));
  }
  return arena_.record(record->getCanonicalDecl(), parts);
}

const Value* Interpreter::zero(clang::QualType type) {
  if (type->isReferenceType()) {
    return arena_.unknown(true);
  }
  if (const auto fixed = fixed_length(ast_, type)) {
    return fixed->first <= most_elements ? arena_.list(Values(fixed->first, zero(fixed->second)))
                                         : arena_.unknown(true);
  }
  switch (class_of(type)) {
    case Class::Scalar:
      return type->isIntegralOrEnumerationType() || type->isPointerType() ? arena_.number(0)
                                                                          : arena_.unknown(false);
    case Class::List: {
      const std::string name = class_name(type->getAsCXXRecordDecl());
      return name == "std::pair" || name == "std::tuple" ? arena_.unknown(true) : arena_.list({});
    }
    case Class::Record: {
      const auto* record = type->getAsCXXRecordDecl();
      Values parts;
      for (const clang::CXXBaseSpecifier& base : record->getDefinition()->bases()) {
        parts.push_back(zero(base.getType()));
      }
      for (const clang::FieldDecl* field : record->getDefinition()->fields()) {
        parts.push_back(zero(field->getType()));
      }
      return arena_.record(record->getCanonicalDecl(), parts);
    }
    default:
      return arena_.unknown(false);
  }
}

const Value* Interpreter::constant(const clang::APValue& constant, clang::QualType type,
                                   clang::SourceLocation where) {
  if (constant.isInt()) {
    return constant.getInt().isRepresentableByInt64()
               ? arena_.number(constant.getInt().getExtValue(), where)
               : arena_.unknown(true);
  }
  if (constant.isFloat()) {
    return arena_.unknown(false);
  }
  if (constant.isArray() && constant.getArraySize() <= most_elements) {
    const auto fixed = fixed_length(ast_, type);
    Values parts;
    for (unsigned i = 0; fixed && i < constant.getArraySize(); ++i) {
      const bool given = i < constant.getArrayInitializedElts();
      parts.push_back(
          this->constant(given ? constant.getArrayInitializedElt(i) : constant.getArrayFiller(),
                         fixed->second, where));
    }
    return fixed ? arena_.list(parts) : arena_.unknown(true);
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (!constant.isStruct() || record == nullptr) {
    return arena_.unknown(true);
  }
  if (class_name(record) == "std::array" && constant.getStructNumFields() == 1) {
    return this->constant(constant.getStructField(0), record->field_begin()->getType(), where);
  }
  if (class_of(type) != Class::Record) {
    return arena_.unknown(true);
  }
  Values parts;
  unsigned index = 0;
  for (const clang::CXXBaseSpecifier& base : record->getDefinition()->bases()) {
    parts.push_back(this->constant(constant.getStructBase(index++), base.getType(), where));
  }
  for (const clang::FieldDecl* field : record->getDefinition()->fields()) {
    parts.push_back(
        this->constant(constant.getStructField(field->getFieldIndex()), field->getType(), where));
  }
  return arena_.record(record->getCanonicalDecl(), parts);
}

void Interpreter::initialise_elements(const Place& place, const clang::InitListExpr& list) {
  const auto fixed = fixed_length(ast_, list.getType());
  if (!fixed || fixed->first > most_elements) {
    for (const clang::Expr* given : list.inits()) {
      state_.escape(rvalue(given));
    }
    state_.store(place, arena_.unknown(true));
    return;
  }
  state_.store(place, zero(list.getType()));
  for (unsigned i = 0; i < fixed->first; ++i) {
    const clang::Expr* given = i < list.getNumInits() ? list.getInit(i) : list.getArrayFiller();
    if (given != nullptr) {
      initialise(place.at({i, nullptr}), given, fixed->second);
    }
  }
}

void Interpreter::initialise_parts(const Place& place, llvm::ArrayRef<clang::Expr*> parts,
                                   const clang::CXXRecordDecl& type) {
  const auto* record = type.getCanonicalDecl();
  unsigned index = 0;
  unsigned next = 0;
  for (const clang::CXXBaseSpecifier& base : type.getDefinition()->bases()) {
    if (next < parts.size()) {
      initialise(place.at({index, record}), parts[next++], base.getType());
    }
    ++index;
  }
  for (const clang::FieldDecl* field : type.getDefinition()->fields()) {
    if (next < parts.size() && !field->isUnnamedBitField()) {
      initialise(place.at({index, record}), parts[next++], field->getType());
    }
    ++index;
  }
}

/// Initialises an object by a list in braces.
void Interpreter::initialise_by_list(const Place& place, const clang::InitListExpr& list,
                                     clang::QualType type) {
  const auto* record = list.getType()->getAsCXXRecordDecl();
  if (list.isTransparent()) {
    initialise(place, list.getInit(0), type);
  } else if (list.getType()->isArrayType()) {
    initialise_elements(place, list);
  } else if (record != nullptr && class_name(record) == "std::array") {
    state_.store(place, zero(list.getType()));
    if (list.getNumInits() > 0) {
      initialise(place, list.getInit(0), list.getInit(0)->getType());
    }
  } else if (class_of(list.getType()) == Class::Record) {
    state_.store(place, zero(list.getType()));
    initialise_parts(place, const_cast<clang::InitListExpr&>(list).inits(), *record);
  } else if (list.getNumInits() == 0) {
    state_.store(place, zero(list.getType()));
  } else if (record == nullptr && list.getNumInits() == 1) {
    const Value* value = rvalue(list.getInit(0));
    state_.store(place, value);
  } else {
    for (const clang::Expr* part : list.inits()) {
      state_.escape(rvalue(part));
    }
    state_.store(place, arena_.unknown(true));
  }
}

void Interpreter::initialise(const Place& place, const clang::Expr* initialiser,
                             clang::QualType type) {
  if (!state_.runs() || !step()) {
    return;
  }
  const clang::Expr* given = initialiser->IgnoreParens();
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(given)) {
    return initialise(place, full->getSubExpr(), type);
  }
  if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(given)) {
    begin_life(bound->getType());
    return initialise(place, bound->getSubExpr(), type);
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXDefaultInitExpr>(given)) {
    return initialise(place, member->getExpr(), type);
  }
  if (type->isReferenceType()) {
    state_.store(place, arena_.pointer(lvalue(given)));
    return;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(given)) {
    if (type->isRecordType() && cast->isPRValue() && cast->getSubExpr()->isPRValue() &&
        (cast->getCastKind() == clang::CK_NoOp ||
         cast->getCastKind() == clang::CK_ConstructorConversion)) {
      return initialise(place, cast->getSubExpr(), type);
    }
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(given)) {
    return construct(*this, place, made);
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(given)) {
    return initialise_by_list(place, *list, type);
  }
  if (const auto* list = llvm::dyn_cast<clang::CXXParenListInitExpr>(given)) {
    if (class_of(list->getType()) == Class::Record) {
      state_.store(place, zero(list->getType()));
      return initialise_parts(place, const_cast<clang::CXXParenListInitExpr*>(list)->getInitExprs(),
                              *list->getType()->getAsCXXRecordDecl());
    }
  }
  const Value* value = rvalue(given);
  if (state_.runs()) {
    state_.store(place, value);
  }
}

void Interpreter::note_shape(const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType().getNonReferenceType();
  if (!findings_.keeps_shapes() || !state_.runs() || class_of(type) != Class::Tensor ||
      !is_of_user(ast_.getSourceManager(), variable.getLocation())) {
    return;
  }
  const Value* shape = state_.load(frame().variables[&variable]);
  findings_.add_shape(arena_, variable.getLocation(), variable.getNameAsString(), shape);
}

void Interpreter::note_shape(const clang::Expr& call, const Value* result) {
  if (!findings_.keeps_shapes() || !state_.runs() || class_of(call.getType()) != Class::Tensor) {
    return;
  }
  const clang::SourceManager& sources = ast_.getSourceManager();
  const clang::SourceLocation where = sources.getExpansionLoc(call.getExprLoc());
  if (is_of_user(sources, where) || sources.getFilename(where).contains("include/ddx/models/")) {
    if (const std::string name = name_of_call(call); !name.empty()) {
      findings_.add_shape(arena_, where, name, loaded(result));
    }
  }
}

void Interpreter::fail(const Call& operation, const std::string& message,
                       llvm::ArrayRef<const Value*> shapes, llvm::ArrayRef<const Value*> extents) {
  if (!is_certain() || !state_.runs()) {
    state_.flow = Flow::Throws;
    return;
  }
  Failure failure{
      .message = message,
      .where = operation.at == nullptr ? clang::SourceLocation() : operation.at->getExprLoc(),
      .calls = {},
      .origins = {}};
  for (const Frame* frame : llvm::reverse(frames_)) {
    if (frame->call.isValid()) {
      failure.calls.push_back({frame->call, frame->function->getNameAsString()});
    }
  }
  const auto add = [&](const Value& extent, const Value* shape) {
    if (extent.origin.isValid()) {
      failure.origins.push_back(
          {extent.origin, extent_text(extent), shape == nullptr ? "" : shape_text(*shape)});
    }
  };
  for (const Value* extent : extents) {
    const auto* shape = llvm::find_if(
        shapes, [&](const Value* one) { return llvm::is_contained(one->parts, extent); });
    add(*extent, shape == shapes.end() ? nullptr : *shape);
  }
  for (const Value* shape : extents.empty() ? shapes : llvm::ArrayRef<const Value*>()) {
    for (const Value* extent : shape->parts) {
      add(*extent, shape);
    }
  }
  findings_.add(std::move(failure));
  state_.flow = Flow::Throws;
}

}  // namespace ddx::compiler::shapes
