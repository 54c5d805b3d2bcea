#include "data/text/detail/gguf_tokenizer.h"

#include "ddx/core/error.h"
#include "ddx/io/gguf_view.h"

#include "data/text/detail/gguf_words.h"
#include "io/detail/json_value.h"
#include "io/detail/refusal.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::data::detail {
namespace {

using io::detail::json_quoted;
using io::detail::JsonList;
using io::detail::JsonObject;
using io::detail::JsonValue;

constexpr const char* space_mark = "\xE2\x96\x81";  // U+2581

/// Kinds of tokens, with their numbers in the file.
enum class TokenKind : std::int64_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

JsonValue text_value(std::string_view text) {
  return JsonValue(std::string(text));
}

JsonValue object_of(std::initializer_list<std::pair<const char*, JsonValue*>> fields) {
  JsonObject object;
  for (const auto& [key, value] : fields) {
    object.emplace(key, std::move(*value));
  }
  return JsonValue(std::move(object));
}

/// An object with a type, and one more field or none.
JsonValue typed(std::string_view type) {
  JsonObject object;
  object.emplace("type", text_value(type));
  return JsonValue(std::move(object));
}
JsonValue with(JsonValue object, const char* key, JsonValue value) {
  object.object()->emplace(key, std::move(value));
  return object;
}

/// A Sequence of parts under this name.
JsonValue sequence(const char* name, JsonList parts) {
  return with(typed("Sequence"), name, JsonValue(std::move(parts)));
}

/// A pattern that is a text or a regular expression.
JsonValue pattern(const char* kind, std::string_view text) {
  auto value = text_value(text);
  return object_of({{kind, &value}});
}

class GgufTokenizer {
 public:
  GgufTokenizer(const io::GgufView& file, const io::detail::Refusal& refuse)
      : file_(file), refuse_(refuse) {}

  JsonValue read() {
    const std::string model = text("tokenizer.ggml.model");
    if (model != "gpt2" && model != "llama") {
      fail("tokenizer.ggml.model is " + json_quoted(model) + ", supported: gpt2, llama");
    }
    read_tokens();
    JsonObject root;
    root.emplace("added_tokens", added_tokens());
    if (model == "gpt2") {
      set_byte_pairs(root);
    } else {
      set_sentence_pieces(root);
    }
    return JsonValue(std::move(root));
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    refuse_(facts);
    throw InternalError("read_tokenizer", "a refusal returned");
  }

  [[nodiscard]] const io::GgufValue* find(const std::string& key) const {
    const auto found = file_.metadata().find(key);
    return found == file_.metadata().end() ? nullptr : &found->second;
  }

  /// The value of a key that is of this kind.
  template <class Value>
  const Value& at(const std::string& key, const char* kind) const {
    const auto* const found = find(key);
    if (found == nullptr) {
      fail("has no " + key + ", " + kind + " is expected");
    }
    const auto* const value = std::get_if<Value>(&found->value);
    if (value == nullptr) {
      fail(key + " is not " + kind);
    }
    return *value;
  }

  [[nodiscard]] std::string text(const std::string& key) const {
    return at<std::string>(key, "a text");
  }

  [[nodiscard]] bool boolean(const std::string& key, bool otherwise) const {
    return find(key) == nullptr ? otherwise : at<bool>(key, "true or false");
  }

  /// The elements of a list, all of one kind.
  template <class Element>
  std::vector<Element> elements(const std::string& key, const char* kind) const {
    std::vector<Element> result;
    for (const auto& value : at<std::vector<io::GgufValue>>(key, "a list")) {
      const auto* const element = std::get_if<Element>(&value.value);
      if (element == nullptr) {
        fail(key + "[" + std::to_string(result.size()) + "] is not " + kind);
      }
      result.push_back(*element);
    }
    return result;
  }

  void read_tokens() {
    constexpr const char* types = "tokenizer.ggml.token_type";
    tokens_ = elements<std::string>("tokenizer.ggml.tokens", "a text");
    kinds_.assign(tokens_.size(), TokenKind::Normal);
    if (find(types) != nullptr) {
      const auto numbers = elements<std::int64_t>(types, "an integer");
      require_length(types, numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < 1 || numbers[i] > static_cast<std::int64_t>(TokenKind::Byte)) {
          fail(std::string(types) + "[" + std::to_string(i) + "] is " + std::to_string(numbers[i]) +
               ", supported: 1 to 6");
        }
        kinds_[i] = static_cast<TokenKind>(numbers[i]);
      }
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto [known, is_new] = ids_.emplace(tokens_[i], i);
      if (!is_new) {
        fail("token " + json_quoted(tokens_[i]) + " has the ids " + std::to_string(known->second) +
             " and " + std::to_string(i));
      }
    }
  }

