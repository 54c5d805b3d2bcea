/// \file
/// Where a value stands inside a model.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ddx::nn {

/// A place inside a model: a chain of member names and element numbers. Refers to its parent, which
/// must outlive it; rendering is left to those who need the text.
class Path {
 public:
  Path() = default;  ///< The whole model.
  /// The member of the object at `parent`.
  Path(const Path& parent, std::string_view name) noexcept : parent_(&parent), name_(name) {}
  /// The element of the container at `parent`.
  Path(const Path& parent, std::size_t number) noexcept : parent_(&parent), number_(number) {}
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  /// Renders as "blocks.0.conv.filter"; the whole model as "".
  friend std::string to_string(const Path& path);

 private:
  const Path* parent_ = nullptr;
  std::string_view name_;  // Empty: an element, by its number.
  std::size_t number_ = 0;
};

}  // namespace ddx::nn
