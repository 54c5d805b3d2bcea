// Continues a text with a published model, or answers in a chat: its folder has config.json,
// weights and tokenizer.json, and a chat template for answers; or a GGUF file has all of them.

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <ddx/core/device.h>
#include <ddx/core/dtype.h>
#include <ddx/core/error.h>
#include <ddx/core/random_key.h>
#include <ddx/data/text/chat_template.h>
#include <ddx/data/text/tokenizer.h>
#include <ddx/io/gguf_view.h>
#include <ddx/models/generation/generate.h>
#include <ddx/models/pretrained/load_pretrained.h>
#include <ddx/models/pretrained/model_configuration.h>
#include <ddx/models/text/decoder.h>
#include <ddx/models/text/gpt2.h>
#include <exception>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

namespace models = ddx::models;

struct Settings {
  std::filesystem::path model;  // A folder or a GGUF file.
  std::string prompt;
  std::int64_t tokens = 100;
  double temperature = 0;
  std::int64_t top_k = 0;
  double top_p = 1;
  std::uint64_t seed = 0;
  std::string weights = "f32";
  std::string device = "cpu";
  bool is_chat = false;
  std::string system;
};

/// Prints a text that grows at its end, as far as it is certain: a character of several bytes may
/// still lack some, which a tokenizer shows as U+FFFD.
class GrowingText {
 public:
  void show(std::string_view text, bool is_last) {
    constexpr std::string_view incomplete = "\xEF\xBF\xBD";
    while (!is_last && text.ends_with(incomplete)) {
      text.remove_suffix(incomplete.size());
    }
    if (text.size() > printed_) {
      std::fwrite(text.data() + printed_, 1, text.size() - printed_, stdout);
      std::fflush(stdout);
      printed_ = text.size();
    }
  }

 private:
  std::size_t printed_ = 0;
};

bool is_gguf(const std::filesystem::path& model) {
  return model.extension() == ".gguf";
}

/// The tokens that end a text, or a turn, by the metadata of a GGUF file.
std::vector<std::int32_t> end_tokens_of(const ddx::io::GgufView& file) {
  std::vector<std::int32_t> tokens;
  for (const char* const key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"}) {
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end()) {
      continue;
    }
    const auto* const id = std::get_if<std::int64_t>(&found->second.value);
    if (id == nullptr || *id < 0 || *id > std::numeric_limits<std::int32_t>::max()) {
      throw ddx::EnvironmentError("ddx-generate",
                                  file.file().string() + ": " + key + " is not the id of a token");
    }
    tokens.push_back(static_cast<std::int32_t>(*id));
  }
  return tokens;
}

/// The tokens that end a text: of a folder, `eos_token_id` of generation_config.json, else of
/// config.json. A number or a list.
std::vector<std::int32_t> end_tokens(const std::filesystem::path& folder) {
  if (is_gguf(folder)) {
    return end_tokens_of(ddx::io::GgufView(folder));
  }
  for (const char* const name : {"generation_config.json", "config.json"}) {
    if (!std::filesystem::exists(folder / name)) {
      continue;
    }
    const models::ModelConfiguration configuration(folder / name);
    if (!configuration.has("eos_token_id")) {
      continue;
    }
    std::vector<std::int64_t> tokens;
    try {
      tokens = {configuration.integer("eos_token_id")};
    } catch (const ddx::EnvironmentError&) {
      tokens = configuration.integers("eos_token_id");
    }
    return {tokens.begin(), tokens.end()};
  }
  return {};
}

/// The tokens of the prompt: a text, or a message in a chat whose answer begins.
std::vector<std::int32_t> prompt_tokens(const Settings& settings,
                                        const ddx::data::Tokenizer& tokenizer) {
  if (!settings.is_chat) {
    return tokenizer.encode(settings.prompt).ids;
  }
  std::vector<ddx::data::ChatMessage> messages;
  if (!settings.system.empty()) {
    messages.push_back({.role = "system", .content = settings.system});
  }
  messages.push_back({.role = "user", .content = settings.prompt});
  const std::time_t time = std::time(nullptr);
  std::tm now{};
  localtime_r(&time, &now);
  const auto chat = ddx::data::read_chat_template(settings.model);
  // The template has the special tokens.
  return tokenizer.encode(chat.apply(messages, {.now = now}), {.adds_special_tokens = false}).ids;
}

