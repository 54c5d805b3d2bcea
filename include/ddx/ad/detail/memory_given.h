/// \file
/// Calls, in derivatives of LLVM IR, of functions whose derivatives are given.

#pragma once

#include "ddx/ad/detail/accumulate.h"
#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_exchange.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"
#include "ddx/ad/detail/real_addresses.h"
#include "ddx/ad/detail/registered_pullback.h"
#include "ddx/ad/detail/registered_tangent.h"
#include "ddx/ad/detail/storage.h"
#include "ddx/ad/detail/tangent_by_pullback.h"
#include "ddx/ad/detail/tangent_by_transpose.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/vjp.h"
#include "ddx/ad/with_derivative.h"

#include <cstddef>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// An argument that is passed in registers: its cotangents have no address. A number, or an object
/// that consists of them: of such an object each register has eight bytes.
template <class T>
struct ByValue {
  const T* object;
};

constexpr std::size_t register_bytes = 8;

/// Registers that an object takes.
template <class T>
constexpr std::size_t registers_of = (sizeof(T) + register_bytes - 1) / register_bytes;

/// The place of what lies `distance` bytes behind the begin of an object in registers.
template <class Part>
[[nodiscard]] Part* in_registers(void* const* registers, std::ptrdiff_t distance) {
  const auto bytes = static_cast<std::size_t>(distance);
  return reinterpret_cast<Part*>(static_cast<char*>(registers[bytes / register_bytes]) +
                                 bytes % register_bytes);
}

/// The distance of a part from the begin of its object, in bytes.
[[nodiscard]] inline std::ptrdiff_t distance_in(const void* object, const void* part) {
  return static_cast<const char*>(part) - static_cast<const char*>(object);
}

/// The places of the numbers and objects that an object has, when it was visited, and zeros of its
/// shape: the object may be gone when its cotangents are known.
template <class T>
class PlacesOf {
 public:
  explicit PlacesOf(const T& object) : tangent_(zeros_like(object)) {
    for_each_real<MissingTangents::AreAdded>(
        object, tangent_, [&](const auto* parts, const auto*, std::size_t count) {
          places_.push_back({parts, count});
        });
  }

  /// Adds `tangent` to the cotangents of the object.
  void add(MemorySweep& sweep, TangentOf<T>&& tangent) {
    accumulate(tangent_, std::move(tangent));
    visit([&]<class Part>(const void* place, Part* parts, std::size_t count) {
      if constexpr (std::is_floating_point_v<Part>) {
        for (std::size_t i = 0; i < count; ++i) {
          if (parts[i] != 0) {
            *sweep.place<Part>(static_cast<const Part*>(place) + i) += parts[i];
          }
        }
      } else {
        sweep.objects().add(place, make_owned<ObjectTangentOf<Part>>(std::move(*parts)));
      }
    });
    set_zero(tangent_);
  }

  /// Takes the cotangents of the object and calls `use` with them; not where they are all zeros
  /// that are not stored.
  template <class Use>
  void take(MemorySweep& sweep, const Use& use) {
    bool any = false;
    visit([&]<class Part>(const void* place, Part* parts, std::size_t count) {
      if constexpr (std::is_floating_point_v<Part>) {
        any = true;
        for (std::size_t i = 0; i < count; ++i) {
          parts[i] = sweep.take<Part>(static_cast<const Part*>(place) + i);
        }
      } else {
        const Owned<ObjectTangent> found = sweep.objects().take(place);
        any = any || found;
        *parts = tangent_in<Part>(found);
      }
    });
    if (any) {
      use(std::as_const(tangent_));
    }
    set_zero(tangent_);
  }

 private:
  struct Place {
    const void* address;
    std::size_t count;
  };

  /// Visits the tangent's parts with their places.
  template <class Visit>
  void visit(const Visit& visit) {
    std::size_t at = 0;
    for_each_real<MissingTangents::AreAdded>(
        std::as_const(tangent_), tangent_, [&](const auto*, auto* parts, std::size_t count) {
          if (at == places_.size() || places_[at].count != count) {
            throw_not_differentiable(
                "a function with a registered derivative whose argument or result holds a "
                "std::optional or std::variant, through memory");
          }
          visit(places_[at++].address, parts, count);
        });
  }

  TangentOf<T> tangent_;  ///< Zeros between calls.
  std::vector<Place> places_;
};

template <class T>
class PlacesOf<ByValue<T>> {
 public:
  explicit PlacesOf(ByValue<T> /*argument*/) {}

