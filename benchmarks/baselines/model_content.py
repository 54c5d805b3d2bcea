"""What bench_models hands to the other frameworks, and the memory they take; used by the scripts beside it."""
import json
import resource


def read_content(path):
    """Name -> array, of a safetensors file."""
    import numpy

    types = {"F32": numpy.float32, "I32": numpy.int32, "F64": numpy.float64, "I64": numpy.int64}
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: numpy.frombuffer(data[slice(*a["data_offsets"])], types[a["dtype"]]).reshape(a["shape"])
            for name, a in header.items()}


def peak_rss_mb():
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
