#include "compiler/support/types.h"

#include "compiler/support/hierarchy.h"
#include "compiler/support/template_types.h"

#include "clang/AST/DeclTemplate.h"

#include <set>

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::QualType;

namespace {

bool in_std(const CXXRecordDecl* record, llvm::StringRef name) {
  return record && in_library(record) && record->getIdentifier() && record->getName() == name;
}

QualType template_type_argument(const CXXRecordDecl* record, unsigned position) {
  const auto* specialisation = llvm::cast<clang::ClassTemplateSpecializationDecl>(record);
  return specialisation->getTemplateArgs().get(position).getAsType();
}

/// `skipped_pointers`: what to pass over, with all that lies behind it.
/// What a class that is its own tangent is made of, say: nothing of it shows in its members.
bool says_it_holds_reals(const CXXRecordDecl* record) {
  return record && record->hasDefinition() &&
         !record->lookup(&record->getASTContext().Idents.get("DdxHoldsReals")).empty();
}

/// The first of a member's several names; other members are named by themselves.
const FieldDecl* named_member(const FieldDecl* field) {
  const clang::RecordDecl* record = field->getType()->getAsRecordDecl();
  return record && Types::is_shared_name(record) ? *record->field_begin() : field;
}

bool may_hold_real(QualType type, std::set<const clang::Type*>& met, bool exact = false,
                   Types* skipped_pointers = nullptr) {
  type = type.getNonReferenceType().getCanonicalType();
  if (skipped_pointers &&
      (skipped_pointers->is_dynamic_pointer(type) || Types::is_dynamic_function(type))) {
    return false;
  }
  if (type->isRealFloatingType() || type->isAnyComplexType()) {
    return true;
  }
  if (!met.insert(type.getTypePtr()).second) {
    return false;
  }
  if (type->isPointerType()) {
    return type->isVoidPointerType() ||
           may_hold_real(type->getPointeeType(), met, false, skipped_pointers);
  }
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return may_hold_real(array->getElementType(), met, false, skipped_pointers);
  }
  if (const auto* vector = type->getAs<clang::VectorType>()) {
    return may_hold_real(vector->getElementType(), met, false, skipped_pointers);
  }
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) {
    return false;
  }
  if (in_std(record, "any") || in_std(record, "function")) {
    return true;
  }
  if (says_it_holds_reals(record)) {
    return true;
  }
  if (exact && Types::is_hollow(type)) {
    return false;
  }
  // As std::less of objects with reals. A base class may be empty where what derives from it is
  // not.
  if (record->isEmpty() && (exact || in_library(record))) {
    return false;
  }
  // What a class of the program is made of, its members say.
  if (!(skipped_pointers && !in_library(record)) &&
      llvm::any_of(template_types(record), [&](QualType argument) {
        return may_hold_real(argument, met, false, skipped_pointers);
      })) {
    return true;
  }
  if (in_library(record)) {
    return false;
  }
  if (record->isPolymorphic() && !exact) {
    return true;  // Of a derived class, perhaps.
  }
  for (const FieldDecl* field : record->fields()) {
    const bool leads = skipped_pointers && skipped_pointers->owns_array(field);
    if (!leads && may_hold_real(field->getType(), met, false, skipped_pointers)) {
      return true;
    }
  }
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    if (may_hold_real(base.getType(), met, exact, skipped_pointers)) {
      return true;
    }
  }
  return false;
}

}  // namespace

namespace {

/// True for std::stack, std::queue and std::priority_queue that may hold reals.
bool is_adaptor(const clang::DeclContext* context) {
  const auto* record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(context);
  if (!record || !record->isInStdNamespace() || !record->getIdentifier() ||
      (record->getName() != "stack" && record->getName() != "queue" &&
       record->getName() != "priority_queue")) {
    return false;
  }
  const QualType element = record->getTemplateArgs().get(0).getAsType();
  const CXXRecordDecl* held = element->getAsCXXRecordDecl();
  if (element->isPointerType() ||
      (held && held->isInStdNamespace() && held->getIdentifier() &&
       (held->getName() == "unique_ptr" || held->getName() == "shared_ptr"))) {
    return false;  // What is pointed to lies elsewhere.
  }
  std::set<const clang::Type*> met;
  return may_hold_real(element, met);
}

}  // namespace

