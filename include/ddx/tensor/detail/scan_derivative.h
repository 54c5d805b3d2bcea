/// \file
/// The derivatives of ddx::scan. The function is a class without members: its arguments are the
/// carry, the slice, the options, the place in the program, and what the closure of the body
/// captured.
///
/// Where a scan stands in a scan, the compiler differentiates what calls scan_at and scan_tangent:
/// these are plain code around ddx::scan.

#pragma once

#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/direction.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/owned.h"
#include "ddx/ad/detail/pullback_state.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/no_tangent.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/tensor/detail/control_tangents.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/kept_form.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/detail/run_scan.h"
#include "ddx/tensor/detail/scan_options.h"
#include "ddx/tensor/detail/scan_turn.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// Tangents of a carry and an output, from and to that of what a body returns.
template <class Carry, class Returned>
struct TurnTangent {
  static TangentOf<Carry> carry(const TangentOf<Returned>& tangent) { return tangent; }
  using OfOutput = TangentOf<std::tuple<>>;
  static OfOutput output(const TangentOf<Returned>& /*tangent*/) { return {}; }
  static TangentOf<Returned> joined(const TangentOf<Carry>& carry, const OfOutput& /*output*/) {
    return carry;
  }
};

template <class Carry, class Output>
struct TurnTangent<Carry, std::pair<Carry, Output>> {
  using Both = TangentOf<std::pair<Carry, Output>>;
  static TangentOf<Carry> carry(const Both& tangent) { return tangent.first; }
  static TangentOf<Output> output(const Both& tangent) { return tangent.second; }
  static Both joined(const TangentOf<Carry>& carry, const TangentOf<Output>& output) {
    return {carry, output};
  }
};

/// The pullback.
template <class F, class Carry, class Slices, class Options, class Where, class... Captured>
class ScanPullback {
  using All = std::tuple<Carry, Slices, Options, Where, Captured...>;
  using Positions = DifferentiablePositions<Carry, Slices, Options, Where, Captured...>;
  using Tangents = TangentsOf<Positions, Carry, Slices, Options, Where, Captured...>;
  using Returned = ValueOf<F, Carry, Slices, Options, Where, Captured...>;
  using Result = TurnResult<Carry, Returned>;
  using Output = typename Result::Output;
  using OfTurn = TurnTangent<Carry, Returned>;
  using State = PullbackState<Returned, Tangents>;
  using OfCarry = TangentOf<Carry>;
  using OfSlices = TangentOf<Slices>;
  using OfOutput = TangentOf<Output>;

 public:
  ScanPullback(const Carry& start, const Slices& slices, const Options& options, const Where& where,
               const Captured&... captured)
      : at_(start, slices, options, where, captured...), way_(way_of(slices, options, where)) {}

  /// Runs the scan.
  Returned run() {
    device_ = recording_device(start(), slices());
    return Result::returned(device_ ? run_recorded() : run_loop());
  }

  /// Returns the tangents of all arguments that have one.
  Tangents operator()(const TangentOf<Returned>& seed) const {
    OfCarry carry = conformed<Carry>(OfTurn::carry(seed), start());
    OfOutput outputs = OfTurn::output(seed);
    if (form_) {
      conform<Output>(outputs, form_->zeros());
      return back_recorded(carry, outputs);
    }
    return back_loop(carry, outputs);
  }

 private:
  static constexpr bool carry_moves = has_position(Positions{}, 0);
  static constexpr bool slices_move = has_position(Positions{}, 1);
  static constexpr std::size_t slices_place = carry_moves ? 1 : 0;

  [[nodiscard]] const Carry& start() const { return std::get<0>(at_); }
  [[nodiscard]] const Slices& slices() const { return std::get<1>(at_); }

  /// The arguments of a turn.
  [[nodiscard]] All turn(const Carry& carry, const Slices& slice) const {
    All all = at_;
    std::get<0>(all) = carry;
    std::get<1>(all) = slice;
    return all;
  }

  [[nodiscard]] static Owned<State> entry(const All& all) {
    (void)&primal<F, Carry, Slices, Options, Where,
                  Captured...>;  // Instantiates what the compiler reads.
    return std::apply(
        [](const auto&... args) {
          return pullback_entry<Positions, F, Carry, Slices, Options, Where, Captured...>(F{},
                                                                                          args...);
        },
        all);
  }

  std::pair<Carry, Output> run_loop() {
    return loop_scan<Carry, Output>(
        way_,
        [this](const Carry& carry, const Slices& slice) {
          steps_.push_back(entry(turn(carry, slice)));
          return Result::both(steps_.back()->value.value());
        },
        start(), slices());
  }

  std::pair<Carry, Output> run_recorded() {
    using Kept = std::pair<Output, Carry>;
    auto [last, kept] = run_scan<Carry, Kept>(
        way_,
        [this](const Carry& carry, const Slices& slice) {
          auto both = Result::both(std::apply(F{}, turn(carry, slice)));
          return std::pair<Carry, Kept>(std::move(both.first), {std::move(both.second), carry});
        },
        start(), slices());
    carries_ = std::move(kept.second);
    form_.emplace(kept.first);
    return {std::move(last), std::move(kept.first)};
  }

