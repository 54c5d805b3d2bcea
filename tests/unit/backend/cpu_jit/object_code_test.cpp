#include "backend/cpu_jit/object_code.h"

#include "ddx/core/error.h"

#include "backend/cpu/isa.h"
#include "backend/cpu_jit/loaded_code.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::backend::cpu_jit {
namespace object_code_test {

ObjectCode compiled(const std::string& name, const std::string& text) {
  const FunctionText function{name, text};
  return compile({&function, 1}, cpu::best_isa());
}

class ObjectCodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_on()) {
      GTEST_SKIP() << "no LLVM";
    }
  }
};

TEST_F(ObjectCodeTest, WhatIsNoTextIsRefused) {
  const std::string said =
      ddx::testing::message_of<EnvironmentError>([] { (void)compiled("f", "define nothing"); });
  EXPECT_TRUE(said.starts_with("compile loops: f: ")) << said;
  EXPECT_NE(said.find("expected type"), std::string::npos) << said;
}

TEST_F(ObjectCodeTest, ATextMustDefineItsFunction) {
  EXPECT_EQ(ddx::testing::message_of<EnvironmentError>(
                [] { (void)compiled("f", "define void @g() {\n  ret void\n}\n"); }),
            "compile loops: f: the text defines no such function");
}

// LLVM's linker would print this, and end the process.
TEST_F(ObjectCodeTest, AFunctionOfAnElementMayNotBeDefinedAgain) {
  EXPECT_EQ(ddx::testing::message_of<EnvironmentError>([] {
              (void)compiled("ddx_add_f32",
                             "define void @ddx_add_f32(ptr %a, ptr %b, ptr %y) {\n  ret void\n}\n");
            }),
            "compile loops: ddx_add_f32: cannot be linked");
}

TEST_F(ObjectCodeTest, WhatTheProcessDoesNotHaveIsNotLoaded) {
  const ObjectCode object = compiled(
      "calls_what_is_nowhere",
      "define void @calls_what_is_nowhere() {\n  call void @ddx_is_nowhere()\n  ret void\n}\n"
      "declare void @ddx_is_nowhere()\n");
  const std::string name = "calls_what_is_nowhere";
  const std::string said =
      ddx::testing::message_of<EnvironmentError>([&] { (void)load(object, {&name, 1}); });
  EXPECT_TRUE(said.starts_with("load compiled loops: ")) << said;
  EXPECT_NE(said.find("ddx_is_nowhere"), std::string::npos) << said;
}

TEST_F(ObjectCodeTest, WhatIsNoObjectFileIsNotLoaded) {
  const ObjectCode object(100, std::byte{7});
  const std::string name = "f";
  const std::string said =
      ddx::testing::message_of<EnvironmentError>([&] { (void)load(object, {&name, 1}); });
  EXPECT_TRUE(said.starts_with("load compiled loops: ")) << said;
}

TEST_F(ObjectCodeTest, OptionsNameTheCompilerAndTheLevel) {
  EXPECT_TRUE(compiler_options(cpu::Isa::Avx2).starts_with("LLVM 19."))
      << compiler_options(cpu::Isa::Avx2);
  EXPECT_NE(compiler_options(cpu::Isa::Avx2), compiler_options(cpu::Isa::Avx512));
}

}  // namespace object_code_test
}  // namespace ddx::backend::cpu_jit
