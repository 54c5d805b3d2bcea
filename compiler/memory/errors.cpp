#include "compiler/memory/errors.h"

#include "clang/Basic/FileManager.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Path.h"

namespace ddx::compiler::memory {

using namespace llvm;

std::string readable_name(StringRef mangled) {
  mangled.consume_front("\01");
  ItaniumPartialDemangler demangler;
  const std::string text = mangled.str();
  if (demangler.partialDemangle(text.c_str())) {
    return text;
  }
  char* const name = demangler.getFunctionName(nullptr, nullptr);
  std::string result = name ? name : text;
  std::free(name);
  return result;
}

clang::SourceLocation Errors::place_of(const DebugLoc& where) const {
  if (!where) {
    return {};
  }
  const DILocation* location = where.get();
  SmallString<128> path(location->getFilename());
  if (!sys::path::is_absolute(path) && !location->getDirectory().empty()) {
    path = location->getDirectory();
    sys::path::append(path, location->getFilename());
  }
  auto file = sources_.getFileManager().getOptionalFileRef(path);
  if (!file) {
    file = sources_.getFileManager().getOptionalFileRef(location->getFilename());
  }
  return file ? sources_.translateFileLineCol(*file, location->getLine(), location->getColumn())
              : clang::SourceLocation();
}

namespace {

/// The name of the function of the program that an instruction was written in.
StringRef source_name(const Instruction& where) {
  StringRef function = where.getFunction()->getName();
  function.consume_back(".prepared");
  return function;
}

}  // namespace

/// The place by debug information, or, without it, by the syntax tree: that of the call in the
/// function, or of the function.
clang::SourceLocation Errors::place_of(const Instruction& where) const {
  if (where.getDebugLoc() || !rules_.locate) {
    return place_of(where.getDebugLoc());
  }
  const auto* call = dyn_cast<CallBase>(&where);
  const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  const StringRef called = callee != nullptr                        ? callee->getName()
                           : call != nullptr && call->isInlineAsm() ? StringRef("asm")
                                                                    : StringRef();
  return rules_.locate(source_name(where), called);
}

namespace {

/// The text of a row, with its argument.
std::string text_of(Diagnostic id, StringRef fact) {
  static constexpr StringLiteral texts[] = {
#define DDX_DIAGNOSTIC(row, severity, text) text,
#include "compiler/diagnostics/diagnostics.def"
  };
  std::string text = texts[static_cast<std::size_t>(id)].str();
  if (const std::size_t hole = text.find("%0"); hole != std::string::npos) {
    text.replace(hole, 2, fact.str());
  }
  return text;
}

}  // namespace

void Errors::report(const Instruction& where, Diagnostic id, StringRef fact) {
  if (is_tentative_) {
    if (kept_.empty()) {
      kept_ = text_of(id, fact) + ", in '" + readable_name(source_name(where)) + "'";
    }
    return;
  }
  const clang::SourceLocation place = place_of(where);
  any_ = true;
  if (!reported_.emplace(place.getRawEncoding(), (name_of(id) + fact).str()).second) {
    return;
  }
  {
    auto message = ddx::compiler::report(diagnostics_, id, place);
    if (!fact.empty()) {
      message << fact;
    }
  }
  // The calls that were inlined here: the way from the user's line.
  const DILocation* location = where.getDebugLoc().get();
  while (location != nullptr && location->getInlinedAt() != nullptr) {
    const auto* scope = location->getScope()->getSubprogram();
    location = location->getInlinedAt();
    ddx::compiler::report(diagnostics_, Diagnostic::WhenDifferentiating,
                          place_of(DebugLoc(location)))
        << ("'" + (scope ? scope->getName() : StringRef("a function")).str() + "'");
  }
}

void Errors::internal(const Function& function, StringRef what) {
  any_ = true;
  ddx::compiler::report(diagnostics_, Diagnostic::UnsoundMemoryDerivative, {})
      << readable_name(function.getName()) << what;
}

}  // namespace ddx::compiler::memory