bool in_library(const clang::Decl* declaration) {
  if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(declaration);
      record && is_adaptor(record)) {
    return false;
  }
  const clang::NamespaceDecl* outermost = nullptr;
  for (const clang::DeclContext* context = declaration->getDeclContext(); context;
       context = context->getParent()) {
    if (is_adaptor(context)) {
      return false;
    }
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
      outermost = space;
    }
  }
  return outermost && (outermost->isStdNamespace() || outermost->getName() == "__gnu_cxx");
}

const CXXRecordDecl* Types::record(QualType type) {
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->hasDefinition() ? record->getDefinition() : nullptr;
}

bool Types::is_closure(QualType type) {
  const CXXRecordDecl* found = record(type);
  return found && found->isLambda();
}

bool Types::is_function_object(QualType type) {
  return in_std(record(type), "function");
}

Container Types::container(QualType type) {
  if (type.isNull()) {
    return Container::None;
  }
  type = type.getNonReferenceType();
  if (type->isConstantArrayType()) {
    return Container::CArray;
  }
  const CXXRecordDecl* found = record(type);
  if (in_std(found, "array")) {
    return Container::StdArray;
  }
  if (in_std(found, "vector") && !template_type_argument(found, 0)->isBooleanType()) {
    return Container::StdVector;
  }
  if (in_std(found, "deque")) {
    return Container::StdDeque;
  }
  const auto is_value = [](QualType part) {
    return !part->isReferenceType() && !part->isPointerType();
  };
  const auto refers = [](QualType part) { return part->isReferenceType(); };
  if ((in_std(found, "pair") && llvm::none_of(parts(type), refers)) ||
      (in_std(found, "tuple") && llvm::all_of(parts(type), is_value) && !parts(type).empty())) {
    return Container::StdPair;
  }
  if (in_std(found, "complex") && is_real(template_type_argument(found, 0))) {
    return Container::StdComplex;
  }
  if (in_std(found, "map") || in_std(found, "unordered_map")) {
    // What orders or hashes the keys is constructed for the tangent, too: it must know nothing.
    const auto stateless = [&](unsigned position) {
      const CXXRecordDecl* const function = record(template_type_argument(found, position));
      return function && function->isEmpty();
    };
    std::set<const clang::Type*> met;
    const bool known = stateless(2) && (in_std(found, "map") || stateless(3)) &&
                       !compiler::may_hold_real(key(type), met) && !key(type)->isPointerType();
    return known && is_value(mapped(type)) && compiler::may_hold_real(mapped(type), met)
               ? Container::StdMap
               : Container::None;
  }
  if ((is_optional(type) || is_variant(type)) && llvm::all_of(parts(type), is_value)) {
    std::set<const clang::Type*> met;
    return compiler::may_hold_real(type, met) ? Container::SumType : Container::None;
  }
  return Container::None;
}

QualType Types::key(QualType map) {
  return template_type_argument(record(map), 0);
}

QualType Types::mapped(QualType map) {
  return template_type_argument(record(map), 1);
}

bool Types::is_bit_vector(QualType type) {
  const CXXRecordDecl* found = type.isNull() ? nullptr : record(type);
  return in_std(found, "vector") && template_type_argument(found, 0)->isBooleanType();
}

bool Types::is_map_iterator(QualType type) {
  const CXXRecordDecl* found = type.isNull() ? nullptr : record(type);
  const bool of_tree =
      in_std(found, "_Rb_tree_iterator") || in_std(found, "_Rb_tree_const_iterator");
  if (!of_tree && !in_std(found, "_Node_iterator") && !in_std(found, "_Node_const_iterator")) {
    return false;
  }
  const QualType entry = template_type_argument(found, 0);
  return in_std(record(entry), "pair") && parts(entry)[0].isConstQualified();
}

