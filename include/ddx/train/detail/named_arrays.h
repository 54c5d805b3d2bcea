/// \file
/// Arrays that a model is loaded from, and which of them were used.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include <functional>
#include <set>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train::detail {

/// Finds the array for each path of a model. Borrows what it is made from.
class NamedArrays {
 public:
  NamedArrays(const io::StoredTensors& arrays,
              const std::function<std::string(const std::string& path)>& name_of,
              const std::vector<std::string>& ignored_paths, const std::source_location& where)
      : arrays_(arrays), name_of_(name_of), ignored_paths_(ignored_paths), where_(where) {}

  /// The array for a path; null where the path is ignored.
  ///
  /// Throws: UsageError where there is none, or it has another form.
  [[nodiscard]] const io::StoredTensor* find(const std::string& path,
                                             const std::pair<DType, Shape>& expected);

  /// Throws: UsageError where an ignored path stood for none that was asked for.
  void check_ignored() const;
  /// Throws: UsageError where an array was not asked for.
  void check_used() const;

 private:
  [[noreturn]] void fail(const std::string& facts) const;

  const io::StoredTensors& arrays_;
  const std::function<std::string(const std::string& path)>& name_of_;
  const std::vector<std::string>& ignored_paths_;
  std::source_location where_;
  std::set<std::string> used_;
  std::set<std::string> ignored_;
};

}  // namespace ddx::train::detail
