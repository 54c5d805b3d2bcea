/// \file
/// Collects C++ text line by line.

#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>

namespace ddx::compiler {

/// Text under construction: indented lines, nested scopes, and the place in the user's source that
/// the lines stand at.
class CppWriter {
 public:
  /// Appends one line.
  void line(const std::string& text) {
    out_ += place_ + std::string(indent_per_scope * scopes_.size(), ' ') + text + "\n";
  }

  /// Appends a line that begins a scope.
  void open(const std::string& text) {
    line(text);
    scopes_.push_back(next_scope_++);
  }

  /// Appends a line that ends the innermost scope.
  void close(const std::string& text = "}") {
    scopes_.pop_back();
    line(text);
  }

  /// Appends a line that ends the innermost scope and begins another.
  void reopen(const std::string& text) {
    scopes_.pop_back();
    open(text);
  }

  /// The number of the innermost scope, which no other scope of this text has; 0 outside of all.
  [[nodiscard]] unsigned scope() const { return scopes_.empty() ? 0 : scopes_.back(); }

  /// True while the scope of this number is open.
  [[nodiscard]] bool is_open(unsigned scope) const {
    return scope == 0 || llvm::is_contained(scopes_, scope);
  }

  /// From now on each line stands behind `directive`, a whole line; empty: none.
  void set_place(std::string directive) { place_ = std::move(directive); }
  [[nodiscard]] bool has_place() const { return !place_.empty(); }

  /// Appends text as it stands.
  void append(llvm::StringRef text) { out_ += text.str(); }

  /// The text so far; the writer is empty afterwards.
  std::string take() { return std::exchange(out_, std::string()); }

 private:
  static constexpr std::size_t indent_per_scope = 2;

  std::string out_;
  std::string place_;
  llvm::SmallVector<unsigned> scopes_;  ///< Those that are open, outermost first.
  unsigned next_scope_ = 1;
};

}  // namespace ddx::compiler
