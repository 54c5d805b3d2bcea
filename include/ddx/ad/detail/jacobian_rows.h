/// \file
/// What takes the rows of a Jacobian: see value_with_rows_entry.

#pragma once

#include "ddx/ad/detail/coordinates.h"
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

  [[nodiscard]] std::size_t count() const { return count_; }
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

  Tangents tangents;
  bool by_rows = true;

 private:
  Matrix& into_;
  std::size_t at_ = 0;
};

}  // namespace ddx::detail
