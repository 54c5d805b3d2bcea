/// \file
/// Text that names a declaration or a type exactly, whatever its scope, access or linkage.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Type.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace ddx::compiler {

/// Gives names to what synthesised text refers to.
///
/// A name is an alias injected into namespace `__ddx_names` (a typedef or a using-shadow), or into
/// the class for what stands behind `.` and `->`. So overload resolution, argument-dependent
/// lookup, access paths, local scopes and missing linkage play no part, and a name means one
/// declaration only. Names are readable (`vector_double`, `sin_2`), never macros or keywords, and
/// depend on nothing but the order of the requests.
class Names {
 public:
  explicit Names(clang::Sema& sema) : sema_(sema) {}
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  /// Text that means `type` at any scope of synthesised text and declares by `T name` (arrays and
  /// functions go through a typedef). `type` must be neither dependent nor variably modified.
  std::string type(clang::QualType type);

  /// An object of the class of a lambda that captures nothing.
  std::string closure(const clang::CXXRecordDecl* lambda);

  /// Text that names `function` alone. For a non-static member function it stands behind `.` or
  /// `->` (`object.scaled_2(x)`, virtual dispatch as usual); otherwise it is qualified and
  /// complete. Constructors and destructors have no name: they are reached through their type.
  std::string function(const clang::FunctionDecl* function);

  /// As `function`, for a template of functions: explicit template arguments may follow.
  std::string function_template(const clang::FunctionTemplateDecl* function);

  /// Text for a variable of namespace scope, a static data member, a static local, or a
  /// specialisation of a variable template whose arguments are types, integers and functions.
  std::string variable(const clang::VarDecl* variable);

  /// The name of a field behind `.` or `->`. Unnamed captures get one: `cap_x`, `cap_this`.
  std::string field(const clang::FieldDecl* field);

  /// An identifier derived from `base` that no other name of this unit has: neither given here nor
  /// a macro or keyword.
  std::string fresh(llvm::StringRef base);

 private:
  std::string alias_of_type(clang::QualType type);
  std::string alias_in_namespace(const clang::NamedDecl* target);
  std::string argument(const clang::TemplateArgument& argument);
  std::string alias_in_class(const clang::CXXMethodDecl* method);
  void name_captures(clang::CXXRecordDecl* closure);
  clang::NamespaceDecl* aliases();

  clang::Sema& sema_;
  clang::NamespaceDecl* aliases_ = nullptr;
  llvm::StringSet<> taken_;
  llvm::StringMap<unsigned> last_number_;  ///< That fresh has put behind a name.
  llvm::DenseMap<clang::QualType, std::string> types_;
  llvm::DenseMap<const clang::NamedDecl*, std::string> declarations_;
};

}  // namespace ddx::compiler
