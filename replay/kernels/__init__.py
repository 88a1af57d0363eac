"""Integer kernels: one source, run as plain Python or compiled by numba."""
