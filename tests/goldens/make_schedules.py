#!/usr/bin/env python3
"""Records PyTorch's learning-rate schedules, as the rows of tests/goldens/schedules.inc.

Usage: make_schedules.py > schedules.inc
Recorded with PyTorch 2.15: the rates of the first 14 steps.
"""
import torch
from torch.optim import lr_scheduler as schedulers


def rates(make, initial):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=initial)
    schedule = make(optimizer)
    values = []
    for _ in range(14):
        values.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if not isinstance(schedule, schedulers.OneCycleLR) or len(values) < schedule.total_steps:
            schedule.step()
    return values


def warm_up(optimizer):
    rise = schedulers.LinearLR(optimizer, start_factor=0.1, total_iters=4)
    after = schedulers.CosineAnnealingLR(optimizer, T_max=20)
    return schedulers.SequentialLR(optimizer, [rise, after], milestones=[4])


RUNS = [
    ("step", 0.5, lambda o: schedulers.StepLR(o, step_size=4, gamma=0.3)),
    ("exponential", 0.5, lambda o: schedulers.ExponentialLR(o, gamma=0.9)),
    ("inverse_time", 0.5, lambda o: schedulers.LambdaLR(o, lambda t: 1 / (1 + 0.2 * t))),
    ("linear", 0.5, lambda o: schedulers.LinearLR(o, 1.0, 0.2, total_iters=10)),
    ("polynomial", 0.5, lambda o: schedulers.PolynomialLR(o, total_iters=10, power=2.0)),
    ("cosine", 0.5, lambda o: schedulers.CosineAnnealingLR(o, T_max=13, eta_min=0.1)),
    ("cosine_restarts", 0.5,
     lambda o: schedulers.CosineAnnealingWarmRestarts(o, T_0=4, eta_min=0.1)),
    ("cosine_longer_restarts", 0.5,
     lambda o: schedulers.CosineAnnealingWarmRestarts(o, T_0=2, T_mult=2, eta_min=0.1)),
    ("piecewise", 0.5, lambda o: schedulers.MultiStepLR(o, milestones=[3, 4, 9], gamma=0.5)),
    ("warm_up", 0.5, warm_up),
    ("one_cycle", 0.5, lambda o: schedulers.OneCycleLR(o, max_lr=0.5, total_steps=12)),
    ("one_cycle_early", 0.5, lambda o: schedulers.OneCycleLR(
        o, max_lr=0.5, total_steps=14, pct_start=0.5, div_factor=10, final_div_factor=100)),
]

for name, initial, make in RUNS:
    print(f'{{"{name}", {{{", ".join(repr(float(v)) for v in rates(make, initial))}}}}},')
