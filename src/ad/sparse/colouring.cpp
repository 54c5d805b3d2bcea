#include "ddx/ad/sparse/colouring.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace ddx {

namespace {

using Index = std::size_t;
constexpr Index uncoloured = Colouring::none;

/// One row of a pattern, as a range.
struct RowPlaces {
  const Index* first;
  const Index* last;
  [[nodiscard]] const Index* begin() const { return first; }
  [[nodiscard]] const Index* end() const { return last; }
  [[nodiscard]] Index size() const { return static_cast<Index>(last - first); }
};

RowPlaces row_of(const SparsityPattern& pattern, Index row) {
  const Index* all = pattern.column_indices().data();
  return {all + pattern.row_starts()[row], all + pattern.row_starts()[row + 1]};
}

Index longest_row(const SparsityPattern& pattern) {
  Index longest = 0;
  for (Index row = 0; row < pattern.rows(); ++row) {
    longest = std::max(longest, row_of(pattern, row).size());
  }
  return longest;
}

Index colour_count(const std::vector<Index>& colours) {
  Index count = 0;
  for (const Index colour : colours) {
    count = colour == uncoloured ? count : std::max(count, colour + 1);
  }
  return count;
}

/// The rows of a pattern that have places.
std::vector<Index> natural_order(const SparsityPattern& pattern) {
  std::vector<Index> order;
  for (Index row = 0; row < pattern.rows(); ++row) {
    if (row_of(pattern, row).size() > 0) {
      order.push_back(row);
    }
  }
  return order;
}

std::vector<Index> longest_first(const SparsityPattern& pattern) {
  std::vector<Index> order = natural_order(pattern);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Index in_a = row_of(pattern, a).size(), in_b = row_of(pattern, b).size();
    return in_a != in_b ? in_a > in_b : a < b;
  });
  return order;
}

/// Breadth first from one row to those with a common column: where two colours are enough for rows,
/// greedy colouring in this order finds them. `across` is the transposed pattern.
std::vector<Index> breadth_first(const SparsityPattern& pattern, const SparsityPattern& across) {
  std::vector<Index> order;
  std::vector<bool> row_seen(pattern.rows()), column_seen(pattern.columns());
  for (const Index root : natural_order(pattern)) {
    if (row_seen[root]) {
      continue;
    }
    row_seen[root] = true;
    order.push_back(root);
    for (Index at = order.size() - 1; at < order.size(); ++at) {
      for (const Index column : row_of(pattern, order[at])) {
        if (column_seen[column]) {
          continue;
        }
        column_seen[column] = true;
        for (const Index row : row_of(across, column)) {
          if (!row_seen[row]) {
            row_seen[row] = true;
            order.push_back(row);
          }
        }
      }
    }
  }
  return order;
}

/// The result of `colour(order)` with the fewest colours, over the orders of the rows; `fewest` are
/// as few as can be.
template <class Colour>
std::vector<Index> best_of_orders(const SparsityPattern& pattern, const SparsityPattern& across,
                                  Index fewest, const Colour& colour) {
  std::vector<Index> best = colour(natural_order(pattern));
  for (const bool by_length : {true, false}) {
    if (colour_count(best) > fewest) {
      std::vector<Index> other =
          colour(by_length ? longest_first(pattern) : breadth_first(pattern, across));
      if (colour_count(other) < colour_count(best)) {
        best = std::move(other);
      }
    }
  }
  return best;
}

/// The colours that the vertex at hand may not have.
class Forbidden {
 public:
  explicit Forbidden(Index vertices) : by_(vertices + 1, uncoloured) {}

  void begin(Index vertex) { vertex_ = vertex; }
  void add(Index colour) {
    if (colour != uncoloured) {
      by_[colour] = vertex_;
    }
  }
  [[nodiscard]] Index least_allowed() const {
    Index colour = 0;
    while (by_[colour] == vertex_) {
      ++colour;
    }
    return colour;
  }

 private:
  std::vector<Index> by_;  ///< The last vertex that forbade a colour.
  Index vertex_ = uncoloured;
};

/// Gives the rows of `pattern` the least colours that no row with a common column has. `across` is
/// the transposed pattern.
std::vector<Index> greedy_rows(const SparsityPattern& pattern, const SparsityPattern& across,
                               const std::vector<Index>& order) {
  std::vector<Index> colours(pattern.rows(), uncoloured);
  Forbidden forbidden(pattern.rows());
  for (const Index row : order) {
    forbidden.begin(row);
    for (const Index column : row_of(pattern, row)) {
      for (const Index other : row_of(across, column)) {
        forbidden.add(colours[other]);
      }
    }
    colours[row] = forbidden.least_allowed();
  }
  return colours;
}