bool Types::is_shared_name(const clang::RecordDecl* record) {
  if (!record->isUnion() || !record->isAnonymousStructOrUnion() || record->field_empty()) {
    return false;
  }
  const QualType type = record->field_begin()->getType();
  return is_real(type) && !type.isVolatileQualified() &&
         llvm::all_of(record->fields(), [&](const FieldDecl* field) {
           return field->getType().getCanonicalType() == type.getCanonicalType();
         });
}

QualType Types::member_type(const FieldDecl* field) {
  return named_member(field)->getType();
}

bool Types::is_hollow(QualType type) {
  if (type->isIntegralOrEnumerationType()) {
    return !type->isAnyCharacterType() && !type->isStdByteType();
  }
  const CXXRecordDecl* record = Types::record(type);
  return record && !type->isReferenceType() && !record->isUnion() && !record->isPolymorphic() &&
         !in_library(record) && !says_it_holds_reals(record) &&
         llvm::all_of(record->fields(),
                      [](const FieldDecl* field) { return is_hollow(field->getType()); }) &&
         llvm::all_of(record->bases(), [](const clang::CXXBaseSpecifier& base) {
           return is_hollow(base.getType());
         });
}

bool Types::is_optional(QualType type) {
  return in_std(record(type), "optional");
}

bool Types::is_variant(QualType type) {
  return in_std(record(type), "variant");
}

std::uint64_t Types::array_size(QualType array) const {
  if (const auto* plain = context_.getAsConstantArrayType(array)) {
    return plain->getSize().getZExtValue();
  }
  const auto* record = llvm::cast<clang::ClassTemplateSpecializationDecl>(Types::record(array));
  return record->getTemplateArgs().get(1).getAsIntegral().getZExtValue();
}

std::vector<QualType> Types::parts(QualType type) {
  return template_types(record(type));
}

QualType Types::element(QualType type) {
  type = type.getNonReferenceType();
  if (const auto* array = context_.getAsArrayType(type)) {
    return array->getElementType();
  }
  const CXXRecordDecl* found = record(type);
  QualType element = template_type_argument(found, 0);
  if (container(type) == Container::StdMap) {
    for (const clang::NamedDecl* named : found->lookup(&context_.Idents.get("value_type"))) {
      element = context_.getTypeDeclType(llvm::cast<clang::TypeDecl>(named)).getCanonicalType();
    }
  }
  return type.isConstQualified() ? element.withConst() : element;
}

std::optional<QualType> Types::wrapped_iterator(QualType type) {
  const CXXRecordDecl* found = record(type);
  return in_std(found, "reverse_iterator") ? std::optional(template_type_argument(found, 0))
                                           : std::nullopt;
}

std::optional<QualType> Types::view_element(QualType type) {
  const CXXRecordDecl* found = type.isNull() ? nullptr : record(type);
  const bool is_list = in_std(found, "initializer_list");
  if (!is_list && !in_std(found, "span")) {
    return std::nullopt;
  }
  const QualType element = template_type_argument(found, 0);
  return is_list ? element.withConst() : element;
}

std::optional<QualType> Types::viewed(QualType type) {
  const auto element = view_element(type);
  return element && has_tangent(*element) ? element : std::nullopt;
}

std::optional<IteratorInfo> Types::iterator(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isPointerType()) {
    return has_tangent(type) ? std::optional(IteratorInfo{type->getPointeeType(), false})
                             : std::nullopt;
  }
  const CXXRecordDecl* found = record(type);
  if (in_std(found, "__normal_iterator")) {
    const QualType pointer = template_type_argument(found, 0);
    return pointer->isPointerType() ? iterator(pointer) : std::nullopt;
  }
  const auto wrapped = wrapped_iterator(type);
  auto result = wrapped ? iterator(*wrapped) : std::nullopt;
  if (!result || result->reversed) {
    return std::nullopt;
  }
  result->reversed = true;
  return result;
}

