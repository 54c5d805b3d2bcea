#!/usr/bin/env python3
"""Records PyTorch's linear algebra, as the rows of tests/goldens/linear_algebra.inc: values, and gradients of sum(y c).

Usage: make_linear_algebra.py > linear_algebra.inc
Recorded with PyTorch 2.15, in double. All numbers are made by `numbers` and `regular`, as
tests/support/recorded_linear_algebra.h does. Signs that PyTorch leaves open are chosen as ddx chooses them.
"""
import math

import torch


def numbers(shape, start):
    """sin(0.7 (start + i)), i from 0 on, in row-major order."""
    count = math.prod(shape)
    return torch.tensor([math.sin(0.7 * (start + i)) for i in range(count)], dtype=torch.float64).reshape(shape)


def regular(shape, start):
    """The numbers, and 2 more on the diagonal."""
    return numbers(shape, start) + 2 * torch.eye(shape[-2], shape[-1], dtype=torch.float64)


def definite(n, start):
    x = regular((n, n), start)
    return x @ x.mT


def show(name, tensor):
    print(f'{{"{name}", {{{", ".join(repr(x) for x in tensor.detach().contiguous().flatten().tolist())}}}}},')


def record(name, function, *operands):
    """The outputs one after another, and the gradients of their sums weighted with numbers from 50 on."""
    leaves = [x.clone().requires_grad_() for x in operands]
    outputs = function(*leaves)
    flat = torch.cat([y.flatten() for y in (outputs if isinstance(outputs, tuple) else (outputs,))])
    show(name, flat)
    (flat * numbers(flat.shape, 50)).sum().backward()
    for i, leaf in enumerate(leaves):
        show(f"{name}.{i}", leaf.grad)


def turned(columns):
    """For each column, the sign of its first element that is at least half as large as the largest."""
    sizes = columns.detach().abs()
    first = (sizes >= sizes.amax(-2, keepdim=True) / 2).to(torch.int8).argmax(-2, keepdim=True)
    return torch.sign(columns.detach().gather(-2, first))


def qr(x, mode):
    q, r = torch.linalg.qr(x, mode=mode)
    k = min(r.shape[-2:])
    signs = torch.sign(torch.diagonal(r.detach(), dim1=-2, dim2=-1))
    return torch.cat([q[..., :k] * signs[..., None, :], q[..., k:]], -1), torch.cat([r[..., :k, :] * signs[..., None], r[..., k:, :]], -2)


def svd(x):
    u, s, vh = torch.linalg.svd(x, full_matrices=False)
    signs = turned(u)
    return u * signs, s, vh.mT * signs


def eigh(x):
    values, vectors = torch.linalg.eigh((x + x.mT) / 2)
    return values, vectors * turned(vectors)


linalg = torch.linalg
record("cholesky", lambda x: linalg.cholesky((x + x.mT) / 2), definite(4, 1))
record("cholesky_batch", lambda x: linalg.cholesky((x + x.mT) / 2), torch.stack([definite(3, 1), definite(3, 20)]))
for name, lower, adjoint in (("lower", True, False), ("upper", False, False), ("lower_adjoint", True, True)):
    record(f"triangular_solve_{name}",
           lambda a, b: linalg.solve_triangular((a.tril() if lower else a.triu()).mT if adjoint
                                                else (a.tril() if lower else a.triu()), b, upper=lower == adjoint),
           regular((2, 3, 3), 1), numbers((2, 3, 2), 30))
