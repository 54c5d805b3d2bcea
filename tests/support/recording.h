/// \file
/// Recordings of other programs, and the small files they were made with: tests/goldens.

#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace ddx::testing {

/// A file below tests/goldens.
inline std::filesystem::path golden_file(const std::string& name) {
  return std::filesystem::path(DDX_GOLDENS) / name;
}

/// The content of a JSON file below tests/goldens.
inline nlohmann::json recording(const std::string& name) {
  std::ifstream stream(golden_file(name));
  return nlohmann::json::parse(stream);
}

}  // namespace ddx::testing