std::vector<Index> best_rows(const SparsityPattern& pattern, const SparsityPattern& across) {
  return best_of_orders(pattern, across, longest_row(across), [&](const std::vector<Index>& order) {
    return greedy_rows(pattern, across, order);
  });
}

/// Forbids `vertex` all colours by which a path of four vertices, it among them, would have two
/// colours.
void forbid_paths(const SparsityPattern& pattern, const std::vector<Index>& colours, Index vertex,
                  std::vector<Index>& neighbours_of_colour, Forbidden& forbidden) {
  const RowPlaces neighbours = row_of(pattern, vertex);
  for (const Index near : neighbours) {
    if (colours[near] != uncoloured) {
      forbidden.add(colours[near]);
      ++neighbours_of_colour[colours[near]];
    }
  }
  for (const Index near : neighbours) {
    const Index colour = colours[near];
    if (near == vertex || colour == uncoloured) {
      continue;
    }
    const bool inside = neighbours_of_colour[colour] > 1;  // Another neighbour, `vertex`, `near`.
    for (const Index far : row_of(pattern, near)) {
      if (far == vertex || far == near || colours[far] == uncoloured) {
        continue;
      }
      const RowPlaces last = row_of(pattern, far);
      if (inside || std::any_of(last.begin(), last.end(),
                                [&](Index end) { return end != near && colours[end] == colour; })) {
        forbidden.add(colours[far]);
      }
    }
  }
  for (const Index near : neighbours) {
    if (colours[near] != uncoloured) {
      neighbours_of_colour[colours[near]] = 0;
    }
  }
}

std::vector<Index> greedy_star(const SparsityPattern& pattern, const std::vector<Index>& order) {
  std::vector<Index> colours(pattern.rows(), uncoloured);
  std::vector<Index> neighbours_of_colour(pattern.rows());
  Forbidden forbidden(pattern.rows());
  for (const Index vertex : order) {
    forbidden.begin(vertex);
    forbid_paths(pattern, colours, vertex, neighbours_of_colour, forbidden);
    colours[vertex] = forbidden.least_allowed();
  }
  return colours;
}

std::string place_text(Index row, Index column) {
  return "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
}

void check_symmetric(const SparsityPattern& pattern, const char* operation) {
  if (pattern.rows() != pattern.columns()) {
    throw UsageError(operation, "a pattern of " + std::to_string(pattern.rows()) + " by " +
                                    std::to_string(pattern.columns()) + " is not symmetric");
  }
  for (Index row = 0; row < pattern.rows(); ++row) {
    for (const Index column : row_of(pattern, row)) {
      if (!pattern.contains(column, row)) {
        throw UsageError(operation, "the pattern is not symmetric: it has " +
                                        place_text(row, column) + " without " +
                                        place_text(column, row));
      }
    }
  }
}

/// From which colour's vector an element is read, and where in it.
struct Read {
  Index colour;
  Index index;
};

[[noreturn]] void throw_unreadable(Index row, Index column) {
  throw UsageError("Colouring", "the element " + place_text(row, column) +
                                    " cannot be read from the sums of the colours");
}

/// Calls `use(row, column, position, alone)` for each place; `alone` says whether no other place of
/// the row has the colour of the column.
template <class Use>
void for_each_place(const SparsityPattern& pattern, const std::vector<Index>& colour_of,
                    const Use& use) {
  std::vector<Index> counts(colour_count(colour_of));
  for (Index row = 0; row < pattern.rows(); ++row) {
    const RowPlaces places = row_of(pattern, row);
    for (const Index column : places) {
      if (colour_of[column] != uncoloured) {
        ++counts[colour_of[column]];
      }
    }
    for (const Index& column : places) {
      const Index colour = colour_of[column];
      use(row, column, static_cast<Index>(&column - pattern.column_indices().data()),
          colour != uncoloured && counts[colour] == 1);
    }
    for (const Index column : places) {
      if (colour_of[column] != uncoloured) {
        counts[colour_of[column]] = 0;
      }
    }
  }
}

std::vector<Read> reads_by_columns(const SparsityPattern& pattern,
                                   const std::vector<Index>& colour_of) {
  std::vector<Read> reads(pattern.size());
  for_each_place(pattern, colour_of, [&](Index row, Index column, Index position, bool alone) {
    if (!alone) {
      throw_unreadable(row, column);
    }
    reads[position] = {colour_of[column], row};
  });
  return reads;
}

