/// How the tangent of a type is spelled, and the structs that are synthesised for it.

#include "compiler/support/class_layout.h"
#include "compiler/support/types.h"

#include "clang/AST/DeclTemplate.h"

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::QualType;

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

std::string Types::take_definitions() {
  return std::exchange(definitions_, {});
}

}  // namespace ddx::compiler
