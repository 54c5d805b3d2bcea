/// \file
/// The MovieLens sets: film ratings of users.

#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddx::data {

/// One user's rating of one film; users and films have the numbers of the file.
struct MovieRating {
  std::int64_t user = 0;
  std::int64_t film = 0;
  float rating = 0;       ///< 0.5 to 5.
  std::int64_t time = 0;  ///< Seconds since 1970.

  friend bool operator==(const MovieRating&, const MovieRating&) = default;
};

/// Reads a file of ratings: `u.data` (tabs), `ratings.dat` ("::") or `ratings.csv` (commas, below a
/// header). Its first line determines the format.
///
/// Throws:  EnvironmentError if the file cannot be read, or a line is no rating; names file and
///          line.
/// Source:  F. Harper, J. Konstan, "The MovieLens datasets: history and context", ACM TiiS 5
///          (2015), https://grouplens.org/datasets/movielens.
[[nodiscard]] std::vector<MovieRating> read_movielens(const std::filesystem::path& file);

}  // namespace ddx::data
