#include "compiler/lower/library/utilities.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/support/function_names.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

std::optional<Value*> Utilities::lower_by_rule(const CallSite& site) {
  if (is_std(site.callee, {"move", "forward", "as_const"}) && site.arguments.size() == 1) {
    if (auto path = places_.lvalue(site.arguments[0])) {
      *site.reference = path;
      return nullptr;
    }
    return rejections_.unsupported(site.source);
  }
  if (is_std(site.callee, {"data"}) && site.arguments.size() == 1 && !site.method) {
    const auto whole = places_.lvalue(site.arguments[0]);
    if (whole && Types::container(whole->type) != Container::None &&
        Types::container(whole->type) != Container::StdPair) {
      *site.reference = element_path(whole, nullptr, context_.types.element(whole->type));
      return nullptr;
    }
  }
  if (is_std(site.callee, {"swap"}) && site.arguments.size() == 2 &&
      site.arguments[0]->getType()->isScalarType()) {
    const auto first = places_.lvalue(site.arguments[0]);
    const auto second = places_.lvalue(site.arguments[1]);
    if (first && second) {
      Value* one = builder_.load(*first, site.where());
      Value* two = builder_.load(*second, site.where());
      builder_.store(*first, two, site.where());
      builder_.store(*second, one, site.where());
      return nullptr;
    }
  }
  return std::nullopt;
}

}  // namespace ddx::compiler
