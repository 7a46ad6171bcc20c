"""Small networks over numpy arrays: what the local arbiter and the local reader are made of."""

from memories.networks.network import Basis, Floats, Layers, Network, pack, softmax, unpack

__all__ = ["Basis", "Floats", "Layers", "Network", "pack", "softmax", "unpack"]
