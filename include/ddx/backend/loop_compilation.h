/// \file
/// How Device::lazy() compiles the loops of its graphs to machine code.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::backend {

/// Elementwise operations that run together are compiled by LLVM, which is loaded for it (Debian's
/// libllvm19); without it, and until they are compiled, they run by the kernels of the cpu device,
/// block by block. Results are the same to the bit (of NaNs, that they are NaNs).
struct LoopCompilation {
  bool is_on = true;
  /// Compiles in the background while the program continues; otherwise the run of a new graph
  /// waits.
  bool in_background = true;
  /// Where machine code is kept for the next process, so that it starts warm. Empty: nowhere. The
  /// folder is made where it is absent (its parents too), and must be this user's alone. Any number
  /// of processes may share it; a file that is damaged is as good as absent.
  std::filesystem::path folder = {};
  /// What was not used for longest is removed from the folder beyond this.
  std::uint64_t most_bytes = std::uint64_t{256} << 20;
};

/// Chooses for graphs that are compiled from now on, on all threads; returns what was chosen
/// before.
LoopCompilation set_loop_compilation(LoopCompilation chosen);

/// Waits until what has been asked for is compiled, or has failed to be.
void await_loop_compilation() noexcept;

/// What has been compiled since the process began. Loops are counted once, in however many graphs
/// they occur, of whatever shapes.
struct LoopCompilationStatistics {
  std::uint64_t requested = 0;      ///< Loops that were new.
  std::uint64_t compiled = 0;       ///< By LLVM.
  std::uint64_t loaded = 0;         ///< From the folder.
  std::uint64_t failed = 0;         ///< They run by kernels.
  std::uint64_t stored = 0;         ///< Object files that went to the folder.
  std::chrono::nanoseconds time{};  ///< Of compiling and loading, in the background or not.
  std::string last_failure;         ///< Empty: none.
};

/// The counts at this moment.
[[nodiscard]] LoopCompilationStatistics loop_compilation_statistics();

}  // namespace ddx::backend
