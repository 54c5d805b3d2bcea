/// \file
/// What the compiler knows of C++ types: which carry a tangent, how the tangent is spelled, how
/// containers are built.

#pragma once

#include "compiler/support/containers.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/names.h"
#include "compiler/support/stored_functions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

/// True where a destructor written by hand does something when an object of the class ends.
bool has_destructor(const clang::CXXRecordDecl* record);

/// Classifies types and spells tangents; synthesises tangent structs for plain structs.
class Types {
 public:
  Types(clang::ASTContext& context, Names& names) : context_(context), names_(names) {}

  /// True for reals and for everything that is made of them and can be differentiated through.
  bool has_tangent(clang::QualType type);

  /// True when `ddx::TangentOf` names a tangent of the type, so that a parameter of it counts among
  /// those of a registered derivative. A plain struct carries reals, but has no such name.
  bool counts(clang::QualType type);

  /// True when an object of this type could hold a real number anywhere, also where we cannot
  /// follow it.
  bool may_hold_real(clang::QualType type);

  /// The same for a variable, whose class is no derived one.
  bool variable_may_hold_real(clang::QualType type);

  /// True for an object of this very class whose members are integers and objects like it: it has
  /// no bytes for anything else, whatever its class is made for.
  static bool is_hollow(clang::QualType type);

  /// The type of a member. An anonymous union whose members are reals of one type is one member of
  /// that type, which has several names.
  static clang::QualType member_type(const clang::FieldDecl* field);

  /// True for such a union.
  static bool is_shared_name(const clang::RecordDecl* record);

  /// Pointers to classes, and smart pointers, behind which a real number may be: an object of such
  /// a type holds none itself, it leads to memory.
  bool is_dynamic_pointer(clang::QualType type);

  /// True for std::function: what it holds, and what that refers to, is reached through it, and
  /// copies of it share that.
  static bool is_dynamic_function(clang::QualType type) { return is_function_object(type); }

  /// True when an object of this type has a dynamic pointer or a std::function somewhere in it.
  bool holds_dynamic_pointer(clang::QualType type);

  /// True when every real number that an object of this type leads to lies behind a dynamic
  /// pointer, and there is a dynamic pointer.
  bool holds_only_pointers(clang::QualType type) {
    return holds_dynamic_pointer(type) && !may_hold_real_before_pointers(type);
  }

  /// True for a member that points to numbers which its class, that has a destructor, may own.
  static bool owns_array(const clang::FieldDecl* field);

  /// What the pointer or smart pointer points to: of an array, its elements.
  static clang::QualType pointee_type(clang::QualType type);

  /// The tangent type, as text. Precondition: has_tangent(type).
  std::string tangent(clang::QualType type);

  /// True when a tangent of zeros needs the primal's shape (a vector somewhere inside).
  bool is_shaped(clang::QualType type);

  /// True when all of an object that `ddx::TangentOf` has a place for is a float, double or long
  /// double, or an object of a leaf class that is no plain copy of bytes, at an address.
  bool has_addresses(clang::QualType type);

  /// True when the type alone says which numbers a tangent consists of: no vector and no leaf in
  /// it.
  bool has_coordinates(clang::QualType type);

  /// A vector or deque whose elements need no shape: its size is all of its own.
  bool is_flat_vector(clang::QualType type);

  /// A class whose tangent is opaque: only registered functions and copies apply to it.
  bool is_leaf(const clang::CXXRecordDecl* record);

  /// True when `field` has a counterpart in its class's tangent.
  bool has_tangent(const clang::FieldDecl* field);

  /// True when the class of `field` has a list of fields with tangent, and this one is not in it:
  /// what it holds is constant by the user's word.
  bool is_left_out(const clang::FieldDecl* field);

  /// True when the class lists its fields and has a base with reals: its tangent has no place for
  /// them.
  bool hides_base(const clang::CXXRecordDecl* record);

  /// A field in neither of the class's two lists, or null.
  const clang::FieldDecl* unlisted_field(const clang::CXXRecordDecl* record);

  /// The first member of a class that DDX_DIFFERENTIABLE lists, though its type has numbers and no
  /// tangent; or null.
  const clang::FieldDecl* field_without_tangent(const clang::CXXRecordDecl* record);

  /// True for a class with numbers that names no tangent, and for containers of such objects.
  bool lacks_tangent(clang::QualType type);

