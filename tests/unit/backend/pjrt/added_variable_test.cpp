#include "backend/pjrt/added_variable.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace ddx::backend::pjrt {
namespace added_variable_test {

std::string value_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "none" : value;
}

TEST(AddedVariable, IsThereAsLongAsItsObject) {
  const std::string path = value_of("PATH");
  char** const before = environ;
  {
    const AddedVariable variable("DDX_TEST_ADDED=some");
    EXPECT_EQ(value_of("DDX_TEST_ADDED"), "some");
    EXPECT_EQ(value_of("PATH"), path);
  }
  EXPECT_EQ(value_of("DDX_TEST_ADDED"), "none");
  EXPECT_EQ(environ, before) << "nothing was moved";
}

TEST(AddedVariable, LeavesTheOneThatIsThere) {
  ::setenv("DDX_TEST_ADDED", "own", 1);
  {
    const AddedVariable variable("DDX_TEST_ADDED=some");
    EXPECT_EQ(value_of("DDX_TEST_ADDED"), "own");
  }
  EXPECT_EQ(value_of("DDX_TEST_ADDED"), "own");
  ::unsetenv("DDX_TEST_ADDED");
}

// Each of the ways to change an environment, as another thread may while a library is loaded.
TEST(AddedVariable, KeepsWhatIsChangedMeanwhile) {
  ::setenv("DDX_TEST_OLD", "1", 1);
  ::setenv("DDX_TEST_GONE", "1", 1);
  {
    const AddedVariable variable("DDX_TEST_ADDED=some");
    ::setenv("DDX_TEST_OLD", "2", 1);
  }
  EXPECT_EQ(value_of("DDX_TEST_OLD"), "2");
  {
    const AddedVariable variable("DDX_TEST_ADDED2=some");
    ::unsetenv("DDX_TEST_GONE");
  }
  EXPECT_EQ(value_of("DDX_TEST_GONE"), "none");
  {
    const AddedVariable variable("DDX_TEST_ADDED3=some");
    ::setenv("DDX_TEST_NEW", "3", 1);
  }
  EXPECT_EQ(value_of("DDX_TEST_NEW"), "3");
  EXPECT_EQ(value_of("DDX_TEST_OLD"), "2");
}

}  // namespace added_variable_test
}  // namespace ddx::backend::pjrt