std::vector<Read> reads_by_rows(const SparsityPattern& pattern,
                                const std::vector<Index>& colour_of) {
  std::vector<Read> reads(pattern.size());
  for_each_place(pattern.transposed(), colour_of,
                 [&](Index column, Index row, Index /*position*/, bool alone) {
                   if (!alone) {
                     throw_unreadable(row, column);
                   }
                   reads[pattern.find(row, column)] = {colour_of[row], column};
                 });
  return reads;
}

std::vector<Read> reads_by_star(const SparsityPattern& pattern,
                                const std::vector<Index>& colour_of) {
  std::vector<Read> reads(pattern.size(), Read{uncoloured, uncoloured});
  for_each_place(pattern, colour_of, [&](Index row, Index column, Index position, bool alone) {
    if (alone) {
      reads[position] = {colour_of[column], row};
      reads[pattern.find(column, row)] = {colour_of[column], row};
    }
  });
  for_each_place(pattern, colour_of, [&](Index row, Index column, Index position, bool /*alone*/) {
    if (reads[position].colour == uncoloured) {
      throw_unreadable(row, column);
    }
  });
  return reads;
}

}  // namespace

Colouring::Colouring(SparsityPattern pattern, Compression compression,
                     std::vector<std::size_t> colour_of)
    : pattern_(std::move(pattern)), compression_(compression), colour_of_(std::move(colour_of)) {
  if (compression == Compression::Star) {
    check_symmetric(pattern_, "Colouring");
  }
  const Index coloured = compression == Compression::Columns ? pattern_.columns() : pattern_.rows();
  if (colour_of_.size() != coloured) {
    throw UsageError("Colouring", std::to_string(colour_of_.size()) + " colours for " +
                                      std::to_string(coloured) + " columns or rows");
  }
  const auto wrong = std::find_if(colour_of_.begin(), colour_of_.end(), [&](Index colour) {
    return colour != uncoloured && colour >= coloured;
  });
  if (wrong != colour_of_.end()) {
    throw UsageError("Colouring", "colour " + std::to_string(*wrong) + " for one of " +
                                      std::to_string(coloured) + " columns or rows");
  }
  const auto read = compression == Compression::Columns ? reads_by_columns
                    : compression == Compression::Rows  ? reads_by_rows
                                                        : reads_by_star;
  const std::vector<Read> reads = read(pattern_, colour_of_);
  starts_.resize(colour_count(colour_of_) + 1);
  for (const Read& from : reads) {
    ++starts_[from.colour + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<Index> next(starts_.begin(), starts_.end() - 1);
  sources_.resize(reads.size());
  for (Index position = 0; position < reads.size(); ++position) {
    sources_[next[reads[position].colour]++] = {reads[position].index, position};
  }
}

Colouring column_colouring(const SparsityPattern& pattern) {
  return {pattern, Compression::Columns, best_rows(pattern.transposed(), pattern)};
}

Colouring row_colouring(const SparsityPattern& pattern) {
  return {pattern, Compression::Rows, best_rows(pattern, pattern.transposed())};
}

Colouring jacobian_colouring(const SparsityPattern& pattern) {
  const SparsityPattern across = pattern.transposed();
  const Index fewest_columns = longest_row(pattern), fewest_rows = longest_row(across);
  std::vector<Index> first =
      fewest_rows <= fewest_columns ? best_rows(pattern, across) : best_rows(across, pattern);
  const Index count = colour_count(first);
  if (fewest_rows <= fewest_columns) {
    if (count <= fewest_columns) {
      return {pattern, Compression::Rows, std::move(first)};
    }
    std::vector<Index> columns = best_rows(across, pattern);
    return colour_count(columns) < count
               ? Colouring(pattern, Compression::Columns, std::move(columns))
               : Colouring(pattern, Compression::Rows, std::move(first));
  }
  if (count < fewest_rows) {
    return {pattern, Compression::Columns, std::move(first)};
  }
  std::vector<Index> rows = best_rows(pattern, across);
  return colour_count(rows) <= count ? Colouring(pattern, Compression::Rows, std::move(rows))
                                     : Colouring(pattern, Compression::Columns, std::move(first));
}

Colouring star_colouring(const SparsityPattern& pattern) {
  check_symmetric(pattern, "star_colouring");
  const Index fewest = longest_row(pattern) > 1 ? 2 : 1;  // A neighbour differs.
  return {pattern, Compression::Star,
          best_of_orders(pattern, pattern, fewest, [&](const std::vector<Index>& order) {
            return greedy_star(pattern, order);
          })};
}

}  // namespace ddx
