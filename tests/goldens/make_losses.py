#!/usr/bin/env python3
"""Records losses and their gradients, as the rows of tests/goldens/losses.inc.

Usage: make_losses.py > losses.inc
Recorded with PyTorch 2.15 in double precision: {name, loss, gradient by the first operand}. Where
PyTorch has the loss it is asked; else its formula is written out here and differentiated by
PyTorch. The operands are those of tests/support/recorded_loss.h.
"""
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
PREDICTED = torch.tensor([[0.5, -1.5, 2.0], [0.25, 3.0, -0.75]])
EXPECTED = torch.tensor([[1.0, -1.0, -0.5], [0.75, 2.5, -2.0]])
POSITIVE = torch.tensor([[0.5, 0.125, 2.0], [0.25, 3.0, 0.75]])
EXPECTED_POSITIVE = torch.tensor([[0.25, 0.5, 1.5], [1.0, 2.0, 0.125]])
PROBABILITIES = torch.tensor([[0.25, 0.125, 0.625], [0.5, 0.3, 0.2]])
EXPECTED_PROBABILITIES = torch.tensor([[0.5, 0.5, 0.0], [0.1, 0.6, 0.3]])
BITS = torch.tensor([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
SIGNS = torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
ONE_HOT = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
LABELS = torch.tensor([2, 0])
PAIR_LABELS = torch.tensor([1.0, -1.0])
LARGE = torch.tensor([[1000.0, -1000.0, 40.0], [0.0, -40.0, 1000.0]])
ANCHOR = torch.tensor([[0.5, 1.0], [2.0, -1.0]])
NEAR = torch.tensor([[0.25, 1.5], [0.0, 1.0]])
FAR = torch.tensor([[-0.5, 1.0], [2.5, -1.5]])


def categorical_hinge(p, e):
    positive = (e * p).sum(-1)
    negative = ((1 - e) * p).max(-1).values
    return F.relu(negative - positive + 1).mean()


def focal(p, e, gamma=2.0, alpha=None):
    """T.-Y. Lin et al., "Focal loss for dense object detection", equations 4 and 5."""
    cross_entropy = F.binary_cross_entropy_with_logits(p, e, reduction="none")
    probability = torch.sigmoid(p) * e + torch.sigmoid(-p) * (1 - e)
    loss = (1 - probability) ** gamma * cross_entropy
    if alpha is not None:
        loss = (alpha * e + (1 - alpha) * (1 - e)) * loss
    return loss.mean()


RUNS = [
    ("l1", PREDICTED, lambda p: F.l1_loss(p, EXPECTED, reduction="sum")),
    ("l2", PREDICTED, lambda p: F.mse_loss(p, EXPECTED, reduction="sum")),
    ("mean_absolute_error", PREDICTED, lambda p: F.l1_loss(p, EXPECTED)),
    ("mean_squared_error", PREDICTED, lambda p: F.mse_loss(p, EXPECTED)),
    ("mean_squared_logarithmic_error", POSITIVE,
     lambda p: F.mse_loss(torch.log1p(p), torch.log1p(EXPECTED_POSITIVE))),
    ("mean_absolute_percentage_error", PREDICTED,
     lambda p: 100 * ((EXPECTED - p) / EXPECTED).abs().mean()),
    ("hinge", PREDICTED, lambda p: F.relu(1 - SIGNS * p).mean()),
    ("squared_hinge", PREDICTED, lambda p: (F.relu(1 - SIGNS * p) ** 2).mean()),
    ("categorical_hinge", PREDICTED, lambda p: categorical_hinge(p, ONE_HOT)),
    ("log_cosh", PREDICTED, lambda p: torch.log(torch.cosh(p - EXPECTED)).mean()),
    ("poisson", POSITIVE,
     lambda p: F.poisson_nll_loss(p, EXPECTED_POSITIVE, log_input=False, eps=0)),
    ("kullback_leibler", PROBABILITIES,
     lambda p: F.kl_div(p.log(), EXPECTED_PROBABILITIES, reduction="sum")),
    ("softmax_cross_entropy_labels", PREDICTED, lambda p: F.cross_entropy(p, LABELS)),
    ("softmax_cross_entropy_labels_smoothed", PREDICTED,
     lambda p: F.cross_entropy(p, LABELS, label_smoothing=0.2)),
    ("softmax_cross_entropy_probabilities", PREDICTED,
     lambda p: F.cross_entropy(p, EXPECTED_PROBABILITIES)),
    ("softmax_cross_entropy_probabilities_smoothed", PREDICTED,
     lambda p: F.cross_entropy(p, EXPECTED_PROBABILITIES, label_smoothing=0.2)),
    ("softmax_cross_entropy_probabilities_large", LARGE,
     lambda p: F.cross_entropy(p, EXPECTED_PROBABILITIES)),
    ("sigmoid_cross_entropy", PREDICTED,
     lambda p: F.binary_cross_entropy_with_logits(p, EXPECTED_PROBABILITIES)),
    ("sigmoid_cross_entropy_large", LARGE,
     lambda p: F.binary_cross_entropy_with_logits(p, BITS)),
    ("huber", PREDICTED, lambda p: F.huber_loss(p, EXPECTED, reduction="sum", delta=0.75)),
    ("negative_log_likelihood", PROBABILITIES, lambda p: F.nll_loss(p, LABELS)),
    ("focal", PREDICTED, lambda p: focal(p, BITS)),
    ("focal_balanced", PREDICTED, lambda p: focal(p, BITS, gamma=0.5, alpha=0.25)),
    ("focal_zero", PREDICTED, lambda p: F.binary_cross_entropy_with_logits(p, BITS)),
    ("triplet", ANCHOR, lambda p: F.triplet_margin_loss(p, NEAR, FAR, margin=0.5)),
    ("cosine_embedding", ANCHOR,
     lambda p: F.cosine_embedding_loss(p, NEAR, PAIR_LABELS, margin=-0.9)),
]

for name, operand, loss in RUNS:
    operand = operand.clone().requires_grad_()
    value = loss(operand)
    value.backward()
    slopes = ", ".join(repr(v) for v in operand.grad.flatten().tolist())
    print(f'{{"{name}", {{{value.item()!r}, {{{slopes}}}}}}},')
