"""The model types of the ``transformers`` library: which can be opened, as what, and why others cannot.

A type is here once its attention and logits equal the library's own (tests/checkpoints/test_architectures.py).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from model.checkpoints.basis.errors import NewerError, UnshownError
from model.interventions import KINDS, AttentionKind

_PICTURES = """
    aimv2_vision_model align altclip beit bit chinese_clip clip clipseg conditional_detr convnext convnextv2 cvt d_fine
    dab-detr data2vec-vision deformable_detr deit depth_anything depth_pro detr dinat dinov2 dinov2_with_registers
    dinov3_convnext dinov3_vit donut donut-swin dpt efficientnet focalnet glpn got_ocr2 grounding-dino hiera ijepa
    imagegpt levit mask2former maskformer mobilenet_v1 mobilenet_v2 mobilevit mobilevitv2 oneformer owlv2 owlvit
    pix2struct poolformer pvt pvt_v2 regnet resnet rt_detr rt_detr_v2 sam sam2 sam_hq segformer siglip siglip2
    siglip_vision_model superglue superpoint swiftformer swin swin2sr swinv2 table-transformer timesformer timm_wrapper
    trocr upernet videomae vit vit_mae vit_msn vitdet vivit vjepa2 yolos zoedepth
"""
_PICTURES_AND_TEXT = """
    aria aya_vision blip blip-2 chameleon cohere2_vision deepseek_vl deepseek_vl_hybrid emu3 florence2 fuyu gemma4 git
    glm4v glm4v_moe idefics idefics2 idefics3 instructblip instructblipvideo internvl janus kosmos-2 kosmos-2.5
    layoutlmv2 layoutlmv3 lfm2_vl llama4 llava llava_next llava_next_video llava_onevision mistral3 mllama ovis2
    paligemma perception_lm pi0 qwen2_5_vl qwen2_vl qwen3_5 qwen3_vl qwen3_vl_moe shieldgemma2 smolvlm t5gemma2 udop
    video_llava vilt vipllava visual_bert lxmert
"""
_SOUND = """
    audio-spectrogram-transformer canary cohere_asr data2vec-audio hubert lasr_ctc mctct moonshine moonshine_streaming
    parakeet_ctc pop2piano seamless_m4t seamless_m4t_v2 sew sew-d speech-encoder-decoder
    speech_to_text_2 unispeech unispeech-sat wav2vec2 wav2vec2-bert wav2vec2-conformer wavlm
"""
_SOUND_AND_TEXT = """
    gemma3n glmasr granite_speech kyutai_speech_to_text phi4_multimodal qwen2_5_omni qwen2_audio qwen3_asr
    qwen3_omni_moe speecht5 vibevoice_asr voxtral voxtral_realtime clap
"""
_WRITES_SOUND = "bark csm dia fastspeech2_conformer higgs_audio_v2 musicgen musicgen_melody vibevoice vits"
_MEASURED = "autoformer informer patchtsmixer patchtst time_series_transformer timesfm timesfm2_5"

UNSUPPORTED_MODALITIES = {
    kind: reason
    for kinds, reason in (
        (_PICTURES, "reads pictures, not text"),
        (_PICTURES_AND_TEXT, "reads pictures as well as text"),
        (_SOUND, "reads sound, not text"),
        (_SOUND_AND_TEXT, "reads sound as well as text"),
        (_WRITES_SOUND, "writes sound, not text"),
        (_MEASURED, "reads series of numbers, not text"),
    )
    for kind in kinds.split()
}
"""The reason after the type's name."""


