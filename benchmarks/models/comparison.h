/// \file
/// One configuration here and in the other frameworks, each in a process of its own.

#pragma once

#include "measure.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ddx::bench {

/// Another framework, by the script of ../baselines that runs it.
struct Peer {
  std::string name;    ///< As a table shows it.
  std::string script;  ///< Its path.
  std::string mode;    ///< What the script takes as --mode.
  std::string device;  ///< What the script takes as --device: "cpu" or "cuda".
};

/// The peers that an interpreter can run on a device, whose names begin so; says of the others, on
/// standard error, what they lack.
[[nodiscard]] std::vector<Peer> peers_of(const std::string& python, const std::string& beginning,
                                         const std::string& device);

/// Writes what the peers need to take the same steps as ours.
///
/// Throws:  EnvironmentError where the file cannot be written.
void write_content(const std::string& workload, const std::filesystem::path& file);

/// Measures one configuration, first here on these devices, whatever device it names, then by each
/// peer; one that fails is left out, with a word on standard error.
///
/// Throws:  InternalError where our own process fails, or the losses of the first steps of a peer
///          are not ours.
[[nodiscard]] std::vector<Measurement> compare(const Configuration& configuration,
                                               const std::vector<std::string>& devices,
                                               const std::string& python,
                                               const std::vector<Peer>& peers,
                                               const std::filesystem::path& content);

/// The roof of this processor with so many threads; measured in a process of its own.
///
/// Throws:  InternalError where that fails.
[[nodiscard]] double roof_apart(const std::string& dtype, int threads);

/// A row as the child process prints it.
[[nodiscard]] std::string to_json(const Measurement& measurement);

}  // namespace ddx::bench
