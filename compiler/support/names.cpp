#include "compiler/support/names.h"

#include "compiler/support/injected_namespace.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/IdentifierTable.h"
#include "llvm/ADT/StringExtras.h"

#include <cassert>

namespace ddx::compiler {
namespace {

constexpr llvm::StringLiteral alias_namespace = "__ddx_names";

/// The qualifiers that text can add behind a type's name; others (address spaces) stay in the
/// typedef.
std::string suffix(clang::Qualifiers qualifiers) {
  std::string text;
  if (qualifiers.hasConst()) {
    text += " const";
  }
  if (qualifiers.hasVolatile()) {
    text += " volatile";
  }
  if (qualifiers.hasRestrict()) {
    text += " __restrict";
  }
  return text;
}

std::string spelled(const clang::ASTContext& context, const clang::BuiltinType& type) {
  if (type.getKind() == clang::BuiltinType::NullPtr) {
    return "decltype(nullptr)";
  }
  return type.getName(clang::PrintingPolicy(context.getLangOpts())).str();
}

/// Makes `name` find `target` in `scope`.
void add_alias(clang::ASTContext& context, clang::DeclContext* scope, llvm::StringRef name,
               clang::NamedDecl* target) {
  const clang::DeclarationNameInfo info(&context.Idents.get(name), clang::SourceLocation());
  auto* declaration =
      clang::UsingDecl::Create(context, scope, {}, clang::NestedNameSpecifierLoc(), info, false);
  scope->addDecl(declaration);
  auto* shadow =
      clang::UsingShadowDecl::Create(context, scope, {}, info.getName(), declaration, target);
  shadow->setAccess(clang::AS_public);
  declaration->setAccess(clang::AS_public);
  declaration->addShadowDecl(shadow);
  scope->addDecl(shadow);
}

}  // namespace

std::string Names::closure(const clang::CXXRecordDecl* lambda) {
  const std::string name = type(sema_.Context.getRecordType(lambda));
  // After `[&]` or `[=]` it has no default constructor, also where it captures nothing.
  return lambda->getLambdaCaptureDefault() == clang::LCD_None
             ? name + "{}"
             : "std::bit_cast<" + name + ">('\\0')";
}

std::string Names::type(clang::QualType type) {
  type = type.getCanonicalType();
  assert(!type->isDependentType() && !type->isVariablyModifiedType());
  if (type.getLocalQualifiers().hasNonFastQualifiers()) {
    return alias_of_type(type);
  }
  const std::string qualifiers = suffix(type.getLocalQualifiers());
  type = type.getLocalUnqualifiedType();
  if (const auto* builtin = llvm::dyn_cast<clang::BuiltinType>(type)) {
    return spelled(sema_.Context, *builtin) + qualifiers;
  }
  if (const auto* pointer = llvm::dyn_cast<clang::PointerType>(type)) {
    return this->type(pointer->getPointeeType()) + "*" + qualifiers;
  }
  if (const auto* reference = llvm::dyn_cast<clang::ReferenceType>(type)) {
    const bool lvalue = llvm::isa<clang::LValueReferenceType>(reference);
    return this->type(reference->getPointeeType()) + (lvalue ? "&" : "&&");
  }
  return alias_of_type(type) + qualifiers;
}

std::string Names::function(const clang::FunctionDecl* function) {
  if (function->getBuiltinID() != 0 && function->getIdentifier() != nullptr &&
      function->getName().starts_with("__builtin_")) {
    return function->getName().str();
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr && method->isInstance()) {
    return alias_in_class(method);
  }
  return alias_in_namespace(function);
}

std::string Names::function_template(const clang::FunctionTemplateDecl* function) {
  return alias_in_namespace(function);
}

std::string Names::variable(const clang::VarDecl* variable) {
  assert(variable->hasGlobalStorage());
  if (const auto* made = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(variable)) {
    // Lookup never finds the specialisation itself.
    std::string text = alias_in_namespace(made->getSpecializedTemplate()) + "<";
    for (const clang::TemplateArgument& given : made->getTemplateArgs().asArray()) {
      const std::string next = argument(given);
      text += (text.back() == '<' || next.empty() ? "" : ", ") + next;
    }
    return text + ">";
  }
  if (variable->isStaticDataMember()) {
    // Lookup takes the alias of a member for a set of functions.
    const auto* owner = llvm::cast<clang::RecordDecl>(variable->getDeclContext());
    return type(sema_.Context.getRecordType(owner)) + "::" + variable->getName().str();
  }
  return alias_in_namespace(variable);
}

std::string Names::field(const clang::FieldDecl* field) {
  if (const clang::RecordDecl* shared = field->getType()->getAsRecordDecl();
      shared && Types::is_shared_name(shared)) {
    return this->field(*shared->field_begin());
  }
  if (field->getIdentifier() == nullptr) {
    auto* record =
        llvm::cast<clang::RecordDecl>(const_cast<clang::DeclContext*>(field->getDeclContext()));
    if (auto* closure = llvm::dyn_cast<clang::CXXRecordDecl>(record);
        closure != nullptr && closure->isLambda()) {
      name_captures(closure);
    } else {
      auto* unnamed = const_cast<clang::FieldDecl*>(field);
      unnamed->setDeclName(&sema_.Context.Idents.get(fresh("unnamed")));
      record->makeDeclVisibleInContext(unnamed);
    }
  }
  return field->getName().str();
}

std::string Names::fresh(llvm::StringRef base) {
  std::string name = base.str();
  for (unsigned& last = last_number_.try_emplace(base, 1).first->second;;) {
    const clang::IdentifierInfo& identifier = sema_.Context.Idents.get(name);
    if (identifier.getTokenID() == clang::tok::identifier && !identifier.hadMacroDefinition() &&
        taken_.insert(name).second) {
      return name;
    }
    name = (base + "_" + llvm::Twine(++last)).str();
  }
}

std::string Names::alias_of_type(clang::QualType type) {
  std::string& name = types_[type];
  if (name.empty()) {
    clang::ASTContext& context = sema_.Context;
    const std::string identifier = fresh(readable_name(context, type));
    auto* alias =
        clang::TypedefDecl::Create(context, aliases(), {}, {}, &context.Idents.get(identifier),
                                   context.getTrivialTypeSourceInfo(type));
    alias->setAccess(clang::AS_none);
    aliases()->addDecl(alias);
    name = (alias_namespace + "::" + identifier).str();
  }
  return name;
}

std::string Names::alias_in_namespace(const clang::NamedDecl* target) {
  std::string& name = declarations_[llvm::cast<clang::NamedDecl>(target->getCanonicalDecl())];
  if (name.empty()) {
    const std::string identifier = fresh(readable_name(sema_.Context, *target));
    // The last redeclaration has the default arguments and attributes of all.
    auto* last = const_cast<clang::NamedDecl*>(target->getMostRecentDecl());
    if (!last->isInIdentifierNamespace(clang::Decl::IDNS_Ordinary)) {
      // Friends and externs declared nowhere else are hidden from lookup, and so would be the
      // alias.
      last->setObjectOfFriendDecl(/*PerformFriendInjection=*/true);
    }
    add_alias(sema_.Context, aliases(), identifier, last);
    name = (alias_namespace + "::" + identifier).str();
  }
  return name;
}

/// Text of one template argument; several, with commas, for a pack.
std::string Names::argument(const clang::TemplateArgument& argument) {
  switch (argument.getKind()) {
    case clang::TemplateArgument::Type:
      return type(argument.getAsType());
    case clang::TemplateArgument::Integral:
      return "static_cast<" + type(argument.getIntegralType()) + ">(" +
             llvm::toString(argument.getAsIntegral(), 10) + ")";
    case clang::TemplateArgument::Pack: {
      std::string text;
      for (const clang::TemplateArgument& element : argument.pack_elements()) {
        text += (text.empty() ? "" : ", ") + this->argument(element);
      }
      return text;
    }
    case clang::TemplateArgument::Declaration:
      return "&" + alias_in_namespace(argument.getAsDecl());
    case clang::TemplateArgument::NullPtr:
      return "nullptr";
    case clang::TemplateArgument::Template:
      return alias_in_namespace(argument.getAsTemplate().getAsTemplateDecl());
    case clang::TemplateArgument::Null:
    case clang::TemplateArgument::StructuralValue:
    case clang::TemplateArgument::TemplateExpansion:
    case clang::TemplateArgument::Expression:
      break;
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  argument.print(clang::PrintingPolicy(sema_.getLangOpts()), out, /*IncludeType=*/true);
  return text;
}

std::string Names::alias_in_class(const clang::CXXMethodDecl* method) {
  method = method->getCanonicalDecl();
  std::string& name = declarations_[method];
  if (name.empty()) {
    // The prefix is reserved for us: no member of the class or of a derived one is hidden or hides
    // it.
    name = fresh("__ddx_" + readable_name(sema_.Context, *method));
    auto* target = const_cast<clang::CXXMethodDecl*>(method);
    add_alias(sema_.Context, target->getParent(), name, target);
  }
  return name;
}

void Names::name_captures(clang::CXXRecordDecl* closure) {
  clang::IdentifierTable& identifiers = sema_.Context.Idents;
  llvm::StringSet<> used;
  auto field = closure->field_begin();
  for (const clang::LambdaCapture& capture : closure->captures()) {
    std::string base = "cap_this";
    if (capture.capturesVariable()) {
      base = "cap_" + capture.getCapturedVar()->getName().str();
    } else if (capture.capturesVLAType()) {
      base = "cap_extent";
    }
    // Expanded packs have one name for several captures.
    std::string name = base;
    for (unsigned number = 2;
         !used.insert(name).second || identifiers.get(name).hadMacroDefinition(); ++number) {
      name = base + "_" + std::to_string(number);
    }
    field->setDeclName(&identifiers.get(name));
    closure->makeDeclVisibleInContext(*field);
    ++field;
  }
}

clang::NamespaceDecl* Names::aliases() {
  if (aliases_ == nullptr) {
    aliases_ = inject_namespace(sema_, alias_namespace);
  }
  return aliases_;
}

}  // namespace ddx::compiler