bool Types::may_hold_real(QualType type) {
  std::set<const clang::Type*> met;
  return compiler::may_hold_real(type, met);
}

bool Types::variable_may_hold_real(QualType type) {
  std::set<const clang::Type*> met;
  return compiler::may_hold_real(type, met, !type->isReferenceType());
}

bool Types::may_hold_real_before_pointers(QualType type) {
  const clang::Type* const key = type.getNonReferenceType().getCanonicalType().getTypePtr();
  if (const auto known = before_pointers_.find(key); known != before_pointers_.end()) {
    return known->second;
  }
  std::set<const clang::Type*> met;
  const bool result = compiler::may_hold_real(type, met, true, this);
  return before_pointers_[key] = result;
}

/// The class that DDX_DIFFERENTIABLE makes: a vector space, its own tangent.
bool Types::is_made_tangent(const CXXRecordDecl* record) {
  return record && !record->lookup(&context_.Idents.get("DdxPrimal")).empty();
}

const CXXRecordDecl* Types::declared_tangent(const CXXRecordDecl* record) {
  if (is_made_tangent(record)) {
    return record;
  }
  clang::IdentifierInfo& name = context_.Idents.get("TangentVector");
  for (const clang::NamedDecl* found : record->lookup(&name)) {
    if (const auto* made = llvm::dyn_cast<CXXRecordDecl>(found);
        made && made->isInjectedClassName()) {
      continue;
    }
    if (const auto* type = llvm::dyn_cast<clang::TypeDecl>(found)) {
      return context_.getTypeDeclType(type)->getAsCXXRecordDecl();
    }
  }
  // A leaf may inherit the name; the tangent of a base with fields is not that of the whole.
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const CXXRecordDecl* found = Types::record(base.getType());
    if (found && is_leaf(found)) {
      return declared_tangent(found);
    }
  }
  return nullptr;
}

bool Types::is_leaf(const CXXRecordDecl* record) {
  const CXXRecordDecl* tangent = record ? declared_tangent(record) : nullptr;
  return tangent && !is_made_tangent(record) && tangent->getDeclContext() != record;
}

bool Types::has_tangent(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (is_real(type)) {
    return !type->isFloat128Type();
  }
  if (type->isPointerType()) {
    return !type->getPointeeType()->isPointerType() && has_tangent(type->getPointeeType());
  }
  const auto known = has_tangent_.find(type.getTypePtr());
  if (known != has_tangent_.end()) {
    return known->second;
  }
  // A class that reaches itself carries nothing along that way. What is found on the way of classes
  // under way holds for them alone, and is forgotten.
  has_tangent_[type.getTypePtr()] = false;
  const std::size_t before = assumed_.size();
  assumed_.push_back(type.getTypePtr());
  bool result = false;
  const Container kind = container(type);
  const CXXRecordDecl* found = record(type);
  if (kind == Container::StdPair || kind == Container::SumType) {
    result = llvm::any_of(parts(type), [&](QualType part) { return has_tangent(part); });
  } else if (kind == Container::StdMap) {
    result = has_tangent(mapped(type));
  } else if (kind != Container::None) {
    result = !element(type)->isPointerType() && has_tangent(element(type));
  } else if (found && found->isLambda()) {
    result = true;  // Expanded into its captures wherever it is used.
  } else if (found && declared_tangent(found)) {
    result = true;
  } else if (found && is_shared_name(found)) {
    result = true;
  } else if (found && !in_library(found) && !found->isUnion()) {
    for (const FieldDecl* field : found->fields()) {
      const QualType field_type = field->getType();
      if (!field_type->isPointerType() && !field_type->isReferenceType() &&
          has_tangent(field_type)) {
        result = true;
      }
    }
    for (const clang::CXXBaseSpecifier& base : found->bases()) {
      result = result || has_tangent(base.getType());
    }
  }
  if (result || before == 0) {
    for (const clang::Type* within : llvm::drop_begin(assumed_, before)) {
      if (!has_tangent_[within]) {
        has_tangent_.erase(within);
      }
    }
    assumed_.resize(before);
  }
  has_tangent_[type.getTypePtr()] = result;
  return result;
}