  /// The tangents of one turn: those of what was captured are added to, that of the carry is
  /// replaced.
  static OfSlices back(State& step, const All& at, const OfOutput& output, Tangents& tangents) {
    const std::pair<Carry, Output> both = Result::both(step.value.value());
    OfCarry carry{};
    if constexpr (carry_moves) {
      carry = std::exchange(std::get<0>(tangents), zeros_like(std::get<0>(at)));
    }
    if constexpr (slices_move) {
      std::get<slices_place>(tangents) = zeros_like(std::get<1>(at));
    }
    step.reverse(
        OfTurn::joined(conformed<Carry>(carry, both.first), conformed<Output>(output, both.second)),
        tangents);
    conform_at(Positions{}, tangents, at);
    OfSlices slice{};
    if constexpr (slices_move) {
      slice = std::exchange(std::get<slices_place>(tangents), OfSlices{});
    }
    return slice;
  }

  /// Those before the first turn of the way back.
  [[nodiscard]] Tangents first(const OfCarry& carry) const {
    Tangents tangents = full_zeros_at(Positions{}, at_);
    if constexpr (carry_moves) {
      std::get<0>(tangents) = carry;
    }
    if constexpr (slices_move) {  // That of one slice is no part of the carry of the way back.
      std::get<slices_place>(tangents) = OfSlices{};
    }
    return tangents;
  }

  [[nodiscard]] Tangents done(Tangents tangents, [[maybe_unused]] OfSlices slices) const {
    if constexpr (slices_move) {
      std::get<slices_place>(tangents) = std::move(slices);
    }
    conform_at(Positions{}, tangents, at_);
    return tangents;
  }

  [[nodiscard]] Tangents back_loop(const OfCarry& carry, const OfOutput& outputs) const {
    Tangents tangents = first(carry);
    Stack<OfSlices> slices_back(way_.turns);
    ScanWay back_way = way_;
    back_way.reverse = !way_.reverse;
    auto step = steps_.rbegin();
    for_each_turn(back_way, [&](Shape::Extent k) {
      const All at = turn(start(), slice_at(slices(), k));  // All carries have one form.
      slices_back.put("scan", k, back(**step, at, slice_at(outputs, k), tangents));
      ++step;
    });
    OfSlices of_slices{};
    if (way_.turns > 0) {
      of_slices = std::move(slices_back).take();
    }
    return done(std::move(tangents), std::move(of_slices));
  }

  [[nodiscard]] Tangents back_recorded(const OfCarry& carry, const OfOutput& outputs) const {
    using Turned = std::tuple<Carry, Slices, OfOutput>;
    ScanWay back_way = way_;
    back_way.reverse = !way_.reverse;
    auto [tangents, of_slices] = run_scan<Tangents, OfSlices>(
        back_way,
        [this](const Tangents& before, const Turned& turned) {
          const auto& [carry_before, slice, output] = turned;
          const All at = turn(carry_before, slice);
          Tangents after = before;
          OfSlices of_slice = back(*entry(at), at, output, after);
          return std::pair<Tangents, OfSlices>(std::move(after), std::move(of_slice));
        },
        first(carry), Turned(*carries_, slices(), outputs));
    return done(std::move(tangents), std::move(of_slices));
  }

  All at_;
  ScanWay way_;
  std::optional<Device> device_;          ///< Where it was recorded.
  std::vector<Shared<State>> steps_;      ///< Of the turns in their order, where they ran.
  std::optional<Carry> carries_;          ///< Before each turn, where they were recorded.
  std::optional<KeptForm<Output>> form_;  ///< Of the outputs.
};

/// Returns what the scan returns.
template <class F, class Carry, class Slices, class Options, class Where, class... Captured>
auto scan_at(const F& f, const Carry& start, const Slices& slices, const Options& options,
             const Where& where, const Captured&... captured) {
  const auto turn = [&](const Carry& carry, const Slices& slice) {
    return f(carry, slice, options, where, captured...);
  };
  return scan(turn, start, slices, options, where);  // That of ddx, which is declared later.
}

/// Returns the same with its pullback.
template <class F, class... Args>
auto scan_vjp(const F& /*f*/, const Args&... args) {
  ScanPullback<F, Args...> pullback(args...);
  auto value = pullback.run();
  return ddx::vjp(std::move(value), std::move(pullback));
}

/// Some positions without the first.
template <std::size_t count, std::size_t... Positions>
constexpr auto without_first(std::index_sequence<Positions...> positions) {
  if constexpr (count == 0) {
    return positions;
  } else {
    return []<std::size_t First, std::size_t... Rest>(std::index_sequence<First, Rest...>) {
      return without_first<count - 1>(std::index_sequence<Rest...>{});
    }(positions);
  }
}

