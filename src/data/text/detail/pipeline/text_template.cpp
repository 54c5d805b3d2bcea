#include "data/text/detail/pipeline/text_template.h"

#include "data/text/detail/pipeline/settings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// The special token of a key: [TOKEN, ID].
TemplatePart special_of_key(const Settings& settings, std::string_view key, std::int32_t segment) {
  const auto* const pair = settings.at(key).list();
  const auto id = pair != nullptr && pair->size() == 2 ? (*pair)[1].integer() : std::nullopt;
  if (!id || *id < 0 || *id > std::numeric_limits<std::int32_t>::max()) {
    settings.fail_kind(key, "a token and its id");
  }
  return {.text = {}, .segment = segment, .special = {static_cast<std::int32_t>(*id)}};
}

TextTemplate bert_template(const Settings& settings) {
  const auto first = special_of_key(settings, "cls", 0);
  const auto end = special_of_key(settings, "sep", 0);
  return {
      .single = {first, {.text = 0}, end},
      .pair = {
          first, {.text = 0}, end, {.text = 1, .segment = 1}, special_of_key(settings, "sep", 1)}};
}

TextTemplate roberta_template(const Settings& settings) {
  const auto first = special_of_key(settings, "cls", 0);
  const auto end = special_of_key(settings, "sep", 0);
  return {.single = {first, {.text = 0}, end},
          .pair = {first, {.text = 0}, end, end, {.text = 1}, end}};
}

/// The ids of a special token, which the file lists apart.
std::vector<std::int32_t> ids_of(const Settings& settings, const std::string& token) {
  const auto entry = settings.object("special_tokens").object(token);
  const auto* const list = entry.at("ids").list();
  std::vector<std::int32_t> ids;
  if (list == nullptr) {
    entry.fail_kind("ids", "a list of ids");
  }
  for (const auto& value : *list) {
    const auto id = value.integer();
    if (!id || *id < 0 || *id > std::numeric_limits<std::int32_t>::max()) {
      entry.fail_kind("ids", "a list of ids");
    }
    ids.push_back(static_cast<std::int32_t>(*id));
  }
  return ids;
}

/// The parts of a template, in which each text stands once at most.
std::vector<TemplatePart> parts_of(const Settings& settings, std::string_view key) {
  constexpr std::size_t most_added = 1000;
  std::size_t added = 0;
  std::vector<TemplatePart> parts;
  for (const auto& piece : settings.objects(key)) {
    const bool is_text = piece.find("Sequence") != nullptr;
    const auto part = piece.object(is_text ? "Sequence" : "SpecialToken");
    TemplatePart made{.text = {}, .segment = part.integer("type_id", 0)};
    const auto name = part.text("id");
    if (!is_text) {
      made.special = ids_of(settings, name);
      added += made.special.size();
      if (added > most_added) {
        part.fail("id", "a template of more than " + std::to_string(most_added) +
                            " special tokens is not supported");
      }
    } else if (name == "A" || name == "B") {
      made.text = name == "A" ? 0 : 1;
      if (std::any_of(parts.begin(), parts.end(),
                      [&](const TemplatePart& other) { return other.text == made.text; })) {
        part.fail("id", name + " a second time is not supported");
      }
    } else {
      part.fail_unsupported("id");
    }
    parts.push_back(std::move(made));
  }
  return parts;
}

TextTemplate sequence_template(const Settings& settings) {
  TextTemplate chosen;
  bool is_chosen = false;
  for (const auto& processor : settings.objects("processors")) {
    if (processor.text("type") == "ByteLevel") {
      continue;
    }
    if (is_chosen) {
      processor.fail("type", processor.text("type") + " behind another one is not supported");
    }
    chosen = read_text_template(processor);
    is_chosen = true;
  }
  return chosen;
}

}  // namespace

TextTemplate read_text_template(const Settings& settings) {
  const auto type = settings.text("type");
  if (type == "TemplateProcessing") {
    return {.single = parts_of(settings, "single"), .pair = parts_of(settings, "pair")};
  }
  if (type == "BertProcessing") {
    return bert_template(settings);
  }
  if (type == "RobertaProcessing") {
    return roberta_template(settings);
  }
  if (type == "ByteLevel") {
    return {};
  }
  if (type == "Sequence") {
    return sequence_template(settings);
  }
  settings.fail_unsupported("type");
}

}  // namespace ddx::data::detail
