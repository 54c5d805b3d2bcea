/// \file
/// A variable of the environment, for as long as a library is being loaded.

#pragma once

#include <cstddef>

namespace ddx::backend::pjrt {

/// Adds a variable to the environment of the process, where there is none of its name, until it is
/// destroyed. Meanwhile the process has another array of variables. So other threads may read
/// variables at any time, which `setenv` and `unsetenv` do not allow: they move the array, or its
/// entries, that others read. Where another thread changes the environment meanwhile, its change is
/// kept, and the variable with it; a change in the instant of construction or destruction may be
/// lost, as `setenv` in two threads may lose one. Of one thread at a time.
///
/// Cost:    some bytes for each variable of the process, which are never returned.
class AddedVariable {
 public:
  /// `assignment` is NAME=VALUE, of static storage.
  explicit AddedVariable(const char* assignment);
  AddedVariable(const AddedVariable&) = delete;
  AddedVariable& operator=(const AddedVariable&) = delete;
  ~AddedVariable();

 private:
  char** before_ = nullptr;  // Null: there was one.
  char** with_it_ = nullptr;
  std::size_t count_ = 0;  // Of those before.
};

}  // namespace ddx::backend::pjrt
