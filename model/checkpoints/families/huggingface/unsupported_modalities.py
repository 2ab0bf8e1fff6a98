"""Types of the ``transformers`` library that read or write something else than text, named when one is refused."""

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
