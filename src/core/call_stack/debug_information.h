/// \file
/// What the debug information of the running program states about its addresses.

#pragma once

#include "core/call_stack/libdw.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ddx {

/// A place in the program's text, and the function that it belongs to.
struct SourcePlace {
  std::string file;
  int line = 0;          ///< 0: a place that the compiler has made up.
  std::string function;  ///< As the linker knows it, or else by its bare name.
};

/// What there is at an instruction.
struct InstructionPlaces {
  /// The function that has been inlined last, then those it has been inlined into; empty where
  /// there is no debug information.
  std::vector<SourcePlace> places;
  /// Whether these are all: what is inlined may be described in a file that was not looked for.
  bool is_complete = true;
};

/// How many libraries the process has loaded and unloaded so far.
struct LibraryChanges {
  unsigned long long loaded = 0;
  unsigned long long unloaded = 0;

  friend bool operator==(const LibraryChanges&, const LibraryChanges&) = default;
};

/// The program and its shared libraries, as they are loaded at the last `update`. It keeps its
/// answers: a program that catches errors asks for the same addresses each time. For one thread at
/// a time.
class DebugInformation {
 public:
  explicit DebugInformation(const Libdw& library);

  /// Forgets all answers if libraries have been loaded or unloaded since the last call, or if there
  /// are many. Call it before the first question.
  void update();

  /// Closes the files that were read. Answers are kept.
  void close() noexcept { session_.reset(); }

  /// The source places of the instruction at an address. The reference is valid until the next
  /// `update`.
  /// Cost:    the first time for an address some milliseconds, since files are read.
  [[nodiscard]] const InstructionPlaces& places_at(std::uintptr_t address);

  /// The function at an address, as the linker knows it; empty if that is unknown. Needs no debug
  /// information. The reference is valid until the next `update`.
  /// Cost:    as of `places_at`.
  [[nodiscard]] const std::string& symbol_at(std::uintptr_t address);

 private:
  /// The file that an address lies in; null where there is none.
  [[nodiscard]] Dwfl_Module* module_of(std::uintptr_t address);
  [[nodiscard]] InstructionPlaces find_places(std::uintptr_t address);

  const Libdw& library_;
  std::unique_ptr<Dwfl, decltype(&::dwfl_end)> session_;
  LibraryChanges changes_;
  std::unordered_map<std::uintptr_t, InstructionPlaces> places_;
  std::unordered_map<std::uintptr_t, std::string> symbols_;
};

}  // namespace ddx
