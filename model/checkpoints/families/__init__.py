"""The families of checkpoints, each in a file of its own; recognised in this order."""

from model.checkpoints.conversion import Family
from model.checkpoints.families import (
    annotated,
    d2l,
    fairseq,
    graykode,
    hkproj,
    hyunwoongko,
    jadore,
    joeynmt,
    torch_module,
)

FAMILIES = tuple(
    Family(module.NAME, module.recognise, module.convert)
    for module in (jadore, annotated, d2l, fairseq, graykode, joeynmt, hkproj, hyunwoongko, fairseq, torch_module)
)
