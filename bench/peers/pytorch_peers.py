#!/usr/bin/env python3
"""What PyTorch takes for the same operations, in Google Benchmark's JSON.

   pytorch_peers.py [OUT.json]

Measured as cub_peers.cu does: copies until the clocks are up, then copy and operation in turn.
"""
import json
import statistics
import sys

SAMPLES = 15
WARM_UP_MS = 150
LARGEST_CACHED = 256 << 20


def measure(torch, name, n, size, operation):
    """One row; size: the bytes that the operation must move."""
    half = max(size // 2, 16)
    source, target = (torch.empty(max(half, 1 << 29), dtype=torch.uint8, device="cuda")
                      for _ in range(2))

    def copy(count):
        target[:count].copy_(source[:count])

    def event():
        e = torch.cuda.Event(enable_timing=True)
        e.record()
        return e

    def timed(work):
        if size <= LARGEST_CACHED:
            work()
        start = event()
        work()
        return start, event()

    operation()
    begin = event()
    copy(1 << 29)
    end = event()
    end.synchronize()
    for _ in range(1 + int(WARM_UP_MS / begin.elapsed_time(end))):
        copy(1 << 29)
    pairs = [(timed(lambda: copy(half)), timed(operation)) for _ in range(SAMPLES)]
    torch.cuda.synchronize()
    copies, times = ([1e3 * a.elapsed_time(b) for a, b in column] for column in zip(*pairs))
    us = statistics.median(times)
    print(f"{name}/{n}: {us:.2f} us", file=sys.stderr)
    return {"name": f"{name}/{n}", "run_name": f"{name}/{n}", "run_type": "iteration",
            "iterations": 1, "real_time": us, "cpu_time": 0, "time_unit": "us",
            "min_us": min(times), "GB/s": 1e-3 * size / us,
            "copy_share": statistics.median(copies) / us, "samples": SAMPLES,
            "items_per_second": 1e6 * n / us}


def sparse_rows(torch):
    """y = A x by cuSPARSE, for the matrices of vkprims-bench's spmv rows.

    They have 2^22 rows, and about as many nonzeros.
    """
    count = 1 << 22
    x = torch.randn(count, device="cuda")

    def row(name, offsets, columns):
        nonzeros = columns.numel()
        values = torch.randn(nonzeros, device="cuda")
        matrix = torch.sparse_csr_tensor(offsets, columns, values, (count, count))
        return measure(torch, name, nonzeros, 8 * nonzeros + 12 * count, lambda: matrix @ x)

    def integers(low, high, n):
        return torch.randint(low, high, (n,), device="cuda", dtype=torch.int32)

    own = torch.arange(count, device="cuda", dtype=torch.int32).repeat_interleave(16)
    band = (own + integers(-512, 513, 16 * count)).clamp(0, count - 1)
    band_offsets = torch.arange(0, 16 * count + 1, 16, device="cuda", dtype=torch.int32)
    rows = [row("pytorch/spmv_f32_band16", band_offsets, band)]
    lengths = (1 / torch.rand(count, device="cuda").clamp_min(1e-6)).to(torch.int64)
    zero = torch.zeros(1, device="cuda", dtype=torch.int64)
    offsets = torch.cat([zero, lengths.cumsum(0)]).to(torch.int32)
    rows.append(row("pytorch/spmv_f32_power_law", offsets, integers(0, count, int(offsets[-1]))))
    return rows


def dropout_rows(torch, n):
    """Dropout with p = 0.1: a byte of mask for each element."""
    rows = []
    for name, dtype in (("f32", torch.float32), ("f16", torch.float16)):
        x = torch.rand(n, device="cuda").to(dtype)
        size = x.element_size()
        _, mask = torch.native_dropout(x, 0.1, True)

        def row(variant, operands, operation):
            rows.append(measure(torch, f"pytorch/dropout_{name}{variant}", n,
                                n * (operands * size + 1), operation))

        row("", 2, lambda: torch.native_dropout(x, 0.1, True))
        row("_backward", 2, lambda: torch.ops.aten.native_dropout_backward(x, mask, 1 / 0.9))
        matrix, bias = x.view(-1, 1024), x[:1024].clone()
        row("_bias_residual", 3,
            lambda: torch.nn.functional.dropout(matrix + bias, 0.1, True) + matrix)
    return rows


def top_k_rows(torch, n):
    """The k largest of n floats, in order or not; torch.topk has indices, too."""
    x = torch.rand(n, device="cuda")
    rows = []
    for name, k in (("16", 16), ("1024", 1024), ("65536", 65536), ("half", n // 2)):
        if k > n // 2:
            continue
        for variant, in_order in (("", False), ("_sorted", True)):
            rows.append(measure(torch, f"pytorch/top_k_f32_{name}{variant}", n, 4 * n + 12 * k,
                                lambda: torch.topk(x, k, sorted=in_order)))
    return rows


def main():
    try:
        import torch
    except ImportError:
        sys.exit("pytorch_peers.py: PyTorch is not installed")
    if not torch.cuda.is_available():
        sys.exit("pytorch_peers.py: PyTorch finds no GPU")
    rows = []
    for exponent in (16, 20, 24, 28):
        n = 1 << exponent
        x = torch.rand(n, device="cuda")
        out = torch.empty_like(x)
        rows.append(measure(torch, "pytorch/clone_f32", n, 8 * n, x.clone))
        rows.append(measure(torch, "pytorch/copy_f32", n, 8 * n, lambda: out.copy_(x)))
        rows.append(measure(torch, "pytorch/sum_f32", n, 4 * n, x.sum))
        rows.append(measure(torch, "pytorch/argmin_f32", n, 4 * n, x.argmin))
        rows.append(measure(torch, "pytorch/cumsum_f32", n, 8 * n,
                            lambda: torch.cumsum(x, 0, out=out)))
        order = torch.randperm(n, device="cuda", dtype=torch.int32)
        rows.append(measure(torch, "pytorch/index_select_f32_random", n, 12 * n,
                            lambda: torch.index_select(x, 0, order)))
        rows += dropout_rows(torch, n)
        rows += top_k_rows(torch, n)
    rows += sparse_rows(torch)
    document = {"context": {"device": torch.cuda.get_device_name(),
                            "driver": f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}"},
                "benchmarks": rows}
    with open(sys.argv[1], "w") if len(sys.argv) > 1 else sys.stdout as file:
        json.dump(document, file, indent=2)


if __name__ == "__main__":
    main()
