#include "ddx/ad/detail/text.h"

#include <gtest/gtest.h>
#include <string_view>

namespace {

using ddx::detail::Text;

static_assert(Text().size == 0);
static_assert(Text("abc") == Text(std::string_view("abc")));
static_assert(!(Text("abc") == Text("abd")));
static_assert(!(Text("abc") == Text("ab")));
static_assert(Text("a, b").find(',') == 1);
static_assert(Text("a, b").find(',', 2) == 4);  // None: the end.
static_assert(Text("a, b").part(3, 4) == "b");
static_assert(Text("x {\n").ends_with("{\n"));
static_assert(!Text("\n").ends_with("{\n"));

TEST(Text, EndsAtTheZero) {
  const char characters[] = {'a', 'b', 0, 'c'};
  EXPECT_EQ(Text(characters).size, 2U);
}

}  // namespace
