// Chat templates beside what transformers makes of them: tests/goldens/text/make_chat_templates.py.

#include "ddx/data/text/chat_template.h"

#include "ddx/core/error.h"

#include "tests/support/gguf_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {
namespace chat_template_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using ddx::testing::thrown;
using Json = nlohmann::ordered_json;

const std::map<std::string, std::string> special_tokens{
    {"bos_token", "<s>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}, {"unk_token", "<unk>"}};

/// The moment of the recordings.
std::tm moment() {
  std::tm time{};
  time.tm_year = 2026 - 1900;
  time.tm_mon = 10;
  time.tm_mday = 30;
  time.tm_hour = 10;
  time.tm_min = 5;
  time.tm_wday = 1;
  time.tm_yday = 333;
  return time;
}

std::vector<ChatMessage> messages_of(const Json& recorded) {
  std::vector<ChatMessage> messages;
  for (const auto& each : recorded) {
    messages.push_back({.role = "", .content = "", .members = each.dump()});
  }
  return messages;
}

/// How many texts were those of the recording, and how many templates or cases were refused.
struct Recorded {
  int texts = 0;
  int refused = 0;
};

/// Expects the recorded text or an error. An error where there is no text is expected of templates
/// that do not print generators: here they are lists.
Recorded expect_recorded(const std::filesystem::path& file, bool expects_errors) {
  std::ifstream stream(file);
  Recorded result;
  for (const auto& recorded : Json::parse(stream)) {
    const auto name = recorded.at("name").get<std::string>();
    const auto source = recorded.at("template").get<std::string>();
    for (const auto& each : recorded.at("cases")) {
      const auto apply = [&] {
        return ChatTemplate(source, special_tokens)
            .apply(messages_of(each.at("messages")),
                   {.begins_answer = each.at("begins_answer").get<bool>(),
                    .variables = each.at("variables").dump(),
                    .now = moment()});
      };
      if (each.contains("error")) {
        if (expects_errors) {
          EXPECT_THROW((void)apply(), Error) << name << ": " << each.at("error");
        }
      } else {
        try {
          EXPECT_EQ(apply(), each.at("text").get<std::string>()) << name;
          ++result.texts;
        } catch (const Error& error) {
          std::cout << name << ": " << error.what() << "\n";
          ++result.refused;
        }
      }
    }
  }
  return result;
}

TEST(ChatTemplate, GivesTheTextsOfTransformers) {
  const auto result =
      expect_recorded(std::filesystem::path(DDX_GOLDENS) / "text" / "chat_templates.json", true);
  EXPECT_GT(result.texts, 100);
  EXPECT_EQ(result.refused, 0);
}

// Templates that are published and not in this tree.
TEST(ChatTemplate, GivesTheTextsOfTransformersForOtherTemplates) {
  const char* const file = std::getenv("DDX_CHAT_TEMPLATES");
  if (file == nullptr) {
    GTEST_SKIP() << "DDX_CHAT_TEMPLATES names no file";
  }
  const auto result = expect_recorded(file, false);
  EXPECT_GT(result.texts, 10 * result.refused);
}

std::string applied(std::string_view source, const std::vector<ChatMessage>& messages = {},
                    const ChatOptions& options = {}) {
  return ChatTemplate(source, special_tokens).apply(messages, options);
}

TEST(ChatTemplate, SeesMessagesWithAllTheirMembers) {
  const std::vector<ChatMessage> messages{
      {.role = "user", .content = "a"},
      {.role = "tool",
       .content = "b",
       .members = R"({"name": "f", "content": [1, {"z": 1, "a": 2}]})"}};
  EXPECT_EQ(applied("{{ messages | tojson }}", messages),
            R"([{"role": "user", "content": "a"}, )"
            R"({"role": "tool", "content": [1, {"z": 1, "a": 2}], "name": "f"}])");
  EXPECT_EQ(applied("{{ add_generation_prompt }}{{ x }}{{ tools }}", {},
                    {.begins_answer = false, .variables = R"({"x": "y", "tools": [1.5]})"}),
            "Falsey[1.5]");
  EXPECT_EQ(applied(""), "");
  EXPECT_EQ(applied("\n"), "");
}

TEST(ChatTemplate, HasATimeWhereOneIsGiven) {
  const std::string source = "{{ strftime_now('%Y') if strftime_now is defined else 'never' }}";
  EXPECT_EQ(applied(source), "never");
  EXPECT_EQ(applied(source, {}, {.now = moment()}), "2026");
}

TEST(ChatTemplate, CopiesAreTheSame) {
  const auto first = [] {
    return ChatTemplate("{% set a = bos_token %}{{ a }}", special_tokens);
  }();
  const auto second = first;
  EXPECT_EQ(second.apply({}), "<s>");
}

std::string unreadable(std::string_view source) {
  const auto message = message_of<EnvironmentError>([&] { (void)ChatTemplate(source); });
  const std::string start = "ChatTemplate: ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(ChatTemplate, WhatIsNotSupportedIsAnErrorWithItsPlace) {
  EXPECT_EQ(unreadable("a\n  {{ x | foo }}"),
            "line 2, column 8: the filter 'foo' is not supported");
  EXPECT_EQ(unreadable("{{ x is foo }}"), "line 1, column 6: the test 'foo' is not supported");
  EXPECT_EQ(unreadable("\xC3\xA9{% include 'a' %}"),
            "line 1, column 2: the statement 'include' is not supported");
  EXPECT_EQ(unreadable("{% raw %}{% endraw %}"),
            "line 1, column 1: the statement 'raw' is not supported");
  EXPECT_EQ(unreadable("{{ 2 ** 3 }}"), "line 1, column 6: the operator '**' is not supported");
  EXPECT_EQ(unreadable("{{ f(*a) }}"), "line 1, column 6: arguments with stars are not supported");
  EXPECT_EQ(unreadable("{% for a in b recursive %}{% endfor %}"),
            "line 1, column 15: recursive loops are not supported");
  EXPECT_EQ(unreadable("{% set x | upper %}{% endset %}"),
            "line 1, column 10: a filter of what is set is not supported");
  EXPECT_EQ(unreadable("{{ a[1, 2] }}"), "line 1, column 7: several subscripts are not supported");
  EXPECT_EQ(unreadable("{{ '\\101' }}"), "line 1, column 4: the escape '\\1' is not supported");
  EXPECT_EQ(unreadable("{{ 1_000 }}"), "line 1, column 4: '1_' is no number that is supported");
}

TEST(ChatTemplate, WhatIsNoTemplateIsAnErrorWithItsPlace) {
  EXPECT_EQ(unreadable("{{ x"), "line 1, column 1: '{{' has no '}}'");
  EXPECT_EQ(unreadable("{% if x"), "line 1, column 1: '{%' has no '%}'");
  EXPECT_EQ(unreadable("a{# x"), "line 1, column 2: a comment does not end");
  EXPECT_EQ(unreadable("{{ 'x }}"), "line 1, column 4: a text does not end");
  EXPECT_EQ(unreadable("{% if x %}a"), "line 1, column 12: the template ends before 'endif'");
  EXPECT_EQ(unreadable("{% endif %}"), "line 1, column 1: the statement 'endif' is not supported");
  EXPECT_EQ(unreadable("{{ }}"), "line 1, column 4: expected an expression");
  EXPECT_EQ(unreadable("{{ a b }}"), "line 1, column 6: expected '}}'");
  EXPECT_EQ(unreadable("{{ (1 }}"), "line 1, column 7: unexpected '}'");
  EXPECT_EQ(unreadable("{{ 1) }}"), "line 1, column 5: unexpected ')'");
  EXPECT_EQ(unreadable("{{ a ? b }}"), "line 1, column 6: unexpected \"?\"");
  EXPECT_EQ(unreadable("{% break %}"), "line 1, column 1: 'break' outside of a loop");
  EXPECT_EQ(unreadable("{{ f(a=1, 2) }}"),
            "line 1, column 12: an argument without a name follows one with a name");
  EXPECT_EQ(unreadable("{{ 99999999999999999999 }}"),
            "line 1, column 4: the number 99999999999999999999 is too large");
  EXPECT_EQ(unreadable("\xFF"), "not UTF-8");
}

std::string failed(std::string_view source, const ChatOptions& options = {}) {
  const auto message = message_of<UsageError>([&] { (void)applied(source, {}, options); });
  const std::string start = "ChatTemplate: ";
  const auto end = message.rfind(" (at ");
  return message.starts_with(start) ? message.substr(start.size(), end - start.size()) : message;
}

TEST(ChatTemplate, AnErrorOfTheTemplateNamesItsPlace) {
  EXPECT_EQ(failed("{{ raise_exception('roles must alternate') }}"),
            "the template refuses the messages: roles must alternate");
  EXPECT_EQ(failed("a\n{{ 'x' + messages[0].content }}"), "line 2, column 21: '0' is undefined");
  EXPECT_EQ(failed("{{ 'x' + 1 }}"), "line 1, column 8: '+' of a text and an integer");
  EXPECT_EQ(failed("{{ 'a'.format(1) }}"),
            "line 1, column 7: the method 'format' of a text is not supported");
  EXPECT_EQ(failed("{% for a in [1] %}{{ loop.cycle }}{% endfor %}"),
            "line 1, column 26: the attribute 'cycle' of a loop is not supported");
  EXPECT_EQ(failed("{{ '\xC3\x84' | lower }}"),
            "line 1, column 8: upper and lower case of letters beyond ASCII are not supported");
  EXPECT_EQ(failed("{{ 9223372036854775807 + 1 }}"),
            "line 1, column 24: an integer has more than 64 bits");
  EXPECT_EQ(failed("{% set ns = namespace() %}{% set ns.a = [ns] %}"),
            "line 1, column 41: a namespace within another value");
  EXPECT_EQ(failed("{% macro f() %}{% endmacro %}{{ f(1) }}"),
            "line 1, column 34: 'f' takes at most 0 arguments, 1 are given");
}

TEST(ChatTemplate, MistakesOfTheCallerAreErrors) {
  const ChatTemplate chat("{{ messages }}");
  const auto error = [&](const ChatMessage& message, const std::string& variables) {
    return thrown<UsageError>(
        [&] { (void)chat.apply(std::vector{message}, {.variables = variables}); });
  };
  EXPECT_EQ(error({.role = "user", .content = "\xFF"}, ""),
            "ChatTemplate: message 0 is not UTF-8 (here)");
  EXPECT_EQ(error({.role = "user", .content = "", .members = "[]"}, ""),
            "ChatTemplate: message 0: members: no object (here)");
  EXPECT_EQ(error({.role = "user", .content = ""}, "{"),
            "ChatTemplate: variables: byte 2: not JSON (here)");
  EXPECT_EQ(error({.role = "user", .content = ""}, "{\"a\": " + std::string(200, '[')),
            "ChatTemplate: variables: its values nest deeper than 99 (here)");
}

TEST(ChatTemplate, WorkAndMemoryAreBounded) {
  const std::string loops =
      "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}";
  EXPECT_EQ(failed(loops, {.max_steps = 1000}), "line 1, column 28: takes more than 1000 steps");
  EXPECT_EQ(failed("{{ 'a' * 1000 }}", {.max_bytes = 100}),
            "line 1, column 8: makes more than 100 bytes of texts");
  EXPECT_EQ(failed("{{ 'a' * 9223372036854775807 }}"),
            "line 1, column 8: makes more than 268435456 bytes of texts");
  EXPECT_EQ(failed("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
            "line 1, column 19: runs deeper than 1500");
  const std::string doubled =
      "{% set n = namespace(x=['a']) %}{% for i in range(90) %}{% set n.x = [n.x, n.x] %}"
      "{% endfor %}";
  EXPECT_EQ(failed(doubled), "line 1, column 57: a value is too large");
  const std::string nested =
      "{% set n = namespace(x=[]) %}{% for i in range(200) %}{% set n.x = [n.x] %}{% endfor %}";
  EXPECT_EQ(failed(nested), "line 1, column 55: values nest deeper than 100");
  EXPECT_EQ(unreadable("{{ " + std::string(1000, '(') + "1" + std::string(1000, ')') + " }}"),
            "line 1, column 129: expressions nest deeper than 250");
  std::string sum = "{{ 1";
  for (int i = 0; i < 1000; ++i) {
    sum += "+1";
  }
  EXPECT_EQ(unreadable(sum + " }}"), "line 1, column 503: expressions nest deeper than 250");
  std::string statements;
  for (int i = 0; i < 1000; ++i) {
    statements += "{% if a %}";
  }
  EXPECT_EQ(unreadable(statements), "line 1, column 1001: statements nest deeper than 100");
}

void write(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

TEST(ReadChatTemplate, ReadsEachFormOfAFolder) {
  const TemporaryFolder folder;
  const auto settings = folder.path() / "tokenizer_config.json";
  write(settings, R"({"bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": false},
                      "chat_template": "{{ bos_token + eos_token }}"})");
  EXPECT_EQ(read_chat_template(folder.path()).apply({}), "<s></s>");
  write(settings, R"({"chat_template": [{"name": "tool_use", "template": "a"},
                                        {"name": "default", "template": "b"}]})");
  EXPECT_EQ(read_chat_template(folder.path()).apply({}), "b");
  write(folder.path() / "chat_template.jinja", "c{{ bos_token }}");
  EXPECT_EQ(read_chat_template(folder.path()).apply({}), "c");
  std::filesystem::remove(settings);
  EXPECT_EQ(read_chat_template(folder.path()).apply({}), "c");
}

TEST(ReadChatTemplate, ReadsTheMetadataOfAGgufFile) {
  namespace gguf = ddx::testing::gguf;
  const TemporaryFolder folder;
  const auto file = folder.path() / "model.gguf";
  const auto put = [&](const std::vector<gguf::Bytes>& metadata) {
    const auto bytes = gguf::file_of(metadata, {});
    write(file, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  };
  const auto words = gguf::words("tokenizer.chat_template",
                                 "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}");
  const auto tokens = gguf::list("tokenizer.ggml.tokens", {"a", "<s>", "</s>"});
  const auto begin = gguf::integer("tokenizer.ggml.bos_token_id", 1);
  put({words, tokens, begin, gguf::integer("tokenizer.ggml.eos_token_id", 2)});
  EXPECT_EQ(
      read_chat_template(file).apply(std::vector<ChatMessage>{{.role = "user", .content = "x"}}),
      "<s>x</s>");
  const auto error = [&] {
    return message_of<EnvironmentError>([&] { (void)read_chat_template(file); });
  };
  const std::string name = "read_chat_template: " + file.string();
  put({tokens, begin});
  EXPECT_EQ(error(), name + ": has no tokenizer.chat_template");
  put({words, tokens, gguf::integer("tokenizer.ggml.bos_token_id", 3)});
  EXPECT_EQ(error(), name + ": tokenizer.ggml.bos_token_id is 3, which is no token");
  put({words, begin});
  EXPECT_EQ(error(), name + ": tokenizer.ggml.bos_token_id is 1, which is no token");
  put({gguf::integer("tokenizer.chat_template", 3)});
  EXPECT_EQ(error(), name + ": tokenizer.chat_template is not a text");
}

TEST(ReadChatTemplate, MistakesAreErrorsWithTheFile) {
  const TemporaryFolder folder;
  const auto settings = folder.path() / "tokenizer_config.json";
  const auto error = [&] {
    return message_of<EnvironmentError>([&] { (void)read_chat_template(folder.path()); });
  };
  const std::string none = "read_chat_template: " + folder.path().string() +
                           ": neither chat_template.jinja nor a chat_template in "
                           "tokenizer_config.json";
  EXPECT_EQ(error(), none);
  write(settings, R"({"chat_template": 5})");
  EXPECT_EQ(error(), none);
  write(settings, "{");
  EXPECT_EQ(error(), "read_chat_template: " + settings.string() + ": byte 1: not JSON");
  write(settings, R"({"chat_template": "{{ x"})");
  EXPECT_EQ(error(), "ChatTemplate: " + settings.string() + ": line 1, column 1: '{{' has no '}}'");
}

}  // namespace chat_template_test
}  // namespace ddx::data
