/// \file
/// What the debug information of the running program states about its addresses.

#pragma once

#include "core/call_stack/libdw.h"

#include <cstdint>
#include <memory>
#include <string>
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

/// The program and its shared libraries, as they are loaded now. For one thread at a time.
class DebugInformation {
 public:
  /// Cost:    some 0.1 ms; each file is read when it is first asked for.
  explicit DebugInformation(const Libdw& library);

  /// What there is at the instruction that an address lies in.
  [[nodiscard]] InstructionPlaces places_at(std::uintptr_t address) const;

  /// The function that an address lies in, as the linker knows it; empty where that is not known.
  /// Needs no debug information.
  [[nodiscard]] std::string symbol_at(std::uintptr_t address) const;

 private:
  const Libdw& library_;
  std::unique_ptr<Dwfl, decltype(&::dwfl_end)> session_;
};

}  // namespace ddx
