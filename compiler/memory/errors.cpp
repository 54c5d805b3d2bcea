#include "compiler/memory/errors.h"

#include "clang/Basic/FileManager.h"
#include "llvm/ADT/SmallPtrSet.h"
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

/// The mangled name of the function of the program that a prepared one was made from.
StringRef mangled_name(const Function& function) {
  StringRef name = function.getName();
  name.consume_back(".prepared");
  return name;
}

/// Turns the name of a derivative into that of what it is the derivative of, and returns whether it
/// was one.
bool consume_order(StringRef& name) {
  return name.consume_back(".forward") || name.consume_back(".reverse") ||
         name.consume_back(".tangent");
}

/// The name of the function of the program of which `name` is a derivative of whatever order, or
/// another function made of it, such as a parallel region.
StringRef mangled_source_name(StringRef name) {
  while (consume_order(name)) {
  }
  if (const std::size_t whole = name.find("._Z");
      name.starts_with("ddx.") && whole != StringRef::npos) {
    name = name.drop_front(whole + 1);
  }
  return name.starts_with("_Z") ? name.split('.').first : name;
}

}  // namespace

std::string source_name(const Function& function) {
  return readable_name(mangled_source_name(mangled_name(function)));
}

Errors::Site Errors::site_of(const Instruction& where) {
  const auto* call = dyn_cast<CallBase>(&where);
  const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  const StringRef called = callee != nullptr                        ? callee->getName()
                           : call != nullptr && call->isInlineAsm() ? StringRef("asm")
                                                                    : StringRef();
  return {mangled_name(*where.getFunction()).str(), called.str(), where.getDebugLoc().get()};
}

/// The place by debug information, or, without it, by the syntax tree: that of the call in the
/// function, or of the function.
clang::SourceLocation Errors::place_of(const Site& site) const {
  return site.location != nullptr || !rules_.locate
             ? place_of(DebugLoc(site.location))
             : rules_.locate(mangled_source_name(site.function), site.called);
}

namespace {

/// A text with its argument.
std::string filled(StringRef row, StringRef fact) {
  std::string text = row.str();
  if (const std::size_t hole = text.find("%0"); hole != std::string::npos) {
    text.replace(hole, 2, fact.str());
  }
  return text;
}

constexpr StringLiteral primal_label = "ddx.memory.primal.";

}  // namespace

void Errors::add_call(const Function& callee, const CallBase& call) {
  if (!calls_.contains(callee.getName())) {
    calls_[callee.getName()] = site_of(call);
  }
}

/// Adds the places of a site: where it is written, and the calls that were inlined there.
void Errors::add_places(const Site& site, std::vector<ChainLink>& calls) const {
  if (site.location == nullptr) {
    calls.push_back({place_of(site), readable_name(mangled_source_name(site.function))});
  }
  for (const DILocation* at = site.location; at != nullptr; at = at->getInlinedAt()) {
    const auto* scope = at->getScope()->getSubprogram();
    calls.push_back({place_of(DebugLoc(at)), scope ? scope->getName().str() : "a function"});
  }
}

/// The call by which a derivative of `function` is needed; null where none is known.
const Errors::Site* Errors::call_of(StringRef function) const {
  auto found = calls_.find(function);
  if (found == calls_.end() && consume_order(function)) {  // That is being made.
    found = calls_.find(function);
  }
  return found == calls_.end() ? nullptr : &found->second;
}

/// The places from `where` to the request. Each has the function that it lies in; the request none.
std::vector<ChainLink> Errors::calls_to(const Instruction& where) const {
  std::vector<ChainLink> calls;
  SmallPtrSet<const Site*, 8> met;
  const Site first = site_of(where);
  const Site* at = &first;
  while (at != nullptr && met.insert(at).second) {
    add_places(*at, calls);
    StringRef function = at->function;
    at = call_of(function);
    function.consume_front("\01");
    unsigned number = 0;
    if (function.consume_front(primal_label) && !function.consumeInteger(10, number) &&
        number < rules_.requests.size()) {
      calls.push_back({rules_.requests[number], ""});
    }
  }
  return calls;
}

/// The innermost place outside the libraries, for a message at run time; empty where none is known.
std::string Errors::text_of_place(const Instruction& where) const {
  for (const ChainLink& link : calls_to(where)) {
    const clang::PresumedLoc place = sources_.getPresumedLoc(link.where);
    if (place.isValid() && !sources_.isInSystemHeader(link.where)) {
      return (" (" + sys::path::filename(place.getFilename()) + ":" + Twine(place.getLine()) + ")")
          .str();
    }
  }
  return "";
}

void Errors::report(const Instruction& where, Diagnostic id, StringRef fact) {
  if (is_tentative_) {
    if (kept_.empty()) {
      kept_ = filled(text_of(id), fact) + ", in '" + source_name(*where.getFunction()) + "'" +
              text_of_place(where);
    }
    return;
  }
  any_ = true;
  const std::vector<ChainLink> places = calls_to(where);
  ChainedError error{id, {}, places.front().where, {}};
  if (!fact.empty()) {
    error.facts.push_back(fact.str());
  }
  // A call has the place in one function, and the name of the one inside it.
  for (std::size_t i = 1; i < places.size(); ++i) {
    error.calls.push_back({places[i].where, places[i].callee.empty() ? "" : places[i - 1].callee});
  }
  const unsigned line = sources_.getExpansionLineNumber(error.where);
  if (!reported_.emplace(line, sources_.getFilename(error.where).str(), (name_of(id) + fact).str())
           .second) {
    return;
  }
  held_.push_back(std::move(error));
  if (!is_holding_) {
    release();
  }
}

void Errors::report_real(const Instruction& where) {
  Type* const type = where.getType()->getScalarType();
  const StringRef name = type->isHalfTy()     ? "_Float16"
                         : type->isBFloatTy() ? "__bf16"
                         : type->isFP128Ty()  ? "__float128"
                                              : "";
  name.empty() ? report(where, Diagnostic::UnsupportedInstruction, where.getOpcodeName())
               : report(where, Diagnostic::UnsupportedReal, name);
}

void Errors::release() {
  for (const ChainedError& error : std::exchange(held_, {})) {
    ddx::compiler::report(diagnostics_, error);
  }
}

void Errors::internal(const Function& function, StringRef what) {
  any_ = true;
  ddx::compiler::report(diagnostics_, Diagnostic::UnsoundMemoryDerivative, {})
      << readable_name(function.getName()) << what;
}

}  // namespace ddx::compiler::memory
