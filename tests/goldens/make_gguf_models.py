#!/usr/bin/env python3
"""Records gguf_models/*.gguf: small models of text_models.json as converters to GGUF write them.

Usage: make_gguf_models.py
Needs gguf 0.19, no network. Read by tests/unit/models/pretrained/gguf_models_test.cpp. Each array has the numbers of its
name in transformers, as make_text_models.py has them. The names in GGUF are those of the package's table; what is done
to the arrays is what llama.cpp's converters do (its folder conversion/): rows of queries and keys of Llama are
rearranged so that neighbours are rotated together, one is added to the scales of Gemma's normalisations, matrices of
GPT-2 are transposed, and scaled rotations of Llama 3 become an array of factors.
"""
import json
import math
import pathlib

import gguf
import numpy as np

GOLDENS = pathlib.Path(__file__).parent
FOLDER = GOLDENS / "gguf_models"
KINDS = gguf.GGMLQuantizationType
# The recorded model, the architecture, and the type of the matrices.
FILES = {"llama": ("llama", "llama", "F32"), "llama3": ("llama3", "llama", "F32"), "llama_yarn": ("llama_yarn", "llama", "F32"),
         "llama_linear": ("llama_linear", "llama", "F32"), "mistral": ("mistral", "llama", "F32"), "qwen2": ("qwen2", "qwen2", "F32"), "qwen3": ("qwen3", "qwen3", "F32"),
         "gemma3": ("gemma3", "gemma3", "F32"), "phi3": ("phi3", "phi3", "F32"), "gpt2": ("gpt2", "gpt2", "F32"),
         "llama_f16": ("llama", "llama", "F16"), "llama_bf16": ("llama", "llama", "BF16"), "llama_q8_0": ("llama", "llama", "Q8_0"),
         "llama_words": ("llama", "llama", "Q8_0"), "llama_q4_0": ("llama", "llama", "Q4_0"), "phi3_q8_0": ("phi3", "phi3", "Q8_0"), "gpt2_q4_0": ("gpt2", "gpt2", "Q4_0")}


def numbers(name, count):
    """The first `count` results of splitmix64 from FNV-1a of the name on, as numbers in [-1, 1)."""
    start = 0xCBF29CE484222325
    for byte in name.encode():
        start = ((start ^ byte) * 0x100000001B3) % 2**64
    with np.errstate(over="ignore"):
        z = np.uint64(start) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1


def filled(name, shape):
    u = numbers(name, math.prod(shape)).reshape(shape)
    if len(shape) >= 2:
        return u * (6 / (u.size / shape[0])) ** 0.5
    return 0.1 * u + (1 if name.endswith("weight") else 0)


def decoder_shapes(config, arch):
    """The arrays of a decoder in transformers, by name."""
    features, hidden, vocabulary = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    heads, key_heads = config["num_attention_heads"], config["num_key_value_heads"]
    depth = config.get("head_dim") or features // heads
    shapes = {"model.embed_tokens.weight": (vocabulary, features), "model.norm.weight": (features,)}
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (vocabulary, features)
    for i in range(config["num_hidden_layers"]):
        layer = f"model.layers.{i}."
        attention, dense = layer + "self_attn.", layer + "mlp."
        norms = ["input_layernorm", "post_attention_layernorm"]
        if arch == "gemma3":
            norms += ["pre_feedforward_layernorm", "post_feedforward_layernorm"]
        shapes |= {f"{layer}{norm}.weight": (features,) for norm in norms}
        if arch == "phi3":
            shapes[attention + "qkv_proj.weight"] = ((heads + 2 * key_heads) * depth, features)
            shapes[dense + "gate_up_proj.weight"] = (2 * hidden, features)
        else:
            for name, rows in (("q", heads * depth), ("k", key_heads * depth), ("v", key_heads * depth)):
                shapes[f"{attention}{name}_proj.weight"] = (rows, features)
                if arch == "qwen2" or config.get("attention_bias"):
                    shapes[f"{attention}{name}_proj.bias"] = (rows,)
            shapes |= {dense + "gate_proj.weight": (hidden, features), dense + "up_proj.weight": (hidden, features)}
        if arch in ("qwen3", "gemma3"):
            shapes |= {attention + "q_norm.weight": (depth,), attention + "k_norm.weight": (depth,)}
        shapes |= {attention + "o_proj.weight": (features, heads * depth), dense + "down_proj.weight": (features, hidden)}
        if arch == "llama" and config.get("attention_bias"):
            shapes[attention + "o_proj.bias"] = (features,)
    return shapes


def gpt2_shapes(config):
    n = config["n_embd"]
    shapes = {"transformer.wte.weight": (config["vocab_size"], n), "transformer.wpe.weight": (config["n_positions"], n),
              "transformer.ln_f.weight": (n,), "transformer.ln_f.bias": (n,)}
    for i in range(config["n_layer"]):
        block = f"transformer.h.{i}."
        for name, rows, columns in (("attn.c_attn", n, 3 * n), ("attn.c_proj", n, n), ("mlp.c_fc", n, 4 * n), ("mlp.c_proj", 4 * n, n)):
            shapes |= {f"{block}{name}.weight": (rows, columns), f"{block}{name}.bias": (columns,)}
        for name in ("ln_1", "ln_2"):
            shapes |= {f"{block}{name}.weight": (n,), f"{block}{name}.bias": (n,)}
    return shapes


