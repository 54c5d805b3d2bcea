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

/// Which way `derivative` may go for `primal`: as many parameters, or as many and tangents, and,
/// where both are templates of as many parameters, the same types. Nothing where it does not fit.
std::optional<Way> matching_way(const clang::ASTContext& context,
                                const clang::FunctionTemplateDecl& derivative,
                                const clang::FunctionDecl& primal) {
  const std::optional<ParameterTypes> wanted = derivative_parameters(context, primal);
  const ParameterTypes own = own_parameters(*derivative.getTemplatedDecl());
  if (!wanted || own.size() < wanted->size() || own.size() > 2 * wanted->size()) {
    return std::nullopt;
  }
  for (const clang::QualType tangent : llvm::ArrayRef(own).drop_front(wanted->size())) {
    const clang::QualType plain = tangent.getNonReferenceType();
    if (!plain->isDependentType() &&
        (plain->isIntegralOrEnumerationType() || plain->isPointerType())) {
      return std::nullopt;
    }
  }
  if (comparable(derivative, primal) &&
      llvm::ArrayRef(own).take_front(wanted->size()) != llvm::ArrayRef(*wanted)) {
    return std::nullopt;
  }
  return own.size() == wanted->size() ? Way::Reverse : Way::Forward;
}

/// Whether the parameters of `derivative` end in a pack where those of `primal` do: the pack would
/// take any tangents in, so it goes the way that the written parameters say.
bool pack_goes_other_way(const clang::ASTContext& context,
                         const clang::FunctionTemplateDecl& derivative,
                         const clang::FunctionDecl& primal, Way way) {
  const clang::FunctionDecl& written = *derivative.getTemplatedDecl();
  const clang::FunctionTemplateDecl* pattern = primal.getPrimaryTemplate();
  return pattern != nullptr && written.getNumParams() != 0 &&
         written.parameters().back()->isParameterPack() &&
         matching_way(context, derivative, *pattern->getTemplatedDecl()).value_or(way) != way;
}

const clang::FunctionDecl*& function_of(RegisteredDerivative& derivative, Way way) {
  return way == Way::Reverse ? derivative.vjp : derivative.jvp;
}

const clang::FunctionTemplateDecl*& template_of(RegisteredDerivative& derivative, Way way) {
  return way == Way::Reverse ? derivative.vjp_template : derivative.jvp_template;
}

bool returns_derivative(const clang::FunctionDecl& function, Way way) {
  return way == Way::Reverse ? is_vjp(function.getReturnType()) : is_jvp(function.getReturnType());
}

/// The number of parameters before the tangents.
std::size_t primal_parameters(const clang::ASTContext& context, const clang::FunctionDecl& primal) {
  return derivative_parameters(context, primal)->size();
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
  const auto [position, first_time] = made_.try_emplace(primal);
  if (first_time) {
    RegisteredDerivative found;
    if (const auto exact = exact_.find(primal); exact != exact_.end()) {
      found = *exact->second;
    }
    // Making one may instantiate code, but asks for no other derivative.
    for (const Way way : {Way::Reverse, Way::Forward}) {
      if (!function_of(found, way)) {
        make(*primal, way, found);
      }
    }
    if (found.vjp || found.jvp) {
      position->second = std::make_unique<RegisteredDerivative>(found);
    }
  }
  return position->second.get();
}

bool Registry::covers(const clang::FunctionDecl& primal) const {
  return exact_.contains(primal.getCanonicalDecl()) ||
         llvm::any_of(templates_, [&](const Template& one) { return one.name.covers(primal); });
}

void Registry::for_each_primal(llvm::function_ref<void(const clang::FunctionDecl*)> use) const {
  for (const auto& [primal, derivative] : exact_) {
    use(primal);
  }
  for (const Template& one : templates_) {
    for (clang::FunctionTemplateDecl* pattern : one.name.templates) {
      llvm::for_each(pattern->specializations(), use);
    }
  }
}

