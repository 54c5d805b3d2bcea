#include "data/text/detail/gguf_words.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {
namespace {

const std::vector<GgufWords>& all_words() {
  // Source: the files tokenizer.json of these models; llama.cpp, src/llama-vocab.cpp, has which
  // model has which name.
  static const std::vector<GgufWords> all{
      {.names = {"gpt-2", "phi-2", "olmo", "mpt"}, .patterns = {}},
      {.names = {"smollm", "starcoder", "refact", "command-r"},
       .patterns = {},
       .splits_digits = true},
      {.names = {"llama-bpe", "llama3", "llama-v3"},
       .patterns = {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
                    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
       .ignores_merges = true,
       .begins_texts = true},
      {.names = {"qwen2", "deepseek-r1-qwen"},
       .patterns = {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
                    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
       .composes = true},
      {.names = {"gpt-4o", "llama4"},
       .patterns = {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*)"
                    R"([\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
                    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+)"
                    R"([\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|)"
                    R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
      {.names = {"tekken"},
       .patterns = {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*)"
                    R"([\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?)"
                    R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}|)"
                    R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
       .ignores_merges = true,
       .begins_texts = true},
      {.names = {"deepseek-v3"},
       .patterns = {R"(\p{N}{1,3})", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
                    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|)"
                    R"([^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|)"
                    R"(\s*[\r\n]+|\s+(?!\S)|\s+)"}}};
  return all;
}

}  // namespace

const GgufWords* gguf_words(std::string_view name) {
  for (const GgufWords& words : all_words()) {
    if (std::ranges::find(words.names, name) != words.names.end()) {
      return &words;
    }
  }
  return nullptr;
}

std::string gguf_word_names() {
  std::string result;
  for (const GgufWords& words : all_words()) {
    for (const std::string_view name : words.names) {
      result += (result.empty() ? "" : ", ") + std::string(name);
    }
  }
  return result;
}

}  // namespace ddx::data::detail