  void require_length(const std::string& key, std::size_t length) const {
    if (length != tokens_.size()) {
      fail(key + " has " + std::to_string(length) + " elements, there are " +
           std::to_string(tokens_.size()) + " tokens");
    }
  }

  [[nodiscard]] JsonValue vocabulary() const {
    JsonObject result;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      result.emplace(tokens_[i], JsonValue(static_cast<std::int64_t>(i)));
    }
    return JsonValue(std::move(result));
  }

  /// Tokens that are found in a text before it is split.
  [[nodiscard]] JsonValue added_tokens() const {
    JsonList result;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool is_special = kinds_[i] == TokenKind::Control || kinds_[i] == TokenKind::Unknown;
      if ((!is_special && kinds_[i] != TokenKind::UserDefined) || tokens_[i].empty()) {
        continue;
      }
      JsonObject token;
      token.emplace("id", JsonValue(static_cast<std::int64_t>(i)));
      token.emplace("content", text_value(tokens_[i]));
      for (const char* const key : {"single_word", "lstrip", "rstrip", "normalized"}) {
        token.emplace(key, JsonValue(false));
      }
      token.emplace("special", JsonValue(is_special));
      result.push_back(JsonValue(std::move(token)));
    }
    return JsonValue(std::move(result));
  }

  /// The token of a key.
  [[nodiscard]] std::size_t token_id(const std::string& key) const {
    const auto id = at<std::int64_t>(key, "an integer");
    if (id < 0 || std::cmp_greater_equal(id, tokens_.size())) {
      fail(key + " is " + std::to_string(id) + ", there are " + std::to_string(tokens_.size()) +
           " tokens");
    }
    return static_cast<std::size_t>(id);
  }

  /// Puts tokens around each text.
  void set_template(JsonObject& root, bool begins_texts) const {
    const bool begins = boolean("tokenizer.ggml.add_bos_token", begins_texts);
    const bool ends = boolean("tokenizer.ggml.add_eos_token", false);
    if (!begins && !ends) {
      return;
    }
    JsonObject special;
    const auto part = [&](const char* kind, std::string_view id, std::int64_t segment) {
      JsonObject fields;
      fields.emplace("id", text_value(id));
      fields.emplace("type_id", JsonValue(segment));
      JsonValue object(std::move(fields));
      return object_of({{kind, &object}});
    };
    const auto append = [&](JsonList& parts, const char* text, std::int64_t segment) {
      const auto add = [&](bool is_wanted, const char* key) {
        if (!is_wanted) {
          return;
        }
        const std::size_t id = token_id(key);
        JsonList ids;
        ids.push_back(JsonValue(static_cast<std::int64_t>(id)));
        JsonList names;
        names.push_back(text_value(tokens_[id]));
        JsonObject fields;
        fields.emplace("id", text_value(tokens_[id]));
        fields.emplace("ids", JsonValue(std::move(ids)));
        fields.emplace("tokens", JsonValue(std::move(names)));
        special.emplace(tokens_[id], JsonValue(std::move(fields)));
        parts.push_back(part("SpecialToken", tokens_[id], segment));
      };
      add(begins, "tokenizer.ggml.bos_token_id");
      parts.push_back(part("Sequence", text, segment));
      add(ends, "tokenizer.ggml.eos_token_id");
    };
    JsonList single;
    append(single, "A", 0);
    JsonList pair;
    append(pair, "A", 0);
    append(pair, "B", 1);
    auto processor = with(typed("TemplateProcessing"), "single", JsonValue(std::move(single)));
    processor = with(std::move(processor), "pair", JsonValue(std::move(pair)));
    root.emplace("post_processor",
                 with(std::move(processor), "special_tokens", JsonValue(std::move(special))));
  }

  void set_byte_pairs(JsonObject& root) const {
    const std::string name = text("tokenizer.ggml.pre");
    const GgufWords* const words = gguf_words(name);
    if (words == nullptr) {
      fail("tokenizer.ggml.pre is " + json_quoted(name) + ", supported: " + gguf_word_names());
    }
    if (boolean("tokenizer.ggml.add_space_prefix", false)) {
      fail("tokenizer.ggml.add_space_prefix is true, supported for gpt2: false");
    }
    JsonList merges;
    for (auto& merge : elements<std::string>("tokenizer.ggml.merges", "a text")) {
      merges.push_back(JsonValue(std::move(merge)));
    }
    auto model = with(typed("BPE"), "vocab", vocabulary());
    model = with(std::move(model), "merges", JsonValue(std::move(merges)));
    root.emplace("model",
                 with(std::move(model), "ignore_merges", JsonValue(words->ignores_merges)));
    JsonList steps;
    if (words->splits_digits) {
      steps.push_back(with(typed("Digits"), "individual_digits", JsonValue(true)));
    }
    for (const std::string_view each : words->patterns) {
      auto split = with(typed("Split"), "pattern", pattern("Regex", each));
      split = with(std::move(split), "behavior", text_value("Isolated"));
      steps.push_back(with(std::move(split), "invert", JsonValue(false)));
    }
    auto bytes = with(typed("ByteLevel"), "add_prefix_space", JsonValue(false));
    steps.push_back(with(std::move(bytes), "use_regex", JsonValue(words->patterns.empty())));
    root.emplace("pre_tokenizer", sequence("pretokenizers", std::move(steps)));
    root.emplace("decoder", typed("ByteLevel"));
    if (words->composes) {
      root.emplace("normalizer", typed("NFC"));
    }
    set_template(root, words->begins_texts);
  }

  void set_sentence_pieces(JsonObject& root) const {
    auto model = with(typed("BPE"), "vocab", vocabulary());
    model = with(std::move(model), "merges", merges_by_score());
    const auto unknown = std::ranges::find(kinds_, TokenKind::Unknown);
    if (unknown != kinds_.end()) {
      const auto& token = tokens_[static_cast<std::size_t>(unknown - kinds_.begin())];
      model = with(std::move(model), "unk_token", text_value(token));
    }
    model = with(std::move(model), "fuse_unk", JsonValue(true));
    root.emplace("model", with(std::move(model), "byte_fallback", JsonValue(true)));
    const bool has_prefix = boolean("tokenizer.ggml.add_space_prefix", true);
    JsonList before;
    JsonList after;
    if (has_prefix) {
      before.push_back(with(typed("Prepend"), "prepend", text_value(space_mark)));
    }
    auto marks = with(typed("Replace"), "pattern", pattern("String", " "));
    before.push_back(with(std::move(marks), "content", text_value(space_mark)));
    auto spaces = with(typed("Replace"), "pattern", pattern("String", space_mark));
    after.push_back(with(std::move(spaces), "content", text_value(" ")));
    after.push_back(typed("ByteFallback"));
    after.push_back(typed("Fuse"));
    if (has_prefix) {
      auto strip = with(typed("Strip"), "content", text_value(" "));
      strip = with(std::move(strip), "start", JsonValue(std::int64_t{1}));
      after.push_back(with(std::move(strip), "stop", JsonValue(std::int64_t{0})));
    }
    root.emplace("normalizer", sequence("normalizers", std::move(before)));
    root.emplace("decoder", sequence("decoders", std::move(after)));
    set_template(root, true);
  }

  /// The id of a token that merges make or take; none of others.
  [[nodiscard]] std::int64_t mergeable(std::string_view text) const {
    const auto found = ids_.find(text);
    return found != ids_.end() && kinds_[found->second] == TokenKind::Normal
               ? static_cast<std::int64_t>(found->second)
               : -1;
  }

  /// All pairs of tokens that make a token, those of the best tokens first.
  [[nodiscard]] JsonValue merges_by_score() const {
    constexpr const char* key = "tokenizer.ggml.scores";
    const auto scores = elements<double>(key, "a number with a fraction");
    require_length(key, scores.size());
    constexpr std::size_t longest = 1024;  // Bytes of a token. Each place of it is tried.
    std::vector<std::tuple<double, std::size_t, std::size_t>> merges;  // Score, token, left bytes.
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view token = tokens_[i];
      if (std::isnan(scores[i])) {
        fail(std::string(key) + "[" + std::to_string(i) + "] is NaN");
      }
      if (kinds_[i] != TokenKind::Normal) {
        continue;
      }
      if (token.size() > longest) {
        fail("token " + std::to_string(i) + " has " + std::to_string(token.size()) +
             " bytes, at most " + std::to_string(longest) + " are supported");
      }
      for (std::size_t left = 1; left < token.size(); ++left) {
        if (mergeable(token.substr(0, left)) >= 0 && mergeable(token.substr(left)) >= 0) {
          merges.emplace_back(-scores[i], i, left);
        }
      }
    }
    std::ranges::sort(merges);
    JsonList result;
    result.reserve(merges.size());
    for (const auto& [score, token, left] : merges) {
      JsonList pair;
      pair.reserve(2);
      pair.push_back(JsonValue(tokens_[token].substr(0, left)));
      pair.push_back(JsonValue(tokens_[token].substr(left)));
      result.push_back(JsonValue(std::move(pair)));
    }
    return JsonValue(std::move(result));
  }

  const io::GgufView& file_;
  const io::detail::Refusal& refuse_;
  std::vector<std::string> tokens_;
  std::vector<TokenKind> kinds_;
  std::unordered_map<std::string_view, std::size_t> ids_;  // Of tokens_.
};

}  // namespace

JsonValue gguf_tokenizer(const io::GgufView& file, const io::detail::Refusal& refuse) {
  return GgufTokenizer(file, refuse).read();
}

}  // namespace ddx::data::detail
