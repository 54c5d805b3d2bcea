#include "backend/pjrt/plugin_search.h"

#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using ddx::testing::TemporaryFolder;

void make_file(const TemporaryFolder& folder, const std::string& name) {
  std::filesystem::create_directories((folder.path() / name).parent_path());
  (void)folder.write(name, {});
}

/// "name: file" of each plugin that is found in a folder.
std::vector<std::string> found_in(const TemporaryFolder& folder) {
  std::vector<std::string> lines;
  const std::vector<std::filesystem::path> folders{folder.path()};
  for (const FoundPlugin& plugin : find_plugins(folders)) {
    lines.push_back(plugin.name + ": " +
                    std::filesystem::relative(plugin.file, folder.path()).string());
  }
  return lines;
}

// The packages of PyPI, as they lie in a folder site-packages.
TEST(PjrtPluginSearch, FindsPackagesOfPython) {
  const TemporaryFolder folder;
  for (const char* file :
       {"lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so", "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
        "fastatomstruct_xla_cpu/libpjrt_cpu.so", "jax_plugins/xla_cuda12/xla_cuda_plugin.so",
        "jax_plugins/xla_cuda13/xla_cuda_plugin.so", "jax_plugins/xla_rocm7/xla_rocm_plugin.so",
        "jax_plugins/mps/pjrt_plugin_mps.so", "libtpu/libtpu.so", "numpy/core.so"}) {
    make_file(folder, file);
  }
  EXPECT_EQ(found_in(folder),
            (std::vector<std::string>{"cpu: lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
                                      "cpu: fastatomstruct_xla_cpu/libpjrt_cpu.so",
                                      "cpu: xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
                                      "cuda: jax_plugins/xla_cuda13/xla_cuda_plugin.so",
                                      "cuda: jax_plugins/xla_cuda12/xla_cuda_plugin.so",
                                      "rocm: jax_plugins/xla_rocm7/xla_rocm_plugin.so",
                                      "tpu: libtpu/libtpu.so",
                                      "mps: jax_plugins/mps/pjrt_plugin_mps.so"}));
}

TEST(PjrtPluginSearch, FindsLibrariesByTheirNames) {
  const TemporaryFolder folder;
  for (const char* file : {"libpjrt_cpu.so", "pjrt_c_api_gpu_plugin.so", "pjrt_c_api_odd_plugin.so",
                           "xla_cuda_plugin.so", "libtpu.so", "pjrt_plugin_x.so", "libother.so",
                           "libpjrt_.so", "libpjrt_cpu.so.txt"}) {
    make_file(folder, file);
  }
  EXPECT_EQ(found_in(folder),
            (std::vector<std::string>{"tpu: libtpu.so", "cuda: pjrt_c_api_gpu_plugin.so",
                                      "odd: pjrt_c_api_odd_plugin.so", "cuda: xla_cuda_plugin.so",
                                      "cpu: libpjrt_cpu.so", "x: pjrt_plugin_x.so"}));
}

TEST(PjrtPluginSearch, FoldersCountInTheirOrder) {
  const TemporaryFolder first;
  const TemporaryFolder second;
  make_file(first, "libpjrt_cpu.so");
  make_file(second, "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so");
  const std::vector<std::filesystem::path> folders{first.path() / "absent", first.path(),
                                                   second.path()};
  const auto found = find_plugins(folders);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].file, first.path() / "libpjrt_cpu.so");
}

TEST(PjrtPluginSearch, AFolderIsNoPlugin) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "libpjrt_cpu.so");
  EXPECT_TRUE(found_in(folder).empty());
}

TEST(PjrtPluginSearch, FoldersOfTheProgramAreAroundIt) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto folders = folders_of_program();
  ASSERT_EQ(folders.size(), 3U);
  EXPECT_EQ(folders[0], folder / "lib/ddx/pjrt");
  EXPECT_EQ(folders[1], folder.parent_path() / "lib/ddx/pjrt");
  EXPECT_EQ(folders[2], folder.parent_path().parent_path() / "lib/ddx/pjrt");
}

}  // namespace
}  // namespace ddx::backend::pjrt
