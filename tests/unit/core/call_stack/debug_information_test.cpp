// What is known about addresses is kept, and forgotten when libraries are unloaded.

#if __has_include(<elfutils/libdwfl.h>)

#include "core/call_stack/debug_information.h"

#include "core/call_stack/libdw.h"

#include <cstdint>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>

namespace ddx {
namespace {

constexpr const char* other_library = "libcrypt.so.1";  // Nothing else in the program loads it.

class DebugInformationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (libdw() == nullptr) {
      GTEST_SKIP() << "libdw is not installed";
    }
  }
};

int sessions = 0;  // How often files have been opened.

TEST_F(DebugInformationTest, KeepsAnswersWhenItsFilesAreClosed) {
  Libdw counted = *libdw();
  counted.dwfl_begin = [](const Dwfl_Callbacks* callbacks) {
    ++sessions;
    return libdw()->dwfl_begin(callbacks);
  };
  DebugInformation information(counted);
  information.update();
  const auto address = reinterpret_cast<std::uintptr_t>(&::dlopen);
  const std::string name = information.symbol_at(address);
  EXPECT_NE(name.find("dlopen"), std::string::npos) << name;
  information.close();
  information.update();
  EXPECT_EQ(information.symbol_at(address), name);
  (void)information.places_at(address);
  EXPECT_EQ(sessions, 2);
  information.close();
  (void)information.places_at(address);
  EXPECT_EQ(sessions, 2);
}

TEST_F(DebugInformationTest, ForgetsWhatWasUnloaded) {
  void* const library = ::dlopen(other_library, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    GTEST_SKIP() << ::dlerror();
  }
  const auto address = reinterpret_cast<std::uintptr_t>(::dlsym(library, "crypt"));
  DebugInformation information(*libdw());
  information.update();
  EXPECT_NE(information.symbol_at(address), "");
  information.close();
  ASSERT_EQ(::dlclose(library), 0);
  information.update();
  EXPECT_EQ(information.symbol_at(address), "");
}

}  // namespace
}  // namespace ddx

#endif
