#include "ddx/data/text/chat_template.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/data/text/utf8.h"
#include "ddx/io/gguf_view.h"

#include "data/text/detail/chat/template_budget.h"
#include "data/text/detail/chat/template_interpreter.h"
#include "data/text/detail/chat/template_lexer.h"
#include "data/text/detail/chat/template_parser.h"
#include "data/text/detail/chat/template_syntax.h"
#include "data/text/detail/chat/template_value.h"
#include "data/text/detail/text_file.h"
#include "io/detail/bounded_json.h"
#include "io/detail/json_value.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::data {
namespace {

constexpr const char* chat_operation = "ChatTemplate";
constexpr const char* read_chat_operation = "read_chat_template";

using detail::TemplateKind;
using detail::TemplateValue;

/// The fields of an object of JSON; none for an empty text.
std::vector<std::pair<std::string, TemplateValue>> fields_of(const std::string& json,
                                                             const std::string& name,
                                                             const std::source_location& where) {
  if (json.empty()) {
    return {};
  }
  try {
    const auto value = detail::template_value_of_json(json);
    if (value.is(TemplateKind::Object)) {
      return value.object().fields;
    }
  } catch (const std::logic_error& error) {
    throw UsageError(chat_operation, name + ": " + error.what(), where);
  }
  throw UsageError(chat_operation, name + ": no object", where);
}

TemplateValue value_of_message(const ChatMessage& message, std::size_t number,
                               const std::source_location& where) {
  const std::string name = "message " + std::to_string(number);
  if (!is_utf8(message.role) || !is_utf8(message.content)) {
    throw UsageError(chat_operation, name + " is not UTF-8", where);
  }
  detail::TemplateObject object;
  object.set("role", TemplateValue(message.role));
  object.set("content", TemplateValue(message.content));
  for (auto& [key, value] : fields_of(message.members, name + ": members", where)) {
    object.set(key, std::move(value));
  }
  return TemplateValue::object(std::move(object));
}

/// A special token: a text, or an object with the text as its content.
const std::string* token_text(const io::detail::JsonValue& value) {
  if (const auto* const object = value.object()) {
    const auto content = object->find("content");
    return content == object->end() ? nullptr : content->second.text();
  }
  return value.text();
}

io::detail::JsonValue read_settings(const std::filesystem::path& file) {
  const auto bytes = read_file(file, read_chat_operation);
  return io::detail::parse_bounded_json(
      bytes, {.max_bytes = std::uint64_t{1} << 28, .option = "nothing"},
      [&](const std::string& facts) -> void {
        throw EnvironmentError(read_chat_operation, file.string() + ": " + facts);
      });
}

/// The template of `tokenizer_config.json`: a text, or several with names.
const std::string* template_of(const io::detail::JsonObject& settings) {
  const auto found = settings.find("chat_template");
  if (found == settings.end()) {
    return nullptr;
  }
  const auto* const list = found->second.list();
  if (list == nullptr) {
    return found->second.text();
  }
  for (const auto& each : *list) {
    const auto* const object = each.object();
    if (object == nullptr) {
      continue;
    }
    const auto name = object->find("name");
    const auto text = object->find("template");
    const bool has_both = name != object->end() && text != object->end();
    if (has_both && name->second.text() != nullptr && *name->second.text() == "default") {
      return text->second.text();
    }
  }
  return nullptr;
}

/// A template, its special tokens, and where it stands.
struct FoundTemplate {
  std::optional<std::string> text = {};
  std::map<std::string, std::string> tokens = {};
  std::string name;
};

[[noreturn]] void fail_gguf(const io::GgufView& file, const std::string& facts) {
  throw EnvironmentError(read_chat_operation, file.file().string() + ": " + facts);
}

/// The value of a key, or null; of another kind an error.
template <class Value>
const Value* gguf_value(const io::GgufView& file, const std::string& key, const char* kind) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) {
    return nullptr;
  }
  const auto* const value = std::get_if<Value>(&found->second.value);
  if (value == nullptr) {
    fail_gguf(file, key + " is not " + kind);
  }
  return value;
}

/// What the metadata of a GGUF file hold.
FoundTemplate template_of_gguf(const io::GgufView& file) {
  FoundTemplate found{.name = file.file().string()};
  const std::string template_key = "tokenizer.chat_template";
  if (const auto* const text = gguf_value<std::string>(file, template_key, "a text")) {
    found.text = *text;
  }
  const auto* const tokens =
      gguf_value<std::vector<io::GgufValue>>(file, "tokenizer.ggml.tokens", "a list");
  using Names = std::pair<const char*, const char*>;
  for (const auto& [name, number] :
       {Names{"bos_token", "bos"}, Names{"eos_token", "eos"}, Names{"unk_token", "unknown"},
        Names{"pad_token", "padding"}}) {
    const std::string key = std::string("tokenizer.ggml.") + number + "_token_id";
    const auto* const id = gguf_value<std::int64_t>(file, key, "an integer");
    if (id == nullptr) {
      continue;
    }
    const bool is_there = tokens != nullptr && *id >= 0 && *id < std::ssize(*tokens);
    const auto* const text =
        is_there ? std::get_if<std::string>(&(*tokens)[static_cast<std::size_t>(*id)].value)
                 : nullptr;
    if (text == nullptr) {
      fail_gguf(file, key + " is " + std::to_string(*id) + ", which is no token");
    }
    found.tokens[name] = *text;
  }
  if (!found.text) {
    fail_gguf(file, "has no " + template_key);
  }
  return found;
}

