"""The tables of one tenant's file, as the first migration makes them.

Every logical key begins with ``tenant``: one SQLite file holds one tenant, whose number is always
1, but the same keys serve a database that holds many. ``local`` keys, scope, space and segment
numbers are this file's own business and never leave it.

Two tables answer by word: ``turn_text`` for a row alone, ``context_text`` for a row with its
neighbours. Their second column names the row's scope (``s7``) and every scope above it (``p7``,
``p3``, ``p1``), so that a scope filter is part of the word search. They keep no copy of the text.
"""

from __future__ import annotations

__all__ = ["APPLICATION_ID", "FIRST_MIGRATION"]

APPLICATION_ID = 0x53_4A_41_59
"""The bytes "SJAY" in the file header: the mark of a scrubjay database. DO NOT CHANGE."""

_IDENTITY = """
CREATE TABLE tenant (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    name   TEXT NOT NULL
) STRICT;

-- Where each sequence stands. One row, written once per commit.
CREATE TABLE ledger (
    tenant       INTEGER PRIMARY KEY REFERENCES tenant (number),
    node         INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    id_counter   INTEGER NOT NULL,
    journal_seq  INTEGER NOT NULL,
    journal_hash BLOB NOT NULL,
    last_us      INTEGER
) STRICT;

CREATE TABLE meta (
    tenant INTEGER NOT NULL,
    key    TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE scope (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant INTEGER NOT NULL,
    path   TEXT NOT NULL,
    parent INTEGER REFERENCES scope (id),
    UNIQUE (tenant, path)
) STRICT;

-- A vector space is one embedder: vectors of different spaces are never compared.
CREATE TABLE space (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant   INTEGER NOT NULL,
    identity TEXT NOT NULL,
    dim      INTEGER NOT NULL CHECK (dim > 0),
    UNIQUE (tenant, identity)
) STRICT;
"""

_ENGRAMS = """
CREATE TABLE segment (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant        INTEGER NOT NULL,
    name          TEXT NOT NULL,
    sha256        BLOB NOT NULL,
    size_bytes    INTEGER NOT NULL,
    engrams       INTEGER NOT NULL,
    created_seq   INTEGER NOT NULL,
    event_from_us INTEGER NOT NULL,
    event_to_us   INTEGER NOT NULL,
    UNIQUE (tenant, name)
) STRICT;

-- A cold row keeps its line here, without its text: the text is in its segment. ``spoken`` marks
-- what belongs to the sequence of its session; ``derived``, what has lines in ``parent``.
CREATE TABLE engram (
    local            INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant           INTEGER NOT NULL,
    id               BLOB NOT NULL CHECK (length(id) = 16),
    seq              INTEGER NOT NULL,
    scope_id         INTEGER NOT NULL REFERENCES scope (id),
    kind             INTEGER NOT NULL,
    category         INTEGER NOT NULL,
    state            INTEGER NOT NULL,
    consolidated     INTEGER NOT NULL CHECK (consolidated IN (0, 1)),
    pinned           INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    recorded_us      INTEGER NOT NULL,
    event_us         INTEGER NOT NULL,
    event_offset_min INTEGER NOT NULL,
    last_us          INTEGER NOT NULL,
    frequency        INTEGER NOT NULL,
    salience         REAL NOT NULL,
    quality          REAL NOT NULL,
    half_life_us     INTEGER,
    evict_at_us      INTEGER,
    role             TEXT NOT NULL,
    channel          TEXT NOT NULL,
    authority        INTEGER NOT NULL,
    plane            INTEGER NOT NULL,
    principal        TEXT NOT NULL,
    session          TEXT NOT NULL,
    message_id       TEXT NOT NULL,
    position         INTEGER NOT NULL,
    spoken           INTEGER NOT NULL CHECK (spoken IN (0, 1)),
    derived          INTEGER NOT NULL CHECK (derived IN (0, 1)),
    salt             BLOB NOT NULL,
    content_hash     BLOB NOT NULL,
    segment_id       INTEGER REFERENCES segment (id),
    content          TEXT,
    tool_calls       TEXT,
    tool_result      TEXT,
    CHECK ((state = 1) = (segment_id IS NOT NULL)),
    CHECK ((state = 1) = (content IS NULL))
) STRICT;

CREATE UNIQUE INDEX engram_by_id ON engram (tenant, id);
CREATE INDEX engram_by_session ON engram (tenant, scope_id, session, local) WHERE spoken = 1;
CREATE INDEX engram_by_message ON engram (tenant, scope_id, session, message_id)
    WHERE message_id <> '';
CREATE INDEX engram_by_position ON engram (tenant, scope_id, session, position)
    WHERE message_id = '';
CREATE INDEX engram_by_principal ON engram (tenant, principal, local) WHERE principal <> '';
CREATE INDEX engram_to_consolidate ON engram (tenant, local)
    WHERE consolidated = 0 AND kind IN (1, 2, 7) AND state = 0;
CREATE INDEX engram_to_evict ON engram (tenant, evict_at_us, local)
    WHERE state = 0 AND consolidated = 1 AND pinned = 0 AND evict_at_us IS NOT NULL;
CREATE INDEX engram_by_segment ON engram (segment_id, local) WHERE segment_id IS NOT NULL;

CREATE TABLE parent (
    tenant INTEGER NOT NULL,
    child  BLOB NOT NULL,
    parent BLOB NOT NULL,
    place  INTEGER NOT NULL,
    PRIMARY KEY (tenant, child, parent)
) STRICT, WITHOUT ROWID;
CREATE INDEX parent_by_parent ON parent (tenant, parent, child);

-- The newest change of every row that ever was: what a reader of the index replays.
CREATE TABLE index_log (
    tenant  INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    local   INTEGER NOT NULL,
    dropped INTEGER NOT NULL CHECK (dropped IN (0, 1)),
    PRIMARY KEY (tenant, seq, local)
) STRICT, WITHOUT ROWID;

CREATE TABLE vector (
    space_id INTEGER NOT NULL REFERENCES space (id),
    local    INTEGER NOT NULL,
    gain     REAL NOT NULL,
    data     BLOB NOT NULL,
    UNIQUE (space_id, local)
) STRICT;
CREATE INDEX vector_by_local ON vector (local);

CREATE VIRTUAL TABLE turn_text USING fts5 (
    tokens, scope, content='', contentless_delete=1, tokenize="ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE context_text USING fts5 (
    tokens, scope, content='', contentless_delete=1, tokenize="ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE turn_words USING fts5vocab (turn_text, col);
CREATE VIRTUAL TABLE context_words USING fts5vocab (context_text, col);
"""