  /// Says of pointers, iterators of std::vector and their reverse iterators what they go through;
  /// nothing for other types and for elements that carry no reals.
  std::optional<IteratorInfo> iterator(clang::QualType type);

  /// The type of the elements of a std::span or a std::initializer_list.
  static std::optional<clang::QualType> view_element(clang::QualType type);

  /// As above, where the elements carry reals.
  std::optional<clang::QualType> viewed(clang::QualType type);

  /// True for std::optional, true for std::variant.
  static bool is_optional(clang::QualType type);
  static bool is_variant(clang::QualType type);

  /// The types of the keys and of the values of a map.
  static clang::QualType key(clang::QualType map);
  static clang::QualType mapped(clang::QualType map);

  /// True for std::vector<bool>, whose elements are reached through objects that represent them.
  static bool is_bit_vector(clang::QualType type);

  /// The iterator that a std::reverse_iterator is made of.
  static std::optional<clang::QualType> wrapped_iterator(clang::QualType type);

  static Container container(clang::QualType type);
  /// The types of the elements of a pair or a tuple, of the alternatives of a sum type.
  static std::vector<clang::QualType> parts(clang::QualType type);
  /// Of a map: the pair of a key and its value.
  clang::QualType element(clang::QualType container_type);

  /// The number of elements of an array or a std::array.
  std::uint64_t array_size(clang::QualType array) const;

  static bool is_real(clang::QualType type) { return !type.isNull() && type->isRealFloatingType(); }
  static bool is_closure(clang::QualType type);

  /// True for classes whose objects are replaced by their members: lambdas, and classes that keep
  /// references, pointers, lambdas or functions. What such a member refers to is known where the
  /// object is made. A base class template that is handed the class derived from it counts as that.
  bool is_scalarized(clang::QualType type);

  /// True for the class of pullbacks, `ddx::Pullback`: such an object is the closure that
  /// represents it in differentiated code.
  static bool is_pullback(const clang::CXXRecordDecl* record);

  /// True for pullbacks and for scalarized objects that hold one.
  bool holds_pullback(clang::QualType type);

  /// The class that such an object has: for a base class template, the one derived from it.
  const clang::CXXRecordDecl* scalarized_class(clang::QualType type);

  /// The members of such a class, those of its bases first; a lambda's are its captures.
  std::vector<const clang::FieldDecl*> scalarized_members(clang::QualType type);

  static bool is_function_object(clang::QualType type);  ///< std::function.
  /// Types whose values denote a function, a lambda or a member.
  static bool is_callable(clang::QualType type) {
    return type->isFunctionPointerType() || type->isFunctionType() || type->isMemberPointerType() ||
           is_function_object(type);
  }
  static const clang::CXXRecordDecl* record(clang::QualType type);

  /// The functions of the unit that a pointer of `type` may lead to.
  const std::vector<const clang::FunctionDecl*>& stored_functions(clang::QualType type);

  /// Definitions of the tangent structs made so far, in order; cleared by the call.
  std::string take_definitions();

 private:
  bool may_hold_real_before_pointers(clang::QualType type);
  static bool lists(const clang::CXXRecordDecl* macro, const clang::FieldDecl* field);
  bool is_made_tangent(const clang::CXXRecordDecl* record);
  const clang::CXXRecordDecl* declared_tangent(const clang::CXXRecordDecl* record);
  std::string synthesise(const clang::CXXRecordDecl* record, clang::QualType type);
  bool keeps_references(const clang::CXXRecordDecl* record);

  clang::ASTContext& context_;
  Names& names_;
  llvm::DenseMap<const clang::Type*, bool> has_tangent_;
  llvm::SmallPtrSet<const clang::CXXRecordDecl*, 4> met_;  ///< Classes that are being looked into.
  std::vector<const clang::Type*> assumed_;  ///< Found to carry nothing by what is under way.
  llvm::DenseMap<const clang::Type*, bool> holds_dynamic_pointer_;
  llvm::DenseMap<const clang::Type*, bool> before_pointers_;
  llvm::DenseMap<const clang::CXXRecordDecl*, bool> scalarized_;
  std::map<const clang::CXXRecordDecl*, std::string> synthesised_;
  std::map<const clang::Type*, std::vector<const clang::FunctionDecl*>> stored_functions_;
  std::string definitions_;
};

}  // namespace ddx::compiler
