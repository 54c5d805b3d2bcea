#include "ddx/core/error.h"

#include <gtest/gtest.h>
#include <source_location>
#include <string>

namespace ddx {
namespace {

TEST(Error, NamesOperationAndFacts) {
  EXPECT_STREQ(UsageError("add", "extents 3 and 4 differ").what(), "add: extents 3 and 4 differ");
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

}  // namespace
}  // namespace ddx