_SYSTEMS = """
CREATE TABLE assertion (
    tenant        INTEGER NOT NULL,
    id            BLOB NOT NULL,
    scope_id      INTEGER NOT NULL REFERENCES scope (id),
    subject       TEXT NOT NULL,
    predicate     TEXT NOT NULL,
    object        TEXT NOT NULL,
    plane         INTEGER NOT NULL,
    authority     INTEGER NOT NULL,
    principal     TEXT NOT NULL,
    recorded_us   INTEGER NOT NULL,
    event_us      INTEGER NOT NULL,
    valid_from_us INTEGER,
    valid_to_us   INTEGER,
    precision     TEXT NOT NULL,
    negated       INTEGER NOT NULL CHECK (negated IN (0, 1)),
    hedged        INTEGER NOT NULL CHECK (hedged IN (0, 1)),
    confidence    REAL NOT NULL,
    subject_key   TEXT NOT NULL,
    predicate_key TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT;
CREATE INDEX assertion_by_subject ON assertion (tenant, subject_key, predicate_key, id);
CREATE INDEX assertion_by_predicate ON assertion (tenant, predicate_key, id);

CREATE TRIGGER assertion_is_immutable BEFORE UPDATE ON assertion
BEGIN SELECT RAISE(ABORT, 'an assertion is immutable'); END;
CREATE TRIGGER assertion_is_written_once BEFORE INSERT ON assertion
WHEN EXISTS (SELECT 1 FROM assertion WHERE tenant = NEW.tenant AND id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'an assertion is immutable'); END;
CREATE TRIGGER assertion_outlives_nothing BEFORE DELETE ON assertion
WHEN EXISTS (SELECT 1 FROM engram WHERE tenant = OLD.tenant AND id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an assertion leaves only with its engram'); END;

CREATE TABLE predicate (
    tenant     INTEGER NOT NULL,
    name       TEXT NOT NULL,
    functional INTEGER NOT NULL CHECK (functional IN (0, 1)),
    PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE skill (
    tenant      INTEGER NOT NULL,
    id          BLOB NOT NULL,
    scope_id    INTEGER NOT NULL REFERENCES scope (id),
    name        TEXT NOT NULL,
    version     INTEGER NOT NULL,
    description TEXT NOT NULL,
    triggers    TEXT NOT NULL,
    parameters  TEXT NOT NULL,
    steps       TEXT NOT NULL,
    recovery    TEXT NOT NULL,
    status      TEXT NOT NULL,
    successes   INTEGER NOT NULL,
    failures    INTEGER NOT NULL,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, scope_id, name, version)
) STRICT;

CREATE TABLE intention (
    tenant     INTEGER NOT NULL,
    id         BLOB NOT NULL,
    scope_id   INTEGER NOT NULL REFERENCES scope (id),
    action     TEXT NOT NULL,
    due_us     INTEGER NOT NULL,
    status     TEXT NOT NULL,
    expires_us INTEGER,
    created_us INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT;
CREATE INDEX intention_by_due ON intention (tenant, due_us, id);

CREATE TABLE firing (
    tenant          INTEGER NOT NULL,
    intention       BLOB NOT NULL,
    occurrence_us   INTEGER NOT NULL,
    fired_us        INTEGER NOT NULL,
    token           INTEGER NOT NULL,
    leased_until_us INTEGER NOT NULL,
    acknowledged_us INTEGER,
    PRIMARY KEY (tenant, intention, occurrence_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX firing_open ON firing (tenant, occurrence_us, intention)
    WHERE acknowledged_us IS NULL;
"""

_RECORDS = """
CREATE TABLE progress (
    tenant   INTEGER NOT NULL,
    source   TEXT NOT NULL,
    position INTEGER NOT NULL,
    digest   TEXT NOT NULL,
    PRIMARY KEY (tenant, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE embedding (
    tenant INTEGER NOT NULL,
    space  TEXT NOT NULL,
    digest BLOB NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (tenant, space, digest)
) STRICT;

-- hash = SHA-256 of the hash before it and of this line; content never enters.
CREATE TABLE journal (
    tenant  INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    now_us  INTEGER NOT NULL,
    event   TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail  TEXT NOT NULL,
    hash    BLOB NOT NULL,
    PRIMARY KEY (tenant, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER journal_is_written_once BEFORE INSERT ON journal
WHEN EXISTS (SELECT 1 FROM journal WHERE tenant = NEW.tenant AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_is_not_edited BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_is_kept BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""

FIRST_MIGRATION = _IDENTITY + _ENGRAMS + _SYSTEMS + _RECORDS
