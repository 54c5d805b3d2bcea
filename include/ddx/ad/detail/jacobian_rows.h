/// \file
/// What takes the rows of a Jacobian, one by one or several from one reverse sweep: see
/// value_with_rows_entry.

#pragma once

#include "ddx/ad/detail/arena.h"
#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/lanes.h"
#include "ddx/ad/detail/zeros.h"

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::detail {

/// Asks for one row after the other: the unit seeds.
template <class Seed>
class UnitSeeds {
 public:
  /// Takes the shape of the value.
  template <class Value>
  void begin(const Value& value) {
    seed = zeros_like(value);
    count_ = coordinate_count(seed);
  }

  /// Sets the next seed; false when there is none.
  bool next() {
    if (at_ == count_) {
      return false;
    }
    set_unit(seed, at_++);
    return true;
  }

  /// Sets the seeds of the next rows, as many as there are lanes; the last ones to zero where there
  /// are fewer.
  ///
  /// Returns: how many rows.
  template <std::size_t lanes>
  std::size_t next(LanesOf<Seed, lanes>& seeds) {
    std::size_t at = 0;
    for_each_coordinate(seeds, [&](auto& number) {
      for (std::size_t i = 0; i < lanes; ++i) {
        number.set(i, at == at_ + i);
      }
      ++at;
    });
    const std::size_t made = lanes < left() ? lanes : left();
    at_ += made;
    return made;
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t left() const { return count_ - at_; }
  /// The number of rows, where the type says it.
  static constexpr std::size_t fixed_count = fixed_coordinates<Seed>();
  /// Leaves out all rows that were not asked for.
  void stop() { at_ = count_; }

  Seed seed{};

 private:
  std::size_t count_ = 0;
  std::size_t at_ = 0;
};

/// Keeps the rows as the tangents that they are.
template <class Seed, class Tangents>
class KeptRows : public UnitSeeds<Seed> {
 public:
  explicit KeptRows(Tangents zeros) : tangents(zeros), zeros_(std::move(zeros)) {}

  void end_row() { rows.push_back(std::exchange(tangents, zeros_)); }

  template <class Several>
  void end_rows(const Several& lanes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      take_lane(lanes, rows.emplace_back(zeros_), i);
    }
  }

  Tangents tangents;
  std::vector<Tangents> rows;

 private:
  Tangents zeros_;
};

/// Writes the numbers of the rows to a matrix, unless columns are fewer.
template <class Seed, class Tangents, class Matrix>
class MatrixRows : public UnitSeeds<Seed> {
 public:
  MatrixRows(Tangents zeros, Matrix& into) : tangents(std::move(zeros)), into_(into) {}

  template <class Value>
  void begin(const Value& value) {
    UnitSeeds<Seed>::begin(value);
    into_.rows = this->count();
    into_.columns = coordinate_count(tangents);
    if constexpr (requires { into_.numbers.resize(0); }) {
      into_.numbers.resize(into_.rows * into_.columns);
    }
    by_rows = into_.rows <= into_.columns;
    if (!by_rows) {
      this->stop();
    }
  }

  void end_row() {
    for_each_coordinate(tangents, [&](auto& number) {
      using Number = std::remove_reference_t<decltype(into_.numbers[0])>;
      into_.numbers[at_++] = static_cast<Number>(std::exchange(number, 0));
    });
  }

  template <class Several>
  DDX_INLINE void end_rows(const Several& lanes, std::size_t count) {
    write_lanes(lanes, into_.numbers.data() + at_, into_.columns, count);
    at_ += count * into_.columns;
  }

  Tangents tangents;
  bool by_rows = true;

 private:
  Matrix& into_;
  std::size_t at_ = 0;
};

/// Runs the reverse sweep for each row that `rows` asks for.
template <class Rows, class OneRow>
void run_rows(Rows& rows, Arena& arena, const OneRow& one_row) {
  while (rows.next()) {
    const ArenaScope scope(arena);
    auto seed = rows.seed;
    one_row(std::move(seed), rows.tangents);
    rows.end_row();
  }
}

/// Runs one reverse sweep that carries `lanes` rows.
template <std::size_t lanes, class Rows, class SeveralRows>
DDX_INLINE void run_lanes(Rows& rows, const SeveralRows& several_rows) {
  auto seeds = zero_lanes<lanes>(rows.seed);
  auto tangents = zero_lanes<lanes>(rows.tangents);
  const std::size_t count = rows.template next<lanes>(seeds);
  several_rows(LaneCount<lanes>{}, std::move(seeds), tangents);
  rows.end_rows(tangents, count);
}

/// As run_rows, with sweeps that carry four rows, two or one: three rows are carried by four.
template <class Rows, class OneRow, class SeveralRows>
void run_rows(Rows& rows, Arena& arena, const OneRow& one_row, const SeveralRows& several_rows) {
  constexpr std::size_t fixed = Rows::fixed_count;
  constexpr bool is_fixed = fixed != not_fixed;
  if constexpr (fixed == 2 || fixed == 4) {
    return run_lanes<fixed>(rows, several_rows);
  }
  if constexpr (!is_fixed || fixed > 2) {
    while (rows.left() > 2) {
      const ArenaScope scope(arena);
      run_lanes<4>(rows, several_rows);
    }
  }
  if constexpr (!is_fixed || fixed % 4 == 2) {
    if (rows.left() == 2) {
      const ArenaScope scope(arena);
      run_lanes<2>(rows, several_rows);
    }
  }
  if constexpr (!is_fixed || fixed % 4 == 1) {
    run_rows(rows, arena, one_row);
  }
}

}  // namespace ddx::detail
