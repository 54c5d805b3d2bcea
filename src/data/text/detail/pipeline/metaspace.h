/// \file
/// Spaces as visible characters.

#pragma once

#include "data/text/detail/pipeline/settings.h"

#include <cstdint>
#include <string>

namespace ddx::data::detail {

/// The settings of a Metaspace, as pre-tokenizer and as decoder.
struct Metaspace {
  /// Before which pieces the replacement is put, if they do not begin with it.
  enum class Prepend : std::uint8_t { Always, First, Never };

  std::string replacement;  ///< What a space becomes: one character.
  Prepend prepend = Prepend::Always;
  bool splits = true;  ///< Whether a piece begins at each replacement.
};

/// The settings; `add_prefix_space` of old files means Always or Never.
[[nodiscard]] Metaspace read_metaspace(const Settings& settings);

}  // namespace ddx::data::detail
