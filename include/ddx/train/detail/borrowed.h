/// \file
/// A value of some type that a loop lends for a while.

#pragma once

#include <type_traits>
#include <typeinfo>

namespace ddx::train::detail {

/// Throws: UsageError saying that nothing is known by this name, or of which other type it is.
[[noreturn]] void fail_borrowed(const char* name, const std::type_info* held,
                                const std::type_info& wanted);

/// Refers to a value of a type that only its two ends know; or to nothing.
class Borrowed {
 public:
  Borrowed() = default;
  /// Refers to the value, which must outlive every look at it.
  template <class T>
    requires(!std::is_same_v<std::remove_cv_t<T>, Borrowed>)
  explicit Borrowed(T& value) noexcept
      : value_(const_cast<std::remove_cv_t<T>*>(&value)), type_(&typeid(T)) {}

  /// The value. Who lent a constant asks for one.
  ///
  /// Throws:  UsageError where there is none or it is not a T; calls it `name`.
  template <class T>
  [[nodiscard]] T& as(const char* name) const {
    if (type_ == nullptr || *type_ != typeid(T)) {
      fail_borrowed(name, type_, typeid(T));
    }
    return *static_cast<T*>(value_);
  }

 private:
  void* value_ = nullptr;
  const std::type_info* type_ = nullptr;
};

}  // namespace ddx::train::detail
