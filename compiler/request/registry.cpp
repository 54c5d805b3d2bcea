#include "compiler/request/registry.h"

#include "compiler/diagnostics/diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Overload.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <utility>

namespace ddx::compiler {
namespace {

/// A value of the kind that a parameter of type `parameter` binds to without conversion.
clang::Expr* argument_for(clang::ASTContext& context, clang::QualType parameter,
                          clang::SourceLocation where) {
  const clang::ExprValueKind kind = parameter->isLValueReferenceType()   ? clang::VK_LValue
                                    : parameter->isRValueReferenceType() ? clang::VK_XValue
                                                                         : clang::VK_PRValue;
  return new (context) clang::OpaqueValueExpr(where, parameter.getNonReferenceType(), kind);
}

/// The specialisation of `pattern` that a call with arguments of the types `parameters` (object
/// first) selects; null if there is none. Its parameters may still differ from these types.
///
/// Deduction from a call, not from a function type: the result type of the other side is not known.
clang::FunctionDecl* deduced(clang::Sema& sema, clang::FunctionTemplateDecl* pattern,
                             const ParameterTypes& parameters,
                             const clang::TemplateArgumentListInfo* explicit_arguments,
                             clang::SourceLocation where) {
  llvm::SmallVector<clang::Expr*> arguments;
  for (const clang::QualType parameter : parameters) {
    arguments.push_back(argument_for(sema.Context, parameter, where));
  }
  auto* explicitly = const_cast<clang::TemplateArgumentListInfo*>(explicit_arguments);
  const auto found = clang::DeclAccessPair::make(pattern, clang::AS_none);
  clang::OverloadCandidateSet candidates(where, clang::OverloadCandidateSet::CSK_Normal);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(pattern->getTemplatedDecl());
  if (method == nullptr || method->isStatic()) {
    sema.AddTemplateOverloadCandidate(pattern, found, explicitly, arguments, candidates);
  } else if (!arguments.empty()) {
    sema.AddMethodTemplateCandidate(
        pattern, found, const_cast<clang::CXXRecordDecl*>(method->getParent()), explicitly,
        arguments.front()->getType(), arguments.front()->Classify(sema.Context),
        llvm::ArrayRef(arguments).drop_front(), candidates);
  }
  const bool selected = candidates.size() == 1 && candidates.begin()->Viable;
  return selected ? candidates.begin()->Function : nullptr;
}

const clang::TemplateArgumentListInfo* explicit_arguments(const PrimalName& name) {
  return name.has_explicit_arguments ? &name.explicit_arguments : nullptr;
}

bool comparable(const clang::FunctionTemplateDecl& derivative, const clang::FunctionDecl& primal) {
  const clang::FunctionTemplateDecl* pattern = primal.getDescribedFunctionTemplate();
  return pattern != nullptr && !llvm::isa<clang::CXXMethodDecl>(primal) &&
         pattern->getTemplateParameters()->size() == derivative.getTemplateParameters()->size();
}

/// The template arguments of `primal` for a derivative of as many template parameters: some may not
/// follow from the parameters' types, as `To` in `cast<To>(x)`.
clang::FunctionDecl* with_arguments_of(clang::Sema& sema, clang::FunctionTemplateDecl* derivative,
                                       const clang::FunctionDecl& primal,
                                       const ParameterTypes& parameters,
                                       clang::SourceLocation where) {
  const clang::FunctionTemplateDecl* pattern = primal.getPrimaryTemplate();
  if (pattern == nullptr || !comparable(*derivative, *pattern->getTemplatedDecl())) {
    return nullptr;
  }
  clang::TemplateArgumentListInfo arguments(where, where);
  for (const clang::TemplateArgument& argument :
       primal.getTemplateSpecializationArgs()->asArray()) {
    if (argument.getKind() != clang::TemplateArgument::Type) {
      return nullptr;
    }
    arguments.addArgument(sema.getTrivialTemplateArgumentLoc(argument, clang::QualType(), where));
  }
  return deduced(sema, derivative, parameters, &arguments, where);
}

/// Whether some specialisation of `derivative` may be the derivative of `primal`: as many
/// parameters, and, where both are templates of as many parameters, the same types.
bool may_match(const clang::ASTContext& context, const clang::FunctionTemplateDecl& derivative,
               const clang::FunctionDecl& primal) {
  const std::optional<ParameterTypes> wanted = derivative_parameters(context, primal);
  const ParameterTypes own = own_parameters(*derivative.getTemplatedDecl());
  if (!wanted || wanted->size() != own.size()) {
    return false;
  }
  return !comparable(derivative, primal) || own == *wanted;
}

}  // namespace

void Registry::update() {
  const std::vector<Registration> all = registrations(sema_);
  for (; read_ < all.size(); ++read_) {
    const Registration& registration = all[read_];
    PrimalName name = primal_name(*registration.named);
    if (name.functions.empty() && name.templates.empty()) {
      report(sema_.getDiagnostics(), Diagnostic::DerivativeOfUnknown, registration.where)
          << registration.derivative;
    } else if (registration.derivative->getDescribedFunctionTemplate() != nullptr) {
      add_template(registration, std::move(name));
    } else {
      add_function(registration, name);
    }
  }
}

const RegisteredDerivative* Registry::find(const clang::FunctionDecl* primal) const {
  primal = primal->getCanonicalDecl();
  if (const auto exact = exact_.find(primal); exact != exact_.end()) {
    return exact->second.get();
  }
  const auto [position, first_time] = made_.try_emplace(primal);
  if (first_time) {
    // Making one may instantiate code, but asks for no other derivative.
    position->second = make(*primal);
  }
  return position->second.get();
}

void Registry::add_function(const Registration& registration, const PrimalName& name) {
  clang::DiagnosticsEngine& diagnostics = sema_.getDiagnostics();
  const ParameterTypes own = own_parameters(*registration.derivative);
  llvm::SmallVector<clang::FunctionDecl*> matches;
  const auto consider = [&](clang::FunctionDecl* candidate) {
    if (candidate != nullptr && derivative_parameters(sema_.Context, *candidate) == own) {
      matches.push_back(candidate->getCanonicalDecl());
    }
  };
  llvm::for_each(name.functions, consider);
  if (matches.empty()) {
    for (clang::FunctionTemplateDecl* pattern : name.templates) {
      consider(deduced(sema_, pattern, own, explicit_arguments(name), registration.where));
    }
  }
  if (matches.empty()) {
    report_no_match(registration, name);
    return;
  }
  if (matches.size() > 1) {
    report(diagnostics, Diagnostic::DerivativeAmbiguous, registration.where)
        << registration.derivative << name.text;
    return;
  }
  if (!is_vjp(registration.derivative->getReturnType())) {
    report(diagnostics, Diagnostic::DerivativeReturns, registration.where)
        << registration.derivative << registration.derivative->getReturnType();
    return;
  }
  auto& known = exact_[matches.front()];
  if (known == nullptr) {
    known.reset(new RegisteredDerivative{registration.derivative, nullptr});
  } else if (known->vjp->getCanonicalDecl() != registration.derivative->getCanonicalDecl()) {
    report(diagnostics, Diagnostic::DerivativeTwice, registration.where)
        << registration.derivative << matches.front() << known->vjp;
  }
}

void Registry::add_template(const Registration& registration, PrimalName name) {
  clang::FunctionTemplateDecl* derivative =
      registration.derivative->getDescribedFunctionTemplate()->getCanonicalDecl();
  llvm::SmallVector<clang::FunctionDecl*> candidates(name.functions);
  for (clang::FunctionTemplateDecl* pattern : name.templates) {
    candidates.push_back(pattern->getTemplatedDecl());
  }
  llvm::erase_if(candidates, [&](const clang::FunctionDecl* candidate) {
    return !may_match(sema_.Context, *derivative, *candidate);
  });
  if (candidates.empty()) {
    report_no_match(registration, name);
    return;
  }
  for (const clang::FunctionDecl* candidate : candidates) {
    // Constraints can make two derivatives of one template both right.
    if (!comparable(*derivative, *candidate) || derivative->hasAssociatedConstraints()) {
      continue;
    }
    auto& known = exact_[candidate->getCanonicalDecl()];
    if (known == nullptr) {
      known.reset(new RegisteredDerivative{derivative->getTemplatedDecl(), derivative});
    } else if (known->vjp_template != derivative) {
      report(sema_.getDiagnostics(), Diagnostic::DerivativeTwice, registration.where)
          << derivative << candidate << known->vjp_template;
      return;
    }
  }
  templates_.push_back({derivative, std::move(name), registration.where, candidates.size() == 1});
}

void Registry::report_no_match(const Registration& registration, const PrimalName& name) const {
  clang::DiagnosticsEngine& diagnostics = sema_.getDiagnostics();
  llvm::SmallVector<clang::FunctionDecl*> candidates(name.functions);
  for (clang::FunctionTemplateDecl* pattern : name.templates) {
    candidates.push_back(pattern->getTemplatedDecl());
  }
  clang::FunctionDecl* first = candidates.front();
  llvm::erase_if(candidates, [&](const clang::FunctionDecl* candidate) {
    return !derivative_parameters(sema_.Context, *candidate);
  });
  if (candidates.empty()) {
    report(diagnostics, Diagnostic::DerivativeOfMutating, registration.where)
        << registration.derivative << first;
    return;
  }
  const auto expected = [&](const clang::FunctionDecl& candidate) {
    return expected_signature(sema_.Context, *registration.derivative, candidate);
  };
  report(diagnostics, Diagnostic::DerivativeParametersDiffer, registration.where)
      << registration.derivative << name.text << expected(*candidates.front());
  for (const clang::FunctionDecl* other : llvm::drop_begin(candidates)) {
    report(diagnostics, Diagnostic::DerivativeCandidate, other->getLocation()) << expected(*other);
  }
}

std::unique_ptr<RegisteredDerivative> Registry::make(const clang::FunctionDecl& primal) const {
  clang::DiagnosticsEngine& diagnostics = sema_.getDiagnostics();
  const std::optional<ParameterTypes> wanted = derivative_parameters(sema_.Context, primal);
  std::unique_ptr<RegisteredDerivative> result;
  for (const Template& registered : templates_) {
    if (!wanted || !registered.name.covers(primal)) {
      continue;
    }
    clang::FunctionDecl* vjp =
        deduced(sema_, registered.derivative, *wanted, nullptr, registered.where);
    if (vjp == nullptr) {
      vjp = with_arguments_of(sema_, registered.derivative, primal, *wanted, registered.where);
    }
    if (vjp == nullptr) {
      continue;
    }
    if (own_parameters(*vjp) != *wanted) {
      if (registered.one_candidate) {
        report(diagnostics, Diagnostic::DerivativeParametersDiffer, registered.where)
            << vjp << registered.name.text << expected_signature(sema_.Context, *vjp, primal);
      }
      continue;
    }
    if (result != nullptr) {
      report(diagnostics, Diagnostic::DerivativeTwice, registered.where)
          << registered.derivative << &primal << result->vjp_template;
      return result;
    }
    if (vjp->getReturnType()->isUndeducedType()) {
      sema_.DeduceReturnType(vjp, registered.where);
    }
    if (!is_vjp(vjp->getReturnType())) {
      report(diagnostics, Diagnostic::DerivativeReturns, registered.where)
          << vjp << vjp->getReturnType();
      return nullptr;
    }
    result.reset(new RegisteredDerivative{vjp, registered.derivative});
  }
  return result;
}

}  // namespace ddx::compiler
