"""Small networks over numpy arrays: what the local arbiter and the local reader are made of."""

from memories.networks.network import Basis, Floats, Layers, Network, pack, softmax, unpack
from memories.networks.rows import BadRows, read_folder

__all__ = [
    "BadRows",
    "Basis",
    "Floats",
    "Layers",
    "Network",
    "pack",
    "read_folder",
    "softmax",
    "unpack",
]
