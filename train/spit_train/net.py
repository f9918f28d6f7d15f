"""The net: one trunk for policy and value, and, where actions are described, one head that judges them all."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import nn

from spit_agents.features import Encoder


def linear(inputs: int, outputs: int, gain: float, bias: bool = True) -> nn.Linear:
    """A layer with orthogonal weights and no bias to begin with."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.orthogonal_(layer.weight, gain)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


class Net(nn.Module):
    """ReLU layers over the table; a value; a logit for each candidate.

    A candidate's logit is a function, the same for all candidates, of the trunk's output and of what is seen of the
    candidate. So what is learnt of one stack or pile holds for the others.
    """

    def __init__(self, encoder: Encoder, widths: Sequence[int] = (128, 128), head: int = 64) -> None:
        super().__init__()
        self.encoder = encoder
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise((encoder.features, *widths)):
            layers += [linear(inputs, outputs, 2**0.5), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.value = linear(widths[-1], 1, 1.0)
        if encoder.candidate_features:
            self.context = linear(widths[-1], head, 1.0)
            self.described = linear(encoder.candidate_features, head, 1.0, bias=False)
            self.logit = linear(head, 1, 0.01)
        else:
            self.logit = linear(widths[-1], encoder.candidates, 0.01)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Shape (rows, size) to logits of shape (rows, candidates), not masked, and values of shape (rows,)."""
        encoder = self.encoder
        latent = self.trunk(x[:, : encoder.features])
        value = self.value(latent).squeeze(1)
        if not encoder.candidate_features:
            return self.logit(latent), value
        described = x[:, encoder.features :].reshape(-1, encoder.candidates, encoder.candidate_features)
        judged = torch.relu(self.context(latent).unsqueeze(1) + self.described(described))
        return self.logit(judged).squeeze(2), value
