#include "ddx/data/text/vocabulary_file.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/data/text/utf8.h"
#include "ddx/data/text/vocabulary.h"

#include "data/text/detail/quoted.h"
#include "data/text/detail/text_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

using detail::in_quotes;

/// Takes the events of a JSON parser; refuses all but one object of tokens and ids.
class IdCollector {
 public:
  explicit IdCollector(const std::filesystem::path& file) : file_(file.string()) {}

  bool null() { refuse_value(); }
  bool boolean(bool) { refuse_value(); }
  bool number_integer(std::int64_t value) { fail_at_token("id " + std::to_string(value)); }
  bool number_float(double, const std::string& text) { fail_at_token("id " + text); }
  bool string(std::string&) { refuse_value(); }
  bool binary(std::vector<std::uint8_t>&) { refuse_value(); }
  bool start_array(std::size_t) { refuse_value(); }
  bool end_array() { return true; }

  bool start_object(std::size_t) {
    if (is_inside_) {
      refuse_value();
    }
    is_inside_ = true;
    return true;
  }
  bool end_object() { return true; }

  bool key(std::string& token) {
    token_ = token;
    return true;
  }

  bool number_unsigned(std::uint64_t id) {
    if (!is_inside_) {
      refuse_value();
    }
    if (!ids_.emplace(token_, id).second) {
      fail_at_token("named twice");
    }
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception&) {
    fail("byte " + std::to_string(std::max<std::size_t>(byte, 1) - 1) + ": not JSON");
  }

  /// The tokens by id.
  std::vector<std::string> tokens() && {
    std::vector<std::string> tokens(ids_.size());
    std::vector<bool> is_taken(ids_.size());
    for (const auto& [token, id] : ids_) {
      token_ = token;
      if (id >= tokens.size()) {
        fail_at_token("id " + std::to_string(id) + " among " + std::to_string(tokens.size()) +
                      " tokens");
      }
      const auto place = static_cast<std::size_t>(id);
      if (is_taken[place]) {
        fail_at_token("id " + std::to_string(id) + " is also that of " + in_quotes(tokens[place]));
      }
      is_taken[place] = true;
      tokens[place] = token;
    }
    return tokens;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError("read_vocabulary_json", file_ + ": " + facts);
  }
  [[noreturn]] void fail_at_token(const std::string& facts) const {
    fail("token " + in_quotes(token_) + ": " + facts);
  }
  [[noreturn]] void refuse_value() const {
    if (is_inside_) {
      fail_at_token("its id is not a number");
    }
    fail("not an object of tokens and ids");
  }

  std::string file_;
  std::string token_;
  bool is_inside_ = false;
  std::map<std::string, std::uint64_t> ids_;
};

void require_utf8(const std::string& token, const std::string& operation) {
  if (!is_utf8(token)) {
    throw UsageError(operation, "token " + in_quotes(token) + " is not UTF-8");
  }
}

}  // namespace

Vocabulary read_vocabulary_json(const std::filesystem::path& file) try {
  const auto text = detail::read_text(file, "read_vocabulary_json");
  IdCollector collector(file);
  nlohmann::json::sax_parse(text, &collector);
  return Vocabulary(std::move(collector).tokens());
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_vocabulary_json");
}

void write_vocabulary_json(const std::filesystem::path& file, const Vocabulary& vocabulary) try {
  std::string text = "{";
  for (const auto& token : vocabulary.tokens()) {
    require_utf8(token, "write_vocabulary_json");
    text += text.size() == 1 ? "" : ",";
    text += nlohmann::json(token).dump() + ":" + std::to_string(*vocabulary.id(token));
  }
  detail::write_text(file, text + "}", "write_vocabulary_json");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_vocabulary_json");
}

Vocabulary read_vocabulary_lines(const std::filesystem::path& file) try {
  const std::string operation = "read_vocabulary_lines";
  const auto text = detail::read_text(file, operation);
  Vocabulary vocabulary;
  std::size_t number = 0;
  for (const auto line : detail::lines_of(text)) {
    ++number;
    if (line.empty() || !is_utf8(line)) {
      detail::fail_at_line(operation, file, number,
                           line.empty() ? "the token is empty" : "the token is not UTF-8");
    }
    if (const auto other = vocabulary.id(line)) {
      detail::fail_at_line(
          operation, file, number,
          "token " + in_quotes(line) + " stands also in line " + std::to_string(*other + 1));
    }
    vocabulary.add(std::string(line));
  }
  return vocabulary;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_vocabulary_lines");
}

void write_vocabulary_lines(const std::filesystem::path& file, const Vocabulary& vocabulary) try {
  std::string text;
  for (const auto& token : vocabulary.tokens()) {
    require_utf8(token, "write_vocabulary_lines");
    if (token.empty() || token.find_first_of("\r\n") != std::string::npos) {
      throw UsageError("write_vocabulary_lines",
                       "token " + in_quotes(token) + " is empty or holds a line break");
    }
    text += token + "\n";
  }
  detail::write_text(file, text, "write_vocabulary_lines");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_vocabulary_lines");
}

}  // namespace ddx::data
