#!/usr/bin/env python3
"""The program ddx-generate from outside.

Usage: generate_test.py PROGRAM GOLDENS
  GOLDENS  tests/goldens, with a model's folder and the scores that transformers gave (make_text_models.py)
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GOLDENS = pathlib.Path(sys.argv.pop())
PROGRAM = str(pathlib.Path(sys.argv.pop()).resolve())
TOKENS = [5, 9, 13, 2, 60, 33, 7, 1]  # What the scores were recorded for, as the first sequence.
# A word for each of the model's 64 tokens.
TOKENIZER = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None, "post_processor": None,
             "pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": None,
             "model": {"type": "WordLevel", "vocab": {f"w{i}": i for i in range(64)}, "unk_token": "w0"}}


class Generate(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for file in (GOLDENS / "text_folder").iterdir():
            shutil.copy(file, self.folder)
        (self.folder / "tokenizer.json").write_text(json.dumps(TOKENIZER))
        self.prompt = " ".join(f"w{i}" for i in TOKENS)

    def run_program(self, *options):
        return subprocess.run([PROGRAM, str(self.folder), self.prompt, *options], capture_output=True, text=True, timeout=120)

    def words(self, *options):
        done = self.run_program(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith(self.prompt), done.stdout)
        return done.stdout.split()[len(TOKENS):], done.stderr

    def likeliest(self):
        """The tokens behind the prompt by the recorded scores, [2, 8, 64], the likeliest first."""
        scores = json.loads((GOLDENS / "text_models.json").read_text())["folder"]["logits"]
        last = scores[7 * 64:8 * 64]
        return sorted(range(64), key=lambda token: -last[token])

    def test_continues_with_the_likeliest_token_of_transformers(self):
        words, speed = self.words("--tokens", "1")
        self.assertEqual(words, [f"w{self.likeliest()[0]}"])
        self.assertRegex(speed, r"^1 tokens behind 8, [\d.]+ tokens per second\n$")

    def test_each_device_and_a_longer_text_begin_alike(self):
        longer, _ = self.words("--tokens", "6")
        for device in ("naive", "lazy"):
            self.assertEqual(self.words("--tokens", "6", "--device", device)[0], longer)
        self.assertEqual(self.words("--tokens", "2")[0], longer[:2])

    def test_an_end_token_ends_the_text(self):
        longer, _ = self.words("--tokens", "6")
        for ends in (int(longer[0][1:]), [63, int(longer[0][1:])]):
            (self.folder / "generation_config.json").write_text(json.dumps({"eos_token_id": ends}))
            self.assertEqual(self.words("--tokens", "6")[0], longer[:1])

    def test_draws_among_the_likeliest_tokens(self):
        drawn = {self.words("--tokens", "1", "--temperature", "5", "--top-k", "3", "--seed", str(seed))[0][0] for seed in range(8)}
        self.assertLessEqual(drawn, {f"w{token}" for token in self.likeliest()[:3]})
        self.assertGreater(len(drawn), 1)

    def test_computes_with_fewer_bits(self):
        # 4 bits move the scores of so small a model far: the likeliest token becomes another.
        for weights, rank in (("bf16", 3), ("int8", 3), ("int4", 16)):
            words, _ = self.words("--tokens", "1", "--weights", weights)
            self.assertIn(words[0], [f"w{token}" for token in self.likeliest()[:rank]], weights)

    def test_answers_in_a_chat(self):
        template = "{% for m in messages %}{{ m.content }} {% endfor %}{{ bos_token if add_generation_prompt }}"
        (self.folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": template, "bos_token": "w1"}))
        *words, last = self.prompt.split()
        self.assertEqual(last, "w1")
        self.prompt = " ".join(words[2:])
        done = self.run_program("--tokens", "1", "--chat", "--system", " ".join(words[:2]))
        self.assertEqual((done.returncode, done.stdout), (0, f"w{self.likeliest()[0]}\n"), done.stderr)

    def test_a_chat_without_a_template_is_an_error(self):
        done = self.run_program("--chat")
        self.assertEqual(done.returncode, 1)
        self.assertIn("neither chat_template.jinja nor a chat_template in tokenizer_config.json", done.stderr)

    def test_a_gguf_file_has_the_model_and_the_tokenizer(self):
        recorded = json.loads((GOLDENS / "text_models.json").read_text())["llama"]["tokens"]
        until_the_end = "".join(f"w{token}" for token in recorded[:recorded.index(57) + 1])
        for options in ([], ["--weights", "int8"]):
            done = subprocess.run([PROGRAM, str(GOLDENS / "gguf_models" / "llama_words.gguf"), "w5w9w13w2", *options],
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, f"w5w9w13w2{until_the_end}\n")

    def test_a_gguf_file_of_another_kind_is_an_error(self):
        done = subprocess.run([PROGRAM, str(GOLDENS / "gguf" / "values.gguf"), "w5"], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^ddx-generate: read_tokenizer: .*values.gguf: has no tokenizer.ggml.model, a text is expected\n$")

    def test_an_unknown_model_is_an_error_that_names_the_known_ones(self):
        configuration = json.loads((self.folder / "config.json").read_text())
        (self.folder / "config.json").write_text(json.dumps({**configuration, "model_type": "other"}))
        done = self.run_program()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, '^ddx-generate: .*model_type.*"other".*gpt2, llama, mistral, qwen2, qwen3 and gemma3_text\n$')

    def test_wrong_options_are_errors(self):
        self.assertNotEqual(self.run_program("--tokens", "0").returncode, 0)
        self.assertNotEqual(self.run_program("--weights", "f8").returncode, 0)
        done = self.run_program("--device", "toaster")
        self.assertEqual(done.stderr, "ddx-generate: --device: is 'toaster', not naive, cpu, lazy or pjrt:NAME\n")


unittest.main()