void Registry::add_function(const Registration& registration, const PrimalName& name) {
  clang::DiagnosticsEngine& diagnostics = sema_.getDiagnostics();
  const ParameterTypes own = own_parameters(*registration.derivative);
  const Way way = is_jvp(registration.derivative->getReturnType()) ? Way::Forward : Way::Reverse;
  llvm::SmallVector<clang::FunctionDecl*> matches;
  const auto consider = [&](clang::FunctionDecl* candidate) {
    const auto wanted = candidate ? derivative_parameters(sema_, *candidate, way) : std::nullopt;
    if (wanted && fits(own, *wanted, primal_parameters(sema_.Context, *candidate))) {
      matches.push_back(candidate->getCanonicalDecl());
    }
  };
  llvm::for_each(name.functions, consider);
  if (matches.empty()) {
    for (clang::FunctionTemplateDecl* pattern : name.templates) {
      // How many of the parameters are tangents is seen when the others are known.
      for (std::size_t count = own.size(); count > 0 && matches.empty(); --count) {
        const ParameterTypes first(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(count));
        consider(deduced(sema_, pattern, first, explicit_arguments(name), registration.where));
        if (way == Way::Reverse) {
          break;
        }
      }
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
  if (!returns_derivative(*registration.derivative, way)) {
    report(diagnostics, Diagnostic::DerivativeReturns, registration.where)
        << registration.derivative << registration.derivative->getReturnType();
    return;
  }
  auto& known = exact_[matches.front()];
  if (known == nullptr) {
    known = std::make_unique<RegisteredDerivative>();
  }
  const clang::FunctionDecl*& place = function_of(*known, way);
  if (place == nullptr) {
    place = registration.derivative;
  } else if (place->getCanonicalDecl() != registration.derivative->getCanonicalDecl()) {
    report(diagnostics, Diagnostic::DerivativeTwice, registration.where)
        << registration.derivative << matches.front() << place;
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
    return !matching_way(sema_.Context, *derivative, *candidate);
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
    const Way way = *matching_way(sema_.Context, *derivative, *candidate);
    auto& known = exact_[candidate->getCanonicalDecl()];
    if (known == nullptr) {
      known = std::make_unique<RegisteredDerivative>();
    }
    if (function_of(*known, way) == nullptr) {
      function_of(*known, way) = derivative->getTemplatedDecl();
      template_of(*known, way) = derivative;
    } else if (template_of(*known, way) != derivative) {
      report(sema_.getDiagnostics(), Diagnostic::DerivativeTwice, registration.where)
          << derivative << candidate << template_of(*known, way);
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
  const clang::FunctionDecl& derivative = *registration.derivative;
  const auto expected = [&](const clang::FunctionDecl& candidate) {
    const bool forward = is_jvp(derivative.getReturnType()) ||
                         (derivative.getReturnType()->isUndeducedType() &&
                          derivative.getNumParams() > primal_parameters(sema_.Context, candidate));
    return expected_signature(sema_, derivative, candidate, forward ? Way::Forward : Way::Reverse);
  };
  Report error = report(diagnostics, Diagnostic::DerivativeParametersDiffer, registration.where);
  error << registration.derivative << name.text << expected(*candidates.front());
  error.send();
  for (const clang::FunctionDecl* other : llvm::drop_begin(candidates)) {
    report(diagnostics, Diagnostic::DerivativeCandidate, other->getLocation()) << expected(*other);
  }
}

void Registry::make(const clang::FunctionDecl& primal, Way way, RegisteredDerivative& into) const {
  clang::DiagnosticsEngine& diagnostics = sema_.getDiagnostics();
  std::optional<ParameterTypes> wanted;
  for (const Template& registered : templates_) {
    if (!registered.name.covers(primal) ||
        pack_goes_other_way(sema_.Context, *registered.derivative, primal, way)) {
      continue;
    }
    if (!wanted) {
      wanted = derivative_parameters(sema_, primal, way);
    }
    if (!wanted ||
        (way == Way::Forward && wanted->size() == primal_parameters(sema_.Context, primal))) {
      return;  // It has no derivative, or nothing to move.
    }
    clang::FunctionDecl* made =
        deduced(sema_, registered.derivative, *wanted, nullptr, registered.where);
    if (made == nullptr) {
      made = with_arguments_of(sema_, registered.derivative, primal, *wanted, registered.where);
    }
    if (made == nullptr) {
      continue;
    }
    if (!fits(own_parameters(*made), *wanted, primal_parameters(sema_.Context, primal))) {
      if (registered.one_candidate) {
        report(diagnostics, Diagnostic::DerivativeParametersDiffer, registered.where)
            << made << registered.name.text << expected_signature(sema_, *made, primal, way);
      }
      continue;
    }
    if (function_of(into, way) != nullptr) {
      report(diagnostics, Diagnostic::DerivativeTwice, registered.where)
          << registered.derivative << &primal << template_of(into, way);
      return;
    }
    if (made->getReturnType()->isUndeducedType()) {
      sema_.DeduceReturnType(made, registered.where);
    }
    if (!returns_derivative(*made, way)) {
      const bool other = is_jvp(made->getReturnType()) || is_vjp(made->getReturnType());
      if (!other) {
        report(diagnostics, Diagnostic::DerivativeReturns, registered.where)
            << made << made->getReturnType();
        return;
      }
      continue;
    }
    function_of(into, way) = made;
    template_of(into, way) = registered.derivative;
  }
}

}  // namespace ddx::compiler
