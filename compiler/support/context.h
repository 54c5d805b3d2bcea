/// \file
/// What every stage needs of Clang and of the compiler's own services.

#pragma once

#include "compiler/support/copies.h"
#include "compiler/support/entry_parts.h"
#include "compiler/support/forwards_arguments.h"
#include "compiler/support/names.h"
#include "compiler/support/types.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/Sema.h"

namespace ddx::compiler {

class Registry;
struct MemoryRules;

struct Context {
  clang::Sema& sema;
  clang::ASTContext& ast;
  Names& names;
  Types& types;
  Copies& copies;
  const Registry& registry;
  EntryParts& entry_parts;
  ForwardsArguments& forwards_arguments;
  MemoryRules& memory_rules;
  /// Receives what is wrong with functions that are promoted.
  clang::DiagnosticsEngine& diagnostics;
};

}  // namespace ddx::compiler