def neighbours(array, heads):
    """LlamaModel.permute: number i of the first half of a head and of the second become neighbours."""
    return array.reshape(heads, 2, array.shape[0] // heads // 2, *array.shape[1:]).swapaxes(1, 2).reshape(array.shape)


def converted(name, array, config, arch):
    if arch == "llama" and ".q_proj." in name:
        return neighbours(array, config["num_attention_heads"])
    if arch == "llama" and ".k_proj." in name:
        return neighbours(array, config["num_key_value_heads"])
    if arch == "gemma3" and name.endswith("norm.weight"):
        return array + 1
    return array.T if arch == "gpt2" and ".c_" in name and array.ndim == 2 else array


def factors_of(rope, depth):
    """What llama.cpp divides the frequencies of Llama 3 by."""
    factors = []
    for frequency in 1.0 / rope["rope_theta"] ** (np.arange(0, depth, 2) / depth):
        turns = rope["original_max_position_embeddings"] * frequency / (2 * math.pi)
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        kept = min(max((turns - low) / (high - low), 0), 1)
        factors.append(1 / ((1 - kept) / rope["factor"] + kept))
    return np.array(factors, dtype=np.float32)


def add_rotations(writer, config):
    parameters = config["rope_parameters"]
    rope = parameters.get("full_attention", parameters)
    writer.add_rope_freq_base(rope["rope_theta"])
    if "sliding_attention" in parameters:
        writer.add_rope_freq_base_swa(parameters["sliding_attention"]["rope_theta"])
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "yarn":
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(rope["factor"])
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
        writer.add_rope_scaling_yarn_beta_fast(rope["beta_fast"])
        writer.add_rope_scaling_yarn_beta_slow(rope["beta_slow"])


def add_decoder(writer, config, arch):
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    depth = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    add_rotations(writer, config)
    if arch == "phi3":
        part = config["rope_parameters"]["partial_rotary_factor"]
        writer.add_rope_scaling_orig_ctx_len(config["max_position_embeddings"])
        writer.add_rope_dimension_count(int(part * config["hidden_size"]) // config["num_attention_heads"])
        writer.add_sliding_window(config["sliding_window"])
        return
    writer.add_key_length(depth)
    writer.add_value_length(depth)
    if arch == "llama":
        writer.add_vocab_size(config["vocab_size"])
        if config["model_type"] == "mistral":
            writer.add_sliding_window(config["sliding_window"])
        writer.add_rope_dimension_count(depth)
    if arch == "gemma3":
        writer.add_sliding_window(config["sliding_window"])
        writer.add_attention_scale(config["query_pre_attn_scalar"] ** -0.5)
    if config["rope_parameters"].get("rope_type") == "llama3":
        writer.add_tensor("rope_freqs.weight", factors_of(config["rope_parameters"], depth))


def add_words(writer, count):
    """A tokenizer whose tokens are found wherever they stand: w0w1w2. The one numbered 57 ends texts."""
    writer.add_tokenizer_model("llama")
    writer.add_token_list([f"w{i}" for i in range(count)])
    writer.add_token_scores([0.0] * count)
    writer.add_token_types([gguf.TokenType.USER_DEFINED] * count)
    writer.add_add_bos_token(False)
    writer.add_eos_token_id(57)


def write(file, model, arch, kind):
    config = json.loads((GOLDENS / "text_models.json").read_text())[model]["config"]
    blocks = config.get("num_hidden_layers") or config["n_layer"]
    writer = gguf.GGUFWriter(FOLDER / f"{file}.gguf", arch)
    writer.add_block_count(blocks)
    if arch == "gpt2":
        writer.add_context_length(config["n_positions"])
        writer.add_embedding_length(config["n_embd"])
        writer.add_feed_forward_length(4 * config["n_embd"])
        writer.add_head_count(config["n_head"])
        writer.add_layer_norm_eps(config["layer_norm_epsilon"])
        shapes = gpt2_shapes(config)
    else:
        add_decoder(writer, config, arch)
        shapes = decoder_shapes(config, arch)
    if file == "llama_words":
        add_words(writer, config["vocab_size"])
    table = gguf.get_tensor_name_map({name: each for each, name in gguf.MODEL_ARCH_NAMES.items()}[arch], blocks)
    for name, shape in shapes.items():
        array = converted(name, filled(name, shape), config, arch).astype(np.float32)
        theirs = table.get_name(name, try_suffixes=(".weight", ".bias"))
        of_array = KINDS[kind] if len(shape) == 2 and "position" not in theirs else KINDS.F32
        writer.add_tensor(theirs, gguf.quants.quantize(np.ascontiguousarray(array), of_array), raw_dtype=of_array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    FOLDER.mkdir(exist_ok=True)
    for file, settings in FILES.items():
        write(file, *settings)


if __name__ == "__main__":
    main()
