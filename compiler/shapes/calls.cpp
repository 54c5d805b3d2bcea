#include "compiler/shapes/classes.h"
#include "compiler/shapes/interpreter.h"
#include "compiler/shapes/natives.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace ddx::compiler::shapes {
namespace {

constexpr std::size_t most_frames = 48;
constexpr std::ptrdiff_t most_recursions = 2;

/// An argument for a parameter of a type; a null type for one of a variadic function.
Argument argument_for(Interpreter& in, const clang::Expr* given, clang::QualType parameter) {
  if (!parameter.isNull() && parameter->isReferenceType()) {
    return in.arena().pointer(in.lvalue(given));
  }
  const Place place = in.state().add(in.arena().unknown(false));
  in.initialise(place, given, given->getType());
  return in.state().load(place);
}

void add_arguments(Interpreter& in, Call& call, llvm::ArrayRef<const clang::Expr*> given,
                   const clang::FunctionProtoType* type) {
  for (const auto [index, expression] : llvm::enumerate(given)) {
    const bool has_parameter = type != nullptr && index < type->getNumParams();
    call.arguments.push_back(argument_for(
        in, expression,
        has_parameter ? type->getParamType(static_cast<unsigned>(index)) : clang::QualType()));
  }
}

const Value* indirect_call(Interpreter& in, const clang::CallExpr* e) {
  const Value* callee = in.loaded(in.rvalue(e->getCallee()));
  if (callee->kind == Kind::Function) {
    Call call{.function = callee->function, .self = std::nullopt, .arguments = {}, .at = e};
    add_arguments(in, call, llvm::ArrayRef(e->getArgs(), e->getNumArgs()),
                  callee->function->getType()->getAs<clang::FunctionProtoType>());
    return in.call(call);
  }
  in.state().escape(callee);
  Call call{.function = nullptr, .self = std::nullopt, .arguments = {callee}, .at = e};
  const auto* type =
      e->getCallee()->getType()->isPointerType()
          ? e->getCallee()->getType()->getPointeeType()->getAs<clang::FunctionProtoType>()
          : nullptr;
  add_arguments(in, call, llvm::ArrayRef(e->getArgs(), e->getNumArgs()), type);
  return in.opaque(call);
}

const Value* member_or_function(Interpreter& in, const clang::CallExpr* e,
                                const clang::FunctionDecl* function) {
  Call call{.function = function, .self = std::nullopt, .arguments = {}, .at = e};
  llvm::ArrayRef<const clang::Expr*> given(e->getArgs(), e->getNumArgs());
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (const auto* of_member = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const clang::Expr* object = of_member->getImplicitObjectArgument();
    call.self =
        object->getType()->isPointerType() ? place_of(*in.rvalue(object)) : in.lvalue(object);
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(e) && method != nullptr) {
    if (method->isInstance()) {
      call.self = in.lvalue(given.front());
    } else {
      in.lvalue(given.front());
    }
    given = given.drop_front();
  }
  add_arguments(in, call, given, function->getType()->getAs<clang::FunctionProtoType>());
  return in.call(call);
}

}  // namespace

bool is_call(const clang::Expr* expression) {
  return llvm::isa<clang::CallExpr, clang::CXXConstructExpr>(expression);
}

const Value* call_expression(Interpreter& in, const clang::Expr* expression) {
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
    const Place place = in.state().add(in.arena().unknown(false));
    construct(in, place, made);
    return in.state().load(place);
  }
  const auto* e = llvm::cast<clang::CallExpr>(expression);
  if (llvm::isa<clang::CXXPseudoDestructorExpr>(e->getCallee()->IgnoreParens())) {
    return in.arena().unknown(false);
  }
  const clang::FunctionDecl* function = e->getDirectCallee();
  if (function == nullptr) {
    return indirect_call(in, e);
  }
  const Value* result = member_or_function(in, e, function);
  in.note_shape(*e, result);
  return result;
}

