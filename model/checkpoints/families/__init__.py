"""The families of checkpoints, each in a file of its own; recognised in this order."""

from model.checkpoints.conversion import Family
from model.checkpoints.families import (
    aladdin,
    annotated,
    bentrevett,
    ctranslate2,
    d2l,
    fairseq,
    graykode,
    hkproj,
    hyunwoongko,
    jadore,
    joeynmt,
    marian,
    opennmt,
    torch_module,
    xtransformers,
)
from model.checkpoints.families.lone import MODULES as LONE

FAMILIES = tuple(
    Family(module.NAME, module.recognise, module.convert)
    for module in (
        jadore,
        annotated,
        d2l,
        graykode,
        joeynmt,
        hkproj,
        hyunwoongko,
        bentrevett,
        aladdin,
        fairseq,
        opennmt,
        ctranslate2,
        marian,
        xtransformers,
        torch_module,
        *LONE,
    )
)
