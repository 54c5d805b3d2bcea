/// \file
/// Groups of cases, each a program, that XLA compiles side by side.

#pragma once

#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ddx::testing {

/// The cases of an operation.
struct XlaGroup {
  std::function<void()> together;    ///< Records all of them, runs them as one program, compares.
  std::function<void()> one_by_one;  ///< The same, each in a program of its own.
};

/// Runs the groups of a suite on all processors, each on one thread, from construction on. If a
/// group fails, its cases run one by one, so that the failure names the case; if none of them
/// fails alone, the group's failures are reported.
class XlaGroups {
 public:
  /// `groups` are by the name of the test's parameter; only those of selected tests of the suite
  /// run.
  XlaGroups(const std::string& suite, const std::map<std::string, XlaGroup>& groups);
  XlaGroups(const XlaGroups&) = delete;
  XlaGroups& operator=(const XlaGroups&) = delete;
  ~XlaGroups();

  /// Waits for a group, and reports its failures as those of the current test.
  void report(const std::string& name);

 private:
  struct Failure {
    std::string file;
    int line = 0;
    std::string message;
  };
  using Failures = std::vector<Failure>;

  [[nodiscard]] static Failures failures_of(const std::function<void()>& body);
  [[nodiscard]] static Failures run(const XlaGroup& group);

  std::map<std::string, std::future<Failures>> outcomes_;
  std::vector<std::future<void>> threads_;  // Destroyed first: it waits for them.
};

}  // namespace ddx::testing
