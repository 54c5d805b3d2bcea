#include "ddx/core/detail/out_of_memory.h"

#include "ddx/core/error.h"

#include <exception>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <string>

namespace ddx::detail {
namespace {

template <class Work>
std::string text_of_error(const Work& work) {
  try {
    work();
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "no error";
}

TEST(OutOfMemory, NamesTheOperation) {
  EXPECT_EQ(text_of_error([] { with_memory_for("matmul", [] { throw std::bad_alloc(); }); }),
            "matmul: the system has no memory left");
}

TEST(OutOfMemory, HasATextThatTakesNone) {
  EXPECT_STREQ(out_of_memory().what(), "allocate: the system has no memory left");
}

TEST(OutOfMemory, LeavesResultsAndOtherErrors) {
  EXPECT_EQ(with_memory_for("matmul", [] { return 3; }), 3);
  EXPECT_THROW(with_memory_for("matmul", [] { throw std::logic_error("other"); }),
               std::logic_error);
}

TEST(OutOfMemory, IsToldFromOtherErrors) {
  EXPECT_TRUE(is_lack_of_memory(std::make_exception_ptr(std::bad_alloc())));
  EXPECT_TRUE(is_lack_of_memory(std::make_exception_ptr(out_of_memory())));
  EXPECT_FALSE(is_lack_of_memory(std::make_exception_ptr(UsageError("matmul", "shapes"))));
}

}  // namespace
}  // namespace ddx::detail
