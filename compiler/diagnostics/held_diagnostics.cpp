#include "compiler/diagnostics/held_diagnostics.h"

#include "clang/Basic/DiagnosticIDs.h"

#include <cstdint>
#include <utility>

namespace ddx::compiler {

void HeldDiagnostics::Consumer::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                                 const clang::Diagnostic& message) {
  Message& kept = into_.emplace_back(Message{message.getID(), level, message.getLocation(), {}});
  for (unsigned i = 0; i < message.getNumArgs(); ++i) {
    const clang::DiagnosticsEngine::ArgumentKind kind = message.getArgKind(i);
    if (kind == clang::DiagnosticsEngine::ak_std_string) {
      kept.arguments.emplace_back(kind, message.getArgStdStr(i));
    } else if (kind == clang::DiagnosticsEngine::ak_c_string) {
      kept.arguments.emplace_back(clang::DiagnosticsEngine::ak_std_string, message.getArgCStr(i));
    } else {
      kept.arguments.emplace_back(kind, message.getRawArg(i));
    }
  }
}

HeldDiagnostics::HeldDiagnostics(clang::DiagnosticsEngine& unit)
    : unit_(unit),
      consumer_(held_),
      engine_(unit.getDiagnosticIDs(), &unit.getDiagnosticOptions(), &consumer_,
              /*ShouldOwnClient=*/false) {
  engine_.setSourceManager(&unit.getSourceManager());
}

void HeldDiagnostics::report(const Message& message, unsigned id) {
  const clang::DiagnosticBuilder built = unit_.Report(message.where, id);
  for (const auto& [kind, argument] : message.arguments) {
    if (const auto* text = std::get_if<std::string>(&argument)) {
      built.AddString(*text);
    } else {
      built.AddTaggedVal(std::get<std::uint64_t>(argument), kind);
    }
  }
}

bool HeldDiagnostics::holds(Diagnostic id) const {
  const unsigned number = number_of(unit_, id);
  return llvm::any_of(held_, [&](const Message& message) { return message.id == number; });
}

/// The held messages without errors that were released before, and without the notes of these.
std::vector<HeldDiagnostics::Message> HeldDiagnostics::take_new() {
  std::vector<Message> messages = std::exchange(held_, {});
  bool is_new = true;
  llvm::erase_if(messages, [&](const Message& message) {
    if (message.level != clang::DiagnosticsEngine::Note) {
      is_new = released_.emplace(message.id, message.where, message.arguments).second;
    }
    return !is_new;
  });
  return messages;
}

void HeldDiagnostics::release() {
  for (const Message& message : take_new()) {
    report(message, message.id);
  }
}

void HeldDiagnostics::release_as_remarks() {
  clang::DiagnosticIDs& texts = *unit_.getDiagnosticIDs();
  for (const Message& message : take_new()) {
    if (message.level == clang::DiagnosticsEngine::Note) {
      report(message, message.id);
      continue;
    }
    llvm::StringRef text = texts.getDescription(message.id);
    const bool refuses = text.consume_front("cannot differentiate");
    report(message, texts.getCustomDiagID(clang::DiagnosticIDs::Remark,
                                          ((refuses ? "not promoted" : "") + text).str()));
  }
}

}  // namespace ddx::compiler
