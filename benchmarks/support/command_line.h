/// \file
/// What the main functions of benchmarks have in common.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ddx::bench {

/// Reads the command line, and measures. Returns the exit status: that of `measure`; 1 where it
/// throws a ddx::Error, as where a result is wrong; 2 where the command line makes no sense.
[[nodiscard]] int run(CLI::App& app, const std::string& program, int argc, char** argv,
                      const std::function<int()>& measure);

/// Writes rows to the file of --json, where one is named. Returns the exit status: 2 where the file
/// cannot be written.
[[nodiscard]] int write_json(const std::string& program, const std::filesystem::path& file,
                             const nlohmann::json& rows);

}  // namespace ddx::bench
