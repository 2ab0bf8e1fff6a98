"""The interface of a network, which our Transformer and the adapters around foreign models implement."""

from collections.abc import Iterator
from typing import Any, Protocol

from torch import Tensor, nn

from model.config import TransformerConfig
from model.nn.attention_selection import AttentionSelection
from model.nn.passes import Decoded, Encoded
from model.nn.transformer import InterventionsLike


class EncoderDecoder(Protocol):
    """A PyTorch module that encodes int64 (B, S), decodes int64 (B, T) and projects states (…, D) to logits."""

    config: TransformerConfig
    training: bool

    def encode(
        self, source_ids: Tensor, *, capture: bool | AttentionSelection = False, interventions: InterventionsLike = None
    ) -> Encoded: ...

    def decode(
        self,
        target_ids: Tensor,
        encoded: Encoded,
        *,
        cache: Any = None,
        keep_cache: bool = False,
        capture: bool | AttentionSelection = False,
        interventions: InterventionsLike = None,
    ) -> Decoded: ...

    def project(self, hidden: Tensor) -> Tensor: ...

    def __call__(self, *args: Any, **options: Any) -> Any: ...

    def parameters(self, recurse: bool = True) -> Iterator[nn.Parameter]: ...

    def named_parameters(self) -> Iterator[tuple[str, nn.Parameter]]: ...

    def state_dict(self) -> dict[str, Any]: ...

    def to(self, device: Any, dtype: Any = ..., /) -> Any: ...

    def __getattr__(self, name: str) -> Any:
        """Attributes of one kind of network, such as a Transformer's ``encoder``."""
        ...
