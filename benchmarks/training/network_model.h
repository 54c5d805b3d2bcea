/// \file
/// A model of data-parallel training: how long a step takes on several cards.

#pragma once

#include <cstdint>

namespace ddx::bench {

/// The network between cards. The defaults are those of machines with eight cards: NVLink inside of
/// a machine, a network card of 400 Gbit/s for each card between machines.
struct Network {
  std::int64_t cards_per_machine = 8;
  double inner_bandwidth = 450e9;  ///< Bytes per second that a card sends inside of a machine,
  double outer_bandwidth = 50e9;   ///< and to another machine.
  double inner_latency = 3e-6;     ///< Seconds of a message inside of a machine,
  double outer_latency = 10e-6;    ///< and to another machine.
};

/// A step on one card.
struct Step {
  double seconds = 0;
  std::int64_t examples = 0;
  double gradient_bytes = 0;
  /// The share of the step during which gradients can already be exchanged: the backward pass is
  /// about two thirds, and the last gradients become ready at its end.
  double overlap = 0.5;
};

/// Seconds of the sum of all cards' gradients, in a ring: each card sends and receives 2 (n - 1) /
/// n of the bytes in 2 (n - 1) messages. In a ring through several machines each message waits for
/// the slowest connection.
[[nodiscard]] double all_reduce_seconds(const Network& network, double bytes, std::int64_t cards);

/// Examples per second of a card, where each of the cards takes the step with examples of its own:
/// the exchange takes time as far as it is longer than the share of the step that hides it.
[[nodiscard]] double examples_per_card(const Network& network, const Step& step,
                                       std::int64_t cards);

}  // namespace ddx::bench
