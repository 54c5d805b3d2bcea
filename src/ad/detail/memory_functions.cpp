#include "ddx/ad/detail/memory_functions.h"

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/unit_list.h"

#include <cstddef>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string_view>

namespace ddx::detail {

MemoryFunctions::Table::Table(const MemoryFunction* functions, std::size_t count) noexcept
    : functions_(functions), count_(count) {
  UnitList::enter(first_, *this);
  __atomic_add_fetch(&MemoryFunctionCache::now, 1, __ATOMIC_RELEASE);
}

MemoryFunctions::Table::~Table() {
  UnitList::leave(first_, *this);
  __atomic_add_fetch(&MemoryFunctionCache::now, 1, __ATOMIC_RELEASE);
  delete[] index_;
}

MemoryFunctions::Table::Place MemoryFunctions::Table::find(const void* function) {
  const Place* index = __atomic_load_n(&index_, __ATOMIC_ACQUIRE);
  if (index == nullptr) {
    index = publish(make_index());
  }
  return index[place_of(index, function)];
}

MemoryFunctions::Table::Place* MemoryFunctions::Table::make_index() const {
  Place* const index = new Place[index_size()]();
  for (std::size_t i = 0; i < count_; ++i) {
    index[place_of(index, functions_[i].primal)] = &functions_[i];
  }
  return index;
}

const MemoryFunctions::Table::Place* MemoryFunctions::Table::publish(Place* made) noexcept {
  Place* expected = nullptr;
  if (__atomic_compare_exchange_n(&index_, &expected, made, /*weak=*/false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    return made;
  }
  delete[] made;
  return expected;
}

std::size_t MemoryFunctions::Table::index_size() const noexcept {
  std::size_t size = 2;
  while (size < 2 * count_) {
    size *= 2;
  }
  return size;
}

std::size_t MemoryFunctions::Table::place_of(const Place* index,
                                             const void* function) const noexcept {
  const std::size_t mask = index_size() - 1;
  std::size_t i = hash_of_function(function) & mask;
  while (index[i] != nullptr && index[i]->primal != function) {
    i = (i + 1) & mask;
  }
  return i;
}

/// The entry of a function, also kept for the next call; null where no table has it. One that has a
/// reverse sweep is preferred: a unit that needs the tangent alone has an entry without.
const MemoryFunction* MemoryFunctions::find_in_tables(const void* function) {
  MemoryFunctionCache& cache = cache_;
  const std::size_t now = changes();
  if (cache.changes != now) {
    cache = MemoryFunctionCache{};
    cache.changes = now;
  }
  const MemoryFunction* found = nullptr;
  (void)UnitList::find(first_, [&](Table& table) {
    const MemoryFunction* const here = table.find(function);
    found = here != nullptr ? here : found;
    return found != nullptr && found->reverse != nullptr;
  });
  if (found != nullptr) {
    cache.entry(function) = {function, found};
  }
  return found;
}

const MemoryFunction* MemoryFunctions::find_slowly(const void* function) {
  const MemoryFunction* const found = find_in_tables(function);
  if (found == nullptr) {
    throw_unknown_function(function);
  }
  return found;
}

namespace {

/// The reverse sweep of a function without reals.
void reverse_nothing(MemorySweep* /*sweep*/) {}

/// Whether a function is one of the C or the C++ standard library, or the reverse sweep of one.
bool is_of_standard_library(const void* function) {
  if (function == reinterpret_cast<const void*>(&reverse_nothing)) {
    return true;
  }
  Dl_info info{};
  if (::dladdr(function, &info) == 0 || info.dli_fname == nullptr) {
    return false;
  }
  const std::string_view file = info.dli_fname;
  return file.find("/libstdc++.so") != file.npos || file.find("/libc++.so") != file.npos ||
         file.find("/libc++abi.so") != file.npos || file.find("/libc.so") != file.npos ||
         file.find("/libm.so") != file.npos;
}

/// The entry of a function of these libraries: itself, called with one argument more.
const MemoryFunction* library_function(const void* function) {
  static std::mutex lock;
  static std::map<const void*, MemoryFunction> known;
  const std::lock_guard<std::mutex> hold(lock);
  void* const itself = const_cast<void*>(function);
  return &known
              .try_emplace(function,
                           MemoryFunction{function, itself,
                                          reinterpret_cast<void*>(&reverse_nothing), itself})
              .first->second;
}

}  // namespace

const MemoryFunction* MemoryFunctions::find_plain_slowly(const void* function) {
  if (const MemoryFunction* const found = find_in_tables(function)) {
    return found;
  }
  if (!is_of_standard_library(function)) {
    throw_unknown_function(function);
  }
  return library_function(function);
}

}  // namespace ddx::detail
