#include "ddx/data/sets/movielens.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace movielens_test {

using ddx::testing::read_error;

std::vector<MovieRating> read(const std::string& text) {
  const ddx::testing::TemporaryFolder folder;
  return read_movielens(ddx::testing::write_text(folder, "a", text));
}

TEST(MovieLens, ReadsTheThreeForms) {
  const std::vector<MovieRating> expected = {
      {.user = 196, .film = 242, .rating = 3, .time = 881250949},
      {.user = 1, .film = 2, .rating = 4.5F, .time = 7}};
  EXPECT_EQ(read("196\t242\t3\t881250949\n1\t2\t4.5\t7\n"), expected);
  EXPECT_EQ(read("196::242::3::881250949\n1::2::4.5::7"), expected);
  EXPECT_EQ(read("userId,movieId,rating,timestamp\r\n196,242,3.0,881250949\r\n1,2,4.5,7\r\n"),
            expected);
}

TEST(MovieLens, WrongLinesAreNamed) {
  const auto error = [](const std::string& text) {
    return read_error("read_movielens", text, read_movielens);
  };
  EXPECT_EQ(error("1\t2\t3\t4\n1\t2\t3\n"), ", line 2: 3 cells, 4 are expected");
  EXPECT_EQ(error("userId,movieId,rating,timestamp\n1,2,3,x\n"),
            ", line 2: the time is \"x\", not such a number");
  EXPECT_EQ(error("a\t2\t3\t4\n"), ", line 1: the user is \"a\", not such a number");
  EXPECT_EQ(error("1\t2\t5.5\t4\n"), ", line 1: a rating of 5.5 is not in [0.5, 5]");
  EXPECT_EQ(error("1\t2\tnan\t4\n"), ", line 1: a rating of nan is not in [0.5, 5]");
  EXPECT_EQ(error("user,film\n"), ", line 1: 1 cells, 4 are expected");
}

}  // namespace movielens_test
}  // namespace ddx::data
