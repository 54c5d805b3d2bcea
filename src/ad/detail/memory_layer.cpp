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

/// Others may read zeros beside it, so zeros are not written.
template <class Real>
Real take_number(Real& number) {
  return number == 0 ? Real{0} : std::exchange(number, Real{0});
}

}  // namespace

void add_mirrors(ShadowKinds& from, ShadowKinds& to) {
  from.for_each_used([&]<class Real>(ShadowDirectory<Real>& numbers) {
    ShadowDirectory<Real>& sums = to.of<Real>();
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
}

void MemoryLayer::forget() noexcept {
  for (bool& may_have : may_have_published_) {
    may_have = true;
  }
  for (auto& entries : entries_) {
    for (Entry& entry : entries) {
      entry = {~std::uintptr_t{0}, nullptr, nullptr};
    }
  }
}

template <class Real>
MemoryLayer::Entry& MemoryLayer::entry_of(std::uintptr_t page) {
  return entries_[number_of_kind<Real>()][page / layer_page_bytes % cache_entries];
}

template <class Real>
void MemoryLayer::look_up(std::uintptr_t page, Entry& entry) {
  const auto [common, hold] = common_.kinds->of<Real>().find_page(page);
  const bool is_mine = hold != nullptr && hold->epoch == &epoch_ && hold->is_valid();
  entry = {page, is_mine ? nullptr : common, common_.published.of<Real>().find_page(page).mirror};
}

template <class Real>
const MemoryLayer::Entry& MemoryLayer::find(std::uintptr_t bits) {
  const std::uintptr_t page = bits - bits % layer_page_bytes;
  Entry& entry = entry_of<Real>(page);
  if (entry.page != page) {
    const std::lock_guard lock(common_.mutex);
    look_up<Real>(page, entry);
  }
  return entry;
}

template <class Real>
Real MemoryLayer::get(const void* address) {
  const auto bits = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t offset = bits % layer_page_bytes;
  const Entry& entry = find<Real>(bits);
  Real sum = 0;
  for (const char* const mirror : {entry.common, entry.published}) {
    if (mirror != nullptr) {
      sum += *reinterpret_cast<const Real*>(mirror + offset);
    }
  }
  return sum;
}

template <class Real>
Real MemoryLayer::take(const void* address) {
  const auto bits = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t offset = bits % layer_page_bytes;
  const Entry& entry = find<Real>(bits);
  Real sum = 0;
  for (char* const mirror : {entry.common, entry.published}) {
    if (mirror != nullptr) {
      sum += take_number(*reinterpret_cast<Real*>(mirror + offset));
    }
  }
  return sum;
}

template <class Real>
char* MemoryLayer::borrow(std::uintptr_t page, PageHold& hold) {
  const std::lock_guard lock(common_.mutex);
  const auto [mirror, holder] = common_.kinds->of<Real>().make_page(page);
  if (holder->is_valid()) {
    return nullptr;
  }
  hold = *holder = {&epoch_, epoch_};
  look_up<Real>(page, entry_of<Real>(page));
  return mirror;
}

template <class Real>
bool MemoryLayer::has_all(const ShadowDirectory<Real>& own, const void* first, const void* last) {
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  const auto end = reinterpret_cast<std::uintptr_t>(last);
  // Mirrors of the sweep's own never lie beside common ones.
  if (!own.is_borrowed(begin)) {
    return false;
  }
  bool& may_have_published = may_have_published_[number_of_kind<Real>()];
  if (may_have_published) {
    const std::lock_guard lock(common_.mutex);
    may_have_published = common_.published.of<Real>().mirror_count() > 0;
  }
  for (std::uintptr_t page = begin - begin % layer_page_bytes; may_have_published && page <= end;
       page += layer_page_bytes) {
    if (find<Real>(page).published != nullptr) {
      return false;
    }
  }
  return true;
}

template <class Real>
void MemoryLayer::claim_numbers(ShadowDirectory<Real>& own, const void* begin, std::size_t bytes) {
  const ShadowRange<Real> range(reinterpret_cast<std::uintptr_t>(begin), bytes);
  for (std::size_t i = 0; i < range.count();) {
    const std::uintptr_t at = range.first() + i * sizeof(Real);
    const std::uintptr_t offset = at % layer_page_bytes;
    const std::size_t to_end = (layer_page_bytes - offset) / sizeof(Real);
    const std::size_t part = to_end < range.count() - i ? to_end : range.count() - i;
    i += part;
    if (find<Real>(at).common == nullptr && find<Real>(at).published == nullptr) {
      continue;
    }
    Real* const numbers = own.place(reinterpret_cast<const void*>(at));
    const Entry& entry = find<Real>(at);  // The page may be held only now.
    for (char* const mirror : {entry.common, entry.published}) {
      for (std::size_t k = 0; mirror != nullptr && k < part; ++k) {
        numbers[k] += take_number(reinterpret_cast<Real*>(mirror + offset)[k]);
      }
    }
  }
}

void MemoryLayer::claim(ShadowKinds& own, const void* begin, std::size_t bytes) {
  claim_numbers(own.of<double>(), begin, bytes);
  claim_numbers(own.of<float>(), begin, bytes);
  claim_numbers(own.of<long double>(), begin, bytes);
}

void MemoryLayer::publish(ShadowKinds& own) {
  {
    const std::lock_guard lock(common_.mutex);
    add_mirrors(own, common_.published);
    ++epoch_;
  }
  own.reset();
  forget();
}

template double MemoryLayer::get<double>(const void*);
template float MemoryLayer::get<float>(const void*);
template long double MemoryLayer::get<long double>(const void*);
template double MemoryLayer::take<double>(const void*);
template float MemoryLayer::take<float>(const void*);
template long double MemoryLayer::take<long double>(const void*);
template char* MemoryLayer::borrow<double>(std::uintptr_t, PageHold&);
template char* MemoryLayer::borrow<float>(std::uintptr_t, PageHold&);
template char* MemoryLayer::borrow<long double>(std::uintptr_t, PageHold&);
template bool MemoryLayer::has_all(const ShadowDirectory<double>&, const void*, const void*);
template bool MemoryLayer::has_all(const ShadowDirectory<float>&, const void*, const void*);
template bool MemoryLayer::has_all(const ShadowDirectory<long double>&, const void*, const void*);

}  // namespace ddx::detail