bool Types::counts(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (is_real(type)) {
    return has_tangent(type);
  }
  const CXXRecordDecl* found = record(type);
  const Container kind = container(type);
  if (kind == Container::StdPair || kind == Container::SumType) {
    return llvm::any_of(parts(type), [&](QualType part) { return counts(part); });
  }
  if (kind == Container::StdMap) {
    return counts(mapped(type));
  }
  if (kind != Container::None) {
    return counts(element(type));
  }
  return found && declared_tangent(found);
}

bool Types::is_flat_vector(QualType type) {
  const Container kind = container(type);
  return (kind == Container::StdVector || kind == Container::StdDeque) && !is_shaped(element(type));
}

bool Types::is_shaped(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  switch (container(type)) {
    case Container::StdVector:
    case Container::StdDeque:
      return true;
    case Container::CArray:
    case Container::StdArray:
      return is_shaped(element(type));
    case Container::StdPair:
    case Container::SumType:
      return llvm::any_of(parts(type),
                          [&](QualType part) { return has_tangent(part) && is_shaped(part); });
    case Container::StdMap:  // A key that is missing counts as zero.
      return is_shaped(mapped(type));
    case Container::StdComplex:
      return false;
    case Container::None:
      break;
  }
  const CXXRecordDecl* found = record(type);
  if (!found || is_leaf(found) || found->isLambda() || !met_.insert(found).second) {
    return false;  // Or it is within itself, in a map.
  }
  const bool result = llvm::any_of(found->fields(),
                                   [&](const FieldDecl* field) {
                                     return has_tangent(field) && is_shaped(field->getType());
                                   }) ||
                      llvm::any_of(found->bases(), [&](const clang::CXXBaseSpecifier& base) {
                        return is_shaped(base.getType());
                      });
  met_.erase(found);
  return result;
}

bool Types::has_coordinates(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (!has_tangent(type) || is_real(type)) {
    return true;
  }
  switch (container(type)) {
    case Container::StdVector:
    case Container::StdDeque:
    case Container::StdMap:
    case Container::StdComplex:
      return false;
    case Container::CArray:
    case Container::StdArray:
      return has_coordinates(element(type));
    case Container::StdPair:
    case Container::SumType:
      return llvm::all_of(parts(type), [&](QualType part) { return has_coordinates(part); });
    case Container::None:
      break;
  }
  const CXXRecordDecl* found = record(type);
  return found && !is_leaf(found) &&
         llvm::all_of(found->fields(),
                      [&](const FieldDecl* field) {
                        return !has_tangent(field) || has_coordinates(field->getType());
                      }) &&
         llvm::all_of(found->bases(), [&](const clang::CXXBaseSpecifier& base) {
           return has_coordinates(base.getType());
         });
}

/// Whether a class made by one of the macros lists a field. In a class template the members
/// of the instance's may not be instantiated; the pattern has them.
bool Types::lists(const CXXRecordDecl* macro, const FieldDecl* field) {
  if (!macro->hasDefinition()) {
    macro = macro->getInstantiatedFromMemberClass();
  }
  return macro && !macro->lookup(named_member(field)->getDeclName()).empty();
}

bool Types::hides_base(const CXXRecordDecl* record) {
  const CXXRecordDecl* tangent = record ? declared_tangent(record) : nullptr;
  return tangent && tangent->getDeclContext() == record &&
         llvm::any_of(record->bases(), [&](const clang::CXXBaseSpecifier& base) {
           return has_tangent(base.getType());
         });
}

bool Types::has_tangent(const FieldDecl* field) {
  const auto* owner = llvm::cast<CXXRecordDecl>(field->getParent());
  if (const CXXRecordDecl* tangent = declared_tangent(owner); tangent && tangent != owner) {
    if (tangent->getDeclContext() != owner || !named_member(field)->getIdentifier()) {
      return false;
    }
    return lists(tangent, field);
  }
  const QualType type = field->getType();
  return !type->isPointerType() && !type->isReferenceType() && has_tangent(type);
}

