#include "ddx/ad/sparse/pattern.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <string>

namespace ddx {

namespace {

std::string size_text(std::size_t rows, std::size_t columns) {
  return std::to_string(rows) + " by " + std::to_string(columns);
}

[[noreturn]] void throw_outside(const std::string& what, std::size_t index, std::size_t count) {
  throw UsageError("SparsityPattern", what + " " + std::to_string(index) + " of a matrix with " +
                                          std::to_string(count) + " " + what + "s");
}

}  // namespace

SparsityPattern::SparsityPattern(std::size_t rows, std::size_t columns,
                                 const std::vector<MatrixPlace>& places)
    : columns_(columns), row_starts_(rows + 1) {
  for (const MatrixPlace& place : places) {
    if (place.row >= rows || place.column >= columns) {
      throw UsageError("SparsityPattern", "place (" + std::to_string(place.row) + ", " +
                                              std::to_string(place.column) + ") of a matrix of " +
                                              size_text(rows, columns));
    }
    ++row_starts_[place.row + 1];
  }
  for (std::size_t row = 0; row < rows; ++row) {
    row_starts_[row + 1] += row_starts_[row];
  }
  std::vector<std::size_t> next(row_starts_.begin(), row_starts_.end() - 1);
  column_indices_.resize(places.size());
  for (const MatrixPlace& place : places) {
    column_indices_[next[place.row]++] = place.column;
  }
  std::size_t kept = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto at = [&](std::size_t position) {
      return column_indices_.begin() + static_cast<std::ptrdiff_t>(position);
    };
    const auto begin = at(row_starts_[row]), end = at(next[row]);
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    const auto count = static_cast<std::size_t>(last - begin);
    std::copy(begin, last, at(kept));
    row_starts_[row] = kept;
    kept += count;
  }
  row_starts_[rows] = kept;
  column_indices_.resize(kept);
}

SparsityPattern SparsityPattern::dense(std::size_t rows, std::size_t columns) {
  return banded(rows, columns, rows, columns);
}

SparsityPattern SparsityPattern::banded(std::size_t rows, std::size_t columns, std::size_t below,
                                        std::size_t above) {
  SparsityPattern result;
  result.columns_ = columns;
  result.row_starts_.resize(rows + 1);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = row > below ? row - below : 0;
    const std::size_t end = above < columns ? std::min(columns, row + above + 1) : columns;
    for (std::size_t column = first; column < end; ++column) {
      result.column_indices_.push_back(column);
    }
    result.row_starts_[row + 1] = result.column_indices_.size();
  }
  return result;
}

std::size_t SparsityPattern::find(std::size_t row, std::size_t column) const {
  if (row >= rows()) {
    throw_outside("row", row, rows());
  }
  if (column >= columns_) {
    throw_outside("column", column, columns_);
  }
  const std::size_t* begin = column_indices_.data() + row_starts_[row];
  const std::size_t* end = column_indices_.data() + row_starts_[row + 1];
  const std::size_t* found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? static_cast<std::size_t>(found - column_indices_.data())
                                          : size();
}

SparsityPattern SparsityPattern::transposed() const {
  SparsityPattern result;
  result.columns_ = rows();
  result.row_starts_.assign(columns_ + 1, 0);
  for (const std::size_t column : column_indices_) {
    ++result.row_starts_[column + 1];
  }
  for (std::size_t column = 0; column < columns_; ++column) {
    result.row_starts_[column + 1] += result.row_starts_[column];
  }
  std::vector<std::size_t> next(result.row_starts_.begin(), result.row_starts_.end() - 1);
  result.column_indices_.resize(size());
  for (std::size_t row = 0; row < rows(); ++row) {
    for (std::size_t at = row_starts_[row]; at < row_starts_[row + 1]; ++at) {
      result.column_indices_[next[column_indices_[at]]++] = row;
    }
  }
  return result;
}

SparsityPattern SparsityPattern::united(const SparsityPattern& other) const {
  if (rows() != other.rows() || columns_ != other.columns_) {
    throw UsageError("SparsityPattern::united", "a matrix of " + size_text(rows(), columns_) +
                                                    " meets one of " +
                                                    size_text(other.rows(), other.columns_));
  }
  std::vector<MatrixPlace> places;
  places.reserve(size() + other.size());
  for (const SparsityPattern* pattern : {this, &other}) {
    for (std::size_t row = 0; row < rows(); ++row) {
      for (std::size_t at = pattern->row_starts_[row]; at < pattern->row_starts_[row + 1]; ++at) {
        places.push_back({row, pattern->column_indices_[at]});
      }
    }
  }
  return {rows(), columns_, places};
}

}  // namespace ddx
