#include "compiler/derive/given_derivatives.h"

#include "compiler/lower/calls/functor_calls.h"
#include "compiler/memory/memory_rules.h"
#include "compiler/request/registry.h"
#include "compiler/request/signature.h"

#include "clang/AST/Mangle.h"

#include <optional>

namespace ddx::compiler {

using namespace clang;

namespace {

bool is_in_ddx(const Decl& declaration) {
  const NamespaceDecl* outermost = nullptr;
  for (const DeclContext* context = declaration.getDeclContext(); context;
       context = context->getParent()) {
    if (const auto* space = dyn_cast<NamespaceDecl>(context)) {
      outermost = space;
    }
  }
  return outermost && outermost->getName() == "ddx";
}

bool is_function_of_ddx(const FunctionDecl& function, llvm::StringRef name) {
  return function.getIdentifier() && function.getName() == name && is_in_ddx(function);
}

/// A parameter or the result of a function, as the text passes it.
enum class Passing {
  Constant,   ///< It has no tangent.
  InMemory,   ///< By its address.
  InRegister  ///< A real, or a small object that consists of reals.
};

constexpr unsigned register_bits = 64;
constexpr unsigned most_bits_in_registers = 2 * register_bits;

/// True for objects that consist of doubles and floats.
bool consists_of_reals(const Context& context, QualType type) {
  if (Types::is_real(type)) {
    return !type->isSpecificBuiltinType(BuiltinType::LongDouble);
  }
  if (const auto* complex = type->getAs<ComplexType>()) {
    return consists_of_reals(context, complex->getElementType());
  }
  if (const auto* array = context.ast.getAsConstantArrayType(type)) {
    return consists_of_reals(context, array->getElementType());
  }
  const CXXRecordDecl* record = Types::record(type);
  const auto is_real_part = [&](QualType part) { return consists_of_reals(context, part); };
  return record && !record->isUnion() && !record->isEmpty() &&
         llvm::all_of(record->fields(),
                      [&](const FieldDecl* field) { return is_real_part(field->getType()); }) &&
         llvm::all_of(record->bases(), [&](const CXXBaseSpecifier& base) {
           return is_real_part(base.getType()) || Types::record(base.getType())->isEmpty();
         });
}

/// How what has the type is passed; nothing where the text cannot.
std::optional<Passing> passing_of(const Context& context, QualType type) {
  const QualType plain = type.getNonReferenceType();
  if (!context.types.counts(plain)) {
    return Passing::Constant;
  }
  if (!context.types.has_addresses(plain)) {
    return std::nullopt;
  }
  if (type->isReferenceType()) {
    const bool is_output = type->isLValueReferenceType() && !plain.isConstQualified();
    return is_output ? std::nullopt : std::optional(Passing::InMemory);
  }
  const CXXRecordDecl* record = Types::record(plain);
  if (record &&
      (!record->canPassInRegisters() || context.ast.getTypeSize(plain) > most_bits_in_registers)) {
    return Passing::InMemory;
  }
  const bool is_followed = Types::is_real(plain) || consists_of_reals(context, plain);
  return is_followed ? std::optional(Passing::InRegister) : std::nullopt;
}

/// What calls the given derivatives of one function.
class GivenText {
 public:
  GivenText(const Context& context, const FunctionDecl& primal, unsigned number)
      : context_(context),
        primal_(primal),
        number_(std::to_string(number)),
        is_changed_cotangent_(is_function_of_ddx(primal, "with_derivative")) {
    const QualType result = primal.getReturnType();
    value_ = context.names.type(result.getNonReferenceType().getUnqualifiedType());
    const auto passing = passing_of(context, result);
    in_register_ = passing == Passing::InRegister;
    is_possible_ = passing && passing != Passing::Constant && !result->isReferenceType();
    const auto parameters = derivative_parameters(context.ast, primal);
    is_possible_ = is_possible_ && parameters;
    for (std::size_t i = 0; is_possible_ && i < parameters->size(); ++i) {
      add_parameter((*parameters)[i], i);
    }
  }

  [[nodiscard]] bool is_possible() const { return is_possible_; }
  [[nodiscard]] std::size_t registers() const { return registers_; }

