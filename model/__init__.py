"""An encoder-decoder Transformer that shows its attention.

Dimensions, everywhere in this package:

    B  batch            S  source length      T  target length     V  vocabulary
    L  layers           H  heads              D  d_model           F  d_feed_forward
    K  d_key (query and key width of one head)                     M  d_value (value width of one head)

Attention is always ``(…, head, query, key)``, after softmax and before dropout, so a row sums to 1.
Masks are boolean, True where a query may attend to a key.
"""

import importlib
import sys
import warnings
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from model.analysis.aggregation import ByWords, by_words
from model.checkpoints import Bundle, CheckpointError, load, save
from model.config import ConfigError, TransformerConfig
from model.decoding.beam_search import LengthPenalty
from model.decoding.sampling import Sampling
from model.decoding.step import DecodingError, DecodingStep
from model.decoding.strategies import DecodingOptions
from model.device import DeviceError
from model.errors import RegardError
from model.inference.alone import read
from model.inference.attending import attend
from model.inference.routing import Routing, routing
from model.inference.scoring import score
from model.inference.translation import translate, translate_texts
from model.interpret.ablation import head_effects
from model.interpret.causal import causal_map
from model.interpret.direct import direct_contributions as contributions
from model.interpret.editing.circuit import Circuit, Edge, circuit
from model.interpret.editing.knockout import knock_out
from model.interpret.editing.steering import (
    Steered,
    SteeringError,
    SteeringExample,
    steered,
    steering_examples,
    steering_vector,
)
from model.interpret.path_patching import PathEffects, path_effects
from model.interpret.probing import Probe, ProbeError, Probes, probe
from model.interpret.recording import Recording, RecordingError, activation_names, record
from model.interpret.residual_stream import logit_lens
from model.interpret.sweeping import Sweep, sweep
from model.interpret.token_attribution import AttributionWarning
from model.interpret.token_attribution import token_attribution as attribute
from model.interpret.tracing.pair_reading import CausalError
from model.interpret.tracing.sweep_passes import SweepError
from model.interventions import (
    NONE,
    BlockedKey,
    ForcedRow,
    HeadAblation,
    HeadOff,
    InterventionError,
    Interventions,
    PositionEdit,
)
from model.lazy import submodules
from model.nn.attention_selection import AttentionSelection
from model.nn.transformer import Transformer
from model.patch import Patch
from model.picture import Picture
from model.picture_source import PictureSource
from model.sound import Sound
from model.text.chat import ChatPrompt, chat_prompt
from model.text.tokenizer import SentencePieceTokenizer, Tokenizer, TokenizerError
from model.text.tokens import EmptyTextError, LongTextError, PrefixError, TextError
from model.text.word_tokenizer import WordTokenizer
from model.trace import AttentionMaps, BatchAttention, Candidates, TokenSequence, Trace

if TYPE_CHECKING:
    from model.corpus.alignment.against_gold import AlignmentTable, alignment_table
    from model.corpus.model_difference import ModelDifference, model_difference
    from model.corpus.pruning.table import pruning_table
    from model.corpus.survey import Survey, open_survey, survey

__version__ = "1.0.0"

__all__ = [
    "NONE",
    "AlignmentTable",
    "AttentionMaps",
    "AttentionSelection",
    "AttributionWarning",
    "BatchAttention",
    "BlockedKey",
    "Bundle",
    "ByWords",
    "Candidates",
    "CausalError",
    "ChatPrompt",
    "CheckpointError",
    "Circuit",
    "ConfigError",
    "DecodingError",
    "DecodingOptions",
    "DecodingStep",
    "DeviceError",
    "Edge",
    "EmptyTextError",
    "ForcedRow",
    "HeadAblation",
    "HeadOff",
    "InterventionError",
    "Interventions",
    "LengthPenalty",
    "LongTextError",
    "ModelDifference",
    "Patch",
    "PathEffects",
    "Picture",
    "PictureSource",
    "PositionEdit",
    "PrefixError",
    "Probe",
    "ProbeError",
    "Probes",
    "Recording",
    "RecordingError",
    "RegardError",
    "Routing",
    "Sampling",
    "SentencePieceTokenizer",
    "Sound",
    "Steered",
    "SteeringError",
    "SteeringExample",
    "Survey",
    "Sweep",
    "SweepError",
    "TextError",
    "TokenSequence",
    "Tokenizer",
    "TokenizerError",
    "Trace",
    "Transformer",
    "TransformerConfig",
    "WordTokenizer",
    "activation_names",
    "alignment_table",
    "attend",
    "attribute",
    "by_words",
    "causal_map",
    "chat_prompt",
    "circuit",
    "contributions",
    "head_effects",
    "knock_out",
    "load",
    "logit_lens",
    "model_difference",
    "open_survey",
    "path_effects",
    "probe",
    "pruning_table",
    "read",
    "record",
    "routing",
    "save",
    "score",
    "steered",
    "steering_examples",
    "steering_vector",
    "survey",
    "sweep",
    "translate",
    "translate_texts",
]  # fmt: skip


_EARLIER = {
    "Only": "AttentionSelection",
    "names": "activation_names",
    "beam": "decoding.beam", "forced": "decoding.forced", "greedy": "decoding.greedy", "sample": "decoding.sample",
}  # fmt: skip
"""Deprecated names of version 1.0, with their replacements; the next version removes them."""
_OF_CORPUS = {
    "AlignmentTable": "alignment.against_gold", "alignment_table": "alignment.against_gold",
    "ModelDifference": "model_difference", "model_difference": "model_difference",
    "pruning_table": "pruning.table", "Survey": "survey", "open_survey": "survey", "survey": "survey",
}  # fmt: skip
"""Public names that are imported lazily, with their modules within ``corpus``."""
_package = submodules(__name__, __path__)


def __getattr__(name: str) -> Any:
    """Import packages such as ``model.interpret`` and the corpus functions on first use.

    Only surveys need pyarrow and DuckDB.
    """
    if name in _EARLIER:
        place = _EARLIER[name]
        warnings.warn(f"model.{name} is now model.{place}", DeprecationWarning, stacklevel=2)
        return attrgetter(place)(sys.modules[__name__])
    if name in _OF_CORPUS:
        return getattr(importlib.import_module(f"{__name__}.corpus.{_OF_CORPUS[name]}"), name)
    return _package(name)
