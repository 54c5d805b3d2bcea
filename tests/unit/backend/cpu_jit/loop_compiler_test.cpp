#include "backend/cpu_jit/loop_compiler.h"

#include "ddx/backend/loop_compilation.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ops/op.h"

#include "backend/cpu/isa.h"
#include "backend/cpu_jit/loop.h"
#include "backend/cpu_jit/object_code.h"
#include "tests/support/loop_choice.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx::backend::cpu_jit {
namespace loop_compiler_test {

using ddx::testing::LoopChoice;
using ddx::testing::TemporaryFolder;

/// y = x + x + ... + x, so often: a loop that no other test has.
Loop sum_loop(std::size_t additions) {
  Loop loop;
  loop.arrays = {{Loop::Access::Whole, DType::f32}, {Loop::Access::Output, DType::f32}};
  Loop::Operand last{true, 0};
  for (std::size_t i = 0; i < additions; ++i) {
    loop.instructions.push_back({ops::Op::add, DType::f32, {last, {true, 0}}, {}});
    last = {false, i};
  }
  loop.instructions.back().output = 1;
  return loop;
}

/// What the code of sum_loop makes of 2.
float sum_of_twos(LoopFunction code) {
  float two = 2;
  float sum = 0;
  const std::array pointers{reinterpret_cast<std::byte*>(&two), reinterpret_cast<std::byte*>(&sum)};
  code(pointers.data(), nullptr, 0, 1, 1);
  return sum;
}

std::shared_ptr<const CompiledLoop> request_one(const Loop& loop) {
  return request({&loop, 1})[0];
}

/// Runs a test of this program in a process of its own; returns how that ended.
int status_of(const char* filter) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::unsetenv("DDX_TEST_ASYNCHRONOUS");
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    const std::string program = "/proc/self/exe";
    ::execl(program.c_str(), program.c_str(), filter, "--gtest_also_run_disabled_tests", nullptr);
    ::_exit(127);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

class LoopCompilerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_on()) {
      GTEST_SKIP() << "no LLVM";
    }
    await_loop_compilation();
    before_ = loop_compilation_statistics();
  }
  /// What has been counted since the test began.
  [[nodiscard]] LoopCompilationStatistics counted() const {
    LoopCompilationStatistics now = loop_compilation_statistics();
    now.requested -= before_.requested;
    now.compiled -= before_.compiled;
    now.loaded -= before_.loaded;
    now.failed -= before_.failed;
    now.stored -= before_.stored;
    now.time -= before_.time;
    return now;
  }

 private:
  LoopCompilationStatistics before_;
};

TEST_F(LoopCompilerTest, EqualLoopsAreOne) {
  const LoopChoice at_once({.in_background = false});
  const std::array loops{sum_loop(21), sum_loop(22), sum_loop(21)};
  const auto code = request(loops);
  ASSERT_EQ(code.size(), 3U);
  EXPECT_EQ(code[0], code[2]);
  EXPECT_EQ(request_one(sum_loop(22)), code[1]);
  ASSERT_NE(code[0]->function(), nullptr);
  EXPECT_EQ(sum_of_twos(code[0]->function()), 44);
  EXPECT_EQ(sum_of_twos(code[1]->function()), 46);
  EXPECT_EQ(counted().requested, 2U);
  EXPECT_EQ(counted().compiled, 2U);
  EXPECT_EQ(counted().stored, 0U);
  EXPECT_GT(counted().time.count(), 0);
}

std::atomic<bool> may_compile{false};

TEST_F(LoopCompilerTest, TheProgramGoesOnMeanwhile) {
  const LoopChoice meanwhile({.in_background = true});
  may_compile = false;
  const ObjectCompiler before =
      set_object_compiler([](std::span<const FunctionText> functions, cpu::Isa isa) {
        while (!may_compile) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return compile(functions, isa);
      });
  const auto code = request_one(sum_loop(23));
  EXPECT_EQ(code->function(), nullptr);
  may_compile = true;
  await_loop_compilation();
  set_object_compiler(before);
  ASSERT_NE(code->function(), nullptr);
  EXPECT_EQ(sum_of_twos(code->function()), 48);
}

