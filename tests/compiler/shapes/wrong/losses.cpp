// Losses of predictions and labels of different shapes, also where they are differentiated.

#include <ddx/ddx.h>

using ddx::Tensor;

void labels() {
  const auto logits = ddx::zeros<float>({8, 10});
  const auto labels = ddx::zeros<std::int32_t>({9});
  // error: softmax_cross_entropy: labels have shape [9], one for each row of [8, 10] is required
  (void)ddx::nn::softmax_cross_entropy(logits, labels, {});
}

void probabilities() {
  const auto logits = ddx::zeros<float>({8, 10});
  // error: softmax_cross_entropy: shapes [8, 10] and [8, 9] do not fit together
  (void)ddx::nn::softmax_cross_entropy(logits, ddx::zeros<float>({8, 9}));
}

void squares() {
  // error: shapes [4] and [4, 1] do not fit together
  (void)ddx::nn::mean_squared_error(ddx::zeros<float>({4}), ddx::zeros<float>({4, 1}));
}

struct Model {
  ddx::nn::Dense<float> layer{{.in = 4, .out = 3}};

  Tensor<float> operator()(const Tensor<float>& x) const { return layer(x); }

  DDX_DIFFERENTIABLE(Model, layer)
};

void differentiated() {
  const Model model;
  const auto x = ddx::zeros<float>({5, 4});
  const auto y = ddx::zeros<float>({5, 2});
  (void)ddx::gradient(
      [&](const Model& m) {
        // error: shapes [5, 3] and [5, 2] do not fit together
        return ddx::nn::mean_squared_error(m(x), y);
      },
      model);
}

void gradient_used() {
  const auto w = ddx::ones<float>({3, 2});
  const auto g = ddx::gradient([](const Tensor<float>& v) { return ddx::sum(v * v); }, w);
  // error: extents 3 and 4 differ; shapes [3, 2] and [4, 2]
  (void)(g + ddx::ones<float>({4, 2}));
}

void attention() {
  const auto query = ddx::zeros<float>({2, 5, 16});
  const auto key = ddx::zeros<float>({2, 7, 12});
  // error: query [2, 5, 16], key [2, 7, 12] and value [2, 7, 12] are not
  (void)ddx::nn::scaled_dot_product_attention(query, key, key);
}
