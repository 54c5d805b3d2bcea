/// \file
/// The IR of a unit with places of the source, for messages.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace ddx::compiler {

/// Generates the IR of a unit that is parsed, as `options` say, with a place for each instruction.
/// A unit is compiled without places unless its options ask for them: this is called after an
/// error, so others do not pay for it. What it finds wrong is reported nowhere.
/// Coroutines stay declarations, since Clang cannot generate their code twice: `coroutines`
/// receives their mangled names. Cost: that of generating the unit's code once more, without
/// optimisation.
std::unique_ptr<llvm::Module> located_module(clang::ASTContext& ast,
                                             const clang::Preprocessor& preprocessor,
                                             clang::CodeGenOptions options,
                                             llvm::LLVMContext& context,
                                             llvm::StringSet<>& coroutines);

}  // namespace ddx::compiler
