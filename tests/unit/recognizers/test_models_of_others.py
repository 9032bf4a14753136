"""Models of others from folders, and packages that only have their names."""

from __future__ import annotations

import json

import pytest

from sfumato.core.errors import BadInput
from sfumato.recognizers import recognizer, spacy_pipeline


def test_an_onnx_token_classifier_from_a_folder(tmp_path):
    onnx = pytest.importorskip("onnx", reason="pip install onnx makes a model to read")
    pytest.importorskip("onnxruntime", reason="pip install 'sfumato[onnx]'")
    tokenizers = pytest.importorskip("tokenizers", reason="pip install 'sfumato[onnx]'")
    np = pytest.importorskip("numpy")
    words = {"[UNK]": 0, "Ann": 1, "Ho": 2, "Rome": 3}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    labels = {"0": "O", "1": "B-PER", "2": "I-PER", "3": "B-LOC"}
    (tmp_path / "config.json").write_text(json.dumps({"id2label": labels}))
    table = onnx.numpy_helper.from_array(9 * np.eye(4, dtype=np.float32), "table")
    ids = onnx.helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, [1, None])
    out = onnx.helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, [1, None, 4])
    node = onnx.helper.make_node("Gather", ["table", "input_ids"], ["logits"])
    graph = onnx.helper.make_graph([node], "tiny", [ids], [out], [table])
    opset = [onnx.helper.make_opsetid("", 17)]
    onnx.save(
        onnx.helper.make_model(graph, opset_imports=opset, ir_version=8),
        str(tmp_path / "model.onnx"),
    )
    texts = ["Then Ann Ho saw Rome.", ""]
    found = recognizer(str(tmp_path))(texts)
    shown = [(one.label, texts[one.document][one.start : one.stop]) for one in found]
    assert shown == [("PERSON", "Ann Ho"), ("LOCATION", "Rome")]
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(BadInput, match="id2label"):
        recognizer(str(tmp_path))(texts)


def test_a_spacy_pipeline_from_a_folder(tmp_path):
    spacy = pytest.importorskip("spacy", reason="pip install 'sfumato[ner]'")
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PER", "pattern": "Ann Ho"}])
    pipeline.to_disk(tmp_path / "own")
    found = recognizer(f"rules-en+{tmp_path / 'own'}")(["Ann Ho, 06/17/2021"])
    assert [one.label for one in found] == ["PERSON", "DATE"]


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(BadInput, match="neither"):
        recognizer(str(tmp_path))


def test_packages_that_only_have_a_name_are_told(monkeypatch):
    class Held:
        def __init__(self, name, version):
            self.metadata, self.version = {"Name": name}, version

    held = [Held("de-core-news-sm", "999.9.9"), Held("en_core_web_sm", "3.8.0"), Held("x", "999.9")]
    monkeypatch.setattr("importlib.metadata.distributions", lambda: iter(held))
    assert spacy_pipeline.placeholders() == ["de-core-news-sm"]