bool Types::is_left_out(const FieldDecl* field) {
  const auto* owner = llvm::cast<CXXRecordDecl>(field->getParent());
  const CXXRecordDecl* tangent = declared_tangent(owner);
  return tangent && tangent->getDeclContext() == owner && !has_tangent(field);
}

const FieldDecl* Types::unlisted_field(const CXXRecordDecl* record) {
  const CXXRecordDecl* tangent = declared_tangent(record);
  if (!tangent || tangent->getDeclContext() != record) {
    return nullptr;
  }
  const CXXRecordDecl* excluded = nullptr;
  clang::IdentifierInfo& name = context_.Idents.get("DdxNoDerivative");
  for (const clang::NamedDecl* found : record->lookup(&name)) {
    excluded = llvm::dyn_cast<CXXRecordDecl>(found);
  }
  for (const FieldDecl* field : record->fields()) {
    const bool listed = lists(tangent, field) || (excluded && lists(excluded, field));
    if (!listed && named_member(field)->getIdentifier() && has_tangent(field->getType())) {
      return named_member(field);
    }
  }
  return nullptr;
}

bool Types::lacks_tangent(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (!has_tangent(type) || is_real(type)) {
    return false;
  }
  const CXXRecordDecl* found = record(type);
  switch (container(type)) {
    case Container::CArray:
    case Container::StdArray:
    case Container::StdVector:
    case Container::StdDeque:
      return lacks_tangent(element(type));
    case Container::StdMap:
      return lacks_tangent(mapped(type));
    case Container::StdPair:
    case Container::SumType:
      return llvm::any_of(parts(type), [this](QualType part) { return lacks_tangent(part); });
    case Container::StdComplex:
      return false;
    case Container::None:
      return found && !in_library(found) && !declared_tangent(found);
  }
  return false;
}

const FieldDecl* Types::field_without_tangent(const CXXRecordDecl* record) {
  const CXXRecordDecl* tangent = declared_tangent(record);
  if (!tangent || tangent == record || tangent->getDeclContext() != record) {
    return nullptr;
  }
  for (const FieldDecl* field : record->fields()) {
    const FieldDecl* member = named_member(field);  // Of an anonymous union, its first.
    if (lists(tangent, field) && lacks_tangent(member->getType())) {
      return member;
    }
  }
  return nullptr;
}

std::string Types::tangent(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (is_real(type)) {
    return names_.type(type);
  }
  if (type->isPointerType()) {
    return tangent(type->getPointeeType()) + "*";
  }
  const CXXRecordDecl* found = record(type);
  const auto part = [&](QualType of) {
    return has_tangent(of) ? tangent(of) : std::string("ddx::NoTangent");
  };
  switch (container(type)) {
    case Container::StdVector:
      return "std::vector<" + tangent(element(type)) + ">";
    case Container::StdDeque:
      return "std::deque<" + tangent(element(type)) + ">";
    case Container::StdArray:
      return "std::array<" + tangent(element(type)) + ", " + std::to_string(array_size(type)) + ">";
    case Container::CArray: {
      return "ddx::detail::ArrayOf<" + tangent(element(type)) + ", " +
             std::to_string(array_size(type)) + ">";
    }
    case Container::StdPair: {
      std::string list;
      for (const QualType of : parts(type)) {
        list += (list.empty() ? "" : ", ") + part(of);
      }
      return "std::" + found->getName().str() + "<" + list + ">";
    }
    case Container::SumType: {  // Every alternative has its own place in it.
      std::string list;
      for (const QualType of : parts(type)) {
        list += (list.empty() ? "" : ", ") + part(of);
      }
      return "std::tuple<" + list + ">";
    }
    case Container::StdMap: {
      const bool ordered = found->getName() == "map";
      std::string result = "std::" + found->getName().str() + "<" + names_.type(key(type)) + ", " +
                           tangent(mapped(type));
      for (unsigned i = 2; i < (ordered ? 3U : 4U); ++i) {
        result += ", " + names_.type(template_type_argument(found, i));
      }
      return result + ">";
    }
    case Container::StdComplex:
      return names_.type(type);
    case Container::None:
      break;
  }
  if (is_shared_name(found)) {
    return tangent(found->field_begin()->getType());
  }
  if (is_made_tangent(found)) {
    return names_.type(type);
  }
  if (declared_tangent(found)) {
    return "typename " + names_.type(type) + "::TangentVector";
  }
  return synthesise(found, type);
}

