#include "ddx/ad/detail/address_table.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace address_table_test {

using ddx::detail::AddressTable;

TEST(AddressTable, BeginsAtZeroForEachAddress) {
  AddressTable table;
  double x = 3;
  float y = 4;
  long double z = 5;
  EXPECT_EQ(table.at(x), 0);
  EXPECT_EQ(table.at(y), 0);
  EXPECT_EQ(table.at(z), 0);
  EXPECT_EQ(table.size(), 3U);
}

TEST(AddressTable, KeepsOneNumberPerAddressWhileItGrows) {
  AddressTable table;
  std::vector<double> numbers(10000);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    table.at(numbers[i]) += static_cast<double>(i);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    table.at(numbers[i]) -= 0.5 * static_cast<double>(i);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_EQ(table.at(numbers[i]), 0.5 * static_cast<double>(i)) << i;
  }
  EXPECT_EQ(table.size(), numbers.size());
}

TEST(AddressTable, IsKeyedByTheAddressAlone) {
  AddressTable table;
  double x[2] = {1, 1};
  table.at(x[0]) = 7;
  const double* const same = x;
  EXPECT_EQ(table.at(*same), 7);
  EXPECT_EQ(table.at(x[1]), 0);
}

}  // namespace address_table_test