template <class Model>
void generate(const Settings& settings, ddx::Device device) {
  const auto tokenizer = ddx::data::read_tokenizer(settings.model);
  const auto bits = settings.weights == "int8"   ? std::optional(8)
                    : settings.weights == "int4" ? std::optional(4)
                                                 : std::nullopt;
  const auto model =
      models::load_pretrained<Model>(settings.model, {.device = device, .quantized_bits = bits});
  const auto prompt = prompt_tokens(settings, tokenizer);
  auto known = settings.is_chat ? std::vector<std::int32_t>() : prompt;  // What is printed.
  GrowingText text;
  text.show(tokenizer.decode(known), false);
  const bool greedy = settings.temperature == 0;
  const std::vector<std::vector<std::int32_t>> beginnings{prompt};
  const auto made = models::generate(model, beginnings,
                                     {.count = settings.tokens,
                                      .greedy = greedy,
                                      .temperature = greedy ? 1 : settings.temperature,
                                      .top_k = settings.top_k,
                                      .top_p = settings.top_p,
                                      .key = ddx::RandomKey(settings.seed),
                                      .end_tokens = end_tokens(settings.model),
                                      .on_token = [&](const models::GeneratedToken& drawn) {
                                        known.push_back(drawn.token);
                                        text.show(tokenizer.decode(known), false);
                                        return true;
                                      }});
  text.show(tokenizer.decode(known), true);
  std::puts("");
  std::fprintf(stderr, "%lld tokens behind %lld, %.2f tokens per second\n",
               static_cast<long long>(made.count()), static_cast<long long>(prompt.size()),
               made.tokens_per_second());
}

template <class Scalar>
void generate_with(const Settings& settings, ddx::Device device) {
  if (is_gguf(settings.model)) {
    const ddx::io::GgufView file(settings.model);
    const auto found = file.metadata().find("general.architecture");
    const bool is_gpt2 = found != file.metadata().end() &&
                         found->second.value == ddx::io::GgufValue{std::string("gpt2")}.value;
    return is_gpt2 ? generate<models::GPT2<Scalar>>(settings, device)
                   : generate<models::Decoder<Scalar>>(settings, device);
  }
  const models::ModelConfiguration configuration(settings.model);
  const std::string type = configuration.text("model_type");
  if (type == "gpt2") {
    generate<models::GPT2<Scalar>>(settings, device);
  } else if (type == "llama" || type == "mistral" || type == "qwen2" || type == "qwen3" ||
             type == "gemma3_text") {
    generate<models::Decoder<Scalar>>(settings, device);
  } else {
    configuration.refuse("model_type", "gpt2, llama, mistral, qwen2, qwen3 and gemma3_text");
  }
}

void run(const Settings& settings) {
  const auto device = ddx::device_named(settings.device);
  if (!device) {
    throw ddx::UsageError("--device",
                          "is '" + settings.device + "', not naive, cpu, lazy or pjrt:NAME");
  }
  if (settings.weights == "bf16") {
    generate_with<ddx::BFloat16>(settings, *device);
  } else {
    generate_with<float>(settings, *device);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Continues a text with a model of the Hugging Face hub."};
  app.option_defaults()->always_capture_default();
  app.add_option("model", settings.model,
                 "a folder that has config.json, weights and tokenizer.json, or a GGUF file")
      ->required()
      ->check(CLI::ExistingPath);
  app.add_option("prompt", settings.prompt, "the text to continue")->required();
  app.add_option("--tokens", settings.tokens, "how many tokens follow at most")
      ->check(CLI::PositiveNumber);
  app.add_option("--temperature", settings.temperature,
                 "0: always the likeliest token; else tokens are drawn")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--top-k", settings.top_k, "how many of the likeliest tokens may come; 0: all")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--top-p", settings.top_p,
                 "the likeliest tokens may come that together have this probability")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--seed", settings.seed, "of the draws");
  app.add_option(
         "--weights", settings.weights,
         "bf16: the model computes in bf16; int8 and int4: it computes in f32 with weights of at "
         "most 8 or 4 bits, those of Q8_0 and Q4_0 as they are")
      ->check(CLI::IsMember({"f32", "bf16", "int8", "int4"}));
  app.add_flag("--chat", settings.is_chat,
               "the prompt is a message, and its answer is printed: by the chat template of the "
               "model");
  app.add_option("--system", settings.system, "with --chat: the system message in front");
  app.add_option("--device", settings.device, "naive, cpu, lazy or pjrt:NAME");
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ddx-generate: %s\n", error.what());
    return 1;
  }
}
