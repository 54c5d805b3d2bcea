// A checkpoint in, text out: a GPT-2 that has learnt one text, letter by letter, and its tokenizer,
// from a folder of transformers. The likeliest continuation is the one that transformers generates.

#include <cstddef>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>
#include <string>

int main(int count, char** words) {
  const std::filesystem::path folder = count > 1 ? words[1] : "examples/tiny_models/gpt2";
  const auto model = ddx::models::load_pretrained<ddx::models::GPT2<float>>(folder);
  const auto tokenizer = ddx::data::read_tokenizer(folder);
  const auto prompt = tokenizer.encode("The Licensor ").ids;

  // Drawn among the likelier letters.
  const auto drawn = ddx::models::generate(
      model, prompt, {.count = 100, .temperature = 0.8, .top_p = 0.9, .key = ddx::RandomKey(1)});
  std::printf("drawn:    %s\n", tokenizer.decode(drawn).c_str());

  const auto likeliest = ddx::models::generate(model, prompt, {.count = 100, .greedy = true});
  const std::string text = tokenizer.decode(likeliest);
  std::printf("likeliest: %s\n", text.c_str());
  // Of transformers, by examples/tiny_models/make_tiny_models.py.
  const std::string recorded =
      "he Derivative Works that Works and any any Derivative Works that Works; in and (scributed "
      "the Work a";
  std::size_t equal = 0;
  while (equal < text.size() && equal < recorded.size() && text[equal] == recorded[equal]) {
    ++equal;
  }
  std::printf("%zu letters as transformers has them\n", equal);
  return equal == 100 ? 0 : 1;
}
