#include "core/call_stack/library_files.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <source_location>
#include <string>
#include <string_view>

namespace ddx {
namespace library_files_test {

TEST(LibraryFiles, HeadersAndSourcesAreTheLibrarysTestsAreTheUsers) {
  EXPECT_TRUE(is_of_library("/somewhere/include/ddx/tensor/arithmetic.h"));
  EXPECT_TRUE(is_of_library("include/ddx/nn/layers/dense.h"));
  const std::string_view own = std::source_location::current().file_name();
  EXPECT_FALSE(is_of_library(own));
  EXPECT_TRUE(is_users(std::source_location::current()));
  EXPECT_FALSE(is_users({}));
  const std::size_t tests = own.find("tests/unit/");
  ASSERT_NE(tests, std::string_view::npos);
  EXPECT_TRUE(is_of_library(std::string(own.substr(0, tests)) + "src/tensor/dispatch.cpp"));
  EXPECT_FALSE(is_of_library("/elsewhere/ddx/main.cpp"));
  EXPECT_FALSE(is_of_library("/elsewhere/src/main.cpp"));
}

TEST(LibraryFiles, TheStandardLibraryAndDerivativesAreNobodys) {
  EXPECT_TRUE(is_of_standard_library("/somewhere/gcc/12/../include/c++/12/tuple"));
  EXPECT_FALSE(is_of_standard_library("/elsewhere/c++/main.cpp"));
  EXPECT_TRUE(is_of_derivatives("/elsewhere/<derivatives>"));
  EXPECT_TRUE(is_of_derivatives("/elsewhere/saved/main.derivatives.2.cpp"));
  EXPECT_FALSE(is_of_derivatives("/elsewhere/derivatives.cpp"));
}

TEST(LibraryFiles, NamespacesAreReadFromMangledNames) {
  EXPECT_TRUE(is_library_symbol("_ZN3ddx6detail5unaryENS_3ops2OpERKNS0_5ArrayE"));
  EXPECT_TRUE(is_library_symbol("_ZNK3ddx5Shape4rankEv"));
  EXPECT_TRUE(is_library_symbol("_ZZN3ddx3logEvENKUlvE_clEv"));
  EXPECT_TRUE(is_library_symbol("_ZSt10accumulateIPiiET0_T_S2_S1_"));
  EXPECT_TRUE(is_library_symbol("_ZNSt8functionIFvvEEclEv"));
  EXPECT_TRUE(is_library_symbol("_ZNSaIcEC1Ev"));
  EXPECT_FALSE(is_library_symbol("_Z6helperRKN3ddx6TensorIfEE"));
  EXPECT_FALSE(is_library_symbol("_ZN4mine3ddx1fEv"));
  EXPECT_FALSE(is_library_symbol("main"));
  EXPECT_FALSE(is_library_symbol(""));
  EXPECT_FALSE(is_library_symbol("_Z"));
}

TEST(LibraryFiles, FunctionsOfDerivativesBeginWithTheirPrefix) {
  EXPECT_TRUE(is_derivative("ddx_loss_reverse"));
  EXPECT_TRUE(is_derivative("_ZN12_GLOBAL__N_116ddx_loss_reverseEv"));
  EXPECT_FALSE(is_derivative("_ZN3ddx3logEv"));
  EXPECT_FALSE(is_derivative("my_ddx_helper"));
}

}  // namespace library_files_test
}  // namespace ddx