SEQ2SEQ = {
    "bart": "BartForConditionalGeneration", "blenderbot": "BlenderbotForConditionalGeneration",
    "blenderbot-small": "BlenderbotSmallForConditionalGeneration", "encoder-decoder": "EncoderDecoderModel",
    "bigbird_pegasus": "BigBirdPegasusForConditionalGeneration",
    "fsmt": "FSMTForConditionalGeneration", "led": "LEDForConditionalGeneration",
    "longt5": "LongT5ForConditionalGeneration", "m2m_100": "M2M100ForConditionalGeneration", "marian": "MarianMTModel",
    "mbart": "MBartForConditionalGeneration", "mt5": "MT5ForConditionalGeneration",
    "mvp": "MvpForConditionalGeneration", "nllb-moe": "NllbMoeForConditionalGeneration",
    "pegasus": "PegasusForConditionalGeneration", "plbart": "PLBartForConditionalGeneration",
    "switch_transformers": "SwitchTransformersForConditionalGeneration", "t5": "T5ForConditionalGeneration",
    "t5gemma": "T5GemmaForConditionalGeneration", "umt5": "UMT5ForConditionalGeneration",
}  # fmt: skip
VISION = "vision-encoder-decoder"
SOUND = ("whisper", "speech_to_text")
SEQ2SEQ |= {
    VISION: "VisionEncoderDecoderModel", "whisper": "WhisperForConditionalGeneration",
    "speech_to_text": "Speech2TextForConditionalGeneration",
}  # fmt: skip
"""Those of pictures and of sound, which open where their parts are supported."""
READS_NO_TEXT = (VISION, *SOUND)
PICTURE_ENCODERS = ("vit", "deit", "beit", "swin", "donut-swin")
PICTURE_DECODERS = ("trocr", "bart", "mbart", "bert", "roberta", "xlm-roberta", "gpt2")
ENCODERS = {
    "albert": "AlbertModel", "bert": "BertModel", "camembert": "CamembertModel", "deberta": "DebertaModel",
    "deberta-v2": "DebertaV2Model", "distilbert": "DistilBertModel", "electra": "ElectraModel", "ernie": "ErnieModel",
    "flaubert": "FlaubertModel", "modernbert": "ModernBertModel", "mpnet": "MPNetModel", "roberta": "RobertaModel",
    "roformer": "RoFormerModel", "xlm": "XLMModel", "xlm-roberta": "XLMRobertaModel",
}  # fmt: skip
DECODERS = {
    "biogpt": "BioGptForCausalLM", "bloom": "BloomForCausalLM", "codegen": "CodeGenForCausalLM",
    "cohere": "CohereForCausalLM", "deepseek_v3": "DeepseekV3ForCausalLM", "falcon": "FalconForCausalLM",
    "gemma": "GemmaForCausalLM", "gemma2": "Gemma2ForCausalLM", "gemma3_text": "Gemma3ForCausalLM",
    "gpt2": "GPT2LMHeadModel", "gpt_bigcode": "GPTBigCodeForCausalLM", "gpt_neo": "GPTNeoForCausalLM",
    "gpt_neox": "GPTNeoXForCausalLM", "gptj": "GPTJForCausalLM", "granite": "GraniteForCausalLM",
    "llama": "LlamaForCausalLM", "mistral": "MistralForCausalLM", "mixtral": "MixtralForCausalLM",
    "mpt": "MptForCausalLM", "olmo": "OlmoForCausalLM", "olmo2": "Olmo2ForCausalLM", "olmoe": "OlmoeForCausalLM",
    "opt": "OPTForCausalLM",
    "persimmon": "PersimmonForCausalLM", "phi": "PhiForCausalLM", "phi3": "Phi3ForCausalLM",
    "qwen2": "Qwen2ForCausalLM", "qwen2_moe": "Qwen2MoeForCausalLM", "qwen3": "Qwen3ForCausalLM",
    "qwen3_moe": "Qwen3MoeForCausalLM", "smollm3": "SmolLM3ForCausalLM",
    "stablelm": "StableLmForCausalLM", "starcoder2": "Starcoder2ForCausalLM", "xglm": "XGLMForCausalLM",
}  # fmt: skip
ENCODERS_ALONE = {"t5": "T5EncoderModel", "mt5": "MT5EncoderModel", "umt5": "UMT5EncoderModel"}
"""Encoder-decoders whose encoder is also saved alone, under the same type."""
_CLASSES = SEQ2SEQ | ENCODERS | DECODERS