TEST_F(LoopCompilerTest, OffNothingIsCompiledOrRun) {
  const LoopChoice off({.is_on = false});
  EXPECT_FALSE(is_on());
  EXPECT_EQ(request_one(sum_loop(24))->function(), nullptr);
  await_loop_compilation();
  EXPECT_EQ(counted().requested, 0U);
  const LoopChoice on({.in_background = false});
  EXPECT_NE(request_one(sum_loop(24))->function(), nullptr);
}

TEST_F(LoopCompilerTest, TheNextProcessLoads) {
  const TemporaryFolder folder;
  const LoopChoice kept({.in_background = false, .folder = folder.path() / "loops"});
  ASSERT_NE(request_one(sum_loop(25))->function(), nullptr);
  EXPECT_EQ(counted().compiled, 1U);
  EXPECT_EQ(counted().stored, 1U);
  ::setenv("DDX_TEST_LOOP_FOLDER", (folder.path() / "loops").c_str(), 1);
  EXPECT_EQ(status_of("--gtest_filter=LoopCompilerTest.DISABLED_LoadsWhatIsThere"), 0);
  ::unsetenv("DDX_TEST_LOOP_FOLDER");
}

// Run by the test above, in a process that has the folder in its environment.
TEST_F(LoopCompilerTest, DISABLED_LoadsWhatIsThere) {
  const char* const folder = std::getenv("DDX_TEST_LOOP_FOLDER");
  ASSERT_NE(folder, nullptr);
  const LoopChoice kept({.folder = folder});
  const auto code = request_one(sum_loop(25));
  await_loop_compilation();
  ASSERT_NE(code->function(), nullptr);
  EXPECT_EQ(sum_of_twos(code->function()), 52);
  EXPECT_EQ(counted().loaded, 1U);
  EXPECT_EQ(counted().compiled, 0U);
  EXPECT_LT(counted().time, std::chrono::seconds(1));
}

TEST_F(LoopCompilerTest, WhereCompilingFailsKernelsStay) {
  const LoopChoice at_once({.in_background = false});
  const ObjectCompiler before =
      set_object_compiler([](std::span<const FunctionText>, cpu::Isa) -> ObjectCode {
        throw EnvironmentError("compile loops", "not today");
      });
  const auto code = request_one(sum_loop(26));
  set_object_compiler(
      [](std::span<const FunctionText>, cpu::Isa) { return ObjectCode(10, std::byte{1}); });
  const auto of_rubbish = request_one(sum_loop(27));
  EXPECT_TRUE(counted().last_failure.starts_with("load compiled loops: "));
  set_object_compiler(before);
  EXPECT_EQ(code->function(), nullptr);
  EXPECT_EQ(of_rubbish->function(), nullptr);
  EXPECT_EQ(counted().failed, 2U);
  const auto next = request_one(sum_loop(28));
  ASSERT_NE(next->function(), nullptr) << "what comes later is compiled";
}

