/// \file
/// Messages that wait until it is known whether they are for the user.

#pragma once

#include "compiler/diagnostics/diagnostics.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::compiler {

/// An engine that keeps what is reported to it, for the engine of the unit to report or to drop.
///
/// It counts its own errors, so an error that is dropped leaves no trace in the unit's engine.
class HeldDiagnostics {
 public:
  /// Holds messages for `unit`, whose rows it shares; `unit` must outlive it.
  explicit HeldDiagnostics(clang::DiagnosticsEngine& unit);
  HeldDiagnostics(const HeldDiagnostics&) = delete;
  HeldDiagnostics& operator=(const HeldDiagnostics&) = delete;

  /// The engine to report to.
  clang::DiagnosticsEngine& engine() { return engine_; }

  /// Reports the held messages to the unit's engine as they are, and holds none of them any more.
  /// An error that was released before, for another derivative of the same function, is dropped
  /// with its notes.
  void release();

  /// Reports the held messages to the unit's engine as remarks with their notes: "cannot
  /// differentiate" at the beginning of a message becomes "not promoted". Holds none of them any
  /// more.
  void release_as_remarks();

  /// Drops the held messages.
  void drop() { held_.clear(); }

  /// Whether a message of this row is held.
  [[nodiscard]] bool holds(Diagnostic id) const;

  [[nodiscard]] bool empty() const { return held_.empty(); }

 private:
  /// One argument of a message: text, or what the engine encodes as a number.
  using Argument = std::variant<std::string, std::uint64_t>;
  using Arguments = std::vector<std::pair<clang::DiagnosticsEngine::ArgumentKind, Argument>>;
  struct Message {
    unsigned id;
    clang::DiagnosticsEngine::Level level;
    clang::SourceLocation where;
    Arguments arguments;
  };
  class Consumer final : public clang::DiagnosticConsumer {
   public:
    explicit Consumer(std::vector<Message>& into) : into_(into) {}
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic& message) override;

   private:
    std::vector<Message>& into_;
  };

  void report(const Message& message, unsigned id);
  std::vector<Message> take_new();

  clang::DiagnosticsEngine& unit_;
  std::vector<Message> held_;
  std::set<std::tuple<unsigned, clang::SourceLocation, Arguments>> released_;
  Consumer consumer_;
  clang::DiagnosticsEngine engine_;
};

}  // namespace ddx::compiler