  /// `vjp`: null for `with_derivative`.
  std::string forward(const FunctionDecl* vjp) const {
    return define("forward", "ddx::detail::MemorySweep* sweep",
                  "  " + begin_result() + "ddx::detail::forward_given<" + in_registers() +
                      ">(*sweep, " + place() + ", [&] { return " + call_of(vjp, "") + "; }" +
                      given_ + ");\n" + end_result());
  }

  std::string tangent(const RegisteredDerivative& registered) const {
    std::string text = tangents_;
    if (registered.jvp) {
      text += "  auto both = " + call_of(registered.jvp, tangent_names_) + ";\n";
    } else {
      const bool is_counted = context_.types.has_coordinates(primal_.getReturnType());
      text += "  auto both_vjp = " + call_of(registered.vjp, "") +
              ";\n  struct { decltype(both_vjp.value)& value; ddx::TangentOf<" + value_ +
              "> tangent; } both{both_vjp.value, ddx::detail::pulled_tangent<" +
              (is_counted ? "true" : "false") + ", std::tuple<" + tangent_types_ +
              ">>(both_vjp.pullback, both_vjp.value" + tangent_names_ + ")};\n";
    }
    text += "  " + begin_result() + "::new (static_cast<void*>(" + place() + ")) " + value_ +
            "(std::move(both.value));\n  ddx::detail::set_given_tangent<" + in_registers() +
            ">(*tangents, *(" + place() + "), " + (in_register_ ? "*registers" : "nullptr") +
            ", both.tangent);\n" + end_result();
    return define("tangent", "void* const* registers, ddx::detail::MemoryTangents* tangents", text);
  }

 private:
  void add_parameter(QualType type, std::size_t position) {
    const std::string name = "p" + std::to_string(position);
    const std::string plain = context_.names.type(type.getNonReferenceType().getUnqualifiedType());
    const std::optional<Passing> passing = passing_of(context_, type);
    if (!passing) {
      is_possible_ = false;
      return;
    }
    const CXXRecordDecl* record = Types::record(type);
    const bool is_copy = !type->isReferenceType() && record && record->canPassInRegisters() &&
                         passing == Passing::InMemory;
    parameters_ +=
        (is_copy ? "const " + plain + "&" : context_.names.type(type)) + " " + name + ", ";
    const bool is_moved = type->isRValueReferenceType() ||
                          (!type->isReferenceType() && record && !record->canPassInRegisters());
    arguments_ += (position ? ", " : "") + (is_moved ? "std::move(" + name + ")" : name);
    if (passing == Passing::Constant) {
      return;
    }
    const std::string tangent = "d" + std::to_string(position);
    tangents_ += "  const ddx::TangentOf<" + plain + "> " + tangent + " = ";
    if (passing == Passing::InRegister) {
      given_ += ", ddx::detail::ByValue<" + plain + ">{&" + name + "}";
      tangents_ += "ddx::detail::register_tangent<" + plain + ">(registers);\n";
      registers_ += Types::is_real(type)
                        ? 1
                        : (context_.ast.getTypeSize(type) + register_bits - 1) / register_bits;
    } else {
      given_ += ", " + name;
      tangents_ += "ddx::detail::given_tangent<" + plain + ">(*tangents, " + name + ");\n";
    }
    tangent_types_ += (tangent_types_.empty() ? "" : ", ") + ("ddx::TangentOf<" + plain + ">");
    tangent_names_ += ", " + tangent;
  }

  std::string call_of(const FunctionDecl* derivative, const std::string& tangents) const {
    return (is_changed_cotangent_ ? "ddx::detail::with_derivative_vjp"
                                  : context_.names.function(derivative)) +
           "(" + arguments_ + tangents + ")";
  }

  std::string in_registers() const { return in_register_ ? "true" : "false"; }
  std::string place() const { return in_register_ ? "&value.get()" : "result"; }
  std::string begin_result() const {
    return in_register_ ? "ddx::detail::Storage<" + value_ + "> value;\n  " : "";
  }
  std::string end_result() const { return in_register_ ? "  return value.get();\n" : ""; }

  /// One function. An object is constructed where the caller wants it, which is the first argument
  /// of functions that return one, too.
  std::string define(const std::string& part, const std::string& additional,
                     const std::string& body) const {
    const std::string head = "static " + (in_register_ ? value_ : "void") + " ddx_given_" + part +
                             "_" + number_ + "(" + (in_register_ ? "" : value_ + "* result, ") +
                             parameters_ + additional + ")";
    return "[[gnu::used]] " + head + " __asm__(\"ddx.given." + part + "." + number_ + "\");\n" +
           head + " {\n" + body + "}\n";
  }