// A child process has no thread that compiles: loops run by kernels without waiting.
TEST_F(LoopCompilerTest, AChildProcessGoesOnByKernels) {
  const LoopChoice at_once({.in_background = false});
  ASSERT_NE(request_one(sum_loop(29))->function(), nullptr);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool is_known = request_one(sum_loop(29))->function() != nullptr;
    const bool is_none = request_one(sum_loop(30))->function() == nullptr;
    await_loop_compilation();
    ::_exit(is_known && is_none && !is_on() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(LoopCompilerTest, ManyThreadsMayAsk) {
  const LoopChoice meanwhile({.in_background = true});
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([] {
      for (std::size_t i = 0; i < 10; ++i) {
        const auto code = request_one(sum_loop(31 + i));
        await_loop_compilation();
        ASSERT_NE(code->function(), nullptr);
        EXPECT_EQ(sum_of_twos(code->function()), 2 * static_cast<float>(32 + i));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(counted().requested, 10U);
}

/// Expensive to compile, and different for each number.
Loop tanh_loop(std::size_t functions) {
  Loop loop = sum_loop(functions);
  for (Loop::Instruction& instruction : loop.instructions) {
    instruction.op = ops::Op::tanh;
    instruction.operands.resize(1);
  }
  return loop;
}

// LLVM's thread must not meet statics that are destroyed already.
TEST_F(LoopCompilerTest, AProgramMayEndMeanwhile) {
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(status_of("--gtest_filter=LoopCompilerTest.DISABLED_EndsMeanwhile"), 0);
    ASSERT_EQ(status_of("--gtest_filter=LoopCompilerThreads.DISABLED_EndsWhileOneAsks"), 0);
  }
}

TEST_F(LoopCompilerTest, DISABLED_EndsMeanwhile) {
  const LoopChoice meanwhile({.in_background = true});
  (void)request_one(tanh_loop(30));
  (void)request_one(tanh_loop(31));
  std::exit(0);
}

// A main thread that has no part in it.
TEST(LoopCompilerThreads, DISABLED_EndsWhileOneAsks) {
  std::thread([] {
    (void)request_one(tanh_loop(30));
    (void)request_one(tanh_loop(31));
  }).join();
  std::exit(0);
}

// What LLVM cannot go on after ends a process, as a rule; here, in one of its own, it ends
// compiling, also where the program is ending itself.
TEST_F(LoopCompilerTest, AFatalErrorOfLlvmEndsCompilingOnly) {
  EXPECT_EQ(status_of("--gtest_filter=LoopCompilerTest.DISABLED_GoesOnAfterAFatalError"), 0);
  EXPECT_EQ(status_of("--gtest_filter=LoopCompilerTest.DISABLED_EndsBeforeAFatalError"), 0);
}

/// Has LLVM meet an instruction that the instruction set does not have.
ObjectCode fail_for_good(std::span<const FunctionText> /*functions*/, cpu::Isa /*level*/) {
  const FunctionText function{
      "f",
      "define void @f(ptr %x) {\n  %v = load <16 x float>, ptr %x\n"
      "  %y = call <16 x float> @llvm.x86.avx512.rcp14.ps.512(<16 x float> %v, "
      "<16 x float> %v, i16 -1)\n  store <16 x float> %y, ptr %x\n  ret void\n}\n"
      "declare <16 x float> @llvm.x86.avx512.rcp14.ps.512(<16 x float>, <16 x float>, i16)\n"};
  return compile({&function, 1}, cpu::Isa::Baseline);
}

TEST_F(LoopCompilerTest, DISABLED_EndsBeforeAFatalError) {
  const LoopChoice meanwhile({.in_background = true});
  set_object_compiler([](std::span<const FunctionText> functions, cpu::Isa isa) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // The program is ending then.
    return fail_for_good(functions, isa);
  });
  (void)request_one(sum_loop(52));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::alarm(20);  // A program that hangs is killed.
  std::exit(0);
}

TEST_F(LoopCompilerTest, DISABLED_GoesOnAfterAFatalError) {
  const LoopChoice at_once({.in_background = false});
  const ObjectCompiler before = set_object_compiler(&fail_for_good);
  const auto code = request_one(sum_loop(50));
  set_object_compiler(before);
  EXPECT_EQ(code->function(), nullptr);
  EXPECT_EQ(counted().failed, 1U);
  EXPECT_TRUE(counted().last_failure.starts_with("compile loops: fatal: "))
      << counted().last_failure;
  EXPECT_FALSE(is_on());
  EXPECT_EQ(request_one(sum_loop(51))->function(), nullptr);
}

}  // namespace loop_compiler_test
}  // namespace ddx::backend::cpu_jit
