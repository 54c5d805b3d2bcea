/// \file
/// The exceptions this library throws, sorted by who must act.

#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace ddx {

/// Base of every exception the library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller broke a documented requirement (shape, dtype, axis, order of calls).
class UsageError final : public Error {
 public:
  /// The message reads "operation: fact, fact", e.g. "broadcast: axis -1: extents 3 and 4 differ".
  /// Where the caller's line is known, " (at FILE:LINE)" follows. Operators cannot capture it: of
  /// them, in programs with debug information (-g), " (called at FILE:LINE)" follows.
  ///
  /// Cost:    where the line is looked up in debug information, milliseconds.
  UsageError(const std::string& operation, const std::string& facts,
             const std::source_location& where = {});
};

/// The world outside refused: a file, a device, memory, the network.
class EnvironmentError final : public Error {
 public:
  /// The message reads "operation: fact, fact", e.g. "read: cannot open labels.gz: no such file".
  EnvironmentError(const std::string& operation, const std::string& facts);
};

/// The library broke its own rules. The message asks for a report.
class InternalError final : public Error {
 public:
  /// The message reads "operation: facts; this is a defect of ddx, please report it".
  InternalError(const std::string& operation, const std::string& facts);
};

}  // namespace ddx
