#!/usr/bin/env python3
"""Training steps of a model in JAX, as bench_models measures its own.

Usage: bench_jax_models.py --workload NAME --mode jit --dtype f32|bf16 --threads N --seconds S --content FILE
                           [--device cpu|cuda]

FILE is a safetensors file with the parameters by bench_models' paths, the batch "x" and its "labels"; the steps are then
the same. Prints one JSON object. The caller pins the process to N processors, which XLA's threads follow. In bf16,
parameters and activations are cast in the forward pass; normalisation, softmax and loss are in f32. f32
is f32 on a GPU too, without TF32.
"""
import os

from training_run import parse_arguments, peak_rss_mb, read_content, run


def loss_function(workload, compute):
    """loss(parameters, x, labels) over parameters by path; computes in the dtype `compute`."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    relu = jax.nn.relu

    def dense(p, path, x):
        y = x.astype(compute) @ p[path + ".weight"].astype(compute)
        return y + p[path + ".bias"].astype(compute) if p[path + ".bias"].size else y

    def conv(p, path, x, stride=1, same=True):
        filter = p[path + ".filter"]
        pad = filter.shape[0] // 2 if same else 0
        y = lax.conv_general_dilated(x.astype(compute), filter.astype(compute), (stride, stride), [(pad, pad)] * 2,
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return y + p[path + ".bias"].astype(compute) if p[path + ".bias"].size else y

    def norm(p, path, x, axes):
        x = x.astype(jnp.float32)
        m = x.mean(axes, keepdims=True)
        v = jnp.square(x - m).mean(axes, keepdims=True)
        return ((x - m) * (p[path + ".scale"] * lax.rsqrt(v + 1e-5)) + p[path + ".offset"]).astype(compute)

    def batch_norm(p, path, x):
        return norm(p, path, x, (0, 1, 2))

    def pool(x):
        n, h, w, c = x.shape
        return x.reshape(n, h // 2, 2, w // 2, 2, c).mean((2, 4))

    def mlp(p, x):
        return dense(p, "classifier", relu(dense(p, "hidden2", relu(dense(p, "hidden1", x)))))

    def lenet(p, x):
        x = pool(relu(conv(p, "conv1", x)))
        x = pool(relu(conv(p, "conv2", x, same=False)))
        x = relu(dense(p, "dense1", x.reshape(x.shape[0], -1)))
        return dense(p, "classifier", relu(dense(p, "dense2", x)))

    def residual_network(p, x):
        blocks = sum(path.endswith("conv1.filter") for path in p)  # In three stages.
        x = relu(batch_norm(p, "norm", conv(p, "stem", x)))
        for i in range(blocks):
            q = f"blocks.{i}."
            stride, added = (2, x.shape[3]) if i in (blocks // 3, 2 * blocks // 3) else (1, 0)
            y = relu(batch_norm(p, q + "norm1", conv(p, q + "conv1", x, stride)))
            y = batch_norm(p, q + "norm2", conv(p, q + "conv2", y))
            if added:
                x = jnp.pad(x[:, ::2, ::2], ((0, 0), (0, 0), (0, 0), (added // 2, added - added // 2)))
            x = relu(x + y)
        return dense(p, "classifier", x.mean((1, 2)))

    def resnet18(p, x):
        def normed(path, x, stride=1):
            return batch_norm(p, path + ".norm", conv(p, path + ".conv", x, stride))

        large = p["stem.conv.filter"].shape[0] == 7
        x = relu(normed("stem", x, 2 if large else 1))
        if large:
            # A number of jnp would be traced, and JAX would not see that this is max pooling.
            x = lax.reduce_window(x, np.array(-np.inf, x.dtype), lax.max, (1, 3, 3, 1), (1, 2, 2, 1),
                                  ((0, 0), (1, 1), (1, 1), (0, 0)))
        for i in range(8):
            q, stride = f"blocks.{i}.", 2 if i in (2, 4, 6) else 1
            y = normed(q + "second", relu(normed(q + "first", x, stride)))
            x = relu((normed(q + "projection.0", x, 2) if stride == 2 else x) + y)
        return dense(p, "classifier", x.mean((1, 2)))

    def gpt(p, x):
        heads = 8
        x = (p["tokens.weight"][x] + p["positions.weight"]).astype(compute)
        n, time, d = x.shape
        seen = jnp.tril(jnp.ones((time, time), bool))
        for i in range(4):
            q = f"blocks.{i}."
            z = dense(p, q + "attention.qkv", norm(p, q + "attention_norm", x, -1))
            query, key, value = (z.reshape(n, time, 3, heads, d // heads)[:, :, j] for j in range(3))
            scores = jnp.einsum("bthe,bshe->bhts", query, key).astype(jnp.float32) * (d // heads) ** -0.5
            weights = jax.nn.softmax(jnp.where(seen, scores, -1e30), axis=-1).astype(compute)
            y = jnp.einsum("bhts,bshe->bthe", weights, value).reshape(n, time, d)
            x = x + dense(p, q + "attention.output", y)
            y = jax.nn.gelu(dense(p, q + "widen", norm(p, q + "dense_norm", x, -1)), approximate=True)
            x = x + dense(p, q + "narrow", y)
        return dense(p, "head", norm(p, "norm", x, -1))

    model = {"mlp": mlp, "lenet": lenet, "resnet56": residual_network, "resnet20": residual_network, "resnet18": resnet18, "resnet18_224": resnet18,
             "gpt": gpt}[workload]

    def loss(p, x, labels):
        scores = model(p, x).astype(jnp.float32)
        scores = scores.reshape(-1, scores.shape[-1])
        return -jnp.take_along_axis(jax.nn.log_softmax(scores), labels[:, None], -1).mean()

    return loss


def optimizer_of(workload):
    """The first state of some parameters, and the update of parameters and state by a gradient."""
    import jax
    import jax.numpy as jnp

    tree = jax.tree_util.tree_map
    if workload == "gpt":
        rate, b1, b2, epsilon, decay = 3e-4, 0.9, 0.999, 1e-8, 0.01

        def update(p, g, state):
            m, v, t = state
            t = t + 1
            m = tree(lambda m, g: b1 * m + (1 - b1) * g, m, g)
            v = tree(lambda v, g: b2 * v + (1 - b2) * g * g, v, g)
            p = tree(lambda p, m, v: p * (1 - rate * decay)
                     - rate * (m / (1 - b1 ** t)) / (jnp.sqrt(v / (1 - b2 ** t)) + epsilon), p, m, v)
            return p, (m, v, t)
        return lambda p: (tree(jnp.zeros_like, p), tree(jnp.zeros_like, p), jnp.zeros(())), update
    if workload.startswith("resnet"):
        decay = 1e-4 if workload == "resnet56" else 0

        def update(p, g, state):
            state = tree(lambda v, p, g: 0.9 * v + (g + decay * p if decay else g), state, p, g)
            return tree(lambda p, v: p - 0.01 * v, p, state), state
        return lambda p: tree(jnp.zeros_like, p), update
    return lambda p: (), lambda p, g, state: (tree(lambda p, g: p - 0.01 * g, p, g), state)


def parameters_of(content):
    """The parameters, with the three inner maps of each attention as one, as the peers have it."""
    import jax.numpy as jnp
    import numpy

    p = {name: array for name, array in content.items()
         if name not in ("x", "labels") and not name.endswith(("running_mean", "running_variance"))}
    for name in [name for name in p if ".attention.query." in name]:
        parts = [p.pop(name.replace("query", part)) for part in ("query", "key", "value")]
        p[name.replace("query", "qkv")] = numpy.concatenate(parts, -1)
    return {name: jnp.array(array) for name, array in p.items()}


def main():
    arguments = parse_arguments(__doc__, ["jit"])
    os.environ.update(JAX_PLATFORMS=arguments.device, JAX_DEFAULT_MATMUL_PRECISION="highest", OMP_NUM_THREADS=str(arguments.threads), NPROC=str(arguments.threads))
    import jax
    import jax.numpy as jnp

    jnp.zeros(3).block_until_ready()
    imported = peak_rss_mb()
    content = read_content(arguments.content)
    p, x, labels = parameters_of(content), jnp.array(content["x"]), jnp.array(content["labels"])
    del content
    loss = loss_function(arguments.workload, jnp.bfloat16 if arguments.dtype == "bf16" else jnp.float32)
    initial, update = optimizer_of(arguments.workload)

    def train(p, state, x, labels):
        value, gradient = jax.value_and_grad(loss)(p, x, labels)
        return (*update(p, gradient, state), value)

    train = jax.jit(train, donate_argnums=(0, 1))
    state, losses = [p, initial(p)], []

    def step():
        *state[:], value = train(*state, x, labels)
        jax.block_until_ready(state)
        losses.append(float(value))

    run("jax", arguments, imported, losses, step)


if __name__ == "__main__":
    main()
