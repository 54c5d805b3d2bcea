#include "backend/pjrt/plugin_search.h"

#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace ddx::backend::pjrt {
namespace plugin_search_test {

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

TEST(PjrtPluginSearch, TheNameOfAFileSaysWhatItIs) {
  EXPECT_EQ(name_of_file("/any/jax_plugins/xla_cuda13/xla_cuda_plugin.so"), "cuda");
  EXPECT_EQ(name_of_file("pjrt_c_api_gpu_plugin.so"), "cuda");
  EXPECT_EQ(name_of_file("/opt/pjrt_c_api_cpu_plugin.so"), "cpu");
  EXPECT_EQ(name_of_file("libpjrt_own.so"), "own");
  EXPECT_EQ(name_of_file("/opt/own.so"), "");
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

TEST(PjrtPluginSearch, FoldersOfAProgramAreBesideItAndInItsPrefix) {
  using Folders = std::vector<std::filesystem::path>;
  EXPECT_EQ(folders_of_program("/a/b/program"), (Folders{"/a/b/lib/ddx/pjrt"}));
  EXPECT_EQ(folders_of_program("/a/bin/program"),
            (Folders{"/a/bin/lib/ddx/pjrt", "/a/lib/ddx/pjrt"}));
  EXPECT_EQ(folders_of_program("/a/bin/tests/program"),
            (Folders{"/a/bin/tests/lib/ddx/pjrt", "/a/lib/ddx/pjrt"}));
  EXPECT_EQ(folders_of_program(""), Folders{});
}

/// What is skipped in a folder: "file: reason", both without the folder.
std::vector<std::string> skipped_in(const TemporaryFolder& folder) {
  std::vector<std::string> lines;
  const std::vector<std::filesystem::path> folders{folder.path()};
  for (const SkippedPlugin& plugin : search_plugins(folders).skipped) {
    auto line = plugin.file.string() + ": " + plugin.reason;
    for (auto at = line.find(folder.path().string()); at != std::string::npos;
         at = line.find(folder.path().string())) {
      line.erase(at, folder.path().string().size() + 1);
    }
    lines.push_back(line);
  }
  return lines;
}

TEST(PjrtPluginSearch, FilesAndFoldersThatOthersCanWriteAreSkipped) {
  const TemporaryFolder folder;
  make_file(folder, "jax_plugins/xla_cuda13/xla_cuda_plugin.so");
  const auto file = folder.path() / "jax_plugins/xla_cuda13/xla_cuda_plugin.so";
  const auto name = std::string("jax_plugins/xla_cuda13/xla_cuda_plugin.so");
  EXPECT_EQ(found_in(folder).size(), 1U);
  EXPECT_TRUE(skipped_in(folder).empty());
  ::chmod(file.c_str(), 0775);
  EXPECT_TRUE(found_in(folder).empty());
  EXPECT_EQ(skipped_in(folder),
            (std::vector<std::string>{name + ": " + name + " is writable by its group"}));
  ::chmod(file.c_str(), 0755);
  ::chmod((folder.path() / "jax_plugins").c_str(), 0777);
  EXPECT_TRUE(found_in(folder).empty());
  EXPECT_EQ(skipped_in(folder),
            (std::vector<std::string>{name + ": jax_plugins is writable by everybody"}));
  // No other user can rename what lies in a folder with the sticky bit.
  ::chmod((folder.path() / "jax_plugins").c_str(), 01777);
  EXPECT_EQ(found_in(folder).size(), 1U);
}

TEST(PjrtPluginSearch, FilesOfOtherUsersAreSkipped) {
  const TemporaryFolder folder;
  make_file(folder, "libpjrt_cpu.so");
  if (::chown((folder.path() / "libpjrt_cpu.so").c_str(), 1234, 1234) != 0) {
    GTEST_SKIP() << "only root gives files away";
  }
  EXPECT_TRUE(found_in(folder).empty());
  EXPECT_EQ(skipped_in(folder),
            (std::vector<std::string>{"libpjrt_cpu.so: libpjrt_cpu.so belongs to user 1234"}));
}

TEST(PjrtPluginSearch, ALinkCountsAsWhatItLeadsTo) {
  const TemporaryFolder folder;
  const TemporaryFolder open;
  make_file(open, "plugin.so");
  std::filesystem::create_symlink(open.path() / "plugin.so", folder.path() / "libpjrt_cpu.so");
  const std::vector<std::filesystem::path> folders{folder.path()};
  ASSERT_EQ(find_plugins(folders).size(), 1U);
  EXPECT_EQ(find_plugins(folders)[0].file, std::filesystem::canonical(open.path() / "plugin.so"));
  ::chmod(open.path().c_str(), 0777);
  EXPECT_TRUE(find_plugins(folders).empty());
}

}  // namespace plugin_search_test
}  // namespace ddx::backend::pjrt
