#include "ddx/train/record.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace ddx::train {
namespace record_test {

TEST(Record, GivesItsValuesByName) {
  const Record record{.epoch = 1, .step = 7, .values = {{"loss", 0.5}, {"accuracy", 0.75}}};
  EXPECT_EQ(record.value("accuracy"), 0.75);
  EXPECT_EQ(ddx::testing::message_of<UsageError>([&] { (void)record.value("f1"); }),
            "Record: no value is named \"f1\"; there are: loss, accuracy");
}

}  // namespace record_test
}  // namespace ddx::train
