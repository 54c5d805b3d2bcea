/// \file
/// The workloads, one function each; sizes, losses and optimisers are those of the peers' scripts
/// in ../baselines.

#pragma once

#include "workload.h"

namespace ddx::bench {

[[nodiscard]] Workload mlp(const WorkloadOptions& options);    ///< 784-512-512-10 with rectifiers.
[[nodiscard]] Workload lenet(const WorkloadOptions& options);  ///< LeNet-5.
/// For images of 32 by 32; three stages of nine blocks, shortcuts without parameters.
[[nodiscard]] Workload resnet56(const WorkloadOptions& options);
/// For images of 32 by 32; four stages of two blocks, a convolution where the extent changes.
[[nodiscard]] Workload resnet18(const WorkloadOptions& options);
/// The same for images of 224 by 224, with their usual first layers: a convolution of 7 by 7 and a
/// pooling, each with stride 2; 1000 classes.
[[nodiscard]] Workload resnet18_224(const WorkloadOptions& options);
/// A transformer of four blocks that predicts the next of 256 tokens.
[[nodiscard]] Workload gpt(const WorkloadOptions& options);

}  // namespace ddx::bench
