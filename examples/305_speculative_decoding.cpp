// A small model proposes, a large one judges several proposals in one call: the letters are those
// that the large model generates alone, in fewer of its calls. Both models are folders of
// transformers that know the same letters: a GPT-2 of two blocks and a Llama of one.

#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>
#include <vector>

int main(int count, char** words) {
  namespace models = ddx::models;
  const std::filesystem::path folder = count > 1 ? words[1] : "examples/tiny_models";
  const auto model = models::load_pretrained<models::GPT2<float>>(folder / "gpt2");
  const auto draft = models::load_pretrained<models::Decoder<float>>(folder / "llama");
  const auto tokenizer = ddx::data::read_tokenizer(folder / "gpt2");
  const auto prompt = tokenizer.encode("The Licensor ").ids;

  const auto alone = models::generate(model, prompt, {.count = 100, .greedy = true});
  const auto made =
      models::generate_speculatively(model, draft, prompt, {.count = 100, .proposals = 4});
  std::printf("%s\n", tokenizer.decode(made.tokens).c_str());
  std::printf("%lld of %lld proposals were taken\n", static_cast<long long>(made.accepted),
              static_cast<long long>(made.proposed));
  std::printf("%lld calls of the model for %zu letters\n", static_cast<long long>(made.steps),
              alone.size());
  return made.tokens == alone && made.steps <= 60 ? 0 : 1;
}
