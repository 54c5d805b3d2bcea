#include "backend/pjrt/status.h"

#include <gtest/gtest.h>

namespace ddx::backend::pjrt {
namespace status_test {

TEST(PjrtStatus, IsTextWithoutAPeriod) {
  EXPECT_EQ(to_string(Status{ErrorCode::ResourceExhausted, "Out of memory.\n"}),
            "Out of memory (RESOURCE_EXHAUSTED)");
  EXPECT_EQ(to_string(Status{ErrorCode::Unavailable, ""}), "no message (UNAVAILABLE)");
  EXPECT_EQ(to_string(Status{static_cast<ErrorCode>(99), "odd"}), "odd (a code that is not known)");
}

TEST(PjrtStatus, OkIsOk) {
  EXPECT_TRUE(Status{}.is_ok());
  EXPECT_FALSE((Status{ErrorCode::Internal, ""}.is_ok()));
}

}  // namespace status_test
}  // namespace ddx::backend::pjrt
