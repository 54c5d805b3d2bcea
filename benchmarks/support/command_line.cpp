#include "command_line.h"

#include "ddx/core/error.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace ddx::bench {

int run(CLI::App& app, const std::string& program, int argc, char** argv,
        const std::function<int()>& measure) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return measure();
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 1;
  }
}

int write_json(const std::string& program, const std::filesystem::path& file,
               const nlohmann::json& rows) {
  if (file.empty()) {
    return 0;
  }
  std::ofstream stream(file);
  stream << rows.dump(2) << '\n';
  if (!stream.flush()) {
    fmt::print(stderr, "{}: --json '{}': cannot be written\n", program, file.string());
    return 2;
  }
  return 0;
}

}  // namespace ddx::bench
