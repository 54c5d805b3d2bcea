/// \file
/// A pipeline that stands in for the compiler's: tests the shell around it without any derivative.
///
/// Each entry calls, by exact name, what source code marks with `[[clang::annotate("probe")]]`, and
/// hands the results to the function marked "sink", with the qualified name. A class marked
/// "nested" makes the entry ask for one more gradient. Then it returns `f(args...)` and leaves the
/// tangents as they are. What is marked "primal" is listed with its registered derivative.

#include "compiler/plugin/pipeline.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace ddx::compiler {
namespace {

bool is_marked(const clang::Decl& declaration, llvm::StringRef mark) {
  return llvm::any_of(
      declaration.specific_attrs<clang::AnnotateAttr>(),
      [&](const clang::AnnotateAttr* note) { return note->getAnnotation() == mark; });
}

/// Collects what is marked, instantiations included.
class Marks : public clang::RecursiveASTVisitor<Marks> {
 public:
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (is_marked(*function, "sink")) {
      sink = function;
    }
    if (!function->isDependentContext() && is_marked(*function, "primal")) {
      primals.insert(function->getCanonicalDecl());
    }
    // Overload resolution declares instantiations that are never called.
    if (!function->isDependentContext() && is_marked(*function, "probe") &&
        (!function->isTemplateInstantiation() || function->isUsed(false))) {
      functions.insert(function->getCanonicalDecl());
    }
    return true;
  }

  bool VisitFunctionTemplateDecl(clang::FunctionTemplateDecl* function) {
    if (is_marked(*function->getTemplatedDecl(), "probe template")) {
      templates.insert(function);
    }
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    if (!variable->isTemplated() && is_marked(*variable, "probe")) {
      variables.insert(variable->getCanonicalDecl());
    }
    return true;
  }

  clang::FunctionDecl* sink = nullptr;
  llvm::SetVector<clang::FunctionDecl*> functions;
  llvm::SetVector<clang::FunctionDecl*> primals;
  llvm::SetVector<clang::FunctionTemplateDecl*> templates;
  llvm::SetVector<clang::VarDecl*> variables;
};

/// Writes the statements of one entry.
class Writer {
 public:
  Writer(Names& names, const Marks& marks) : names_(names), marks_(marks) {}

  void probe_everything(const clang::CXXRecordDecl* closure) {
    for (const clang::FunctionDecl* function : marks_.functions) {
      show(*function, call(*function));
    }
    for (const clang::FunctionTemplateDecl* function : marks_.templates) {
      show(*function, names_.function_template(function) + "<double>(3)");
    }
    for (const clang::VarDecl* variable : marks_.variables) {
      show(*variable, names_.variable(variable));
    }
    if (closure != nullptr && closure->isLambda()) {
      for (const clang::FieldDecl* field : closure->fields()) {
        const std::string name = names_.field(field);
        const bool pointer = field->getType()->isPointerType();
        show(name, (pointer ? "f." : "+f.") + name + (pointer ? " != nullptr" : ""));
      }
    }
  }

  std::string text;

 private:
  void show(const std::string& what, const std::string& value) {
    text += "  " + names_.function(marks_.sink) + "(\"" + what + "\", " + value + ");\n";
  }

  void show(const clang::NamedDecl& declaration, const std::string& value) {
    show(declaration.getQualifiedNameAsString(), value);
  }

  std::string call(const clang::FunctionDecl& function) {
    const std::string argument = function.getNumParams() == 0 ? "()" : "(3)";
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    if (method == nullptr || method->isStatic()) {
      return names_.function(&function) + argument;
    }
    const clang::QualType object = method->getThisType()->getPointeeType();
    return names_.type(object.getUnqualifiedType()) + "{}." + names_.function(&function) + argument;
  }

  Names& names_;
  const Marks& marks_;
};