void construct(Interpreter& in, const Place& place, const clang::CXXConstructExpr* e) {
  const clang::CXXConstructorDecl* constructor = e->getConstructor();
  const clang::QualType type = e->getType();
  Call call{.function = constructor, .self = place, .arguments = {}, .at = e};
  if (type->isArrayType()) {
    in.state().store(place, in.blank(type));
    return;
  }
  add_arguments(in, call, llvm::ArrayRef(e->getArgs(), e->getNumArgs()),
                constructor->getType()->getAs<clang::FunctionProtoType>());
  const Class representation = class_of(type);
  const bool copies = constructor->isCopyOrMoveConstructor();
  const bool as_value = representation != Class::Record || constructor->isDefaulted();
  if (copies && as_value && representation != Class::Opaque) {
    const Value* source = in.loaded(call.arguments.front());
    in.state().store(place, representation == Class::List ? as_list(in.arena(), source) : source);
    if (constructor->isMoveConstructor() && representation != Class::Iterator) {
      in.state().store(place_of(*call.arguments.front()), in.arena().unknown(true));
    }
    return;
  }
  const bool is_zero = e->requiresZeroInitialization() && representation != Class::Opaque;
  in.state().store(place, is_zero ? in.zero(type) : in.blank(type));
  if (representation == Class::Record && constructor->isTrivial() && e->getNumArgs() == 0) {
    return;
  }
  in.call(call);
}

const Value* Interpreter::loaded(const Value* value) {
  return value->kind == Kind::Pointer ? state_.load(place_of(*value)) : value;
}

namespace {

/// Whether a member of std::shared_ptr keeps something that is called in the end.
bool takes_deleter(const clang::CXXMethodDecl& method) {
  const std::string name = class_name(method.getParent());
  return (name == "std::shared_ptr" || name == "std::__shared_ptr") && method.getNumParams() >= 2 &&
         !method.getParamDecl(1)->getType()->isObjectPointerType() &&
         !method.getParamDecl(1)->getType()->isReferenceType();
}

}  // namespace

const Value* Interpreter::opaque(const Call& call) {
  bool is_informed_call = false;
  bool reaches = false;
  const auto* type = call.function == nullptr
                         ? nullptr
                         : call.function->getType()->getAs<clang::FunctionProtoType>();
  for (const auto [index, argument] : llvm::enumerate(call.arguments)) {
    const Value* value = loaded(argument);
    is_informed_call |= is_informed(*value);
    const bool has_type = type != nullptr && index < type->getNumParams();
    const auto parameter =
        has_type ? type->getParamType(static_cast<unsigned>(index)) : clang::QualType();
    if (argument->kind == Kind::Pointer && (!has_type || !is_access_to_const(parameter))) {
      Place place = place_of(*argument);
      while (!place.path.empty() && place.path.back().in == nullptr &&
             !(has_type && parameter->isReferenceType())) {
        place.path.pop_back();  // A pointer to an element is one to the list.
      }
      state_.escape(argument);
      state_.store(place, arena_.unknown(true));
      reaches = true;
    }
    state_.escape(value);
    reaches |= value->kind == Kind::Unknown || value->kind == Kind::Record;
  }
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.function);
  if (method != nullptr && takes_deleter(*method)) {
    give_up();  // What it does in the end is not executed.
  }
  if (call.self && method != nullptr) {
    const Value* object = state_.load(*call.self);
    is_informed_call |= is_informed(*object);
    state_.escape(object);
    if (!method->isConst()) {
      state_.escape(arena_.pointer(*call.self));
      state_.store(*call.self, arena_.unknown(true));
    }
    reaches |= object->kind == Kind::Unknown || object->kind == Kind::Record;
  }
  const bool is_known_library = call.function != nullptr && !reaches &&
                                (is_of_std(*call.function) || is_of_library(ast_, *call.function));
  if (!is_known_library) {
    state_.forget_escaped();
  }
  if (call.function != nullptr && call.function->isNoReturn() && state_.runs()) {
    state_.flow = Flow::Stops;
  }
  return arena_.unknown(is_informed_call);
}

