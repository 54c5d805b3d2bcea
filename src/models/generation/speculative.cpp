#include "ddx/models/generation/speculative.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::models::detail {
namespace {

[[noreturn]] void fail_speculation(const std::string& facts, const std::source_location& where) {
  throw UsageError("generate_speculatively", facts, where);
}

/// The first token with the largest score.
std::int32_t largest(std::span<const double> scores, const std::source_location& where) {
  std::size_t best = 0;
  for (std::size_t token = 0; token < scores.size(); ++token) {
    if (std::isnan(scores[token])) {
      fail_speculation("the score of token " + std::to_string(token) + " is NaN", where);
    }
    best = scores[token] > scores[best] ? token : best;
  }
  return static_cast<std::int32_t>(best);
}

void require_token(const std::string& name, std::int32_t token, std::int64_t vocabulary,
                   const std::source_location& where) {
  if (token < 0 || token >= vocabulary) {
    fail_speculation(
        name + " " + std::to_string(token) + " is not in [0, " + std::to_string(vocabulary) + ")",
        where);
  }
}

void require_option(const char* name, std::int64_t value, std::int64_t least,
                    const std::source_location& where) {
  if (value < least) {
    fail_speculation(std::string(name) + " is " + std::to_string(value) + ", at least " +
                         std::to_string(least) + " is required",
                     where);
  }
}

}  // namespace

SpeculativeSequence::SpeculativeSequence(std::span<const std::int32_t> beginning,
                                         const SpeculativeOptions& options, const Facts& model,
                                         const Facts& draft, std::source_location where)
    : options_(options),
      vocabulary_(static_cast<std::size_t>(model.vocabulary)),
      where_(where),
      tokens_(beginning.begin(), beginning.end()),
      ended_(options.count == 0) {
  check(beginning, model, draft);
}

void SpeculativeSequence::check(std::span<const std::int32_t> beginning, const Facts& model,
                                const Facts& draft) const {
  require_option("count", options_.count, 0, where_);
  require_option("proposals", options_.proposals, 1, where_);
  if (model.vocabulary != draft.vocabulary) {
    fail_speculation("the vocabulary of the model has " + std::to_string(model.vocabulary) +
                         " tokens, that of the draft " + std::to_string(draft.vocabulary),
                     where_);
  }
  if (beginning.empty()) {
    fail_speculation("the beginning has no tokens", where_);
  }
  for (const std::int32_t token : beginning) {
    require_token("token", token, model.vocabulary, where_);
  }
  for (const std::int32_t token : options_.end_tokens) {
    require_token("end token", token, model.vocabulary, where_);
  }
  // The last token is seen by neither.
  const auto length = std::ssize(beginning);
  for (const std::int64_t context : {model.context, draft.context}) {
    if (context >= 0 && options_.count > 0 && options_.count - 1 > context - length) {
      fail_speculation("the beginning has " + std::to_string(length) + " tokens; with " +
                           std::to_string(options_.count) +
                           " more it does not fit in a context of " + std::to_string(context),
                       where_);
    }
  }
}

std::int64_t SpeculativeSequence::room() const noexcept {
  // Arrays that are full are doubled: an end token may come long before `count`.
  constexpr std::int64_t most_ahead = 1024;
  return places() + std::min(options_.count, most_ahead);
}

std::int64_t SpeculativeSequence::wanted() const noexcept {
  return std::min(options_.proposals, options_.count - std::ssize(made_.tokens) - 1);
}

Tensor<std::int32_t> SpeculativeSequence::from(std::int64_t place, Device device) const {
  std::vector<std::int32_t> fresh(tokens_.begin() + std::min(place, places()), tokens_.end());
  fresh.insert(fresh.end(), proposals_.begin() + std::max<std::int64_t>(place - places(), 0),
               proposals_.end());
  return {{1, std::ssize(fresh)}, fresh, device};
}

void SpeculativeSequence::propose(std::span<const double> scores) {
  proposals_.push_back(largest(scores, where_));
  ++made_.proposed;
}

void SpeculativeSequence::accept(std::span<const double> scores) {
  ++made_.steps;
  for (std::size_t i = 0; i <= proposals_.size() && !ended_; ++i) {
    const auto token = largest(scores.subspan(i * vocabulary_, vocabulary_), where_);
    append(token);
    if (i == proposals_.size() || token != proposals_[i]) {
      break;
    }
    ++made_.accepted;
  }
  proposals_.clear();
}

void SpeculativeSequence::append(std::int32_t token) {
  tokens_.push_back(token);
  made_.tokens.push_back(token);
  ended_ = std::ssize(made_.tokens) >= options_.count ||
           std::ranges::find(options_.end_tokens, token) != options_.end_tokens.end();
}

}  // namespace ddx::models::detail
