#!/usr/bin/env python3
"""Records PyTorch's connectionist temporal classification, as the rows of tests/goldens/ctc.inc.

Usage: make_ctc.py > ctc.inc
Recorded with PyTorch 2.15: the losses of samples with repeated labels, with one label, without labels, with fewer steps
than the batch, and (in `ctc_infeasible`) with too few steps; gradients of sum(losses c) by the scores before log_softmax.
"""
import torch
from torch.nn import functional as F

from layer_numbers import leaf, record

TARGETS = torch.tensor([[1, 1, 2], [3, 0, 0], [0, 0, 0], [2, 3, 2]])
INPUTS = torch.tensor([6, 4, 5, 3])
LENGTHS = torch.tensor([3, 1, 0, 3])


def loss(scores, targets, inputs, lengths, blank=0, reduction="none", **options):
    return F.ctc_loss(F.log_softmax(scores, -1).transpose(0, 1), targets, inputs, lengths, blank=blank, reduction=reduction,
                      **options)


for reduction in ("none", "sum", "mean"):
    x = leaf((4, 6, 4), 1)
    record(f"ctc_{reduction}", loss(x, TARGETS, INPUTS, LENGTHS, reduction=reduction), [("x", x)])
x = leaf((2, 5, 4), 1)
record("ctc_last_blank", loss(x, torch.tensor([[0, 1, 0], [2, 2, 0]]), torch.tensor([5, 4]), torch.tensor([3, 2]), blank=3),
       [("x", x)])
x = leaf((3, 6, 4), 1)
record("ctc_infeasible", loss(x, torch.tensor([[1, 1, 2], [1, 2, 3], [1, 2, 0]]), torch.tensor([3, 2, 4]), torch.tensor([3, 3, 2]),
                              reduction="mean", zero_infinity=True), [("x", x)])
