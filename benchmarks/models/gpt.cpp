#include "ddx/models/gpt.h"

#include "ddx/nn/activation.h"
#include "ddx/nn/optimizers/adamw.h"

#include "multiplications.h"
#include "training.h"
#include "workloads.h"

#include <cstdint>

namespace ddx::bench {
namespace {

/// The library's model with the peers' activation and epsilon.
template <class Scalar>
models::GPT<Scalar> as_the_peers(const models::GPTOptions& options) {
  models::GPT<Scalar> model(options);
  for (auto& block : model.blocks) {
    block.widen.activation = nn::Activation::GELUTanh;
  }
  model.norm.epsilon = 1e-5;
  return model;
}

/// Attention counts as if each position saw all.
double operations(std::int64_t batch, const models::GPTOptions& o) {
  const std::int64_t block = o.features * (12 * o.features + 2 * o.context);
  const std::int64_t place = o.blocks * block + o.features * o.vocabulary;
  return operations_of_step(static_cast<double>(batch * o.context * place), 0);
}

}  // namespace

Workload gpt(const WorkloadOptions& options) {
  const models::GPTOptions model = options.small ? models::GPTOptions{.vocabulary = 64,
                                                                      .context = 32,
                                                                      .blocks = 2,
                                                                      .features = 64,
                                                                      .heads = 4}
                                                 : models::GPTOptions{.features = 256, .heads = 8};
  const std::int64_t batch = options.small ? 4 : 16;
  return workload_of<nn::AdamW, true>(
      [&]<class Scalar>(Scalar) { return as_the_peers<Scalar>(model); },
      {{batch, model.context}, batch * model.context, model.vocabulary},
      nn::AdamWOptions{.learning_rate = 3e-4, .weight_decay = 0.01}, operations(batch, model),
      options);
}

}  // namespace ddx::bench
