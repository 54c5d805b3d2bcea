/// \file
/// Conversations as the text that a model was trained on.

#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>

namespace ddx::data {

/// A message of a conversation, in UTF-8.
struct ChatMessage {
  std::string role;  ///< "user", "assistant", "system" and what else the template knows.
  std::string content;
  /// Further members, an object of JSON: `{"tool_calls": [...]}`. They replace `role` and
  /// `content` where they have those names.
  std::string members = {};
};

/// What a conversation is turned into.
struct ChatOptions {
  bool begins_answer = true;  ///< Whether the beginning of the model's answer follows.
  /// Further variables of the template, an object of JSON: `{"tools": [...],
  /// "enable_thinking": false}`.
  std::string variables = {};
  /// The date that `strftime_now` shows; none: templates have no such function, and most have a
  /// date of their own then.
  std::optional<std::tm> now = {};
  std::int64_t max_steps = 10'000'000;  ///< Of the template's statements and expressions.
  std::int64_t max_bytes = std::int64_t{1} << 28;  ///< Of all that the template makes on its way.
};

/// The chat template of a published model: a program in the language Jinja that writes a
/// conversation with the special tokens that surround messages. A value; copies share what was
/// read. Any thread may use it.
///
/// Of Jinja there is what published templates use (those of Llama 3, Qwen, Mistral, Gemma, Phi and
/// SmolLM): `if`, `for` with `loop`, `break` and `continue`, `set`, namespaces, macros,
/// expressions, the methods of texts and objects, 28 filters and 25 tests, white space as
/// transformers sets it. Statements, filters and tests that are not supported are errors when the
/// template is read, with their places; methods when they are called. Upper and lower case is that
/// of ASCII: other letters are an error there.
///
/// Example:
///   const auto chat = data::read_chat_template("SmolLM2-135M-Instruct");
///   const std::vector<data::ChatMessage> messages{{.role = "user", .content = "Hello"}};
///   const auto prompt = tokenizer.encode(chat.apply(messages), {.adds_special_tokens = false});
class ChatTemplate {
 public:
  /// A template from its text, with the special tokens that it names, such as "bos_token".
  ///
  /// Throws:  EnvironmentError where it is not UTF-8 or no template, or has what is not supported.
  ///          Names the line and the column.
  explicit ChatTemplate(std::string_view text,
                        const std::map<std::string, std::string>& special_tokens = {});

  /// The text of a conversation.
  ///
  /// Throws:  UsageError where the template refuses the messages, an expression of it does not fit
  ///          them, a text is not UTF-8 or no JSON, or a limit of the options is reached. Names the
  ///          line and the column of the template.
  /// Cost:    that of the template: about linear in the conversation.
  [[nodiscard]] std::string apply(
      std::span<const ChatMessage> messages, const ChatOptions& options = {},
      std::source_location where = std::source_location::current()) const;

 private:
  struct State;
  friend ChatTemplate read_chat_template(const std::filesystem::path& model);
  ChatTemplate(std::string_view text, const std::map<std::string, std::string>& special_tokens,
               const std::string& name);

  std::shared_ptr<const State> state_;
};

/// The chat template of a folder of the Hugging Face hub: `chat_template.jinja`, else
/// `chat_template` of `tokenizer_config.json`, of several the one with the name "default". The
/// special tokens are those of `tokenizer_config.json`. Of a GGUF file (`*.gguf`) its
/// `tokenizer.chat_template`, with the special tokens of its metadata.
///
/// Throws:  EnvironmentError where there is none, a file cannot be read, metadata are of another
///          kind, or as ChatTemplate.
[[nodiscard]] ChatTemplate read_chat_template(const std::filesystem::path& model);

}  // namespace ddx::data