_SPARSE = "computes its attention in blocks and never for every pair of tokens"
RECURRENT = ("mamba", "mamba2", "falcon_mamba", "rwkv")
REFUSED = {
    **UNSUPPORTED_MODALITIES,
    **dict.fromkeys(("big_bird", "longformer", "pegasus_x"), _SPARSE),
    **dict.fromkeys(RECURRENT, "has no attention: it is a recurrent network"),
    "prophetnet": "predicts several tokens at once, each with an attention of its own",
    "gemma3": "reads pictures as well as text: save its text model alone (gemma3_text)",
    "reformer": "sorts tokens into buckets and never computes attention for every pair",
    "funnel": "shortens its sequence from block to block, so that rows and columns are not tokens",
}  # fmt: skip
"""Types that are known and cannot be shown, with the reason after the type's name."""


_WINDOWS = re.compile(r"encoder\.encoder\.layers\.\d+\.blocks\.")
"""Tensors of Swin, whose layers attend within windows of a grid that shrinks: there is no map of all patches."""


def is_encoder_alone(kind: str, names: Iterable[str]) -> bool:
    """Whether a file of an encoder-decoder type holds only the encoder."""
    return kind in ENCODERS_ALONE and not any(re.search(r"(^|\.)decoder\.|^lm_head\.", name) for name in names)


def attention_kinds(kind: str, names: Iterable[str] = ()) -> tuple[AttentionKind, ...]:
    """The kinds of attention of a model type.

    Args:
        names: of the file's tensors, where they are known.

    Raises:
        UnshownError: for a type that cannot be shown.
        NewerError: for one that is not known.
    """
    names = tuple(names)
    if kind == VISION and any(map(_WINDOWS.match, names)):
        return ("decoder_self", "cross")
    if kind in SEQ2SEQ:
        return ("encoder_self",) if names and is_encoder_alone(kind, names) else KINDS
    if kind in ENCODERS:
        return ("encoder_self",)
    if kind in DECODERS:
        return ("decoder_self",)
    way = "save its attention as a file instead (docs/attention-files.md)"
    if kind in RECURRENT:
        raise UnshownError(f"a {kind} model cannot be shown, because it {REFUSED[kind]}. Choose a Transformer")
    if kind in REFUSED:
        raise UnshownError(f"a {kind} model cannot be shown, because it {REFUSED[kind]}: {way}")
    raise NewerError(
        f"models of type {kind[:60]!r} are newer than this release, or not supported by it: update Regard, or {way}. "
        f"It opens {len(_CLASSES)} types (docs/checkpoints.md)"
    )


def refuse_switches(config: Mapping[str, Any], where: str) -> None:
    """Refuse features that the library no longer computes: the model would give other results.

    Raises:
        UnshownError: naming the field and its value.
    """
    parts = (config, *(part for part in (config.get("encoder"), config.get("decoder")) if isinstance(part, dict)))
    if config.get("model_type") == VISION:
        _refuse_parts(config)
    for part in parts:
        kind = part.get("position_embedding_type", "absolute")
        if part.get("model_type") in ENCODERS and kind not in ("absolute", "rotary"):
            raise UnshownError(
                f"{where} has position_embedding_type: {kind}, scores that depend on distances, which neither "
                "transformers 5 nor this release computes: save its attention with transformers 4 as a file instead "
                "(docs/attention-files.md)"
            )


def _refuse_parts(config: Mapping[str, Any]) -> None:
    """Refuse an image encoder or a decoder that was not compared with the library's."""
    for side, known in (("encoder", PICTURE_ENCODERS), ("decoder", PICTURE_DECODERS)):
        part = config.get(side)
        kind = part.get("model_type") if isinstance(part, dict) else None
        if kind not in known:
            raise UnshownError(
                f"a {VISION} model whose {side} is {str(kind)[:40]} cannot be shown: those of {', '.join(known)} are. "
                "Save its attention as a file instead (docs/attention-files.md)"
            )
        if side == "encoder" and part is not None and part.get("num_channels", 3) != 3:
            raise UnshownError("an encoder of pictures with other than 3 channels cannot be shown")


def class_name(kind: str, kinds: tuple[AttentionKind, ...]) -> str:
    """The library's class for a model type."""
    return ENCODERS_ALONE[kind] if kind in ENCODERS_ALONE and kinds != KINDS else _CLASSES[kind]
