/// \file
/// Which function a call names.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ddx::compiler {

/// True where the name of `function` is one of `names`; operators and conversions have none.
bool is_named(const clang::FunctionDecl* function, llvm::ArrayRef<llvm::StringRef> names);

/// As above, for functions of the standard library.
bool is_std(const clang::FunctionDecl* function, llvm::ArrayRef<llvm::StringRef> names);

/// True for a call of what ddx::compile has made, which is a graph.
bool is_compiled_call(const clang::FunctionDecl* function);

/// True where the memory path is to define `function`: it has a label of that path.
bool is_memory_sweep(const clang::FunctionDecl* function);

/// True for a function of the text of derivatives: its name begins with ddx_, in a namespace
/// without name.
bool is_synthesised(const clang::FunctionDecl* function);

/// The function named `name` that `statement` refers to, or null.
const clang::FunctionDecl* find_named(const clang::Stmt* statement, llvm::StringRef name);

/// What is written for an argument, without the temporary object that is made of it.
const clang::Expr* below_temporary(const clang::Expr* argument);

}  // namespace ddx::compiler