  /// Sets the cotangents in the next registers to `tangent`.
  static void add(const TangentOf<T>& tangent, void* const*& registers) {
    const Storage<T> room;  // Only addresses in it are used.
    const T& object = room.get();
    for_each_real<MissingTangents::AreZero>(
        object, tangent, [&]<class Part>(const Part* parts, const Part* from, std::size_t count) {
          for (std::size_t i = 0; i < count; ++i) {
            *in_registers<Part>(registers, distance_in(&object, parts + i)) = from[i];
          }
        });
    registers += registers_of<T>;
  }
};

/// The tangent of an object whose numbers have theirs in memory of its layout.
template <class T>
[[nodiscard]] TangentOf<T> tangent_at(const void* memory) {
  const Storage<T> room;  // Only addresses in it are used.
  const T& object = room.get();
  TangentOf<T> tangent{};
  for_each_real<MissingTangents::AreZero>(
      object, tangent, [&]<class Part>(const Part* parts, Part* into, std::size_t count) {
        const char* const begin = static_cast<const char*>(memory) + distance_in(&object, parts);
        __builtin_memcpy(into, begin, count * sizeof(Part));
      });
  return tangent;
}

/// The type behind an argument.
template <class T>
struct GivenType {
  using type = T;
};
template <class T>
struct GivenType<ByValue<T>> {
  using type = T;
};

/// The call of a function whose pullback is given. `in_registers`: how it returns its result.
template <bool in_registers, class Pullback, class Value, class... Arguments>
class PulledCall final : public MemorySweep::GivenCall {
  using Tangents = std::tuple<TangentOf<typename GivenType<Arguments>::type>...>;

 public:
  explicit PulledCall(const Arguments&... arguments)
      : arguments_(PlacesOf<Arguments>(arguments)...) {}

  /// What the function returned, at its place.
  void complete(Pullback pullback, const Value& value) {
    pullback_ = make_owned<Pullback>(std::move(pullback));
    if constexpr (!in_registers) {
      value_ = make_owned<PlacesOf<Value>>(value);
    }
  }

  void reverse(MemorySweep& sweep, const void* result, void* const* arguments) override {
    if (!pullback_) {
      return;  // The call ended by an exception.
    }
    const auto pull = [&]([[maybe_unused]] const auto& seed) {
      if constexpr (sizeof...(Arguments) != 0) {  // Else the result is a constant.
        auto parts = call_pullback<Tangents>(*pullback_, seed, Wanted<sizeof...(Arguments)>::all());
        [[maybe_unused]] void* const* registers = arguments;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          (add(sweep, std::get<I>(arguments_), std::get<I>(parts), registers), ...);
        }(std::index_sequence_for<Arguments...>{});
      }
    };
    if constexpr (in_registers) {
      pull(tangent_at<Value>(result));
    } else {
      value_->take(sweep, pull);
    }
  }

 private:
  template <class T>
  static void add(MemorySweep& sweep, PlacesOf<T>& places, auto& tangent,
                  void* const*& /*registers*/) {
    places.add(sweep, std::move(tangent));
  }
  template <class T>
  static void add(MemorySweep& /*sweep*/, PlacesOf<ByValue<T>>& places, auto& tangent,
                  void* const*& registers) {
    places.add(tangent, registers);
  }

  std::tuple<PlacesOf<Arguments>...> arguments_;
  Owned<Pullback> pullback_;
  Owned<PlacesOf<Value>> value_;
};

/// The derivative of `with_derivative(x, change)`.
template <class T, class Change>
auto with_derivative_vjp(const T& x, const Change& change) {
  return vjp(T(x), [x, change](const TangentOf<T>& seed) {
    TangentOf<T> cotangent = seed;
    conform<T>(cotangent, x);
    return std::tuple(changed_cotangent(change, cotangent));
  });
}

/// The forward sweep of such a call. `call` returns the value and the pullback; the value is
/// constructed at `result`.
///
/// Throws: std::bad_alloc; what `call` throws.
template <bool in_registers, class Value, class Call, class... Arguments>
void forward_given(MemorySweep& sweep, Value* result, const Call& call,
                   const Arguments&... arguments) {
  using Made = decltype(call());
  using Kept = PulledCall<in_registers, decltype(Made::pullback), Value, Arguments...>;
  Owned<Kept> made = make_owned<Kept>(arguments...);
  Kept& kept = *made;
  // On the tape before the call, which may throw.
  MemorySweep::GivenCall* const record = &kept;
  __builtin_memcpy(sweep.push(Tape::alignment), &record, sizeof(record));
  sweep.keep(std::move(made));
  Made both = call();
  ::new (static_cast<void*>(result)) Value(static_cast<Value&&>(both.value));
  kept.complete(std::move(both.pullback), *result);
}

