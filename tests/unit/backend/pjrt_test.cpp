#include "ddx/backend/pjrt.h"

#include "ddx/backend/pjrt_target.h"
#include "ddx/core/error.h"

#include "backend/pjrt/compile_options.h"
#include "backend/pjrt/platform.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"
#include "tests/unit/backend/pjrt/xla_programs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::backend {
namespace pjrt_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using pjrt::fake_file;

TEST(Pjrt, APluginHasTheNameThatTheProgramGivesIt) {
  add_pjrt_plugin("named", fake_file("Good"));
  const auto plugins = pjrt_plugins();
  const auto found = std::ranges::find(plugins, "named", &PjrtPlugin::name);
  ASSERT_NE(found, plugins.end());
  EXPECT_EQ(found->file, fake_file("Good"));
  const PjrtPlatform platform = pjrt_platform("named");
  EXPECT_EQ(platform.name, "fake");
  EXPECT_EQ(platform.version, "1.2");
  EXPECT_EQ(platform.api_minor, 115);
  EXPECT_EQ(platform.stablehlo, (std::vector<std::int64_t>{1, 13, 7}));
  ASSERT_EQ(platform.devices.size(), 2U);
  EXPECT_EQ(platform.devices[1].ordinal, 1U);
  EXPECT_EQ(platform.devices[1].kind, "pretence");
  EXPECT_EQ(platform.devices[1].text, "fake:1");
}

TEST(Pjrt, FoldersOfTheProgramAreSearched) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(fake_file("Good"), folder.path() / "libpjrt_searched.so");
  EXPECT_TRUE(message_of<EnvironmentError>([] {
                (void)pjrt_platform("searched");
              }).starts_with("open PJRT devices: no plugin named searched"));
  add_pjrt_folder(folder.path());
  EXPECT_EQ(pjrt_platform("searched").name, "fake") << "and the failure is forgotten";
}

TEST(Pjrt, ANameThatNothingStandsForIsAnErrorThatSaysWhatThereIs) {
  add_pjrt_plugin("one of some", fake_file("Good"));
  const std::string message = message_of<EnvironmentError>([] { (void)pjrt_platform("no such"); });
  EXPECT_TRUE(message.starts_with("open PJRT devices: no plugin named no such; there are "))
      << message;
  EXPECT_NE(message.find("one of some"), std::string::npos) << message;
  EXPECT_NE(message.find("; looked in "), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with("; add_pjrt_folder names a folder, add_pjrt_plugin a file"))
      << message;
}

TEST(Pjrt, WhatIsOpenStaysAsItIs) {
  add_pjrt_plugin("open", fake_file("Good"));
  set_pjrt_options("open", {.preallocate = false});
  const std::string file = pjrt_platform("open").file.string();
  EXPECT_EQ(message_of<UsageError>([] { set_pjrt_options("open", {}); }),
            "choose options of a PJRT plugin: open is open, from " + file);
  EXPECT_EQ(message_of<UsageError>([] { add_pjrt_plugin("open", "elsewhere.so"); }),
            "name a PJRT plugin: open is open, from " + file);
}

TEST(Pjrt, AFailureToOpenIsTriedAgain) {
  add_pjrt_plugin("late", "/nowhere/plugin.so");
  EXPECT_EQ(message_of<EnvironmentError>([] { (void)pjrt_platform("late"); }),
            "load a PJRT plugin: /nowhere/plugin.so: No such file or directory");
  add_pjrt_plugin("late", fake_file("Good"));
  EXPECT_EQ(pjrt_platform("late").name, "fake");
}

TEST(Pjrt, OptionsReachThePlugin) {
  add_pjrt_plugin("without devices", fake_file("NoDevices"));
  set_pjrt_options("without devices", {.cpu_device_count = 2, .others = {{"more", 0.5F}}});
  const std::string message =
      message_of<EnvironmentError>([] { (void)pjrt_platform("without devices"); });
  EXPECT_TRUE(message.ends_with("; options cpu_device_count=2, more=0.500000")) << message;
}

/// What a plugin of this name, in a file of that name, is opened with.
std::string options_of(const std::string& name, const std::string& file_name,
                       const PjrtOptions& options = {}) {
  const TemporaryFolder folder;
  const auto file = folder.path() / file_name;
  std::filesystem::copy_file(fake_file("Good"), file);
  add_pjrt_plugin(name, file);
  set_pjrt_options(name, options);
  (void)pjrt_platform(name);
  return pjrt::answer_of(file, "fake_client_options");
}

