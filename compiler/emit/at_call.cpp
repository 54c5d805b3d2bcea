#include "compiler/emit/at_call.h"

#include "compiler/support/line_directives.h"

#include "clang/Basic/SourceManager.h"

namespace ddx::compiler {

using namespace ir;

AtCall::AtCall(CppWriter& writer, const Context& context, const Statement& call) : writer_(writer) {
  const bool has_default =
      llvm::any_of(call.arguments, [](const Argument& passed) { return passed.is_default; });
  if (!has_default && !call.registered) {
    return;
  }
  const clang::SourceManager& sources = context.ast.getSourceManager();
  const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(call.where));
  if (place.isValid()) {
    writer_.set_place("# " + std::to_string(place.getLine()) + " \"" +
                      std::string(place.getFilename()) + "\" 3\n");
  }
}

AtCall::~AtCall() {
  if (writer_.has_place()) {
    writer_.set_place("");
    writer_.append(own_place);
  }
}

}  // namespace ddx::compiler
