import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from scrubjay.adapters.embedders.openai_compatible import (
    DEFAULT_URL,
    OpenAICompatibleEmbedder,
    parse_spec,
)
from scrubjay.base.errors import EmbedderError, InvalidArgumentError


class Endpoint:
    """A local server that answers from a script: one entry a request, then vectors."""

    def __init__(self):
        self.script = []
        self.requests = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.requests.append((self.path, self.headers.get("Authorization"), body))
                step = endpoint.script.pop(0) if endpoint.script else endpoint.vectors
                status, headers, answer = step(body) if callable(step) else step
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    @staticmethod
    def vectors(body):
        rows = [
            {"object": "embedding", "index": index, "embedding": [float(len(text)), 1.0]}
            for index, text in enumerate(body["input"])
        ]
        return 200, {}, {"object": "list", "data": rows[::-1], "model": body["model"]}

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def endpoint():
    opened = Endpoint()
    yield opened
    opened.close()


@pytest.fixture
def slept():
    return []


@pytest.fixture
def embedder(endpoint, slept, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("no_proxy", "*")
    return OpenAICompatibleEmbedder("m", endpoint.url, sleep=slept.append)


def test_rows_are_put_into_the_order_of_the_texts(embedder, endpoint):
    embedding = embedder.embed(["abc", "", "a"])
    assert pytest.approx(3 / 10**0.5) == embedding.vectors[0, 0]
    assert [1.0, 0.0, 1.0] == embedding.norms.tolist()
    assert not embedding.vectors[1].any()
    ((path, key, body),) = endpoint.requests
    assert ("/v1/embeddings", None) == (path, key)
    assert {"model": "m", "input": ["abc", "a"], "encoding_format": "float"} == body


def test_the_key_is_read_when_a_request_is_made(embedder, endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-later")
    embedder.embed_query("a")
    assert "Bearer sk-later" == endpoint.requests[0][1]
    assert "sk-later" not in repr(vars(embedder))


def test_many_texts_go_in_batches(embedder, endpoint):
    assert (300, 2) == embedder.embed(["x"] * 300).vectors.shape
    assert [128, 128, 44] == [len(body["input"]) for _, _, body in endpoint.requests]


def test_the_dimension_is_asked_for_once_or_not_at_all(embedder, endpoint):
    assert (2, 2) == (embedder.dim, embedder.dim)
    assert 1 == len(endpoint.requests)
    known = OpenAICompatibleEmbedder("m", endpoint.url, dim=2)
    assert (2, (0, 2)) == (known.dim, known.embed([]).vectors.shape)
    assert 1 == len(endpoint.requests)


def test_a_busy_server_is_tried_again_after_growing_delays(embedder, endpoint, slept):
    endpoint.script = [(429, {}, {}), (503, {}, {}), (500, {"Retry-After": "7"}, {})]
    embedder.embed(["a"])
    assert [0.5, 1.0, 7.0] == slept
    assert 4 == len(endpoint.requests)


def test_it_gives_up_after_four_attempts_and_says_what_to_check(
    embedder, endpoint, slept, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    endpoint.script = [(429, {"Retry-After": "9999"}, {})] * 9
    with pytest.raises(EmbedderError, match=r"HTTP 429.*check the URL.*OPENAI_API_KEY") as caught:
        embedder.embed(["a"])
    assert [30.0, 30.0, 30.0] == slept
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_final(embedder, endpoint, slept, status):
    endpoint.script = [(status, {}, {"error": "no"})]
    with pytest.raises(EmbedderError, match=f"HTTP {status}"):
        embedder.embed(["a"])
    assert [] == slept


def test_a_redirect_is_refused(embedder, endpoint):
    endpoint.script = [(302, {"Location": endpoint.url + "/elsewhere"}, {})]
    with pytest.raises(EmbedderError, match="HTTP 302"):
        embedder.embed(["a"])
    assert 1 == len(endpoint.requests)


@pytest.mark.parametrize(
    "answer",
    [
        b"not json",
        {"data": "x"},
        {"data": []},
        {"data": [{"index": 1, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0, "embedding": [1e39, 1.0]}]},
        b'{"data": [{"embedding": [NaN]}]}',
    ],
)
def test_r11_an_answer_that_is_no_finite_vector_is_a_typed_error(embedder, endpoint, answer):
    endpoint.script = [(200, {}, answer)]
    with pytest.raises(EmbedderError):
        embedder.embed(["a"])


def test_r11_a_changed_dimension_is_a_typed_error(embedder, endpoint):
    embedder.embed(["a"])
    endpoint.script = [(200, {}, {"data": [{"embedding": [1.0, 2.0, 3.0]}]})]
    with pytest.raises(EmbedderError, match="wrong shape"):
        embedder.embed(["a"])


def test_a_server_that_is_not_there_is_a_typed_error(slept, endpoint):
    endpoint.close()
    gone = OpenAICompatibleEmbedder("m", endpoint.url, sleep=slept.append, timeout_s=2)
    with pytest.raises(EmbedderError, match="no embedding, got"):
        gone.embed(["a"])
    assert 3 == len(slept)


def test_a_spec_names_model_and_url():
    assert ("text-embedding-3-small", DEFAULT_URL) == parse_spec("openai:text-embedding-3-small")
    assert ("a/b:1", "https://host/v1") == parse_spec("openai:a/b:1@https://host/v1/")
    for spec in (
        "openai:",
        "openai:@http://x",
        "openai:m@ftp://x",
        "openai:m@",
        "openai:m@file:///x",
    ):
        with pytest.raises(InvalidArgumentError, match="openai:MODEL@URL"):
            parse_spec(spec)


def test_credentials_in_a_url_are_no_part_of_the_identity():
    embedder = OpenAICompatibleEmbedder("m", "http://user:pass@host:1/v1")
    assert "openai/m@host:1" == embedder.identity
