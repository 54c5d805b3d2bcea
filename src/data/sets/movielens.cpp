#include "ddx/data/sets/movielens.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/detail/lines.h"

#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {
namespace {

constexpr std::string_view csv_header = "userId,movieId,rating,timestamp";

MovieRating rating_in(const detail::Lines& lines, std::string_view separator) {
  const auto cells = lines.cells(separator, 4);
  const MovieRating rating{.user = lines.number_in<std::int64_t>(cells[0], "the user"),
                           .film = lines.number_in<std::int64_t>(cells[1], "the film"),
                           .rating = lines.number_in<float>(cells[2], "the rating"),
                           .time = lines.number_in<std::int64_t>(cells[3], "the time")};
  if (!(rating.rating >= 0.5F && rating.rating <= 5)) {
    lines.fail("a rating of " + std::string(cells[2]) + " is not in [0.5, 5]");
  }
  return rating;
}

}  // namespace

std::vector<MovieRating> read_movielens(const std::filesystem::path& file) try {
  detail::Lines lines(file, "read_movielens");
  std::vector<MovieRating> ratings;
  std::string_view separator;
  while (lines.next()) {
    if (separator.empty()) {
      separator = lines.text() == csv_header                          ? ","
                  : lines.text().find("::") != std::string_view::npos ? "::"
                                                                      : "\t";
      if (separator == ",") {
        continue;
      }
    }
    ratings.push_back(rating_in(lines, separator));
  }
  return ratings;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_movielens");
}

}  // namespace ddx::data