  const Context& context_;
  const FunctionDecl& primal_;
  std::string number_;
  bool is_changed_cotangent_;
  bool is_possible_;
  bool in_register_;
  std::string value_;          ///< The type of the result.
  std::string parameters_;     ///< Declarations.
  std::string arguments_;      ///< For the derivative.
  std::string given_;          ///< Those that have tangents, for forward_given.
  std::string tangents_;       ///< Declarations of their tangents.
  std::string tangent_names_;  ///< Further arguments.
  std::string tangent_types_;
  std::size_t registers_ = 0;  ///< That arguments with tangents take.
};

/// Adds rules.
class RuleMaker {
 public:
  RuleMaker(const Context& context, bool is_forward_mode)
      : context_(context),
        rules_(context.memory_rules),
        is_forward_mode_(is_forward_mode),
        names_(context.ast) {}

  void add(const FunctionDecl& function) {
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    if (method && context_.types.is_leaf(method->getParent())) {
      add_class(*method->getParent());
    }
    if (context_.registry.covers(function)) {
      add_given(function, context_.registry.find(&function));
    } else if (is_function_of_ddx(function, "with_derivative")) {
      add_given(function, nullptr);
    } else if (is_in_ddx(function) && !(method && context_.types.is_leaf(method->getParent())) &&
               is_constant(function)) {
      insert_names(function, rules_.constants);
    }
  }

  std::string take_text() { return std::move(text_); }

 private:
  void add_given(const FunctionDecl& function, const RegisteredDerivative* registered) {
    const bool changes_cotangent = is_function_of_ddx(function, "with_derivative");
    GivenDerivative& given = rules_.given[names_.getName(&function)];
    GivenBy& way = is_forward_mode_ ? given.tangent : given.sweeps;
    const bool has_way = registered && (registered->vjp || (is_forward_mode_ && registered->jvp));
    if (way != GivenBy::Refused) {
      return;
    }
    if (!has_way && !(changes_cotangent && !is_forward_mode_)) {
      way = GivenBy::Body;
      return;
    }
    if (given.number == 0) {
      given.number = ++rules_.given_texts;
    }
    const GivenText text(context_, function, given.number);
    if (text.is_possible()) {
      way = GivenBy::Text;
      given.registers = text.registers();
      text_ += is_forward_mode_ ? text.tangent(*registered)
                                : text.forward(registered ? registered->vjp : nullptr);
    }
  }

  /// A class whose tangents are of its own making: what its functions do.
  void add_class(const CXXRecordDecl& record) {
    if (!rules_.classes.insert(record.getCanonicalDecl()).second) {
      return;
    }
    for (const Decl* member : record.decls()) {
      if (const auto* pattern = dyn_cast<FunctionTemplateDecl>(member)) {
        for (const FunctionDecl* one :
             const_cast<FunctionTemplateDecl*>(pattern)->specializations()) {
          add_method(*cast<CXXMethodDecl>(one));
        }
      } else if (const auto* method = dyn_cast<CXXMethodDecl>(member)) {
        add_method(*method);
      }
    }
  }

  /// Constructors and destructors have several.
  template <class Use>
  void for_each_name(const FunctionDecl& function, const Use& use) {
    if (isa<CXXConstructorDecl, CXXDestructorDecl>(function)) {
      llvm::for_each(names_.getAllManglings(&function), use);
    } else {
      use(names_.getName(&function));
    }
  }

  void insert_names(const FunctionDecl& function, llvm::StringSet<>& into) {
    for_each_name(function, [&](const std::string& name) { into.insert(name); });
  }

  void add_method(const CXXMethodDecl& method) {
    if (context_.registry.covers(method) || method.isDeleted()) {
      return;
    }
    if (const std::optional<ObjectOperation> operation = operation_of(method)) {
      for_each_name(method, [&](const std::string& name) { rules_.operations[name] = *operation; });
      return;
    }
    const bool is_harmless = (method.isStatic() || method.isConst()) &&
                             !isa<CXXConstructorDecl>(method) &&
                             !context_.types.may_hold_real(method.getReturnType());
    insert_names(method, is_harmless ? rules_.constants : rules_.refused);
  }

