#include "models/pretrained/detail/name_patterns.h"

#include "ddx/core/error.h"
#include "ddx/models/pretrained/name_rules.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::models::detail {
namespace {

constexpr std::string_view component = "{}";
constexpr std::string_view anything = "{*}";

bool match(std::string_view pattern, std::string_view name, std::vector<std::string>& texts) {
  while (!pattern.empty()) {
    const bool is_component = pattern.starts_with(component);
    if (is_component || pattern.starts_with(anything)) {
      const std::string_view rest =
          pattern.substr(is_component ? component.size() : anything.size());
      for (std::size_t length = 1; length <= name.size(); ++length) {
        if (is_component && name[length - 1] == '.') {
          return false;
        }
        texts.emplace_back(name.substr(0, length));
        if (match(rest, name.substr(length), texts)) {
          return true;
        }
        texts.pop_back();
      }
      return false;
    }
    if (name.empty() || pattern.front() != name.front()) {
      return false;
    }
    pattern.remove_prefix(1);
    name.remove_prefix(1);
  }
  return name.empty();
}

}  // namespace

std::optional<std::vector<std::string>> matched(std::string_view pattern, std::string_view name) {
  std::vector<std::string> texts;
  return match(pattern, name, texts) ? std::optional(std::move(texts)) : std::nullopt;
}

std::string filled(const std::string& pattern, const std::vector<std::string>& texts) {
  std::string result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size();) {
    const std::string_view rest = std::string_view(pattern).substr(i);
    const std::size_t length = rest.starts_with(component)  ? component.size()
                               : rest.starts_with(anything) ? anything.size()
                                                            : 0;
    if (length == 0) {
      result += pattern[i++];
      continue;
    }
    if (next == texts.size()) {
      throw UsageError("NameRules", "\"" + pattern + "\" has more wildcards than its path");
    }
    result += texts[next++];
    i += length;
  }
  return result;
}

std::string canonical(std::string_view name, const NameRules& names) {
  const auto strip = [&] {
    return std::ranges::any_of(names.prefixes, [&](const std::string& prefix) {
      const bool has_it = !prefix.empty() && name.starts_with(prefix);
      name.remove_prefix(has_it ? prefix.size() : 0);
      return has_it;
    });
  };
  while (strip()) {
  }
  for (const auto& [before, now] : names.renamed) {
    if (name.ends_with(before)) {
      return std::string(name.substr(0, name.size() - before.size())) + now;
    }
  }
  return std::string(name);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace ddx::models::detail
