/// \file
/// The place in the user's source that the text of a call stands at.

#pragma once

#include "compiler/emit/writer.h"
#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

namespace ddx::compiler {

/// While one lives, each line stands at the user's line of a call, as debuggers and default
/// arguments (std::source_location) see it.
class AtCall {
 public:
  AtCall(CppWriter& writer, const Context& context, const ir::Statement& call);
  AtCall(const AtCall&) = delete;
  AtCall& operator=(const AtCall&) = delete;
  ~AtCall();

 private:
  CppWriter& writer_;
};

}  // namespace ddx::compiler
