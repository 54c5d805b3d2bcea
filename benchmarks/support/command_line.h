/// \file
/// Shared parts of the benchmarks' main functions.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ddx::bench {

/// Parses the command line, and measures. Returns the exit status: that of `measure`; 1 if it
/// throws a ddx::Error, as for a wrong result; 2 for an invalid command line.
[[nodiscard]] int run(CLI::App& app, const std::string& program, int argc, char** argv,
                      const std::function<int()>& measure);

/// Writes rows to the file of --json, where one is named. Returns the exit status: 2 where the file
/// cannot be written.
[[nodiscard]] int write_json(const std::string& program, const std::filesystem::path& file,
                             const nlohmann::json& rows);

}  // namespace ddx::bench
