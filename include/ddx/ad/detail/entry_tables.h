/// \file
/// Derivatives of functions behind pointers, of all units of a program.
///
/// All functions of one type share one entry, which the linker takes from one unit; what a unit
/// knows are the functions that it names itself. So each unit puts those into a table, the tables
/// form a list, and an entry asks it for the functions of other units.

#pragma once

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/unit_list.h"

#include <cstddef>

namespace ddx::detail {

/// The tables of one entry, that of `Wrt` with the parameters of `Serve`.
template <class Wrt, class Serve>
class EntryTables;

template <class Wrt, class Result, class F, class... Parameters>
class EntryTables<Wrt, Result (*)(const F&, Parameters...)> {
 public:
  using Function = F;
  using Serve = Result (*)(const F&, Parameters...);

  /// What one unit serves. Stays in the list from enter() to leave(): as long as its unit is
  /// loaded.
  class Table {
   public:
    /// `serve` has the entry's parameters, and knows `functions`.
    template <std::size_t count>
    constexpr Table(const F (&functions)[count], Serve serve)
        : functions_(functions), count_(count), serve_(serve) {}

    void enter() noexcept { UnitList::enter(first_, *this); }

    /// While no other unit is loaded or unloaded, and none of its functions is differentiated.
    void leave() noexcept { UnitList::leave(first_, *this); }

   private:
    friend EntryTables;
    friend UnitList;

    [[nodiscard]] bool knows(F function) const noexcept {
      for (std::size_t i = 0; i < count_; ++i) {
        if (functions_[i] == function) {
          return true;
        }
      }
      return false;
    }

    const F* functions_;
    std::size_t count_;
    Serve serve_;
    Table* next_ = nullptr;
  };

  /// Returns what serves `function`, of whichever unit.
  ///
  /// Throws: UsageError where no unit that is loaded differentiates it.
  [[nodiscard]] static Serve find(F function) {
    const auto knows = [function](const Table& table) { return table.knows(function); };
    if (const Table* const table = UnitList::find(first_, knows)) {
      return table->serve_;
    }
    throw_unnamed_function();
  }

 private:
  /// One for all shared libraries, whatever the visibility of their other names. Read and written
  /// as an atomic object.
  [[gnu::visibility("default")]] static inline constinit Table* first_ = nullptr;
};

}  // namespace ddx::detail
