/// \file
/// What a tokenizer.json puts around texts.

#pragma once

#include "data/text/detail/pipeline/settings.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::data::detail {

/// A part of an encoded text: a text, or special tokens.
struct TemplatePart {
  /// Which text: 0 or 1; none for special tokens.
  std::optional<int> text;
  std::int32_t segment = 0;
  std::vector<std::int32_t> special = {};
};

/// The parts of one text, and of a pair of texts.
struct TextTemplate {
  std::vector<TemplatePart> single = {{.text = 0, .segment = 0}};
  std::vector<TemplatePart> pair = {{.text = 0, .segment = 0}, {.text = 1, .segment = 1}};
};

/// The template of the post-processor that these settings describe: TemplateProcessing,
/// BertProcessing, RobertaProcessing, ByteLevel (which only moves offsets), or a Sequence with at
/// most one of them that adds tokens. Refuses any other.
[[nodiscard]] TextTemplate read_text_template(const Settings& settings);

}  // namespace ddx::data::detail
