#include "ddx/ad/detail/entry_tables.h"

#include "ddx/core/error.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace entry_tables_test {

using Function = double (*)(double);

double identity(double x) {
  return x;
}
double half(double x) {
  return x / 2;
}
double third(double x) {
  return x / 3;
}

double serve_first(const Function& /*f*/, const double& x) {
  return 100 + x;
}
double serve_second(const Function& /*f*/, const double& x) {
  return 200 + x;
}

using Tables =
    ddx::detail::EntryTables<std::index_sequence<0>, double (*)(const Function&, const double&)>;

bool is_found(Function function) {
  try {
    (void)Tables::find(function);
    return true;
  } catch (const ddx::UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "gradient: no unit of the program names the function behind this pointer in a "
              "gradient");
    return false;
  }
}

TEST(EntryTables, KnowWhatTheUnitsServeThatAreLoaded) {
  static constexpr Function of_first[] = {&identity, &half};
  static constexpr Function of_second[] = {&third};
  static constinit Tables::Table first(of_first, &serve_first);
  static constinit Tables::Table second(of_second, &serve_second);
  EXPECT_FALSE(is_found(half));
  first.enter();
  EXPECT_FALSE(is_found(third));
  second.enter();
  EXPECT_EQ(Tables::find(half)(half, 1), 101);
  EXPECT_EQ(Tables::find(identity)(identity, 1), 101);
  EXPECT_EQ(Tables::find(third)(third, 1), 201);
  first.leave();
  EXPECT_FALSE(is_found(half));
  EXPECT_TRUE(is_found(third));
  second.leave();
  EXPECT_FALSE(is_found(third));
}

}  // namespace entry_tables_test
