/// \file
/// How a tokenizer.json makes a text of tokens.

#pragma once

#include "data/text/detail/pipeline/settings.h"

#include <functional>
#include <string>
#include <vector>

namespace ddx::data::detail {

/// Changes tokens to parts of a text; the text is what they make one after another.
using Decoder = std::function<void(std::vector<std::string>& tokens)>;

/// The decoder that these settings describe: Sequence, ByteLevel, Metaspace, WordPiece, BPEDecoder,
/// ByteFallback, Fuse, Replace, Strip. Refuses any other.
[[nodiscard]] Decoder read_decoder(const Settings& settings);

}  // namespace ddx::data::detail
