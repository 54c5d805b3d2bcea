/// \file
/// The normalisation of a tokenizer.json.

#pragma once

#include "data/text/detail/pipeline/settings.h"

#include <functional>
#include <string>

namespace ddx::data::detail {

/// Changes a text. Empty: leaves it.
using Normalizer = std::function<void(std::string& text)>;

/// The normaliser that these settings describe: Sequence, NFC, NFD, NFKC, NFKD, Lowercase,
/// StripAccents, Strip, Replace, Prepend, BertNormalizer, Nmt, Precompiled, ByteLevel. Refuses any
/// other.
[[nodiscard]] Normalizer read_normalizer(const Settings& settings);

}  // namespace ddx::data::detail
