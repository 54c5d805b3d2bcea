/// \file
/// How a tokenizer.json splits a text into words.

#pragma once

#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/pipeline/settings.h"

namespace ddx::data::detail {

/// The pre-tokenizer that these settings describe: Sequence, Split, ByteLevel, Metaspace, Digits,
/// Whitespace, WhitespaceSplit, Punctuation, BertPreTokenizer. Refuses any other.
[[nodiscard]] PreTokenizer read_pre_tokenizer(const Settings& settings);

}  // namespace ddx::data::detail