// XLA's plugins for GPUs are known by the name of their file, and other files by the name that the
// program gives them. Those for CPUs refuse these options.
TEST(Pjrt, ProcessesShareAGpuUnlessTheProgramChooses) {
  EXPECT_EQ(options_of("a card", "xla_cuda_plugin.so"), "preallocate=false");
  EXPECT_EQ(options_of("another card", "pjrt_c_api_gpu_plugin.so"), "preallocate=false");
  EXPECT_EQ(options_of("rocm", "some.so"), "preallocate=false");
  EXPECT_EQ(options_of("half a card", "xla_cuda_plugin.so", {.memory_fraction = 0.5F}),
            "preallocate=false, memory_fraction=0.500000");
  EXPECT_EQ(options_of("a whole card", "xla_cuda_plugin.so",
                       {.preallocate = true, .memory_fraction = 0.9F}),
            "preallocate=true, memory_fraction=0.900000");
  EXPECT_EQ(options_of("by another way", "xla_cuda_plugin.so", {.others = {{"preallocate", true}}}),
            "preallocate=true");
  EXPECT_EQ(options_of("processors", "xla_cpu_pjrt.so"), "");
  EXPECT_EQ(options_of("something", "some.so"), "");
}

/// Whether the momentum of filters is donated by a plugin of this name, in a file of that name.
bool donates_filter_state(const std::string& name, const std::string& file_name,
                          const PjrtOptions& options = {}) {
  (void)options_of(name, file_name, options);
  return pjrt::Platform::of(name).donates_filter_state();
}

TEST(Pjrt, GpusDoNotCopyTheMomentumOfFiltersUnlessTheProgramChooses) {
  EXPECT_FALSE(donates_filter_state("a card for filters", "xla_cuda_plugin.so"));
  EXPECT_TRUE(donates_filter_state("a card that copies filters", "xla_cuda_plugin.so",
                                   {.donate_filter_state = true}));
  EXPECT_TRUE(donates_filter_state("processors for filters", "xla_cpu_pjrt.so"));
  EXPECT_FALSE(donates_filter_state("processors like a card", "xla_cpu_pjrt.so",
                                    {.donate_filter_state = false}));
}

TEST(Pjrt, MemoryIsToldByTheDevice) {
  add_pjrt_plugin("with memory", fake_file("Good"));
  const auto memory = pjrt_memory("with memory", 1);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->bytes_in_use, 1001);
  EXPECT_EQ(memory->peak_bytes_in_use, 2000);
  EXPECT_FALSE(memory->largest_free_block);
  EXPECT_EQ(message_of<UsageError>([] { (void)pjrt_memory("with memory", 2); }),
            "PJRT device: device 2 of 2 of platform fake");
}

TEST(Pjrt, StatisticsCountPrograms) {
  const TemporaryFolder folder;
  add_pjrt_plugin("counted", fake_file("Good"));
  set_pjrt_options("counted", {.folder = folder.path() / "programs"});
  EXPECT_EQ(pjrt_statistics("counted").compiled, 0U);
  pjrt::Platform& platform = pjrt::Platform::of("counted");
  (void)platform.executable({.text = "a"});
  (void)platform.executable({.text = "a"});
  (void)platform.executable({.text = "b"});
  const PjrtStatistics statistics = pjrt_statistics("counted");
  EXPECT_EQ(statistics.compiled, 2U);
  EXPECT_EQ(statistics.loaded, 1U);
  EXPECT_EQ(statistics.stored, 2U);
  EXPECT_GT(statistics.compile_time.count(), 0);
}

TEST(Pjrt, ProgramsReportTheirMemory) {
  add_pjrt_plugin("with programs", fake_file("Good"));
  EXPECT_TRUE(pjrt_program_memory("with programs").empty());
  pjrt::Platform& platform = pjrt::Platform::of("with programs");
  (void)platform.executable({.text = "results=2"});
  (void)platform.executable({.text = "results=3"});
  const std::vector<PjrtProgramMemory> programs = pjrt_program_memory("with programs");
  ASSERT_EQ(programs.size(), 2U);
  EXPECT_EQ(programs[0].results, 2);
  EXPECT_EQ(programs[1].arguments, 20);
  EXPECT_EQ(programs[1].results, 3);
  EXPECT_EQ(programs[1].aliased, 40);
  EXPECT_EQ(programs[1].temporary, 50);
  EXPECT_EQ(programs[1].code, 10);
  EXPECT_EQ(programs[1].peak, 60);
}

