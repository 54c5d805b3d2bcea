#include "data/text/detail/pipeline/pieces.h"

#include "ddx/data/text/utf8.h"

#include "data/text/detail/pipeline/growth.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// Joins the parts by the behaviour; what is a match afterwards is removed.
void join_forward(std::vector<Part>& parts, SplitBehavior behavior) {
  std::size_t kept = 0;
  bool was_match = false;
  for (const auto& part : parts) {
    const bool is_joined = behavior == SplitBehavior::Contiguous ? part.is_match == was_match
                                                                 : part.is_match && !was_match;
    was_match = part.is_match;
    if (is_joined && kept > 0) {
      parts[kept - 1].span.end = part.span.end;
    } else {
      parts[kept++] = {part.span, false};
    }
  }
  parts.resize(kept);
}

void join_backward(std::vector<Part>& parts) {
  std::vector<Part> joined;
  bool was_match = false;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->is_match && !was_match && !joined.empty()) {
      joined.back().span.begin = part->span.begin;
    } else {
      joined.push_back({part->span, false});
    }
    was_match = part->is_match;
  }
  std::reverse(joined.begin(), joined.end());
  parts = std::move(joined);
}

void apply(std::vector<Part>& parts, SplitBehavior behavior) {
  switch (behavior) {
    case SplitBehavior::Removed:
      return;
    case SplitBehavior::Isolated:
      for (auto& part : parts) {
        part.is_match = false;
      }
      return;
    case SplitBehavior::MergedWithPrevious:
    case SplitBehavior::Contiguous:
      return join_forward(parts, behavior);
    case SplitBehavior::MergedWithNext:
      return join_backward(parts);
  }
}

/// Calls `visit` with each character and the bytes that it takes.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto character = utf8_character_at(text, begin);
    const Span span{begin, begin + character.bytes};
    visit(character.code_point, span);
    begin = span.end;
  }
}

}  // namespace

void split_pieces(Pieces& pieces, const PartFinder& find, SplitBehavior behavior,
                  bool is_inverted) {
  std::vector<Span> spans;
  spans.reserve(pieces.spans.size());
  std::vector<Part> parts;
  for (const auto& span : pieces.spans) {
    parts.clear();
    find(pieces.piece(span), parts);
    if (is_inverted) {
      for (auto& part : parts) {
        part.is_match = !part.is_match;
      }
    }
    apply(parts, behavior);
    for (const auto& part : parts) {
      if (!part.is_match && part.span.begin != part.span.end) {
        spans.push_back({span.begin + part.span.begin, span.begin + part.span.end});
      }
    }
  }
  pieces.spans = std::move(spans);
}

void rewrite_pieces(Pieces& pieces,
                    const std::function<void(std::string_view, bool, std::string&)>& rewrite) {
  std::string text;
  text.reserve(pieces.text.size() * 2);
  std::vector<Span> spans;
  spans.reserve(pieces.spans.size());
  const bool begins_text =
      pieces.begins_text && !pieces.spans.empty() && pieces.spans[0].begin == 0;
  for (const auto& span : pieces.spans) {
    const std::size_t begin = text.size();
    rewrite(pieces.piece(span), begins_text && span.begin == 0, text);
    if (text.size() > begin) {
      spans.push_back({begin, text.size()});
    }
  }
  pieces = {.text = std::move(text), .spans = std::move(spans), .begins_text = begins_text};
}

std::string replaced(std::string_view text, const PartFinder& find, std::string_view content) {
  std::vector<Part> parts;
  find(text, parts);
  std::string result;
  for (const auto& [span, is_match] : parts) {
    result += is_match ? content : text.substr(span.begin, span.end - span.begin);
    check_growth(text.size(), result.size());
  }
  return result;
}

PartFinder parts_at_characters(std::function<bool(char32_t)> is_match) {
  return [is_match = std::move(is_match)](std::string_view piece, std::vector<Part>& parts) {
    for_each_character(piece, [&](char32_t point, const Span& span) {
      if (is_match(point)) {
        parts.push_back({span, true});
      } else if (parts.empty() || parts.back().is_match) {
        parts.push_back({span, false});
      } else {
        parts.back().span.end = span.end;
      }
    });
  };
}

PartFinder parts_of_kinds(std::function<int(char32_t)> kind_of) {
  return [kind_of = std::move(kind_of)](std::string_view piece, std::vector<Part>& parts) {
    int last = -1;
    for_each_character(piece, [&](char32_t point, const Span& span) {
      const int kind = kind_of(point);
      if (kind == last) {
        parts.back().span.end = span.end;
      } else {
        parts.push_back({span, kind != 0});
      }
      last = kind;
    });
  };
}

PartFinder parts_at_text(std::string wanted) {
  return [wanted = std::move(wanted)](std::string_view piece, std::vector<Part>& parts) {
    std::size_t begin = 0;
    for (auto found = piece.find(wanted); found != std::string_view::npos;
         found = piece.find(wanted, begin)) {
      if (found > begin) {
        parts.push_back({{begin, found}, false});
      }
      begin = found + wanted.size();
      parts.push_back({{found, begin}, true});
    }
    if (begin < piece.size()) {
      parts.push_back({{begin, piece.size()}, false});
    }
  };
}

}  // namespace ddx::data::detail