/// Its reverse.
inline void reverse_given(MemorySweep& sweep, const void* result, void* const* arguments) {
  MemorySweep::GivenCall* record = nullptr;
  __builtin_memcpy(&record, sweep.pop(Tape::alignment), sizeof(record));
  record->reverse(sweep, result, arguments);
}

/// A copy of an object whose tangent is of its own making, backwards.
///
/// Throws: std::bad_alloc; what the sum of two tangents throws.
inline void reverse_object_copy(MemorySweep& sweep, const void* to, const void* from) {
  if (to != from) {
    if (Owned<ObjectTangent> cotangent = sweep.objects().take(to)) {
      sweep.objects().add(from, std::move(cotangent));
    }
  }
}

/// The same for a move: what is read of `from` afterwards is unspecified.
///
/// Throws: std::bad_alloc.
inline void reverse_object_move(MemorySweep& sweep, const void* to, const void* from) {
  if (to != from) {
    (void)sweep.objects().take(from);
    reverse_object_copy(sweep, to, from);
  }
}

/// A copy or a move of such an object in forward mode.
///
/// Throws: std::bad_alloc.
inline void copy_object_tangent(MemoryTangents& tangents, const void* to, const void* from) {
  if (to == from) {
    return;
  }
  if (Owned<ObjectTangent> tangent = tangents.objects().copy(from)) {
    tangents.objects().set(to, std::move(tangent));
  } else {
    (void)tangents.objects().take(to);
  }
}

/// The tangent of an argument in memory.
template <class T>
[[nodiscard]] TangentOf<T> given_tangent(MemoryTangents& tangents, const T& argument) {
  TangentOf<T> tangent = zeros_like(argument);
  for_each_real<MissingTangents::AreAdded>(
      argument, tangent, [&]<class Part>(const Part* parts, auto* into, std::size_t count) {
        if constexpr (std::is_floating_point_v<Part>) {
          for (std::size_t i = 0; i < count; ++i) {
            into[i] = *tangents.place<Part>(parts + i);
          }
        } else {
          *into = tangent_in<Part>(tangents.objects().copy(parts));
        }
      });
  return tangent;
}

/// The tangent of an argument in the next registers.
template <class T>
[[nodiscard]] TangentOf<T> register_tangent(void* const*& registers) {
  alignas(register_bytes) char bytes[registers_of<T> * register_bytes];
  for (std::size_t at = 0; at < sizeof(T); at += register_bytes) {
    const std::size_t left = sizeof(T) - at;
    __builtin_memcpy(bytes + at, *registers++, left < register_bytes ? left : register_bytes);
  }
  return tangent_at<T>(bytes);
}

/// Sets the tangent of the result of such a call: in memory of its layout where it is returned in
/// registers.
template <bool in_registers, class Value>
void set_given_tangent(MemoryTangents& tangents, const Value& result, void* registers,
                       const TangentOf<Value>& tangent) {
  if constexpr (in_registers) {
    for_each_real<MissingTangents::AreZero>(
        result, tangent, [&]<class Part>(const Part* parts, const Part* from, std::size_t count) {
          __builtin_memcpy(static_cast<char*>(registers) + distance_in(&result, parts), from,
                           count * sizeof(Part));
        });
  } else {
    set_tangents(tangents, result, tangent);
  }
}

/// The tangent of a result of which only the pullback is known.
template <bool is_counted, class Parts, class Pullback, class Value, class... Tangents>
[[nodiscard]] TangentOf<Value> pulled_tangent(const Pullback& pullback, const Value& value,
                                              const Tangents&... tangents) {
  TangentOf<Value> tangent = zeros_like(value);
  if constexpr (sizeof...(Tangents) == 0) {
    return tangent;  // The result is a constant.
  } else if constexpr (is_counted) {
    tangent_by_pullback<Parts>(pullback, tangent, Wanted<sizeof...(Tangents)>::all(), tangents...);
    return tangent;
  } else {
    tangent_by_transpose<Parts>(pullback, value, tangent, Wanted<sizeof...(Tangents)>::all(),
                                tangents...);
    return tangent;
  }
}

}  // namespace ddx::detail
