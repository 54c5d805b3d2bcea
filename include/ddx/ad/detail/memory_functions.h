/// \file
/// The derivatives of functions that are called through pointers, of all units of a program.

#pragma once

#include "ddx/ad/detail/unit_list.h"

#include <cstddef>
#include <cstdint>

namespace ddx::detail {

/// A function, and the functions that the compiler made of it.
struct MemoryFunction {
  const void* primal;
  void* forward;
  void* reverse;
  void* tangent;
};

[[nodiscard]] inline std::size_t hash_of_function(const void* function) noexcept {
  // Functions begin at multiples of 16.
  const auto bits = reinterpret_cast<std::uintptr_t>(function);
  return static_cast<std::size_t>((bits >> 4) ^ (bits >> 12));
}

/// The functions that a thread found last.
struct MemoryFunctionCache {
  static constexpr std::size_t size = 64;
  /// How often a table came or went: a cache is valid for one number. One for all shared libraries,
  /// as the list of tables is. Read and written as an atomic object.
  [[gnu::visibility("default")]] static inline constinit std::size_t now = 0;

  struct Entry {
    const void* function = &now;  ///< No function.
    const MemoryFunction* found = nullptr;
  };

  [[nodiscard]] Entry& entry(const void* function) noexcept {
    return entries[hash_of_function(function) % size];
  }

  std::size_t changes = 0;
  Entry entries[size];
};

/// Finds the derivatives of functions by their addresses.
///
/// Each unit of the program has a table of the functions whose addresses it knows; the tables form
/// a list. Behind it, each thread has a cache.
class MemoryFunctions {
 public:
  /// What one unit knows. In the list from construction to destruction: as long as the unit is
  /// loaded.
  class Table {
   public:
    /// `functions`, an array of `count`, must live as long as the table.
    Table(const MemoryFunction* functions, std::size_t count) noexcept;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    /// While no other unit is loaded or unloaded, and no derivative runs that uses this one.
    ~Table();

   private:
    friend MemoryFunctions;
    friend UnitList;

    using Place = const MemoryFunction*;

    /// Returns the entry of `function`, or null.
    [[nodiscard]] Place find(const void* function);

    /// The entries as a hash table, made at the first search: most programs have none.
    [[nodiscard]] Place* make_index() const;

    /// Of several threads that made one, one is first.
    [[nodiscard]] const Place* publish(Place* made) noexcept;

    /// A power of two: at least one place stays empty.
    [[nodiscard]] std::size_t index_size() const noexcept;

    /// The place of a function in the index, or the empty one where it belongs.
    [[nodiscard]] std::size_t place_of(const Place* index, const void* function) const noexcept;

    const MemoryFunction* functions_;
    std::size_t count_;
    Place* index_ = nullptr;  ///< Owned. Read and written as an atomic object.
    Table* next_ = nullptr;   ///< Of the list.
  };

  /// Returns the entry of `function`, of whichever unit.
  ///
  /// Throws: UsageError where no unit that is loaded has it; std::bad_alloc.
  ///
  /// Cost: measured 1 ns for one of the last functions of the thread, else one probe for each unit.
  [[nodiscard]] static const MemoryFunction* find(const void* function) {
    MemoryFunctionCache& cache = cache_;
    const MemoryFunctionCache::Entry& entry = cache.entry(function);
    if (entry.function != function || cache.changes != changes()) [[unlikely]] {
      return find_slowly(function);
    }
    return entry.found;
  }

  /// As find, for a function that takes and returns no reals by value: one of the C or C++ standard
  /// library has none to read or write, so that it is its own derivative.
  [[nodiscard]] static const MemoryFunction* find_plain(const void* function) {
    MemoryFunctionCache& cache = cache_;
    const MemoryFunctionCache::Entry& entry = cache.entry(function);
    if (entry.function != function || cache.changes != changes()) [[unlikely]] {
      return find_plain_slowly(function);
    }
    return entry.found;
  }

 private:
  [[nodiscard]] static std::size_t changes() noexcept {
    return __atomic_load_n(&MemoryFunctionCache::now, __ATOMIC_ACQUIRE);
  }

  [[nodiscard]] static const MemoryFunction* find_slowly(const void* function);
  [[nodiscard]] static const MemoryFunction* find_plain_slowly(const void* function);
  [[nodiscard]] static const MemoryFunction* find_in_tables(const void* function);

  /// One for all shared libraries, as MemoryFunctionCache::now.
  [[gnu::visibility("default")]] static inline constinit Table* first_ = nullptr;
  static inline constinit thread_local MemoryFunctionCache cache_{};
};

}  // namespace ddx::detail
