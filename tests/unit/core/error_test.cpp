#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <source_location>
#include <string>

namespace ddx {
namespace error_test {

TEST(Error, NamesOperationAndFacts) {
  EXPECT_EQ(ddx::testing::without_called_at(UsageError("add", "extents 3 and 4 differ").what()),
            "add: extents 3 and 4 differ");
  EXPECT_STREQ(EnvironmentError("read", "no such file").what(), "read: no such file");
  EXPECT_STREQ(InternalError("device", "kind 9").what(),
               "device: kind 9; this is a defect of ddx, please report it");
}

TEST(Error, NamesTheCallersLineWhereItIsKnown) {
  const auto where = std::source_location::current();
  EXPECT_EQ(UsageError("add", "facts", where).what(), std::string("add: facts (at ") +
                                                          where.file_name() + ":" +
                                                          std::to_string(where.line()) + ")");
}

}  // namespace error_test
}  // namespace ddx
