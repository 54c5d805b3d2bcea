#!/usr/bin/env python3
"""Compiles JAX's training step of a bench_models workload for a GPU that need not be here.

Usage: compile_jax_step.py --workload NAME --dtype f32|bf16 --content FILE --target FILE --cards N --dump FOLDER

CONTENT is the safetensors file that bench_models writes for its peers, TARGET the description of the GPU; N of them share
the batch. XLA writes what it has made of the step to FOLDER. Needs JAX with jax-cuda13-plugin and jax-cuda13-pjrt of the same version; exits with 77
where they are missing. Kernels are not chosen by timing, for which the GPU would have to be here.
"""
import argparse
import os
import sys

from training_run import read_content


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("workload", "dtype", "content", "target", "cards", "dump"):
        parser.add_argument("--" + name, required=True)
    return parser.parse_args()


def main():
    options = parse()
    os.environ["XLA_FLAGS"] = f"--xla_dump_to={options.dump} --xla_dump_hlo_as_text --xla_gpu_autotune_level=0"
    os.environ["JAX_PLATFORMS"] = "cpu"  # For arrays; the program is compiled for the target.
    os.environ["JAX_DEFAULT_MATMUL_PRECISION"] = "highest"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    try:
        import jax
        from jax.experimental import topologies

        with open(options.target, encoding="utf-8") as file:
            topology = topologies.get_topology_desc(platform="cuda", target_config=file.read(),
                                                     topology="1x1x" + options.cards)
    except Exception as error:  # Absent packages, or no plugin for CUDA among them.
        print(f"compile_jax_step: {str(error).splitlines()[0]}", file=sys.stderr)
        sys.exit(77)
    import bench_jax_models
    import jax.numpy as jnp
    import numpy

    mesh = jax.sharding.Mesh(numpy.array(topology.devices), ("data",))

    def described(arrays, *axes):
        sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes))
        return jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=sharding), arrays)

    content = read_content(options.content)
    x, labels = jnp.array(content["x"]), jnp.array(content["labels"])
    parameters = bench_jax_models.parameters_of(content)
    loss = bench_jax_models.loss_function(options.workload, jnp.bfloat16 if options.dtype == "bf16" else jnp.float32)
    initial, update = bench_jax_models.optimizer_of(options.workload)

    def train(parameters, state, x, labels):
        value, gradient = jax.value_and_grad(loss)(parameters, x, labels)
        return (*update(parameters, gradient, state), value)

    step = jax.jit(train, donate_argnums=(0, 1))
    arguments = described(parameters), described(initial(parameters)), described(x, "data"), described(labels, "data")
    step.lower(*arguments).compile()


if __name__ == "__main__":
    main()
