#include "ddx/train/detail/checkpoint_folder.h"

#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/data/detail/lines.h"
#include "ddx/io/folder.h"
#include "ddx/io/safetensors.h"
#include "ddx/train/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::train::detail {
namespace {

constexpr std::string_view prefix = "step-";
constexpr std::string_view suffix = ".safetensors";
constexpr std::size_t digits = 12;
constexpr std::string_view best_name = "best";
constexpr const char* best_remark = "best_value";

/// The number between the two, or nothing where the name is another.
std::optional<std::int64_t> step_of(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
      name.size() < prefix.size() + digits + suffix.size()) {
    return std::nullopt;
  }
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  return data::detail::parse_number<std::int64_t>(name);
}

void check_not_negative(const char* name, std::int64_t number) {
  if (number < 0) {
    throw UsageError("keep_checkpoints", std::string(name) + " is " + std::to_string(number));
  }
}

}  // namespace

std::map<std::int64_t, std::filesystem::path> checkpoints_in(const std::filesystem::path& folder) {
  std::map<std::int64_t, std::filesystem::path> found;
  if (!file_exists(folder, "keep_checkpoints")) {
    return found;
  }
  std::error_code error;
  for (auto& entry : entries_of(folder, error)) {
    if (const auto step = step_of(entry.filename().string())) {
      found.emplace(*step, std::move(entry));
    }
  }
  if (error) {
    throw EnvironmentError("keep_checkpoints",
                           "cannot read folder " + folder.string() + ": " + error.message());
  }
  return found;
}

CheckpointFolder::CheckpointFolder(std::filesystem::path folder, std::int64_t keep,
                                   std::int64_t every_steps)
    : folder_(std::move(folder)), keep_(keep) {
  check_not_negative("keep", keep);
  check_not_negative("every_steps", every_steps);
  io::prepare_folder(folder_, "keep_checkpoints");
}

std::filesystem::path CheckpointFolder::file_of(std::int64_t step) const {
  std::string number = std::to_string(step);
  number.insert(0, digits - std::min(digits, number.size()), '0');
  return folder_ / (std::string(prefix) + number + std::string(suffix));
}

std::filesystem::path CheckpointFolder::best_file() const {
  return folder_ / (std::string(best_name) + std::string(suffix));
}

void CheckpointFolder::remove_old(std::int64_t step) const {
  if (keep_ == 0) {
    return;
  }
  const auto all = checkpoints_in(folder_);
  auto newest = std::make_reverse_iterator(all.upper_bound(step));
  for (std::int64_t kept = 0; kept < keep_ && newest != all.rend(); ++kept) {
    ++newest;
  }
  for (; newest != all.rend(); ++newest) {
    std::error_code error;
    std::filesystem::remove(newest->second, error);
    if (error) {
      throw EnvironmentError("keep_checkpoints",
                             "cannot remove " + newest->second.string() + ": " + error.message());
    }
  }
}

std::optional<double> CheckpointFolder::best_value() const {
  const auto file = best_file();
  if (!file_exists(file, "keep_checkpoints")) {
    return std::nullopt;
  }
  const auto remarks = io::read_safetensors(file).metadata;
  const auto found = remarks.find(best_remark);
  if (found != remarks.end()) {
    if (const auto value = data::detail::parse_number<double>(found->second)) {
      return value;
    }
  }
  throw EnvironmentError("keep_checkpoints",
                         file.string() + " does not tell its " + std::string(best_remark));
}

Remarks CheckpointFolder::with_best(Remarks remarks, double value) {
  char text[32];
  remarks[best_remark] = std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  return remarks;
}

}  // namespace ddx::train::detail
