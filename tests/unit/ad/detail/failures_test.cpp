#include "ddx/ad/detail/failures.h"

#include "ddx/core/error.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace {

using namespace ddx::detail;

template <class Function>
std::string failure_of(const Function& function) {
  try {
    function();
  } catch (const ddx::UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(Failures, NameBothValues) {
  EXPECT_EQ(failure_of([] { throw_length_mismatch("accumulate", 2, "one", 3); }),
            "accumulate: a tangent of 2 elements meets one of 3");
  EXPECT_EQ(
      failure_of([] { throw_partial_object("memcpy", 12, 8); }),
      "memcpy: 12 bytes are no whole number of objects of 8 bytes, which hold active numbers");
  EXPECT_EQ(failure_of([] { throw_filled_bytes(7); }),
            "memset: the byte 7 in objects that hold active numbers; 0 is known alone");
}

TEST(Failures, SayWhatTheUnitDoesNotKnow) {
  EXPECT_EQ(
      failure_of([] { throw_unnamed_function(); }),
      "gradient: no unit of the program names the function behind this pointer in a gradient");
}

TEST(Failures, AnEmptyFunctionObjectFailsAsInTheStandardLibrary) {
  EXPECT_THROW(throw_no_target(), std::bad_function_call);
}

}  // namespace
