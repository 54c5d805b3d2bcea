#!/usr/bin/env python3
"""Records scikit-learn's metrics of random classifications, as the rows of tests/goldens/metrics.inc.

Usage: make_metrics.py > metrics.inc
Recorded with scikit-learn 1.9.

Each row: {scores, labels, top-2 accuracy, {accuracy, Matthews correlation}, {precision, recall, F1
averaged as macro, weighted, micro}}, with 5 classes of which the last is never a label. The scores
are distinct within their row, so that no tie is broken.
"""
import numpy as np
import sklearn.metrics as metrics

CLASSES = 5
ROWS = 40


def list_of(values):
    return "{" + ", ".join(str(value) for value in values) + "}"


random = np.random.default_rng(7)
for skill in (0, 6, 100):
    labels = random.choice(CLASSES - 1, size=ROWS, p=[0.5, 0.3, 0.15, 0.05])
    # Small integers are exact in every type; no 6 k + 1 and no 100 k + 1 is a multiple of 10.
    scores = np.stack([random.permutation(CLASSES) for _ in range(ROWS)]) * 10
    scores[np.arange(ROWS), labels] += skill * random.integers(0, 7, ROWS) + 1
    answers = scores.argmax(axis=1)
    averages = []
    for average in ("macro", "weighted", "micro"):
        averages += metrics.precision_recall_fscore_support(
            labels, answers, labels=range(CLASSES), average=average, zero_division=0)[:3]
    top = metrics.top_k_accuracy_score(labels, scores, k=2, labels=range(CLASSES))
    both = (metrics.accuracy_score(labels, answers), metrics.matthews_corrcoef(labels, answers))
    matrix = metrics.confusion_matrix(labels, answers, labels=range(CLASSES))
    print(f"{{{list_of(scores.ravel())}, {list_of(labels)}, {float(top)!r}, "
          f"{list_of(map(float, both))}, {list_of(map(float, averages))}, "
          f"{list_of(matrix.ravel())}}},")
