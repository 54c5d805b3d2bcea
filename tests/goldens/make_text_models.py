#!/usr/bin/env python3
"""Records text_models.json: what small models of transformers return, without a file of weights; and text_folder, one
model as transformers saves it, in bf16 and several files.

Usage: make_text_models.py
Needs torch 2.15 and transformers 5.24, no network. Read by tests/unit/models/text. Each array has numbers that its name
determines (named_numbers.py). Of each model there are its config.json, a loss, the norm of its gradient over all
parameters, the first logit, and the 16 tokens that are the likeliest one after another. Everything is computed in f64.
"""
import json
import os
import pathlib
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch

# Norms, softmax and rotations ask for f32 whatever the model has: these names mean f64 here.
torch.set_default_dtype(torch.float64)
torch.float32 = torch.float = torch.float64
torch.Tensor.float = lambda array: array.double()

import safetensors.torch
import transformers as hf

from named_numbers import fill_array, numbers

TOKENS = torch.tensor([[5, 9, 13, 2, 60, 33, 7, 1], [4, 4, 8, 15, 16, 23, 42, 3]])
SOURCE = torch.tensor([[11, 3, 40, 22, 8, 1], [6, 6, 50, 31, 27, 1]])  # What is read where there are two sequences.
SMALL = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
GROUPED = {**SMALL, "num_key_value_heads": 2}
LLAMA3 = {"rope_type": "llama3", "rope_theta": 5e5, "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 16}
MODELS = {
    "llama": (hf.LlamaForCausalLM, hf.LlamaConfig(**GROUPED)),
    "llama3": (hf.LlamaForCausalLM, hf.LlamaConfig(**GROUPED, tie_word_embeddings=True, max_position_embeddings=64,
                                                   rope_parameters=LLAMA3)),
    "llama_linear": (hf.LlamaForCausalLM, hf.LlamaConfig(**GROUPED, attention_bias=True, rope_parameters={
        "rope_type": "linear", "rope_theta": 1e4, "factor": 4.0})),
    "mistral": (hf.MistralForCausalLM, hf.MistralConfig(**GROUPED, sliding_window=4)),
    "qwen2": (hf.Qwen2ForCausalLM, hf.Qwen2Config(**GROUPED, tie_word_embeddings=True)),
    "qwen3": (hf.Qwen3ForCausalLM, hf.Qwen3Config(**GROUPED, head_dim=16, tie_word_embeddings=True)),
    "gemma3": (hf.Gemma3ForCausalLM, hf.Gemma3TextConfig(**GROUPED, head_dim=16, sliding_window=4)),
    "gemma3_mixed": (hf.Gemma3ForCausalLM, hf.Gemma3TextConfig(
        **GROUPED, head_dim=16, sliding_window=4, query_pre_attn_scalar=32,
        layer_types=["sliding_attention", "full_attention"])),
    "llama_yarn": (hf.LlamaForCausalLM, hf.LlamaConfig(**GROUPED, max_position_embeddings=64, rope_parameters={
        "rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 16,
        "beta_fast": 2.0, "beta_slow": 0.25})),
    "mixtral": (hf.MixtralForCausalLM, hf.MixtralConfig(**GROUPED, num_local_experts=4)),
    "phi3": (hf.Phi3ForCausalLM, hf.Phi3Config(
        **GROUPED, sliding_window=4, pad_token_id=None, partial_rotary_factor=0.5, rope_parameters={
            "rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5})),
    "mamba": (hf.MambaForCausalLM, hf.MambaConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2)),
    "t5": (hf.T5ForConditionalGeneration, hf.T5Config(
        vocab_size=64, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, relative_attention_num_buckets=8,
        relative_attention_max_distance=6)),
    "t5_gated": (hf.T5ForConditionalGeneration, hf.T5Config(
        vocab_size=64, d_model=32, d_kv=12, d_ff=64, num_layers=1, num_decoder_layers=2, num_heads=4,
        feed_forward_proj="gated-gelu", tie_word_embeddings=False)),
    "whisper": (hf.WhisperForConditionalGeneration, hf.WhisperConfig(
        vocab_size=64, num_mel_bins=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, d_model=32, max_source_positions=8,
        max_target_positions=32, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=3)),
    "gpt2": (hf.GPT2LMHeadModel, hf.GPT2Config(vocab_size=64, n_positions=32, n_embd=32, n_layer=2, n_head=4)),
    "bert": (hf.BertForSequenceClassification, hf.BertConfig(**SMALL, max_position_embeddings=32, num_labels=2)),
    "roberta": (hf.RobertaForSequenceClassification, hf.RobertaConfig(
        **SMALL, max_position_embeddings=34, type_vocab_size=1, num_labels=2, layer_norm_eps=1e-5)),
    "albert": (hf.AlbertForSequenceClassification, hf.AlbertConfig(
        **SMALL, embedding_size=16, max_position_embeddings=32, num_labels=2)),
    "electra": (hf.ElectraForSequenceClassification, hf.ElectraConfig(
        **SMALL, embedding_size=16, max_position_embeddings=32, num_labels=2)),
    "distilbert": (hf.DistilBertForSequenceClassification, hf.DistilBertConfig(
        vocab_size=64, dim=32, hidden_dim=64, n_layers=2, n_heads=4, max_position_embeddings=32, num_labels=2)),
}


def fill_files(model, folder):
    """A model as `fill` makes it, by the names that its arrays have in files, where those in memory are others."""
    model.save_pretrained(folder)
    file = pathlib.Path(folder) / "model.safetensors"
    arrays = safetensors.torch.load_file(file)
    for name, array in arrays.items():
        fill_array(name, array)
    safetensors.torch.save_file(arrays, file, {"format": "pt"})
    return type(model).from_pretrained(folder, attn_implementation="eager",
                                       experts_implementation="eager").double().eval()


def fill(model):
    for name, array in model.named_parameters():
        fill_array(name, array)


def inputs(configuration, tokens):
    """What a model is given: tokens, beside what it reads where there are two sequences."""
    if configuration.model_type == "t5":
        return {"input_ids": SOURCE[:len(tokens)], "decoder_input_ids": tokens}
    if configuration.model_type == "whisper":
        bands, frames = configuration.num_mel_bins, 2 * configuration.max_source_positions
        sound = torch.from_numpy(numbers("input", 2 * frames * bands).reshape(2, frames, bands))
        return {"input_features": sound[:len(tokens)].transpose(1, 2), "decoder_input_ids": tokens}
    return {"input_ids": tokens}


def record(kind, configuration):
    configuration._attn_implementation = "eager"
    model = kind(configuration).double().eval()
    if configuration.model_type == "mixtral":
        with tempfile.TemporaryDirectory() as folder:
            model = fill_files(model, folder)
    else:
        fill(model)
    logits = model(**inputs(configuration, TOKENS)).logits
    cross_entropy = torch.nn.functional.cross_entropy
    if logits.dim() == 3:
        loss = cross_entropy(logits[:, :-1].flatten(0, 1), TOKENS[:, 1:].flatten())
    else:
        loss = cross_entropy(logits, torch.tensor([0, 1]))
    loss.backward()
    squares = sum(float((array.grad**2).sum()) for array in model.parameters() if array.grad is not None)
    with tempfile.TemporaryDirectory() as folder:
        configuration.save_pretrained(folder)
        settings = json.loads((pathlib.Path(folder) / "config.json").read_text())
    result = {"config": settings, "loss": loss.item(), "gradient_norm": squares**0.5,
              "first_logit": logits.flatten()[0].item()}
    if logits.dim() == 3:
        row = TOKENS[:1, :4]
        for _ in range(16):
            row = torch.cat([row, model(**inputs(configuration, row)).logits[:, -1].argmax(-1, keepdim=True)], 1)
        result["tokens"] = row[0, 4:].tolist()
    return result


def record_spectrogram():
    """The log-mel spectrogram of a tenth of a second of noise and silence, as Whisper's extractor computes it."""
    sound = numbers("sound", 1600) * (np.arange(1600) < 900)
    extractor = hf.WhisperFeatureExtractor()
    return extractor._torch_extract_fbank_features(sound[None])[0].T.flatten().tolist()


def record_folder(folder):
    """Saves a model whose weights bf16 holds, and returns its logits."""
    configuration = hf.Gemma3TextConfig(
        vocab_size=64, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=8, sliding_window=4, query_pre_attn_scalar=12,
        layer_types=["sliding_attention", "full_attention"])
    configuration._attn_implementation = "eager"
    model = hf.Gemma3ForCausalLM(configuration).double().eval()
    fill(model)
    with torch.no_grad():
        for array in model.parameters():
            array.copy_(array.bfloat16().double())
        logits = model(input_ids=TOKENS).logits
    model.to(torch.bfloat16).save_pretrained(folder, max_shard_size="4KB")
    (folder / "generation_config.json").unlink()
    return logits.flatten().tolist()


def main():
    goldens = pathlib.Path(__file__).parent
    result = {name: record(*model) for name, model in MODELS.items()}
    result["log_mel"] = {"spectrogram": record_spectrogram()}
    result["folder"] = {"logits": record_folder(goldens / "text_folder")}
    (goldens / "text_models.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