/// Some positions with others in front.
template <std::size_t... First, std::size_t... Positions>
constexpr auto with_first(std::index_sequence<First...>, std::index_sequence<Positions...>) {
  return std::index_sequence<First..., Positions...>{};
}

/// Which of the arguments of a turn move, and how, where the scan's arguments at `Moving` do.
template <class Carry, class Moving>
class TurnDirection {
  static constexpr bool start_moves = has_position(Moving{}, 0);
  static constexpr std::size_t before_captured = start_moves + has_position(Moving{}, 1);

 public:
  static constexpr bool slices_move = has_position(Moving{}, 1);
  static constexpr bool carry_moves = Differentiable<Carry>;
  using Positions = decltype(with_first(
      std::conditional_t<carry_moves, std::index_sequence<0>, std::index_sequence<>>{},
      with_first(std::conditional_t<slices_move, std::index_sequence<1>, std::index_sequence<>>{},
                 without_first<before_captured>(Moving{}))));

  /// The tangent of the start.
  template <class Direction>
  static TangentOf<Carry> start(const Direction& direction, const Carry& start) {
    if constexpr (start_moves) {
      return conformed<Carry>(direction.first, start);
    } else {
      return conformed<Carry>(TangentOf<Carry>{}, start);
    }
  }

  /// The tangent of the slices; nothing where they stay.
  template <class Slices, class Direction>
  static auto slices(const Direction& direction, const Slices& slices) {
    if constexpr (slices_move) {
      return conformed<Slices>(TangentAt<start_moves>::of(direction), slices);
    } else {
      return NoTangent{};
    }
  }

  /// The direction of a turn.
  template <class OfSlice, class Direction>
  static auto of_turn(const TangentOf<Carry>& carry, const OfSlice& slice,
                      const Direction& direction) {
    if constexpr (Moving::size() == before_captured) {
      return without_captured(carry, slice);
    } else if constexpr (carry_moves) {
      return prepended(carry, of_rest(slice, direction));
    } else {
      return of_rest(slice, direction);
    }
  }

 private:
  template <class First, class... Rest>
  static Direction<First, Rest...> prepended(const First& first, const Direction<Rest...>& rest) {
    return {first, rest};
  }

  template <class OfSlice>
  static auto without_captured([[maybe_unused]] const TangentOf<Carry>& carry,
                               [[maybe_unused]] const OfSlice& slice) {
    if constexpr (carry_moves && slices_move) {
      return make_direction(carry, slice);
    } else if constexpr (carry_moves) {
      return make_direction(carry);
    } else {
      return make_direction(slice);
    }
  }

  template <class OfSlice, class Direction>
  static auto of_rest([[maybe_unused]] const OfSlice& slice, const Direction& direction) {
    if constexpr (slices_move) {
      return prepended(slice, Without<before_captured>::of(direction));
    } else {
      return Without<before_captured>::of(direction);
    }
  }
};

/// Returns what the scan returns, and writes its tangent along `direction`, of the arguments at
/// `Moving`, to `tangent`: by a scan whose turns carry the tangent along.
template <std::size_t... Moving, class F, class Tangent, class Direction, class Carry, class Slices,
          class Options, class Where, class... Captured>
auto scan_tangent(std::index_sequence<Moving...>, const F& /*f*/, Tangent& tangent,
                  const Direction& direction, const Carry& start, const Slices& slices,
                  const Options& options, const Where& where, const Captured&... captured) {
  using Returned = ValueOf<F, Carry, Slices, Options, Where, Captured...>;
  using Result = TurnResult<Carry, Returned>;
  using Output = typename Result::Output;
  using OfTurn = TurnTangent<Carry, Returned>;
  using Along = TurnDirection<Carry, std::index_sequence<Moving...>>;
  using Carries = std::pair<Carry, TangentOf<Carry>>;
  using Outputs = std::pair<Output, TangentOf<Output>>;
  const auto of_slices = Along::slices(direction, slices);
  using Turned = std::pair<Slices, std::remove_const_t<decltype(of_slices)>>;
  const auto turn = [&](const Carries& carry, const Turned& slice) {
    const auto moved = run_jvp<F, Carry, Slices, Options, Where, Captured...>(
        typename Along::Positions{}, F{}, Along::of_turn(carry.second, slice.second, direction),
        carry.first, slice.first, options, where, captured...);
    const std::pair<Carry, Output> both = Result::both(moved.value);
    return std::pair<Carries, Outputs>(
        Carries(both.first, conformed<Carry>(OfTurn::carry(moved.tangent), both.first)),
        Outputs(both.second, conformed<Output>(OfTurn::output(moved.tangent), both.second)));
  };
  const std::pair<Carries, Outputs> all =
      scan(turn, Carries(start, Along::start(direction, start)), Turned(slices, of_slices), options,
           where);  // That of ddx, which is declared later.
  tangent = OfTurn::joined(all.first.second, all.second.second);
  return Result::returned(std::pair<Carry, Output>(all.first.first, all.second.first));
}

}  // namespace ddx::detail
