/// \file
/// What every stage needs of Clang and of the compiler's own services.

#pragma once

#include "compiler/request/registry.h"
#include "compiler/support/downcasts.h"
#include "compiler/support/entry_parts.h"
#include "compiler/support/handing_on.h"
#include "compiler/support/names.h"
#include "compiler/support/types.h"

#include "clang/Sema/Sema.h"

namespace ddx::compiler {

struct Context {
  clang::Sema& sema;
  clang::ASTContext& ast;
  Names& names;
  Types& types;
  const Registry& registry;
  Downcasts& downcasts;
  EntryParts& entry_parts;
  HandingOn& handing_on;
};

}  // namespace ddx::compiler
