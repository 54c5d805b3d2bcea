#include "ddx/io/draw_line.h"

#include "ddx/io/image.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::io {
namespace draw_line_test {

/// The rows of a picture of 5 by 4 points with a line, '#' where it is.
std::vector<std::string> drawn(PicturePoint from, PicturePoint to) {
  Image picture(5, 4, {});
  draw_line(picture, from, to, {255, 255, 255});
  std::vector<std::string> rows;
  for (std::size_t y = 0; y < 4; ++y) {
    std::string row;
    for (std::size_t x = 0; x < 5; ++x) {
      row += picture.at(x, y).red != 0 ? '#' : '.';
    }
    rows.push_back(row);
  }
  return rows;
}

using Rows = std::vector<std::string>;

TEST(DrawLine, GoesFromEndToEnd) {
  EXPECT_EQ(drawn({1, 2}, {1, 2}), (Rows{".....", ".....", ".#...", "....."}));
  EXPECT_EQ(drawn({0, 1}, {3, 1}), (Rows{".....", "####.", ".....", "....."}));
  EXPECT_EQ(drawn({2, 3}, {2, 1}), (Rows{".....", "..#..", "..#..", "..#.."}));
  EXPECT_EQ(drawn({0, 0}, {3, 3}), (Rows{"#....", ".#...", "..#..", "...#."}));
  EXPECT_EQ(drawn({4, 0}, {1, 3}), (Rows{"....#", "...#.", "..#..", ".#..."}));
}

TEST(DrawLine, TakesTheNearestPoint) {
  // y = x / 4: 0, 1/4, 1/2, 3/4, 1.
  EXPECT_EQ(drawn({0, 0}, {4, 1}), (Rows{"##...", "..###", ".....", "....."}));
  EXPECT_EQ(drawn({4, 1}, {0, 0}), drawn({0, 0}, {4, 1}));
  // x = 4 - y / 3: 4, 3 2/3, 3 1/3, 3.
  EXPECT_EQ(drawn({4, 0}, {3, 3}), (Rows{"....#", "....#", "...#.", "...#."}));
}

TEST(DrawLine, LeavesOutWhatLiesBeyond) {
  EXPECT_EQ(drawn({-2, -2}, {9, 9}), (Rows{"#....", ".#...", "..#..", "...#."}));
  EXPECT_EQ(drawn({-3, 2}, {1, 2}), (Rows{".....", ".....", "##...", "....."}));
  EXPECT_EQ(drawn({0, -5}, {9, -1}), (Rows{".....", ".....", ".....", "....."}));
  constexpr auto far = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(drawn({-far, -far}, {far, far}), drawn({0, 0}, {3, 3}));
  EXPECT_EQ(drawn({-far, 1}, {far, 1}), (Rows{".....", "#####", ".....", "....."}));
  Image none(0, 0, {});
  draw_line(none, {0, 0}, {5, 5}, {});
  EXPECT_TRUE(none.points().empty());
}

}  // namespace draw_line_test
}  // namespace ddx::io
