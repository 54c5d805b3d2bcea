/// \file
/// Which columns or rows of a sparse derivative are computed together.

#pragma once

#include "ddx/ad/sparse/pattern.h"

#include <cstddef>
#include <vector>

namespace ddx {

/// What has a colour: columns (of which each colour is one run in forward mode), rows (one reverse
/// sweep), or the numbers of an argument by which a function has a Hessian (one hvp).
enum class Compression { Columns, Rows, Star };

/// A partition of the columns (the rows) of a sparse matrix into colours, such that each element
/// can be read from the sum of the columns (the rows) of one colour.
///
/// Depends on the pattern alone: make it once where the same pattern serves many points.
class Colouring {
 public:
  /// The colour of a column or row of which the pattern has no place.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Where an element is in a compressed vector.
  struct Source {
    std::size_t index;     ///< In the vector.
    std::size_t position;  ///< Among the places of the pattern.
  };

  /// Takes a colour (from 0 on, or none) for each column, or for each row.
  ///
  /// Throws:  UsageError where there are not as many entries as columns (rows), where a colour is
  ///          not below their number, and where an element cannot be read: two columns of a row
  ///          (rows of a column) have one colour; or, for Star, the colours are no star colouring
  ///          or the pattern is not symmetric.
  /// Cost:    proportional to the number of places.
  Colouring(SparsityPattern pattern, Compression compression, std::vector<std::size_t> colour_of);

  [[nodiscard]] const SparsityPattern& pattern() const noexcept { return pattern_; }
  [[nodiscard]] Compression compression() const noexcept { return compression_; }
  /// The number of colours: of runs that compute the matrix.
  [[nodiscard]] std::size_t colours() const noexcept { return starts_.size() - 1; }
  [[nodiscard]] const std::vector<std::size_t>& colour_of() const noexcept { return colour_of_; }

  /// The elements that are read from the vector of a colour are those of sources() from
  /// `source_starts()[colour]` to `source_starts()[colour + 1]`.
  [[nodiscard]] const std::vector<Source>& sources() const noexcept { return sources_; }
  [[nodiscard]] const std::vector<std::size_t>& source_starts() const noexcept { return starts_; }

 private:
  SparsityPattern pattern_;
  Compression compression_;
  std::vector<std::size_t> colour_of_;
  std::vector<std::size_t> starts_;
  std::vector<Source> sources_;
};

/// Returns a colouring of the columns such that columns with places in one row differ.
///
/// The least number is not always found: the best is taken of greedy colourings in three orders (as
/// the columns are, by falling number of places, and breadth first).
///
/// Cost:    three times, for each row, the square of its number of places; once where the first
///          result has no more colours than the longest row has places.
[[nodiscard]] Colouring column_colouring(const SparsityPattern& pattern);

/// Returns a colouring of the rows such that rows with places in one column differ.
///
/// Cost:    that of column_colouring of the transposed pattern.
[[nodiscard]] Colouring row_colouring(const SparsityPattern& pattern);

/// Returns the colouring of columns or rows that has fewer colours, and of rows where they have as
/// many: a reverse sweep carries four rows.
///
/// Cost:    that of both at most.
[[nodiscard]] Colouring jacobian_colouring(const SparsityPattern& pattern);

/// Returns a star colouring: neighbours differ, and each path over four numbers has three colours.
/// Orders are tried as by column_colouring.
///
/// Throws:  UsageError where the pattern is not symmetric.
/// Cost:    for each place (i, j), the number of places in the rows of j's neighbours; three times.
/// Source:  A. Gebremedhin, F. Manne, A. Pothen, "What color is your Jacobian?", SIAM Review 47,
///          2005.
[[nodiscard]] Colouring star_colouring(const SparsityPattern& pattern);

}  // namespace ddx
