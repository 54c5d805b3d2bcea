#include "ddx/io/gguf_view.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/text/gpt2_options.h"

#include "models/pretrained/detail/gguf_settings.h"
#include "models/text/detail/gguf_extents.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ddx::models {

template <>
GPT2Options options_from<GPT2Options>(const io::GgufView& file) {
  detail::GgufSettings settings(file);
  if (settings.architecture() != "gpt2") {
    settings.refuse_architecture("gpt2");
  }
  GPT2Options options;
  options.vocabulary = detail::gguf_vocabulary(settings);
  options.context = detail::gguf_extent(settings, "context_length");
  options.blocks = detail::gguf_extent(settings, "block_count", detail::most_gguf_blocks);
  options.features = detail::gguf_extent(settings, "embedding_length");
  options.heads = detail::gguf_extent(settings, "attention.head_count");
  settings.require_integer("attention.head_count_kv", options.heads);
  options.hidden = detail::gguf_extent(settings, "feed_forward_length");
  options.epsilon = settings.real("attention.layer_norm_epsilon");
  settings.refuse_the_rest();
  return options;
}

NameRules gguf_name_rules(const GPT2Options& /*options*/) {
  NameRules names{.rules = {{"tokens.weight", {"token_embd.weight"}},
                            {"positions.weight", {"position_embd.weight"}},
                            {"norm.scale", {"output_norm.weight"}},
                            {"norm.offset", {"output_norm.bias"}}},
                  .ignored = {"output.weight"}};  // A copy of the tokens, in old files.
  const auto add = [&](const std::string& ours, const std::string& theirs, const Part& part = {}) {
    names.rules.push_back({.ours = "blocks.{}." + ours + ".weight",
                           .theirs = {"blk.{}." + theirs + ".weight"},
                           .layout = Layout::Transposed,
                           .part = part});
    names.rules.push_back({.ours = "blocks.{}." + ours + ".bias",
                           .theirs = {"blk.{}." + theirs + ".bias"},
                           .part = part});
  };
  std::int64_t index = 0;
  for (const char* const name : {"query", "key", "value"}) {
    add(std::string("attention.") + name, "attn_qkv", {.index = index++, .count = 3});
  }
  add("attention.output", "attn_output");
  add("widen", "ffn_up");
  add("narrow", "ffn_down");
  for (const auto& [ours, theirs] :
       {std::pair{"attention_norm", "attn_norm"}, std::pair{"dense_norm", "ffn_norm"}}) {
    for (const auto& [array, name] :
         {std::pair{".scale", ".weight"}, std::pair{".offset", ".bias"}}) {
      names.rules.push_back({.ours = std::string("blocks.{}.") + ours + array,
                             .theirs = {std::string("blk.{}.") + theirs + name}});
    }
  }
  return names;
}

}  // namespace ddx::models
