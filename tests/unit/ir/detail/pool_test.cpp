#include "ddx/ir/detail/pool.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <new>

namespace ddx::ir::detail {
namespace {

/// A number whose copies fail on request.
struct Copied {
  explicit Copied(int given) : value(given) {}
  Copied(const Copied& other) : value(other.value) {
    if (fails) {
      throw std::bad_alloc();
    }
  }
  Copied& operator=(const Copied&) = default;
  ~Copied() = default;

  int value;
  static inline bool fails = false;
};

struct CopiedTraits {
  static std::uint64_t hash(const Copied& one) { return static_cast<std::uint64_t>(one.value); }
  static bool equal(const Copied& a, const Copied& b) { return a.value == b.value; }
};

TEST(Pool, IsAsBeforeIfAnObjectCannotBeAdded) {
  Pool<Copied, CopiedTraits> pool;
  EXPECT_EQ(pool.add(Copied(7)), 0U);
  // More objects than the table has slots: none of them may keep one.
  Copied::fails = true;
  for (int value = 8; value < 40; ++value) {
    EXPECT_THROW((void)pool.add(Copied(value)), std::bad_alloc);
  }
  Copied::fails = false;
  EXPECT_EQ(pool.size(), 1U);
  EXPECT_EQ(pool.hashes().size(), 1U);
  EXPECT_EQ(pool.add(Copied(8)), 1U);
  EXPECT_EQ(pool.add(Copied(8)), 1U);
  EXPECT_EQ(pool.add(Copied(7)), 0U);
}

}  // namespace
}  // namespace ddx::ir::detail
