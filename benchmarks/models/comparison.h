/// \file
/// One configuration here and in the other frameworks, each in its own process.

#pragma once

#include "measure.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ddx::bench {

/// Another framework, by the script of ../baselines that runs it.
struct Peer {
  std::string name;    ///< As shown in a table.
  std::string script;  ///< Its path.
  std::string mode;    ///< The script's --mode.
  std::string device;  ///< The script's --device: "cpu" or "cuda".
};

/// The peers that an interpreter can run on a device, whose names have this prefix. Reports on
/// standard error what the others lack.
[[nodiscard]] std::vector<Peer> peers_of(const std::string& python, const std::string& beginning,
                                         const std::string& device);

/// As `verify`, in a process of its own: an open device may hold memory, which peers need.
///
/// Throws:  InternalError if it fails; its message is on standard error.
void verify_apart(const std::string& workload, const std::vector<std::string>& devices);

/// Writes the data that peers need to take the same steps.
///
/// Throws:  EnvironmentError if the file cannot be written.
void write_content(const std::string& workload, const std::filesystem::path& file);

/// Measures one configuration, first here on these devices, then with each peer. A peer that fails
/// is skipped, with a message on standard error.
///
/// Throws:  InternalError if our own process fails, or the losses of a peer's first steps differ
///          from ours.
[[nodiscard]] std::vector<Measurement> compare(const Configuration& configuration,
                                               const std::vector<std::string>& devices,
                                               const std::string& python,
                                               const std::vector<Peer>& peers,
                                               const std::filesystem::path& content);

/// The peak of this processor with this many threads, measured in its own process.
///
/// Throws:  InternalError if that fails.
[[nodiscard]] double roof_apart(const std::string& dtype, int threads);

/// A row as printed by the child process.
[[nodiscard]] std::string to_json(const Measurement& measurement);

}  // namespace ddx::bench
