#include "compiler/derive/entry_text.h"

#include "clang/AST/DeclTemplate.h"

namespace ddx::compiler {

using namespace clang;

PullbackClass pullback_class(const Request& request, Names& names) {
  const auto* unique =
      cast<ClassTemplateSpecializationDecl>(request.entry->getReturnType()->getAsCXXRecordDecl());
  const QualType base = unique->getTemplateArgs().get(0).getAsType();
  const auto* state = cast<ClassTemplateSpecializationDecl>(base->getAsCXXRecordDecl());
  PullbackClass made;
  made.base = names.type(base);
  made.value = names.type(state->getTemplateArgs().get(0).getAsType());
  made.tangents = names.type(state->getTemplateArgs().get(1).getAsType());
  for (unsigned i = 0; i < request.primal->getNumParams(); ++i) {
    const QualType type = request.primal->getParamDecl(i)->getType().getNonReferenceType();
    const std::string held = i == 0 ? "f" : "a" + std::to_string(i - 1);
    made.members += "  " + names.type(type) + " " + held + ";\n";
    made.parameters += (i ? ", " : "") + names.type(type) + "& " + held + "_given";
    made.initialisers += (i ? ", " : "") + held + "(" + held + "_given)";
    made.passed += (i ? ", " : "") + held;
  }
  return made;
}

namespace {

/// The parameters of an entry before the arguments of the function.
std::vector<std::string> own_parameters(Request::Kind kind) {
  switch (kind) {
    case Request::Kind::ValueWithGradient:
      return {"f", "tangents"};
    case Request::Kind::Rows:
      return {"f", "rows"};
    case Request::Kind::Pullback:
      return {"f"};
    case Request::Kind::Differential:
      return {"f", "differential"};
  }
  llvm_unreachable("closed set");
}

}  // namespace

std::vector<std::string> entry_parameters(const Request& request) {
  std::vector<std::string> names = own_parameters(request.kind);
  for (unsigned i = 0; i + 1 < request.primal->getNumParams(); ++i) {
    names.push_back("a" + std::to_string(i));
  }
  for (unsigned i = 0; names.size() < request.entry->getNumParams(); ++i) {
    names.push_back("d" + std::to_string(i));
  }
  return names;
}

}  // namespace ddx::compiler
