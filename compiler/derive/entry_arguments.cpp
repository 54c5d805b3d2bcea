// What an entry hands to the derivative of its function: each argument and capture as the primal's
// parameters take it.

#include "compiler/derive/driver.h"

#include "llvm/Support/SaveAndRestore.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// Groups from here on are for what a closure holds by value.
constexpr unsigned own_group = 1U << 16;

}  // namespace

/// Mirrors Parameters::expand_parameter: what the primal's parameter of this type is handed.
void Driver::expand(QualType type, const std::string& text, ParameterFacts facts,
                    EntryArguments& into) {
  if (context_.types.is_scalarized(type)) {
    return Types::is_closure(type) ? expand_closure(Types::record(type), text, into)
                                   : expand_object(type, text, facts.group != 0, into);
  }
  const QualType plain = type.getNonReferenceType();
  if (Types::is_callable(plain) && !into.key.targets.empty()) {
    return;
  }
  const auto iterator = context_.types.iterator(plain);
  const auto viewed = context_.types.viewed(plain);
  const bool refers = plain->isPointerType() || iterator || viewed;
  facts.is_unchanged = facts.is_unchanged && !(refers && into.outlives);
  if (viewed) {
    into.key.parameters.insert(into.key.parameters.end(), 2, facts);
    into.texts.insert(into.texts.end(), {"std::data(" + text + ")", "std::size(" + text + ")"});
    return;
  }
  into.key.parameters.push_back(facts);
  into.texts.push_back(!iterator || plain->isPointerType() ? text
                       : Types::wrapped_iterator(plain)    ? "std::to_address(" + text + ".base())"
                                                           : "std::to_address(" + text + ")");
}

void Driver::expand_closure(const CXXRecordDecl* record, const std::string& text,
                            EntryArguments& into) {
  auto field = record->field_begin();
  for (const LambdaCapture& capture : record->captures()) {
    const std::string member = text + "." + context_.names.field(*field);
    ParameterFacts facts;
    const bool is_pointer =
        field->getType()->isReferenceType() || field->getType()->isPointerType();
    const llvm::SaveAndRestore stays(into.stays, into.stays && !(is_pointer && into.outlives));
    facts.is_unchanged = into.stays;
    const bool by_value = !is_pointer && !capture.capturesThis();
    facts.group = by_value ? own_group + static_cast<unsigned>(into.texts.size()) : 0;
    if (capture.capturesThis()) {
      const bool by_pointer = field->getType()->isPointerType();
      const QualType object = by_pointer ? field->getType()->getPointeeType() : field->getType();
      expand(context_.types.is_scalarized(object) ? object : field->getType(),
             by_pointer ? "(*" + member + ")" : member, facts, into);
    } else {
      expand(field->getType(), member, facts, into);
    }
    ++field;
  }
}

/// `is_apart`: the object itself overlaps with nothing else.
void Driver::expand_object(QualType type, const std::string& text, bool is_apart,
                           EntryArguments& into) {
  const CXXRecordDecl* record = context_.types.scalarized_class(type);
  for (const FieldDecl* field : context_.types.scalarized_members(type)) {
    const QualType of = field->getType();
    const auto* owner = cast<CXXRecordDecl>(field->getParent());
    const std::string object = owner == record
                                   ? text
                                   : "static_cast<const " +
                                         context_.names.type(context_.ast.getRecordType(owner)) +
                                         "&>(" + text + ")";
    ParameterFacts facts;
    const bool is_pointer = of->isReferenceType() || of->isPointerType();
    const llvm::SaveAndRestore stays(into.stays, into.stays && !(is_pointer && into.outlives));
    facts.is_unchanged = into.stays;
    const bool held = is_apart && !is_pointer;
    facts.group = held ? own_group + static_cast<unsigned>(into.texts.size()) : 0;
    expand(of, object + "." + context_.names.field(field), facts, into);
  }
}

}  // namespace ddx::compiler
