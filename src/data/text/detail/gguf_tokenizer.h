/// \file
/// Tokenizers of GGUF files.

#pragma once

#include "ddx/io/gguf_view.h"

#include "io/detail/json_value.h"
#include "io/detail/refusal.h"

namespace ddx::data::detail {

/// The tokenizer in the metadata of a file, as a `tokenizer.json` describes it: of the models
/// "gpt2", pairs of bytes with a list of merges, and "llama", pairs of characters whose merges
/// follow from the scores of the tokens. Refuses other models, rules of words
/// (`tokenizer.ggml.pre`) that are not known, lists that are absent, of another length or of other
/// values, and tokens that stand twice.
///
/// Source:  llama.cpp, `src/llama-vocab.cpp`; the merges: transformers,
///          `convert_slow_tokenizer.py`, generate_merges.
[[nodiscard]] io::detail::JsonValue gguf_tokenizer(const io::GgufView& file,
                                                   const io::detail::Refusal& refuse);

}  // namespace ddx::data::detail