/// Whether the body of a function is executed where it is called.
const clang::FunctionDecl* Interpreter::executed(const Call& call) {
  const clang::FunctionDecl* definition = nullptr;
  if (call.function == nullptr || frames_.size() >= most_frames ||
      !call.function->hasBody(definition) || is_of_std(*definition) ||
      ast_.getSourceManager().isInSystemHeader(definition->getLocation()) ||
      definition->isDependentContext()) {
    return nullptr;
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition)) {
    if (method->isVirtual() && !llvm::isa<clang::CXXConstructorDecl>(method)) {
      return nullptr;
    }
  }
  const auto recursions =
      llvm::count_if(frames_, [&](const Frame* one) { return one->function == definition; });
  return recursions < most_recursions ? definition : nullptr;
}

const Value* Interpreter::call(const Call& call) {
  if (!state_.runs()) {
    return arena_.unknown(true);
  }
  if (call.function != nullptr) {
    const clang::FunctionDecl* canonical = call.function->getCanonicalDecl();
    const auto [known, is_new] = natives_.try_emplace(canonical, nullptr);
    if (is_new) {
      known->second = native_of(*canonical);
    }
    if (const Native native = known->second) {
      if (const auto result = native(*this, call)) {
        return *result;
      }
    }
  }
  const clang::FunctionDecl* definition = executed(call);
  return definition == nullptr ? opaque(call) : run(*definition, call);
}

/// Binds the variables of a function that is called.
void Interpreter::bind(Frame& callee, const Call& call) {
  const clang::FunctionDecl& function = *callee.function;
  for (unsigned i = 0; i < function.getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = function.getParamDecl(i);
    const Value* value = i < call.arguments.size() ? call.arguments[i] : arena_.unknown(true);
    callee.variables[parameter] =
        parameter->getType()->isReferenceType() ? place_of(*value) : state_.add(value);
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method == nullptr || !call.self) {
    return;
  }
  callee.self = *call.self;
  if (!method->getParent()->isLambda()) {
    return;
  }
  llvm::DenseMap<const clang::ValueDecl*, clang::FieldDecl*> captures;
  clang::FieldDecl* captured_this = nullptr;
  const clang::CXXRecordDecl* closure = method->getParent()->getCanonicalDecl();
  closure->getCaptureFields(captures, captured_this);
  const Place closure_place = callee.self;
  for (const auto& [variable, field] : captures) {
    const Place part = closure_place.at({field->getFieldIndex(), closure});
    callee.variables[variable] =
        field->getType()->isReferenceType() ? place_of(*state_.load(part)) : part;
  }
  if (captured_this != nullptr) {
    const Place part = closure_place.at({captured_this->getFieldIndex(), closure});
    callee.self = captured_this->getType()->isPointerType() ? place_of(*state_.load(part)) : part;
  }
}

/// Executes the body of a function.
const Value* Interpreter::run(const clang::FunctionDecl& definition, const Call& call) {
  const std::size_t size = state_.size();
  const bool guarded = state_.guarded;
  Frame callee;
  callee.function = &definition;
  callee.call = call.at == nullptr ? clang::SourceLocation() : call.at->getExprLoc();
  callee.base = size;
  bind(callee, call);
  frames_.push_back(&callee);
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&definition)) {
    initialise_members(*constructor);
  }
  execute(definition.getBody());
  if (state_.runs()) {
    leave(nullptr);
  }
  frames_.pop_back();
  if (callee.returned) {
    const bool stopped = state_.stopped;
    state_ = *callee.returned;
    state_.guarded = guarded;
    state_.stopped |= stopped;
  }
  state_.shrink(size);
  return callee.result == nullptr ? arena_.unknown(false) : callee.result;
}

/// A return with this result: what holds is joined with other returns.
void Interpreter::leave(const Value* result) {
  Frame& callee = frame();
  state_.shrink(callee.base);
  if (callee.returned) {
    callee.returned->join(state_, false);
    if (result != nullptr && result != callee.result) {
      callee.returned->escape(result);
      callee.returned->escape(callee.result);
      callee.result = arena_.join(callee.result, result);
    }
  } else {
    callee.returned = state_;
    callee.result = result;
  }
  state_.flow = Flow::Leaves;
}

