#include "compiler/request/request.h"

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/request/call_sites.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

namespace ddx::compiler {
namespace {

/// The declaration of kind `Declaration` that `name` finds in `scope`, or null.
template <class Declaration>
Declaration* lookup(clang::ASTContext& context, const clang::DeclContext* scope,
                    llvm::StringRef name) {
  for (clang::NamedDecl* found : scope->lookup(&context.Idents.get(name))) {
    if (auto* declaration = llvm::dyn_cast<Declaration>(found)) {
      return declaration;
    }
  }
  return nullptr;
}

bool is_open(const clang::FunctionDecl& entry) {
  return entry.getTemplateSpecializationKind() == clang::TSK_ImplicitInstantiation &&
         entry.isUsed(/*CheckUsedAttr=*/false) && !entry.isDefined();
}

/// The positions in `std::index_sequence<...>`.
llvm::SmallVector<unsigned> positions(clang::QualType index_sequence) {
  llvm::SmallVector<unsigned> result;
  const auto* sequence =
      llvm::cast<clang::ClassTemplateSpecializationDecl>(index_sequence->getAsCXXRecordDecl());
  for (const clang::TemplateArgument& position : sequence->getTemplateArgs()[1].pack_elements()) {
    result.push_back(static_cast<unsigned>(position.getAsIntegral().getZExtValue()));
  }
  return result;
}

/// Entries have the template parameters <Wrt, F, Args...>, and perhaps others that are deduced.
llvm::ArrayRef<clang::TemplateArgument> arguments(const clang::FunctionDecl& entry) {
  return entry.getTemplateSpecializationArgs()->asArray().take_front(3);
}

/// The instantiation of `primal<F, Args...>` that belongs to `entry`, with its body; null if there
/// is none.
clang::FunctionDecl* primal_of(clang::Sema& sema, clang::FunctionTemplateDecl* primal,
                               const clang::FunctionDecl& entry) {
  llvm::SmallVector<clang::TemplateArgument> key;
  for (const clang::TemplateArgument& argument : arguments(entry).drop_front()) {
    key.push_back(sema.Context.getCanonicalTemplateArgument(argument));
  }
  void* position = nullptr;
  clang::FunctionDecl* function = primal->findSpecialization(key, position);
  if (function == nullptr) {
    return nullptr;
  }
  if (!function->isDefined()) {
    sema.InstantiateFunctionDefinition(entry.getPointOfInstantiation(), function,
                                       /*Recursive=*/true,
                                       /*DefinitionRequired=*/true);
  }
  return function->getDefinition();
}

using Entry = std::pair<Request::Kind, clang::FunctionDecl*>;

llvm::SmallVector<Entry> open_entries(clang::ASTContext& context,
                                      const clang::NamespaceDecl& detail,
                                      llvm::SmallPtrSetImpl<const clang::FunctionDecl*>& served) {
  llvm::SmallVector<Entry> result;
  for (const auto& [kind, name] :
       {std::pair(Request::Kind::ValueWithGradient, "value_with_gradient_entry"),
        std::pair(Request::Kind::Rows, "value_with_rows_entry"),
        std::pair(Request::Kind::Pullback, "pullback_entry"),
        std::pair(Request::Kind::Differential, "value_with_differential_entry")}) {
    if (auto* entry = lookup<clang::FunctionTemplateDecl>(context, &detail, name)) {
      for (clang::FunctionDecl* instantiation : entry->specializations()) {
        if (is_open(*instantiation) && served.insert(instantiation->getCanonicalDecl()).second) {
          result.emplace_back(kind, instantiation);
        }
      }
    }
  }
  return result;
}

llvm::StringRef to_string(Request::Kind kind) {
  switch (kind) {
    case Request::Kind::ValueWithGradient:
      return "value_with_gradient";
    case Request::Kind::Rows:
      return "value_with_rows";
    case Request::Kind::Pullback:
      return "pullback";
    case Request::Kind::Differential:
      return "differential";
  }
  llvm_unreachable("closed set");
}

}  // namespace

std::vector<Request> find_requests(clang::Sema& sema,
                                   llvm::SmallPtrSetImpl<const clang::FunctionDecl*>& served) {
  clang::ASTContext& context = sema.Context;
  auto* library = lookup<clang::NamespaceDecl>(context, context.getTranslationUnitDecl(), "ddx");
  auto* detail =
      library == nullptr ? nullptr : lookup<clang::NamespaceDecl>(context, library, "detail");
  auto* primal =
      detail == nullptr ? nullptr : lookup<clang::FunctionTemplateDecl>(context, detail, "primal");
  if (primal == nullptr) {
    return {};
  }
  const llvm::SmallVector<Entry> entries = open_entries(context, *detail, served);
  if (entries.empty()) {
    return {};
  }
  std::vector<Request> requests;
  const CallSites sites(sema, primal->getLocation());
  const auto before = [&](clang::SourceLocation a, clang::SourceLocation b) {
    return sema.getSourceManager().isBeforeInTranslationUnit(a, b);
  };
  for (const auto& [kind, entry] : entries) {
    clang::SourceLocation where = sites.user_call(entry);
    if (where.isInvalid()) {
      where = entry->getPointOfInstantiation();
    }
    clang::FunctionDecl* function = primal_of(sema, primal, *entry);
    if (function == nullptr) {
      report(sema.getDiagnostics(), Diagnostic::EntryWithoutPrimal, where) << entry;
      continue;
    }
    const clang::QualType callee = arguments(*entry)[1].getAsType();
    const auto* functor = callee->getAsCXXRecordDecl();
    const bool by_user = sites.is_plain_code(entry) &&
                         !sema.getSourceManager().isInSystemHeader(where) &&
                         (functor == nullptr || !sites.in_library(functor->getLocation()));
    // Requests of one place, instantiations of one call, keep the order in which they were made.
    const auto position = std::ranges::upper_bound(requests, where, before, &Request::where);
    requests.insert(position, {kind, entry, function, positions(arguments(*entry)[0].getAsType()),
                               sites.named_as(callee, entry), where, by_user});
  }
  return requests;
}

void print(llvm::raw_ostream& out, const clang::Sema& sema, llvm::ArrayRef<Request> requests) {
  clang::PrintingPolicy policy(sema.getLangOpts());
  policy.AnonymousTagLocations = false;
  for (const Request& request : requests) {
    const llvm::ArrayRef<clang::TemplateArgument> parameters = arguments(*request.entry);
    out << "request ";
    sema.getSourceManager().getExpansionLoc(request.where).print(out, sema.getSourceManager());
    out << ": " << to_string(request.kind) << " of '";
    parameters[1].getAsType().print(out, policy);
    out << "' at (";
    llvm::interleaveComma(
        parameters[2].pack_elements(), out,
        [&](const clang::TemplateArgument& argument) { argument.getAsType().print(out, policy); });
    out << ") wrt (";
    llvm::interleaveComma(request.wrt, out);
    out << ")";
    if (!request.targets.empty()) {
      out << " targets (";
      llvm::interleaveComma(request.targets, out, [&](const NamedFunction& target) {
        target.function->printQualifiedName(out);
      });
      out << ")";
    }
    out << "\n";
  }
}

}  // namespace ddx::compiler
