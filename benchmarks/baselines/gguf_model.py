#!/usr/bin/env python3
"""Writes a model of a folder of the Hugging Face hub, GPT-2 or Llama, as a GGUF file for llama.cpp.

Usage: gguf_model.py FOLDER FILE FORMAT

FORMAT is f32, bf16, int8 (q8_0) or int4 (q4_0): the kind of all matrices but that of places; vectors are f32. There is
no vocabulary: tokens are numbers. Needs gguf and numpy; status 77 without them.
"""
import json
import os
import struct
import sys

KINDS = {"f32": "F32", "bf16": "BF16", "int8": "Q8_0", "int4": "Q4_0"}


def arrays(folder):
    """The arrays of model.safetensors in f32, by name."""
    import numpy
    path = os.path.join(folder, "model.safetensors")
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
    data = numpy.memmap(path, numpy.uint8, "r", 8 + size)
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            assert entry["dtype"] == "F32", entry
            yield name, data[begin:end].view(numpy.float32).reshape(entry["shape"])


def pairs_side_by_side(weight, heads):
    """The rows of query and key as llama.cpp rotates them: neighbours, not halves of a head."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def add_settings(writer, settings):
    if settings["model_type"] == "gpt2":
        writer.add_block_count(settings["n_layer"])
        writer.add_context_length(settings["n_positions"])
        writer.add_embedding_length(settings["n_embd"])
        writer.add_feed_forward_length(settings.get("n_inner") or 4 * settings["n_embd"])
        writer.add_head_count(settings["n_head"])
        writer.add_layer_norm_eps(settings["layer_norm_epsilon"])
    else:
        writer.add_block_count(settings["num_hidden_layers"])
        writer.add_context_length(settings["max_position_embeddings"])
        writer.add_embedding_length(settings["hidden_size"])
        writer.add_feed_forward_length(settings["intermediate_size"])
        writer.add_head_count(settings["num_attention_heads"])
        writer.add_head_count_kv(settings["num_key_value_heads"])
        writer.add_layer_norm_rms_eps(settings["rms_norm_eps"])
        writer.add_rope_freq_base(settings["rope_theta"])
        writer.add_rope_dimension_count(settings["head_dim"])
    writer.add_vocab_size(settings["vocab_size"])
    writer.add_tokenizer_model("none")


def converted(name, array, settings):
    """The array as GGUF has it: matrices of dense layers in rows of inputs."""
    import numpy
    if array.ndim == 2 and ".h." in name:
        array = array.T
    elif name.endswith("q_proj.weight"):
        array = pairs_side_by_side(array, settings["num_attention_heads"])
    elif name.endswith("k_proj.weight"):
        array = pairs_side_by_side(array, settings["num_key_value_heads"])
    return numpy.ascontiguousarray(array)


def write(folder, path, form):
    import gguf
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        settings = json.load(file)
    is_gpt2 = settings["model_type"] == "gpt2"
    blocks = settings["n_layer" if is_gpt2 else "num_hidden_layers"]
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.GPT2 if is_gpt2 else gguf.MODEL_ARCH.LLAMA, blocks)
    writer = gguf.GGUFWriter(path, "gpt2" if is_gpt2 else "llama", use_temp_file=True)
    add_settings(writer, settings)
    kind = gguf.GGMLQuantizationType[KINDS[form]]
    for name, array in arrays(folder):
        array = converted(name, array, settings)
        to = names.get_name(name, (".weight", ".bias"))
        if array.ndim == 2 and form != "f32" and "wpe" not in name:
            writer.add_tensor(to, gguf.quants.quantize(array, kind), raw_dtype=kind)
        else:
            writer.add_tensor(to, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    try:
        import gguf  # noqa: F401
    except ImportError as missing:
        print(f"gguf_model.py: {missing}", file=sys.stderr)
        sys.exit(77)
    write(*sys.argv[1:4])
