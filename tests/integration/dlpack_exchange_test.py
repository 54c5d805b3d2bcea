#!/usr/bin/env python3
"""Tensors of ddx in NumPy and PyTorch, and theirs in ddx, by DLPack. Skipped without NumPy; PyTorch may be absent.

Usage: dlpack_exchange_test.py LIBRARY
  LIBRARY  makes tensors and takes them
"""
import ctypes
import pathlib
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: the Python package numpy is not installed")
    sys.exit(77)
try:
    import torch
except ImportError:
    torch = None

LIBRARY = ctypes.CDLL(str(pathlib.Path(sys.argv.pop()).resolve()))
LIBRARY.make_old.restype = LIBRARY.make_versioned.restype = ctypes.c_void_p
for take in (LIBRARY.take_old, LIBRARY.take_versioned):
    take.restype, take.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
API = ctypes.pythonapi
API.PyCapsule_New.restype, API.PyCapsule_New.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
API.PyCapsule_GetPointer.restype, API.PyCapsule_GetPointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
API.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
# Capsules keep the pointers of their names.
OLD, VERSIONED, USED_OLD, USED_VERSIONED = b"dltensor", b"dltensor_versioned", b"used_dltensor", b"used_dltensor_versioned"


class Ours:
    """A tensor of ddx as other libraries ask for it."""

    def __init__(self, pointer, name):
        self.pointer, self.name = pointer, name

    def __dlpack__(self, **_):
        return API.PyCapsule_New(self.pointer, self.name, None)

    def __dlpack_device__(self):
        return (1, 0)


def taken(array, versioned):
    """What ddx reads in an array of another library, and where the elements lie that it read."""
    capsule = array.__dlpack__(max_version=(1, 0)) if versioned else array.__dlpack__()
    pointer = API.PyCapsule_GetPointer(capsule, VERSIONED if versioned else OLD)
    API.PyCapsule_SetName(capsule, USED_VERSIONED if versioned else USED_OLD)
    place = ctypes.c_void_p()
    take = LIBRARY.take_versioned if versioned else LIBRARY.take_old
    return take(pointer, ctypes.byref(place)), place.value


class DlpackExchange(unittest.TestCase):
    def test_others_read_ours(self):
        for library in (np, torch):
            if library is not None:
                old = library.from_dlpack(Ours(LIBRARY.make_old(), OLD))
                self.assertEqual((old.dtype, old.tolist()), (library.float32, [[1, 2, 3], [4, 5, 6]]))
                versioned = library.from_dlpack(Ours(LIBRARY.make_versioned(), VERSIONED))
                self.assertEqual((versioned.dtype, versioned.tolist()), (library.float64, [[1, 2], [3, 4]]))

    def test_we_read_theirs(self):
        rising = np.arange(6, dtype=np.float32)
        arrays = [rising.reshape(2, 3), rising.reshape(3, 2).T, rising[::-1], rising[::2], np.float32(3) + np.zeros((), np.float32)]
        arrays = [np.asarray(array) for array in arrays]
        if torch is not None:
            whole = torch.arange(6, dtype=torch.float32)
            arrays += [whole.reshape(2, 3), whole.reshape(3, 2).T, whole[::2], whole.expand(2, 6)]
        for array in arrays:
            flat = np.asarray(array).reshape(-1)
            expected = float((flat * np.arange(1, flat.size + 1)).sum())
            for versioned in (False, True):
                self.assertEqual(taken(array, versioned)[0], expected)

    def test_dense_aligned_memory_is_shared(self):
        room = np.zeros(32, np.float32)
        start = -room.ctypes.data % 64 // 4  # At a multiple of 64 bytes.
        array = room[start:start + 6]
        array[:] = 1
        for versioned in (False, True):
            self.assertEqual(taken(array, versioned), (21, array.ctypes.data))
            self.assertNotEqual(taken(array[1:], versioned)[1], array.ctypes.data + 4)


if __name__ == "__main__":
    unittest.main()
