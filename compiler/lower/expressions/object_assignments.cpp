#include "compiler/lower/expressions/object_assignments.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/idempotent_constructors.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/library/complex.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Value* ObjectAssignments::assign_scalarized(const CallSite& site) {
  const Binding to = site.object.known ? *site.object.known
                                       : scalarized_objects_.scalarized(site.object.expression);
  const Binding from = scalarized_objects_.scalarized(site.arguments[0]);
  return scalarized_objects_.assign_scalarized(to, from, site.where())
             ? nullptr
             : rejections_.unsupported(site.source, Diagnostic::UnsupportedAssignment);
}

/// `a = c ? b : d` of objects that are named.
void ObjectAssignments::assign_selected(const CallSite& site,
                                        const ConditionalOperator* conditional) {
  const std::optional<Path> place = places_.object_path(site.object);
  const auto assign_arm = [&](const Expr* arm) {
    const auto from = place ? places_.lvalue(arm) : std::nullopt;
    if (from) {
      builder_.store(*place, builder_.load(*from, site.where()), site.where());
    } else {
      rejections_.unsupported(site.source, Diagnostic::UnsupportedAssignment);
    }
  };
  expressions_.for_each_arm(conditional, site.where(), assign_arm);
  *site.reference = place;
}

Value* ObjectAssignments::assign_members(const CallSite& site) {
  const Expr* right = site.arguments[0]->IgnoreParens();
  const auto* conditional = dyn_cast<ConditionalOperator>(right->IgnoreImpCasts());
  if (conditional && conditional->isGLValue() &&
      (!site.object.expression || is_idempotent(site.object.expression))) {
    assign_selected(site, conditional);
    return nullptr;
  }
  std::optional<Path> from = places_.lvalue(right);
  std::optional<Path> to = places_.object_path(site.object);
  if (!from || !to) {
    return rejections_.unsupported(site.source, Diagnostic::UnsupportedAssignment);
  }
  if (Types::container(to->type) == Container::StdComplex) {
    complex_.store_parts(*to, complex_.load_parts(*from, site.where()), site.where());
  } else {
    builder_.store(*to, builder_.load(*from, site.where()), site.where());
  }
  *site.reference = to;
  return nullptr;
}

std::optional<Value*> ObjectAssignments::lower_by_rule(const CallSite& site) {
  const CXXMethodDecl* method = site.method;
  if (!method || !site.object ||
      !(method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
    return std::nullopt;
  }
  if (site.of_scalarized && !method->isUserProvided()) {
    return assign_scalarized(site);
  }
  const QualType assigned = context_.ast.getRecordType(method->getParent());
  const bool of_library = in_library(method->getParent());
  if (!of_library && !site.of_scalarized && context_.types.holds_dynamic_pointer(assigned) &&
      (method->isUserProvided() || !context_.types.has_tangent(assigned))) {
    return dynamic_pointers_.lost_pointer(site.source);
  }
  const bool by_member = method->isDefaulted() || method->isTrivial() || of_library ||
                         context_.types.is_leaf(method->getParent());
  return by_member ? std::optional(assign_members(site)) : std::nullopt;
}

}  // namespace ddx::compiler