/// Bases and members, before the body of a constructor.
void Interpreter::initialise_members(const clang::CXXConstructorDecl& constructor) {
  const auto* type = constructor.getParent()->getCanonicalDecl();
  const clang::CXXRecordDecl* definition = type->getDefinition();
  for (const clang::CXXCtorInitializer* initialiser : constructor.inits()) {
    const clang::Expr* given = initialiser->getInit();
    if (initialiser->isDelegatingInitializer()) {
      initialise(frame().self, given, given->getType());
    } else if (initialiser->isBaseInitializer()) {
      unsigned index = 0;
      for (const clang::CXXBaseSpecifier& base : definition->bases()) {
        if (ast_.hasSameUnqualifiedType(base.getType(),
                                        clang::QualType(initialiser->getBaseClass(), 0))) {
          break;
        }
        ++index;
      }
      initialise(frame().self.at({index, type}), given, given->getType());
    } else if (initialiser->isMemberInitializer()) {
      const clang::FieldDecl* field = initialiser->getMember();
      const unsigned index = definition->getNumBases() + field->getFieldIndex();
      initialise(frame().self.at({index, type}), given, field->getType());
    } else {
      rvalue(given);
    }
  }
}

namespace {

/// The call operator of a class, if there is one that takes so many arguments; of a template, its
/// only specialisation.
const clang::CXXMethodDecl* call_operator(const clang::CXXRecordDecl& type, std::size_t count) {
  const clang::CXXMethodDecl* found = nullptr;
  for (const clang::Decl* member : type.getDefinition()->decls()) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member);
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(member)) {
      const auto* templated = llvm::dyn_cast<clang::CXXMethodDecl>(pattern->getTemplatedDecl());
      if (templated == nullptr || templated->getOverloadedOperator() != clang::OO_Call) {
        continue;
      }
      for (const clang::FunctionDecl* made : pattern->specializations()) {
        if (method != nullptr) {
          return nullptr;
        }
        method = llvm::dyn_cast<clang::CXXMethodDecl>(made);
      }
    }
    if (method == nullptr || method->getOverloadedOperator() != clang::OO_Call) {
      continue;
    }
    if (found != nullptr || method->getNumParams() < count || method->isStatic()) {
      return nullptr;
    }
    found = method;
  }
  return found;
}

}  // namespace

const Value* Interpreter::invoke(const Place& callee, llvm::ArrayRef<Place> arguments,
                                 const Call& from) {
  const Value* object = state_.load(callee);
  if (object->kind == Kind::Function && object->function->getNumParams() >= arguments.size()) {
    return invoke_method(*object->function, callee, arguments, from);
  }
  if (object->kind != Kind::Record) {
    return nullptr;
  }
  const clang::CXXMethodDecl* found = call_operator(*object->type, arguments.size());
  return found == nullptr ? nullptr : invoke_method(*found, callee, arguments, from);
}

const Value* Interpreter::invoke_method(const clang::FunctionDecl& function, const Place& callee,
                                        llvm::ArrayRef<Place> arguments, const Call& from) {
  Call call{.function = &function, .self = std::nullopt, .arguments = {}, .at = from.at};
  if (llvm::isa<clang::CXXMethodDecl>(function)) {
    call.self = callee;
  }
  for (const auto [index, place] : llvm::enumerate(arguments)) {
    const clang::QualType type = function.getParamDecl(static_cast<unsigned>(index))->getType();
    const Value* pointer = arena_.pointer(place);
    call.arguments.push_back(type->isReferenceType() ? pointer : state_.load(place));
  }
  for (auto i = static_cast<unsigned>(arguments.size()); i < function.getNumParams(); ++i) {
    call.arguments.push_back(arena_.unknown(false));
  }
  const Value* result = this->call(call);
  return function.getReturnType()->isReferenceType() ? loaded(result) : result;
}

}  // namespace ddx::compiler::shapes
