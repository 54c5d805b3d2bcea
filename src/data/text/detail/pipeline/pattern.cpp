#include "data/text/detail/pipeline/pattern.h"

#include "ddx/core/error.h"
#include "ddx/data/text/tokenizer.h"
#include "ddx/data/text/utf8.h"

#include "data/text/detail/pipeline/pattern_syntax.h"
#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/quoted.h"
#include "io/detail/refusal.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace ddx::data::detail {
namespace {

constexpr std::uint32_t most_steps = 10'000'000;
constexpr std::uint32_t most_kibibytes = 64 << 10;
constexpr std::size_t longest_expression = 1 << 16;

struct Free {
  void operator()(pcre2_code* code) const noexcept { pcre2_code_free(code); }
  void operator()(pcre2_compile_context* context) const noexcept {
    pcre2_compile_context_free(context);
  }
  void operator()(pcre2_match_context* context) const noexcept {
    pcre2_match_context_free(context);
  }
  void operator()(pcre2_match_data* data) const noexcept { pcre2_match_data_free(data); }
};

template <class Made>
std::unique_ptr<Made, Free> owned(Made* made) {
  if (made == nullptr) {
    throw std::bad_alloc();
  }
  return std::unique_ptr<Made, Free>(made);
}

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

const PCRE2_UCHAR* units(std::string_view text) noexcept {
  // An empty view may have no address.
  return reinterpret_cast<const PCRE2_UCHAR*>(text.empty() ? "" : text.data());
}

/// A compiled expression, for any thread.
class CompiledPattern {
 public:
  CompiledPattern(const std::string& expression, const io::detail::Refusal& refuse)
      : expression_(expression), limits_(owned(pcre2_match_context_create(nullptr))) {
    const auto syntax = pcre2_syntax(expression, refuse);
    const auto context = owned(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    pcre2_set_max_pattern_length(context.get(), longest_expression);
    int code = 0;
    std::size_t offset = 0;
    code_.reset(pcre2_compile(
        units(syntax), syntax.size(),
        PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NO_AUTO_CAPTURE | PCRE2_NEVER_BACKSLASH_C,
        &code, &offset, context.get()));
    if (!code_) {
      refuse("the regular expression " + in_quotes(expression) +
             " is not understood: " + message_of(code));
    }
    // Where the machine has no compiler for it, the expression is interpreted.
    (void)pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);
    pcre2_set_match_limit(limits_.get(), most_steps);
    pcre2_set_heap_limit(limits_.get(), most_kibibytes);
  }

  void append_parts(std::string_view text, std::vector<Part>& parts) const {
    const auto data = owned(pcre2_match_data_create(1, nullptr));
    std::size_t end_of_parts = 0;
    std::optional<std::size_t> last_end;
    for (std::size_t from = 0; from <= text.size();) {
      const auto match = next(text, from, data.get());
      if (!match) {
        break;
      }
      // An empty match does not stand directly behind another match.
      if (match->begin == match->end && last_end == match->end) {
        from += from < text.size() ? utf8_character_at(text, from).bytes : 1;
        continue;
      }
      if (match->begin > end_of_parts) {
        parts.push_back({{end_of_parts, match->begin}, false});
      }
      parts.push_back({*match, true});
      end_of_parts = match->end;
      last_end = match->end;
      from = match->end;
    }
    if (end_of_parts < text.size()) {
      parts.push_back({{end_of_parts, text.size()}, false});
    }
  }

 private:
  std::optional<Span> next(std::string_view text, std::size_t from, pcre2_match_data* data) const {
    const auto run = [&](std::uint32_t options) {
      return pcre2_match(code_.get(), units(text), text.size(), from, PCRE2_NO_UTF_CHECK | options,
                         data, limits_.get());
    };
    int code = run(0);
    if (code == PCRE2_ERROR_JIT_STACKLIMIT) {
      code = run(PCRE2_NO_JIT);  // Which takes its stack from the heap.
    }
    if (code == PCRE2_ERROR_NOMATCH) {
      return std::nullopt;
    }
    if (code < 0) {
      throw EnvironmentError("Tokenizer", "the regular expression " + in_quotes(expression_) +
                                              " on a text of " + std::to_string(text.size()) +
                                              " bytes: " + message_of(code));
    }
    const auto* const borders = pcre2_get_ovector_pointer(data);
    return Span{borders[0], borders[1]};
  }

  std::string expression_;
  std::unique_ptr<pcre2_match_context, Free> limits_;
  std::unique_ptr<pcre2_code, Free> code_;
};

}  // namespace

PartFinder parts_at_pattern(const std::string& expression, const io::detail::Refusal& refuse) {
  const auto pattern = std::make_shared<const CompiledPattern>(expression, refuse);
  return [pattern](std::string_view piece, std::vector<Part>& parts) {
    pattern->append_parts(piece, parts);
  };
}

}  // namespace ddx::data::detail

namespace ddx::data {

bool has_regular_expressions() noexcept {
  return true;
}

}  // namespace ddx::data