std::string Types::synthesise(const CXXRecordDecl* record, QualType type) {
  const auto known = synthesised_.find(record);
  if (known != synthesised_.end()) {
    return known->second;
  }
  const std::string name = names_.fresh(
      "tangent_" + (record->getIdentifier() ? record->getName().str() : std::string("struct")));
  synthesised_[record] = name;
  definitions_ += "struct " + name + ";\n";  // Classes may hold each other in vectors.
  std::string members, list, shapes;
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    if (has_tangent(base.getType())) {
      members += "  " + tangent(base.getType()) + " base_" +
                 Types::record(base.getType())->getName().str() + "{};\n";
      list += (list.empty() ? "base_" : ", base_") + Types::record(base.getType())->getName().str();
      if (is_shaped(base.getType())) {
        shapes += "    ddx::detail::shape_like(result.base_" +
                  Types::record(base.getType())->getName().str() + ", static_cast<const " +
                  names_.type(base.getType()) + "&>(primal));\n";
      }
    }
  }
  for (const FieldDecl* field : record->fields()) {
    if (has_tangent(field)) {
      // A vector's elements may be of a class that is defined further down.
      const bool zeroed = container(field->getType()) == Container::StdVector ||
                          container(field->getType()) == Container::StdDeque ||
                          container(field->getType()) == Container::StdMap;
      members +=
          "  " + tangent(field->getType()) + " " + names_.field(field) + (zeroed ? ";\n" : "{};\n");
      list += (list.empty() ? "" : ", ") + names_.field(field);
      if (is_shaped(field->getType())) {
        shapes += "    ddx::detail::shape_like(result." + names_.field(field) + ", primal." +
                  names_.field(field) + ");\n";
      }
    }
  }
  definitions_ +=
      "struct " + name + " {  // tangent of " + type.getAsString() + "\n" + members +
      "  auto ddx_fields() { return std::tie(" + list +
      "); }\n  auto ddx_fields() const { return std::tie(" + list + "); }\n" +
      "  template <class Primal, class Tangent = " + name +
      ">\n  static Tangent ddx_shaped_like([[maybe_unused]] const Primal& primal) {\n    "
      "Tangent result{};\n" +
      shapes + "    return result;\n  }\n};\n";
  return name;
}

const std::vector<const CXXRecordDecl*>& Types::concrete_classes(const CXXRecordDecl* base) {
  const auto [found, is_new] = concrete_.try_emplace(base);
  if (is_new) {
    found->second = compiler::concrete_classes(context_, base);
  }
  return found->second;
}

const StoredFunctions& Types::stored_functions(QualType type) {
  const clang::Type* const key =
      type.getNonReferenceType().getCanonicalType().getUnqualifiedType().getTypePtr();
  const auto [found, is_new] = stored_functions_.try_emplace(key);
  if (is_new) {
    found->second = compiler::stored_functions(context_, type);
  }
  return found->second;
}

bool Types::is_contained(const CXXRecordDecl* record) {
  if (!contained_) {
    const auto found = contained_classes(context_);
    contained_.emplace(found.begin(), found.end());
  }
  return contained_->contains(record->getDefinition());
}

std::string Types::take_definitions() {
  return std::exchange(definitions_, {});
}

}  // namespace ddx::compiler
