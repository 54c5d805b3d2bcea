/// \file
/// Functions that read and write numbers in memory and have derivatives of their own.

#pragma once

#include "ddx/ad/detail/memory_ranges.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace ddx {

/// The reverse sweep that the functions of a rule work for.
///
/// The forward function saves values, last in, first out; the reverse function restores them.
class RuleSweep {
 public:
  explicit RuleSweep(detail::MemorySweep& sweep) noexcept : sweep_(sweep) {}

  /// Returns room for `count` objects on the tape, to be filled before the next call.
  ///
  /// Throws: std::bad_alloc.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  [[nodiscard]] T* save(std::size_t count) {
    return reinterpret_cast<T*>(sweep_.push(room<T>(count)));
  }

  /// Returns the objects that were saved last and not yet restored; `count` is that of save().
  template <class T>
    requires std::is_trivially_copyable_v<T>
  [[nodiscard]] const T* restore(std::size_t count) {
    return reinterpret_cast<const T*>(sweep_.pop(room<T>(count)));
  }

  /// Copies the cotangents of `count` numbers that follow each other, for results that are added
  /// to.
  ///
  /// Throws: std::bad_alloc; UsageError where the address is no multiple of the size.
  template <class Real>
  void get(const Real* numbers, std::size_t count, Real* into) {
    detail::get_cotangents(sweep_, numbers, count, into);
  }

  /// Returns the cotangents of `count` numbers, to be read or added to, where they follow each
  /// other as the numbers do; null where they do not.
  ///
  /// Throws: as get.
  template <class Real>
  [[nodiscard]] Real* adjacent(const Real* numbers, std::size_t count) {
    return detail::adjacent_cotangents(sweep_, numbers, count);
  }

  /// As get, and leaves zeros: for results that are overwritten.
  template <class Real>
  void take(const Real* numbers, std::size_t count, Real* into) {
    detail::take_cotangents(sweep_, numbers, count, into);
  }

  /// Adds to the cotangents of `count` numbers that follow each other.
  ///
  /// Throws: as get.
  template <class Real>
  void add(const Real* numbers, std::size_t count, const Real* amounts) {
    change(numbers, count, [&](Real* cotangents, std::size_t first, std::size_t stretch) {
      for (std::size_t i = 0; i < stretch; ++i) {
        cotangents[i] += amounts[first + i];
      }
    });
  }

  /// Calls `change(cotangents, first, stretch)` for stretches of the cotangents of `count` numbers
  /// that follow each other, to add to them; `first` is how many were before.
  ///
  /// Throws: as get.
  template <class Real, class Change>
  void change(const Real* numbers, std::size_t count, const Change& change) {
    detail::change_cotangents(sweep_, numbers, count, change);
  }

 private:
  template <class T>
  static constexpr std::size_t room(std::size_t count) noexcept {
    return (count * sizeof(T) + 15) / 16 * 16;
  }

  detail::MemorySweep& sweep_;
};

/// The tangents of numbers in memory that the tangent function of a rule works with.
class RuleTangents {
 public:
  explicit RuleTangents(detail::MemoryTangents& tangents) noexcept : tangents_(tangents) {}

  /// Returns the tangent of a number, to be read or written. That of the next number need not
  /// follow.
  ///
  /// Throws: as RuleSweep::get.
  template <class Real>
  [[nodiscard]] Real& operator()(const Real* number) const {
    return *tangents_.place<Real>(number);
  }

 private:
  detail::MemoryTangents& tangents_;
};

namespace detail {

// The name of the declaration counts: by it the compiler finds the functions of a rule.

/// Marks the function that calls it as one with these derivatives through memory.
[[gnu::always_inline]] inline void has_rule(const void* forward, const void* reverse,
                                            const void* tangent) noexcept
    __asm__("ddx.rt.has_rule");
void has_rule(const void* /*forward*/, const void* /*reverse*/, const void* /*tangent*/) noexcept {}

/// The functions of a rule under the types that the compiler calls them by.
template <class Rule, class... Arguments>
struct RuleFunctions {
  static void forward(Arguments... arguments, MemorySweep* sweep) {
    Rule::forward(arguments..., RuleSweep(*sweep));
  }
  static void reverse(MemorySweep* sweep) { Rule::reverse(RuleSweep(*sweep)); }
  static void tangent(Arguments... arguments, MemoryTangents* tangents) {
    Rule::tangent(arguments..., RuleTangents(*tangents));
  }
};

/// What a function with a rule may be called with: no numbers by value, no objects.
template <class T>
inline constexpr bool is_rule_argument =
    std::is_pointer_v<T> || std::is_integral_v<T> || std::is_enum_v<T>;

}  // namespace detail

/// Calls `Rule::primal(arguments...)`. Derivatives through memory call, in its place,
///
/// - `Rule::forward(arguments..., sweep)`, which does the same and saves in the `RuleSweep` what
/// the
///   reverse sweep needs;
/// - `Rule::reverse(sweep)`, which restores that, takes or gets the cotangents of the results and
///   adds to those of what they depend on;
/// - `Rule::tangent(arguments..., tangents)`, in forward mode, which does the same as `primal` and
///   sets the tangents of the results. It is differentiated itself for second derivatives, so it
///   is made of differentiable code and of other calls by rule.
///
/// Arguments are pointers, to numbers or to anything else, integers and enumerators.
///
/// Gradient: as the rule says. What calls this is differentiated through memory.
///
/// Cost: that of `primal`: nothing else is called where there is no derivative.
template <class Rule, class... Arguments>
void call_by_rule(Arguments... arguments) {
  static_assert((detail::is_rule_argument<Arguments> && ...),
                "ddx::call_by_rule: arguments are pointers, integers and enumerators");
  using Functions = detail::RuleFunctions<Rule, Arguments...>;
  detail::has_rule(reinterpret_cast<const void*>(&Functions::forward),
                   reinterpret_cast<const void*>(&Functions::reverse),
                   reinterpret_cast<const void*>(&Functions::tangent));
  Rule::primal(arguments...);
}

}  // namespace ddx
