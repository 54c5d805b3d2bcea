/// \file
/// What takes the sums of the rows of a sparse Jacobian, one for each colour: see
/// value_with_rows_entry.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/lanes.h"
#include "ddx/ad/detail/sparse_failures.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/sparse/colouring.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ddx::detail {

/// Copies the elements that are read from the vector of one colour to their places.
template <class T, class Number>
void read_colour(const Colouring& colouring, std::size_t colour, const Number& number_at,
                 std::vector<T>& values) {
  const std::size_t end = colouring.source_starts()[colour + 1];
  for (std::size_t at = colouring.source_starts()[colour]; at < end; ++at) {
    const Colouring::Source& source = colouring.sources()[at];
    values[source.position] = static_cast<T>(number_at(source.index));
  }
}

/// Seeds the sum of the rows of each colour, and writes what comes back to `values`.
template <class Seed, class Tangents, class T>
class CompressedRows {
 public:
  CompressedRows(const Colouring& colouring, Tangents zeros, std::vector<T>& values)
      : tangents(zeros), zeros_(std::move(zeros)), colouring_(colouring), values_(values) {}

  /// Takes the shape of the value.
  ///
  /// Throws:  UsageError where it has another number of numbers than the pattern has rows.
  template <class Value>
  void begin(const Value& value) {
    seed = zeros_like(value);
    const std::size_t rows = coordinate_count(seed);
    if (rows != colouring_.pattern().rows()) {
      throw_other_pattern_size("sparse_jacobian", "rows", colouring_.pattern().rows(), rows);
    }
  }

  bool next() {
    if (at_ == colouring_.colours()) {
      return false;
    }
    std::size_t row = 0;
    for_each_coordinate(seed, [&](auto& number) {
      using Coordinate = std::remove_reference_t<decltype(number)>;
      number = static_cast<Coordinate>(colouring_.colour_of()[row++] == at_);
    });
    return true;
  }

  /// Sets the seeds of the next colours, as many as there are lanes; zero where there are fewer.
  template <std::size_t lanes>
  std::size_t next(LanesOf<Seed, lanes>& seeds) {
    std::size_t row = 0;
    for_each_coordinate(seeds, [&](auto& number) {
      const std::size_t colour = colouring_.colour_of()[row++];
      for (std::size_t i = 0; i < lanes; ++i) {
        number.set(i, colour == at_ + i);
      }
    });
    return lanes < left() ? lanes : left();
  }

  void end_row() {
    end_colour(tangents);
    tangents = zeros_;
  }

  template <class Several>
  void end_rows(const Several& lanes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Tangents one = zeros_;
      take_lane(lanes, one, i);
      end_colour(one);
    }
  }

  [[nodiscard]] std::size_t left() const { return colouring_.colours() - at_; }
  static constexpr std::size_t fixed_count = not_fixed;

  Seed seed{};
  Tangents tangents;

 private:
  void end_colour(const Tangents& row) {
    numbers_.clear();
    for_each_coordinate(row, [&](const auto& number) { numbers_.push_back(number); });
    read_colour(colouring_, at_++, [&](std::size_t i) { return numbers_[i]; }, values_);
  }

  Tangents zeros_;
  const Colouring& colouring_;
  std::vector<T>& values_;
  std::vector<T> numbers_;
  std::size_t at_ = 0;
};

}  // namespace ddx::detail
