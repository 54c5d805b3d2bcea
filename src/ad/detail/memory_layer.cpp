#include "ddx/ad/detail/memory_layer.h"

#include "ddx/ad/detail/shadow_directory.h"

#include "ad/detail/shadow_ranges.h"
#include "ad/detail/sweep_threads.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

namespace ddx::detail {

namespace {

constexpr std::size_t layer_page_bytes = ShadowDirectory<double>::page_bytes;

template <class Real>
constexpr std::size_t number_of_kind() {
  return std::is_same_v<Real, double> ? 0 : std::is_same_v<Real, float> ? 1 : 2;
}

}  // namespace

void MemoryLayer::forget() noexcept {
  for (auto& entries : entries_) {
    for (Entry& entry : entries) {
      entry = {~std::uintptr_t{0}, nullptr};
    }
  }
}

template <class Real>
Real* MemoryLayer::find(std::uintptr_t bits) {
  const std::uintptr_t offset = bits % layer_page_bytes;
  Entry& entry = entries_[number_of_kind<Real>()][bits / layer_page_bytes % cache_entries];
  if (entry.page != bits - offset) {
    const std::lock_guard lock(common_.mutex);
    Real* const first = common_.kinds->of<Real>().find(bits - offset, 1).first;
    entry = {bits - offset, reinterpret_cast<char*>(first)};
  }
  return entry.mirror == nullptr ? nullptr : reinterpret_cast<Real*>(entry.mirror + offset);
}

template <class Real>
Real MemoryLayer::get(const void* address) {
  const Real* const place = find<Real>(reinterpret_cast<std::uintptr_t>(address));
  return place == nullptr ? Real{0} : *place;
}

template <class Real>
Real MemoryLayer::take(const void* address) {
  Real* const place = find<Real>(reinterpret_cast<std::uintptr_t>(address));
  // Others may read zeros beside it, so zeros are not written.
  return place == nullptr || *place == 0 ? Real{0} : std::exchange(*place, Real{0});
}

void MemoryLayer::claim(ShadowKinds& own, const void* begin, std::size_t bytes) {
  const auto claim_kind = [&]<class Real>(ShadowDirectory<Real>& numbers) {
    const ShadowRange<Real> range(reinterpret_cast<std::uintptr_t>(begin), bytes);
    for (std::size_t i = 0; i < range.count();) {
      const std::uintptr_t at = range.first() + i * sizeof(Real);
      const std::size_t to_end = (layer_page_bytes - at % layer_page_bytes) / sizeof(Real);
      const std::size_t part = to_end < range.count() - i ? to_end : range.count() - i;
      Real* const common = find<Real>(at);
      for (std::size_t k = 0; common != nullptr && k < part; ++k) {
        if (common[k] != 0) {
          *numbers.place(reinterpret_cast<const void*>(at + k * sizeof(Real))) +=
              std::exchange(common[k], Real{0});
        }
      }
      i += part;
    }
  };
  claim_kind(own.of<double>());
  claim_kind(own.of<float>());
  claim_kind(own.of<long double>());
}

void MemoryLayer::add_to_common(ShadowKinds& own) {
  const std::lock_guard lock(common_.mutex);
  own.for_each_used([&]<class Real>(ShadowDirectory<Real>& numbers) {
    ShadowDirectory<Real>& sums = common_.kinds->of<Real>();
    numbers.for_each_mirror([&](std::uintptr_t page, const Real* amounts) {
      Real* sum = nullptr;
      for (std::size_t i = 0; i < layer_page_bytes / sizeof(Real); ++i) {
        if (amounts[i] != 0) {
          if (sum == nullptr) {
            sum = sums.place(reinterpret_cast<const void*>(page));
          }
          sum[i] += amounts[i];
        }
      }
    });
  });
  own.reset();
}

template double MemoryLayer::get<double>(const void*);
template float MemoryLayer::get<float>(const void*);
template long double MemoryLayer::get<long double>(const void*);
template double MemoryLayer::take<double>(const void*);
template float MemoryLayer::take<float>(const void*);
template long double MemoryLayer::take<long double>(const void*);

}  // namespace ddx::detail