record("solve", linalg.solve, regular((2, 3, 3), 1), numbers((2, 3, 2), 30))
record("solve_broadcast", linalg.solve, regular((3, 3), 1), numbers((2, 3, 2), 30))
record("inverse", linalg.inv, regular((2, 3, 3), 1))
record("det", linalg.det, regular((2, 3, 3), 1))
record("det_singular", linalg.det, torch.tensor([[1., 2, 3], [4, 5, 6], [5, 7, 9]], dtype=torch.float64))
record("slogdet", lambda x: linalg.slogdet(x)[1], -regular((2, 3, 3), 1))
record("logdet", torch.logdet, definite(3, 5))
record("qr_tall", lambda x: qr(x, "reduced"), regular((4, 3), 1))
record("qr_square", lambda x: qr(x, "reduced"), regular((2, 3, 3), 1))
record("qr_wide", lambda x: qr(x, "complete"), regular((3, 5), 1))
record("svd_tall", svd, regular((5, 3), 1))
record("svd_wide", svd, regular((2, 2, 4), 1))
record("svdvals", linalg.svdvals, regular((2, 4, 3), 1))
record("eigh", eigh, numbers((2, 3, 3), 1))
record("eigvalsh", lambda x: linalg.eigvalsh((x + x.mT) / 2), numbers((4, 4), 1))
record("pinv_tall", linalg.pinv, regular((4, 3), 1))
record("pinv_wide", linalg.pinv, regular((2, 2, 3), 1))
record("lstsq", lambda a, b: linalg.pinv(a) @ b, regular((4, 3), 1), numbers((4, 2), 30))
record("lstsq_wide", lambda a, b: linalg.pinv(a) @ b, regular((2, 2, 3), 1), numbers((2, 2, 2), 30))
record("matrix_exponential", linalg.matrix_exp, torch.stack([numbers((3, 3), 1), 8 * numbers((3, 3), 30)]))
record("matrix_power", lambda x: linalg.matrix_power(x, 5), numbers((3, 3), 1))
record("matrix_power_negative", lambda x: linalg.matrix_power(x, -3), regular((3, 3), 1))
record("nuclear_norm", lambda x: linalg.matrix_norm(x, "nuc"), regular((2, 4, 3), 1))
record("spectral_norm", lambda x: linalg.matrix_norm(x, 2), regular((2, 4, 3), 1))
record("cond", linalg.cond, regular((2, 3, 3), 1))
record("kron", torch.kron, numbers((2, 3), 1), numbers((3, 2), 30))

for equation, shapes in (
        ("ij,jk->ik", ((2, 3), (3, 4))),
        ("bij,bjk->bik", ((2, 3, 4), (2, 4, 2))),
        ("bij,bkj->ikb", ((2, 3, 4), (2, 5, 4))),
        ("ij,kj", ((2, 3), (4, 3))),
        ("ba", ((2, 3),)),
        ("ii", ((3, 3),)),
        ("ii->i", ((3, 3),)),
        ("iji->j", ((3, 2, 3),)),
        ("iii->i", ((3, 3, 3),)),
        ("ij->", ((2, 3),)),
        ("ij->j", ((2, 3),)),
        ("i,j->ij", ((2,), (3,))),
        ("i,i", ((4,), (4,))),
        ("i,i->i", ((4,), (4,))),
        ("bi,bi->b", ((2, 3), (2, 3))),
        ("ij,j->i", ((2, 3), (3,))),
        ("...ij,...jk->...ik", ((2, 1, 2, 3), (4, 3, 2))),
        ("...i,i->...", ((2, 3, 4), (4,))),
        ("i...->...i", ((2, 3, 4),)),
        ("ij,jk,kl->il", ((2, 6), (6, 3), (3, 4))),
        ("ij,ik,il->jkl", ((3, 2), (3, 2), (3, 4))),
        ("ab,bc,cd,da", ((2, 3), (3, 4), (4, 2), (2, 2))),
        ("ijk,ilm,njm,nlk,abc->", ((2, 2, 2),) * 5),
        ("bhqd,bhkd->bhqk", ((2, 2, 3, 4), (2, 2, 5, 4))),
        ("ij,ij->ij", ((1, 3), (2, 3))),
        ("ijj,jk->ik", ((2, 3, 3), (3, 2))),
        (",ij->ji", ((), (2, 3))),
):
    operands = [numbers(shape, 1 + 20 * i) for i, shape in enumerate(shapes)]
    record("einsum " + equation, lambda *x: torch.einsum(equation, *x), *operands)