std::string qualified_name(const clang::NamedDecl& declaration) {
  std::string text;
  llvm::raw_string_ostream out(text);
  declaration.getNameForDiagnostic(out, clang::PrintingPolicy(clang::LangOptions()), true);
  return text;
}

/// One comment for each function marked "primal": its type, and its registered derivative.
std::string registered(const Marks& marks, const Registry& registry) {
  std::string text;
  for (const clang::FunctionDecl* primal : marks.primals) {
    const RegisteredDerivative* found = registry.find(primal);
    text += "// " + qualified_name(*primal) + ": " + primal->getType().getAsString() + ": " +
            (found == nullptr || found->vjp == nullptr ? "none" : qualified_name(*found->vjp)) +
            (found == nullptr || found->jvp == nullptr ? "" : ", " + qualified_name(*found->jvp)) +
            "\n";
  }
  return text;
}

/// The parameters of an entry before the arguments of the function.
unsigned own_parameters(Request::Kind kind) {
  switch (kind) {
    case Request::Kind::Pullback:
      return 1;
    case Request::Kind::ValueWithGradient:
    case Request::Kind::Rows:
    case Request::Kind::Differential:
      return 2;
  }
  llvm_unreachable("closed set");
}

std::string entry_head(Names& names, const Request& request) {
  const clang::FunctionDecl& entry = *request.entry;
  std::string text = "template <>\ninline " + names.type(entry.getReturnType()) +
                     " ddx::detail::" + entry.getNameAsString() + "<";
  const llvm::ArrayRef<clang::TemplateArgument> arguments =
      entry.getTemplateSpecializationArgs()->asArray();
  text += names.type(arguments[0].getAsType()) + ", " + names.type(arguments[1].getAsType());
  for (const clang::TemplateArgument& argument : arguments[2].pack_elements()) {
    text += ", " + names.type(argument.getAsType());
  }
  text += ">(";
  for (unsigned i = 0; i < entry.getNumParams(); ++i) {
    const unsigned first_argument = own_parameters(request.kind);
    const std::string name = i == 0               ? "f"
                             : i < first_argument ? "own" + std::to_string(i)
                                                  : "x" + std::to_string(i - first_argument);
    text += (i == 0 ? "" : ", ") + names.type(entry.getParamDecl(i)->getType()) + " " + name;
  }
  return text + ") {\n";
}

std::string call_of_primal(const Request& request) {
  std::string text = "f(";
  for (unsigned i = 0; i + 1 < request.primal->getNumParams(); ++i) {
    text += (i == 0 ? "x" : ", x") + std::to_string(i);
  }
  return text + ")";
}

}  // namespace

Synthesis synthesize(const PipelineOptions& /*options*/, clang::Sema& sema, Names& names,
                     const Registry& registry, EntryParts& /*entry_parts*/,
                     const std::shared_ptr<MemoryRules>& /*memory_rules*/,
                     llvm::ArrayRef<Request> requests) {
  Marks marks;
  marks.TraverseDecl(sema.Context.getTranslationUnitDecl());
  std::string text = registered(marks, registry);
  for (const Request& request : requests) {
    const clang::QualType function =
        request.entry->getTemplateSpecializationArgs()->get(1).getAsType();
    const auto* record = function->getAsCXXRecordDecl();
    text += entry_head(names, request);
    Writer writer(names, marks);
    if (marks.sink != nullptr && request.by_user) {
      writer.probe_everything(record);
    }
    text += writer.text;
    if (record != nullptr && is_marked(*record, "nested")) {
      const std::string local = names.fresh("x0");
      text += "  " + names.function(marks.sink) +
              "(\"nested\", ddx::value_with_gradient([&](double " + local + ") { return " + local +
              " + 40; }, 2.0).value);\n";
    }
    text += request.kind == Request::Kind::Pullback
                ? "  return {};\n}\n"
                : "  return " + call_of_primal(request) + ";\n}\n";
  }
  return {text, {}};
}

}  // namespace ddx::compiler