TEST(Pjrt, ProgramsAreObservedBeforeTheyAreCompiledOrLoaded) {
  const TemporaryFolder folder;
  std::vector<std::string> texts;
  std::vector<std::string> options;
  add_pjrt_plugin("observed", fake_file("Good"));
  set_pjrt_options("observed", {.folder = folder.path() / "programs",
                                .on_program = [&](const PjrtProgram& program) {
                                  texts.push_back(program.text);
                                  options.push_back(program.options);
                                }});
  pjrt::Platform& platform = pjrt::Platform::of("observed");
  (void)platform.executable({.text = "a"});
  EXPECT_TRUE(message_of<EnvironmentError>([&] {
                (void)platform.executable({.text = "nonsense"});
              }).starts_with("compile for PJRT: "));
  (void)platform.executable({.text = "a"});
  EXPECT_EQ(texts, (std::vector<std::string>{"a", "nonsense", "a"}));
  EXPECT_EQ(options.front().size(), 19U);  // As compile_options_test has them.
}

TEST(Pjrt, FlagsReachTheCompiler) {
  add_pjrt_plugin("with flags", DDX_PJRT_FOLDER "/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so");
  std::string options;
  set_pjrt_options("with flags",
                   {.compiler_flags = {{"xla_dump_hlo_as_text", false}, {"xla_no_such_flag", 1.5F}},
                    .on_program = [&](const PjrtProgram& one) { options = one.options; }});
  const std::string message = message_of<EnvironmentError>(
      [] { (void)pjrt::Platform::of("with flags").executable({.text = pjrt::doubling(2)}); });
  EXPECT_NE(message.find("xla_no_such_flag"), std::string::npos) << message;
  EXPECT_EQ(options, pjrt::encoded(
                         {.flags = {{"xla_dump_hlo_as_text", false}, {"xla_no_such_flag", 1.5F}}}));
}

TEST(Pjrt, AProgramIsCompiledForADeviceThatIsNotHere) {
  add_pjrt_plugin("ahead", fake_file("Good"));
  const PjrtTarget target{.plugin = "ahead", .description = "fake card", .device_count = 2};
  const std::array<PjrtOption, 1> flags{PjrtOption{"c", true}};
  EXPECT_EQ(compile_for(target, {.text = "results=3", .options = "1234"}).results, 7);
  // A flag adds the nine bytes that compile_options_test has.
  EXPECT_EQ(compile_for(target, {.text = "results=3", .options = "1234"}, flags).results, 16);
  EXPECT_EQ(compile_for(target, {.text = "", .options = ""}).peak, 60);
  EXPECT_EQ(message_of<EnvironmentError>([] {
              (void)compile_for({.plugin = "ahead", .description = "abacus", .device_count = 4},
                                {});
            }),
            "compile for a device that is not here: There is no card 'abacus', in 1x1x4 "
            "(INVALID_ARGUMENT)");
  EXPECT_EQ(message_of<UsageError>(
                [&] { (void)compile_for({.plugin = "ahead", .device_count = 0}, {}); }),
            "compile_for: a target of 0 devices; there must be at least one");
  EXPECT_EQ(
      message_of<UsageError>([&] {
        const std::array<PjrtOption, 1> list{PjrtOption{"f", std::vector<std::int64_t>{1, 2}}};
        (void)compile_for(target, {}, list);
      }),
      "compile for PJRT: flag f=[1, 2] is a list");
  EXPECT_TRUE(message_of<EnvironmentError>([] {
                (void)compile_for({.plugin = "absent"}, {});
              }).starts_with("open PJRT devices: no plugin named absent"));
}

// The folder of the build is one of those around the test program.
TEST(Pjrt, XlaIsFoundAroundTheProgram) {
  ::testing::internal::CaptureStderr();
  const PjrtPlatform platform = pjrt_platform("cpu");
  // XLA would say how many devices there are.
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(platform.name, "cpu");
  EXPECT_TRUE(
      platform.file.string().starts_with(std::filesystem::canonical(DDX_PJRT_FOLDER).string()));
  // By itself it opens four, and computes with as many threads at least.
  EXPECT_EQ(platform.devices.size(), 1U);
}

TEST(Pjrt, APluginThatAnotherUserCouldHaveWrittenIsSkippedWithTheReason) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "libpjrt_planted.so";
  std::filesystem::copy_file(fake_file("Good"), file);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  add_pjrt_folder(folder.path());
  const std::string message = message_of<EnvironmentError>([] { (void)pjrt_platform("planted"); });
  EXPECT_NE(message.find("; skipped " + file.string() + ": " + folder.path().string() +
                         " is writable by everybody"),
            std::string::npos)
      << message;
  add_pjrt_plugin("planted", file);  // The program answers for it.
  EXPECT_EQ(pjrt_platform("planted").name, "fake");
}

}  // namespace pjrt_test
}  // namespace ddx::backend
