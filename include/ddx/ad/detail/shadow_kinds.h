/// \file
/// The directories of all types of numbers.

#pragma once

#include "ddx/ad/detail/shadow_directory.h"

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace ddx::detail {

/// The types of numbers in memory that have cotangents and tangents.
template <class T>
inline constexpr bool is_number_in_memory =
    std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, long double>;

/// One directory for each type of number.
class ShadowKinds {
 public:
  template <class Real>
  [[nodiscard]] ShadowDirectory<Real>& of() noexcept {
    return std::get<ShadowDirectory<Real>>(directories_);
  }

  /// Calls `use(directory)` with those in which a page has a mirror.
  template <class Use>
  void for_each_used(const Use& use) {
    const auto use_one = [&](auto& directory) {
      if (!directory.is_empty()) {
        use(directory);
      }
    };
    std::apply([&](auto&... directories) { (use_one(directories), ...); }, directories_);
  }

  template <class Use>
  void for_each_used(const Use& use) const {
    const_cast<ShadowKinds*>(this)->for_each_used([&](const auto& directory) { use(directory); });
  }

  /// Exchanges all numbers with those of `other`.
  void swap(ShadowKinds& other) noexcept {
    of<double>().swap(other.of<double>());
    of<float>().swap(other.of<float>());
    of<long double>().swap(other.of<long double>());
  }

  /// ShadowDirectory::set_layer.
  void set_layer(MemoryLayer* layer) noexcept {
    std::apply([&](auto&... directories) { (directories.set_layer(layer), ...); }, directories_);
  }

  /// Makes all numbers zero.
  void reset() noexcept {
    for_each_used([](auto& directory) { directory.reset(); });
  }

 private:
  std::tuple<ShadowDirectory<double>, ShadowDirectory<float>, ShadowDirectory<long double>>
      directories_;
};

}  // namespace ddx::detail
