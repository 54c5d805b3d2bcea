/// \file
/// What the front end states of functions of the unit, for the memory path.

#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace ddx::compiler {

/// What the functions of a class do whose tangents are of its own making: a tensor, say.
enum class ObjectOperation {
  Make,         ///< An object without tangent.
  MakeOfReals,  ///< The same: of numbers by value, or of spans and lists of them.
  Copy,         ///< The second argument to the first.
  Move,         ///< The same.
  End
};

/// The derivative that is given for a function, in one mode.
enum class GivenBy {
  Refused,  ///< It has one that cannot be called through memory.
  Body,     ///< There is none for this mode: the function's body is differentiated.
  Text      ///< The text defines `ddx.given.forward.N` or `ddx.given.tangent.N`.
};

/// The given derivatives of one function.
struct GivenDerivative {
  unsigned number = 0;  ///< N in the labels.
  std::size_t registers =
      0;  ///< That arguments with tangents take, where they are passed by value.
  GivenBy sweeps = GivenBy::Refused;
  GivenBy tangent = GivenBy::Refused;
};

/// Functions of a unit that the memory path must not differentiate from their bodies, by mangled
/// name. Filled while the entries are written, read when code is generated.
struct MemoryRules {
  /// The places of the requests whose entries are written; each entry has the next number in its
  /// labels.
  std::vector<clang::SourceLocation> requests;
  llvm::StringSet<> constants;             ///< Their results are constant: `without_derivative`.
  llvm::StringSet<> coroutines;            ///< In a located module, which lacks their bodies.
  unsigned given_texts = 0;                ///< As entries, for given derivatives.
  llvm::StringMap<GivenDerivative> given;  ///< By functions that have given derivatives.
  llvm::StringMap<ObjectOperation> operations;  ///< Of classes with tangents of their own making.
  llvm::DenseSet<const void*> classes;          ///< Those classes, by declaration.
  llvm::StringSet<> refused;                    ///< They look into objects of such classes.

  /// Whether the body of a function must not be looked at.
  [[nodiscard]] bool is_opaque(llvm::StringRef function) const {
    return constants.contains(function) || given.contains(function) ||
           operations.contains(function) || refused.contains(function);
  }

  [[nodiscard]] GivenDerivative given_of(llvm::StringRef function) const {
    const auto found = given.find(function);
    return found == given.end() ? GivenDerivative{0, 0, GivenBy::Body, GivenBy::Body}
                                : found->second;
  }

  /// The place of the first call of `callee` in the definition of `function`, or of the definition
  /// where there is no such call; invalid where the unit defines none. Both are mangled names;
  /// "asm" represents assembly. For
  /// messages without debug location: the first call walks over the unit.
  std::function<clang::SourceLocation(llvm::StringRef function, llvm::StringRef callee)> locate;

  /// Generates the IR of the unit once more, with places of the source. For messages only.
  std::function<std::unique_ptr<llvm::Module>(llvm::LLVMContext&)> located_module;
};

}  // namespace ddx::compiler