/// What the files of a folder hold.
FoundTemplate template_of_folder(const std::filesystem::path& folder) {
  const auto file = folder / "tokenizer_config.json";
  FoundTemplate result{.name = file.string()};
  std::error_code unknown;  // Then it cannot be read.
  if (std::filesystem::exists(file, unknown)) {
    const auto settings = read_settings(file);
    if (const auto* const object = settings.object()) {
      for (const auto& [key, value] : *object) {
        const std::string* const token = key.ends_with("_token") ? token_text(value) : nullptr;
        if (token != nullptr) {
          result.tokens[key] = *token;
        }
      }
      if (const std::string* const text = template_of(*object)) {
        result.text = *text;
      }
    }
  }
  if (const auto own = folder / "chat_template.jinja"; std::filesystem::exists(own, unknown)) {
    result.text = detail::read_text(own, read_chat_operation);
    result.name = own.string();
  }
  if (!result.text) {
    throw EnvironmentError(read_chat_operation,
                           folder.string() +
                               ": neither chat_template.jinja nor a chat_template in "
                               "tokenizer_config.json");
  }
  return result;
}

}  // namespace

struct ChatTemplate::State {
  std::string name;    ///< Of its file, for messages.
  std::string source;  ///< What places count in.
  std::vector<detail::TemplateStatement> statements;
  std::map<std::string, std::string> special_tokens;

  /// The names that the template sees.
  [[nodiscard]] detail::TemplateScope variables(std::span<const ChatMessage> messages,
                                                const ChatOptions& options,
                                                const std::source_location& where) const {
    detail::TemplateScope scope;
    for (const auto& [token_name, token] : special_tokens) {
      scope.set(token_name, TemplateValue(valid_utf8(token)));
    }
    std::vector<TemplateValue> values;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      values.push_back(value_of_message(messages[i], i, where));
    }
    scope.set("messages", TemplateValue::list(std::move(values)));
    scope.set("add_generation_prompt", TemplateValue(options.begins_answer));
    scope.set("tools", TemplateValue());  // As transformers has it.
    scope.set("documents", TemplateValue());
    for (auto& [variable, value] : fields_of(options.variables, "variables", where)) {
      scope.set(variable, std::move(value));
    }
    return scope;
  }

  [[nodiscard]] std::string message(const detail::TemplateFault& fault) const {
    return (name.empty() ? "" : name + ": ") + detail::template_place(source, fault.place) + ": " +
           fault.facts;
  }
};

ChatTemplate::ChatTemplate(std::string_view text,
                           const std::map<std::string, std::string>& special_tokens)
    : ChatTemplate(text, special_tokens, "") {}

ChatTemplate::ChatTemplate(std::string_view text,
                           const std::map<std::string, std::string>& special_tokens,
                           const std::string& name) {
  State state{.name = name,
              .source = detail::template_source(text),
              .statements = {},
              .special_tokens = special_tokens};
  if (!is_utf8(text)) {
    throw EnvironmentError(chat_operation, (name.empty() ? "" : name + ": ") + "not UTF-8");
  }
  try {
    ddx::detail::with_memory_for(chat_operation,
                                 [&] { state.statements = detail::parsed_template(state.source); });
  } catch (const detail::TemplateFault& fault) {
    throw EnvironmentError(chat_operation, state.message(fault));
  }
  state_ = std::make_shared<const State>(std::move(state));
}

std::string ChatTemplate::apply(std::span<const ChatMessage> messages, const ChatOptions& options,
                                std::source_location where) const {
  try {
    return ddx::detail::with_memory_for(chat_operation, [&] {
      auto scope = state_->variables(messages, options, where);
      detail::TemplateBudget budget(options.max_steps, options.max_bytes);
      return detail::TemplateInterpreter(budget, options.now).printed(state_->statements, scope);
    });
  } catch (const detail::TemplateFault& fault) {
    throw UsageError(chat_operation, state_->message(fault), where);
  } catch (const detail::TemplateRaised& raised) {
    throw UsageError(chat_operation, "the template refuses the messages: " + raised.message, where);
  } catch (const std::length_error& error) {
    throw UsageError(chat_operation, error.what(), where);
  }
}

ChatTemplate read_chat_template(const std::filesystem::path& model) {
  const FoundTemplate found = model.extension() == ".gguf" ? template_of_gguf(io::GgufView(model))
                                                           : template_of_folder(model);
  return {*found.text, found.tokens, found.name};
}

}  // namespace ddx::data