  std::optional<ObjectOperation> operation_of(const CXXMethodDecl& method) const {
    if (isa<CXXDestructorDecl>(method)) {
      return ObjectOperation::End;
    }
    if (method.isCopyAssignmentOperator() || method.isMoveAssignmentOperator()) {
      return method.isCopyAssignmentOperator() ? ObjectOperation::Copy : ObjectOperation::Move;
    }
    const auto* constructor = dyn_cast<CXXConstructorDecl>(&method);
    if (!constructor) {
      return std::nullopt;
    }
    if (constructor->isCopyOrMoveConstructor()) {
      return constructor->isCopyConstructor() ? ObjectOperation::Copy : ObjectOperation::Move;
    }
    bool has_reals = false;
    for (const ParmVarDecl* parameter : constructor->parameters()) {
      const QualType type = parameter->getType();
      if (!context_.types.may_hold_real(type)) {
        continue;
      }
      const CXXRecordDecl* record = Types::record(type);
      const bool is_list = !type->isReferenceType() && record && record->isInStdNamespace() &&
                           (record->getName() == "span" || record->getName() == "initializer_list");
      if (!is_list && !Types::is_real(type) && !holds_elements(type)) {
        return std::nullopt;
      }
      has_reals = true;
    }
    return has_reals ? ObjectOperation::MakeOfReals : ObjectOperation::Make;
  }

  /// Storage as a class keeps it: no tangent is known of it.
  bool holds_elements(QualType type) const {
    const CXXRecordDecl* record = Types::record(type);
    return record && is_in_ddx(*record) && !context_.types.has_tangent(type);
  }

  /// A function of ddx itself, without derivative: it returns no number that depends on an input,
  /// and changes none.
  bool is_constant(const FunctionDecl& function) const {
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    if (method && method->getParent()->isLambda()) {
      return false;
    }
    const QualType result = function.getReturnType();
    bool takes_reals = false;
    bool is_plain = true;
    const auto look_at = [&](QualType type, bool is_changed) {
      if (!context_.types.may_hold_real(type)) {
        return;
      }
      takes_reals = true;
      const CXXRecordDecl* record = Types::record(type);
      is_plain = is_plain && !is_changed && !type->isPointerType() &&
                 (Types::is_real(type.getNonReferenceType()) ||
                  (record && context_.types.is_leaf(record)));
    };
    if (method && method->isInstance()) {
      look_at(context_.ast.getTypeDeclType(method->getParent()), !method->isConst());
    }
    for (const ParmVarDecl* parameter : function.parameters()) {
      const QualType type = parameter->getType();
      look_at(type, type->isReferenceType() && !type.getNonReferenceType().isConstQualified());
    }
    const bool gives_reals = context_.types.may_hold_real(result);
    return gives_reals ? !takes_reals && !result->isReferenceType() && !result->isPointerType()
                       : is_plain;
  }

  const Context& context_;
  MemoryRules& rules_;
  bool is_forward_mode_;
  ASTNameGenerator names_;
  std::string text_;
};

}  // namespace

bool is_beyond_memory(const Context& context, const FunctionDecl& function) {
  if (!is_functor_call(&function) || is_function_of_ddx(function, "run_value_with_gradient") ||
      is_function_of_ddx(function, "pulled_back") || is_function_of_ddx(function, "checkpointed") ||
      is_function_of_ddx(function, "checkpointed_loop")) {
    return false;
  }
  if (!is_function_of_ddx(function, "with_derivative")) {
    return true;
  }
  // What the change of the cotangent captured must live as long as the derivative.
  const CXXRecordDecl* change = Types::record(function.getParamDecl(1)->getType());
  return !change || !GivenText(context, function, 0).is_possible() ||
         llvm::any_of(change->fields(), [](const FieldDecl* field) {
           return field->getType()->isReferenceType() || field->getType()->isPointerType();
         });
}

std::string add_given_derivatives(const Context& context,
                                  llvm::ArrayRef<const FunctionDecl*> functions,
                                  bool is_forward_mode) {
  ASTNameGenerator names(context.ast);
  context.registry.for_each_primal(
      [&](const FunctionDecl* primal) { context.memory_rules.given[names.getName(primal)]; });
  RuleMaker maker(context, is_forward_mode);
  for (const FunctionDecl* function : functions) {
    maker.add(*function);
  }
  return maker.take_text();
}

}  // namespace ddx::compiler
