-- The schema of a Backstory store, version 2: what the migrations make.
--
-- Truth:   thread, turn, event, candidate, item, revision, evidence, tombstone, change,
--          episode, episode_summary, todo. It is never rebuilt, only written once.
-- Work:    job, model_call, import_cursor, injection, setting.
-- Derived: document, posting, term_stat, spelling, turn_text. Droppable; `reindex` rebuilds them.
--
-- Times are milliseconds UTC in columns that end in _ms. JSON columns hold arrays or objects.

-- One row about the store itself.
CREATE TABLE meta (
    id             INTEGER PRIMARY KEY CHECK (id = 1),
    project_id     TEXT    NOT NULL CHECK (project_id <> ''),
    generation     INTEGER NOT NULL CHECK (generation >= 1),  -- `clear` begins a new one; late results of older ones are refused
    created_at_ms  INTEGER NOT NULL,
    index_version  INTEGER NOT NULL DEFAULT 1                 -- of the rules by which text was segmented
) STRICT;

-- A choice the user made for this project ("purpose", "review", "off"), by name.
CREATE TABLE setting (
    name   TEXT PRIMARY KEY CHECK (name <> ''),
    value  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One conversation.
CREATE TABLE thread (
    id              TEXT    PRIMARY KEY,
    host            TEXT    NOT NULL CHECK (host <> ''),
    host_key        TEXT,                                     -- the host's own name for the session
    is_active       INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    started_at_ms   INTEGER NOT NULL,
    archived_at_ms  INTEGER,
    summary         TEXT    NOT NULL DEFAULT '',              -- context for a model, never evidence
    generation      INTEGER NOT NULL CHECK (generation >= 1),
    CHECK ((is_active = 0) = (archived_at_ms IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX thread_host_key ON thread (host, host_key) WHERE host_key IS NOT NULL;
-- The chat host and the library have exactly one active thread per project.
CREATE UNIQUE INDEX thread_one_active ON thread (host) WHERE is_active = 1 AND host_key IS NULL;

-- What the user said and the final answer that they saw, verbatim.
CREATE TABLE turn (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,        -- order of recording, never reused
    id              TEXT    NOT NULL UNIQUE,
    thread_id       TEXT    NOT NULL REFERENCES thread (id),
    position        INTEGER NOT NULL CHECK (position >= 0),   -- place in its thread
    speaker         TEXT    NOT NULL CHECK (speaker IN ('human', 'command', 'tool_result', 'system_reminder',
                        'hook_context', 'compaction_summary', 'subagent', 'recalled')),
    user_text       TEXT    NOT NULL,
    answer_text     TEXT    NOT NULL DEFAULT '',
    state           TEXT    NOT NULL CHECK (state IN ('open', 'completed', 'failed', 'interrupted')),
    owner           TEXT,                                     -- token of who may finish it
    lease_until_ms  INTEGER,                                  -- an open turn past this was abandoned
    said_at_ms      INTEGER NOT NULL,                         -- when the host says it happened
    recorded_at_ms  INTEGER NOT NULL,
    finished_at_ms  INTEGER,
    origin          TEXT    NOT NULL CHECK (origin <> ''),
    is_imported     INTEGER NOT NULL CHECK (is_imported IN (0, 1)),
    source_key      TEXT    UNIQUE,                           -- a replayed or resumed transcript adds nothing
    branch          TEXT,
    error           TEXT,
    is_extracted    INTEGER NOT NULL DEFAULT 0 CHECK (is_extracted IN (0, 1)),    -- the rules have read it
    is_asked        INTEGER NOT NULL DEFAULT 0 CHECK (is_asked IN (0, 1)),        -- a model was asked about it, or need not be
    UNIQUE (thread_id, position),
    CHECK ((state = 'open') = (owner IS NOT NULL)),
    CHECK ((state = 'open') = (lease_until_ms IS NOT NULL)),
    CHECK ((state = 'open') = (finished_at_ms IS NULL)),
    CHECK (state = 'failed' OR error IS NULL)
) STRICT;
CREATE INDEX turn_waiting ON turn (thread_id, position) WHERE is_extracted = 0 AND state <> 'open';
CREATE INDEX turn_unasked ON turn (thread_id, position) WHERE is_asked = 0 AND is_extracted = 1;
CREATE INDEX turn_open ON turn (lease_until_ms) WHERE state = 'open';
-- What a stretch of work covers is read by time.
CREATE INDEX turn_said ON turn (said_at_ms);

-- What happened outside the conversation.
CREATE TABLE event (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT    NOT NULL UNIQUE,
    kind            TEXT    NOT NULL CHECK (kind IN ('commit', 'command', 'test_run', 'file_saved', 'ticket_closed')),
    thread_id       TEXT    REFERENCES thread (id),
    turn_id         TEXT    REFERENCES turn (id),
    at_ms           INTEGER NOT NULL,
    recorded_at_ms  INTEGER NOT NULL,
    origin          TEXT    NOT NULL CHECK (origin <> ''),
    source_key      TEXT    UNIQUE,
    branch          TEXT,
    payload         TEXT    NOT NULL CHECK (json_valid(payload)),
    text            TEXT    NOT NULL                          -- what a quote of the event is a span of
) STRICT;
CREATE INDEX event_at ON event (at_ms, seq);

-- A claim somebody proposed, and what became of it. A refusal keeps its reasons.
CREATE TABLE candidate (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT    NOT NULL UNIQUE,
    thread_id      TEXT    REFERENCES thread (id),
    generation     INTEGER NOT NULL CHECK (generation >= 1),
    kind           TEXT    NOT NULL,
    intent         TEXT    NOT NULL CHECK (intent IN ('assert', 'replace', 'retract')),
    statement      TEXT    NOT NULL,
    title          TEXT    NOT NULL,
    synopsis       TEXT    NOT NULL DEFAULT '',
    aliases        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(aliases)),
    keywords       TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(keywords)),
    paths          TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(paths)),
    claim          TEXT    CHECK (claim IS NULL OR json_valid(claim)),
    quotes         TEXT    NOT NULL CHECK (json_valid(quotes)),
    proposer       TEXT    NOT NULL CHECK (proposer <> ''),
    is_draft       INTEGER NOT NULL DEFAULT 0 CHECK (is_draft IN (0, 1)), -- the gate refused it: nothing in it is proved
    state          TEXT    NOT NULL CHECK (state IN ('pending', 'waiting', 'accepted', 'refused')),
    reasons        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(reasons)),
    item_id        TEXT    REFERENCES item (id),
    created_at_ms  INTEGER NOT NULL,
    decided_at_ms  INTEGER,
    CHECK ((state = 'refused') <= (reasons <> '[]')),
    CHECK (is_draft = 0 OR state = 'refused'),
    CHECK ((state IN ('accepted', 'refused')) = (decided_at_ms IS NOT NULL))
) STRICT;
CREATE INDEX candidate_pending ON candidate (seq) WHERE state IN ('pending', 'waiting');
CREATE INDEX candidate_unmet_withdrawal ON candidate (seq) WHERE intent = 'retract' AND state = 'accepted' AND item_id IS NULL;
CREATE INDEX candidate_item ON candidate (item_id) WHERE item_id IS NOT NULL;

-- One thing remembered. Its words are in its revisions.
CREATE TABLE item (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT    NOT NULL UNIQUE,
    kind           TEXT    NOT NULL CHECK (kind IN ('user_preference', 'project_decision', 'code_convention', 'project_fact',
                       'reference', 'tool_lesson', 'failure_lesson', 'discussion_context')),
    scope          TEXT    NOT NULL CHECK (scope IN ('thread', 'project', 'user')),
    status         TEXT    NOT NULL CHECK (status IN ('active', 'stale', 'superseded', 'retracted', 'forgotten', 'archived')),
    thread_id      TEXT    REFERENCES thread (id),
    claim_key      TEXT,
    claim_value    TEXT,
    is_negative    INTEGER NOT NULL DEFAULT 0 CHECK (is_negative IN (0, 1)),
    is_pinned      INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
    priority       INTEGER NOT NULL DEFAULT 50 CHECK (priority BETWEEN 0 AND 100),
    confidence     REAL    NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    revision       INTEGER NOT NULL CHECK (revision >= 1),    -- number of the current one
    -- Deferred: the old item leaves its claim before the new one takes it.
    superseded_by  TEXT    REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED,
    created_at_ms  INTEGER NOT NULL,
    updated_at_ms  INTEGER NOT NULL,
    CHECK ((scope = 'thread') = (thread_id IS NOT NULL)),
    CHECK ((kind = 'discussion_context') = (scope = 'thread')),
    CHECK (superseded_by IS NULL OR status IN ('superseded', 'forgotten')),
    FOREIGN KEY (id, revision) REFERENCES revision (item_id, number) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE UNIQUE INDEX item_one_active_claim ON item (claim_key, coalesce(thread_id, ''))
    WHERE status = 'active' AND claim_key IS NOT NULL;
CREATE INDEX item_active ON item (status, kind);
CREATE INDEX item_superseded_by ON item (superseded_by) WHERE superseded_by IS NOT NULL;

-- One state of an item; never changed once written (but by `erase`).
CREATE TABLE revision (
    item_id        TEXT    NOT NULL REFERENCES item (id),
    number         INTEGER NOT NULL CHECK (number >= 1),
    title          TEXT    NOT NULL,
    statement      TEXT    NOT NULL CHECK (statement <> ''),
    synopsis       TEXT    NOT NULL DEFAULT '',
    detail         TEXT    NOT NULL DEFAULT '',
    aliases        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(aliases)),
    keywords       TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(keywords)),
    paths          TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(paths)),
    tags           TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    author         TEXT    NOT NULL CHECK (author IN ('rule', 'model', 'human', 'import')),
    author_name    TEXT    NOT NULL DEFAULT '',
    reason         TEXT    NOT NULL DEFAULT '',
    candidate_id   TEXT,
    created_at_ms  INTEGER NOT NULL,
    PRIMARY KEY (item_id, number)
) STRICT, WITHOUT ROWID;

-- Items as they are now: each with its current revision.
CREATE VIEW item_now AS
SELECT i.id, i.seq, i.kind, i.scope, i.status, i.thread_id, i.claim_key, i.claim_value, i.is_negative,
       i.is_pinned, i.priority, i.confidence, i.superseded_by, i.created_at_ms, i.updated_at_ms,
       r.number, r.title, r.statement, r.synopsis, r.detail, r.aliases, r.keywords, r.paths, r.tags,
       r.author, r.author_name, r.reason, r.candidate_id, r.created_at_ms AS revised_at_ms
  FROM item AS i
  JOIN revision AS r ON r.item_id = i.id AND r.number = i.revision;

-- A quote that proves an item: a span of one turn or one event.
CREATE TABLE evidence (
    item_id     TEXT    NOT NULL REFERENCES item (id),
    number      INTEGER NOT NULL CHECK (number >= 1),
    revision    INTEGER NOT NULL,                             -- the one that it came in with
    turn_id     TEXT    REFERENCES turn (id),
    event_id    TEXT    REFERENCES event (id),
    role        TEXT    NOT NULL CHECK (role IN ('user', 'assistant', 'event')),
    start_char  INTEGER NOT NULL CHECK (start_char >= 0),
    end_char    INTEGER NOT NULL,
    text        TEXT    NOT NULL CHECK (text <> ''),          -- the span, secrets replaced
    PRIMARY KEY (item_id, number),
    CHECK ((turn_id IS NULL) <> (event_id IS NULL)),
    CHECK (end_char > start_char),
    FOREIGN KEY (item_id, revision) REFERENCES revision (item_id, number) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_turn ON evidence (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX evidence_event ON evidence (event_id) WHERE event_id IS NOT NULL;

-- What was forgotten or taken back: evidence recorded or said before it can never rebuild the claim.
CREATE TABLE tombstone (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id      TEXT    NOT NULL,
    claim_key    TEXT,
    fingerprint  TEXT    NOT NULL,                            -- hash of the statement's normalised terms
    turn_seq     INTEGER NOT NULL,                            -- the last turn there was, or the one that took it back
    at_ms        INTEGER NOT NULL                             -- when it was forgotten, or when that turn was said
) STRICT;
CREATE INDEX tombstone_claim ON tombstone (claim_key) WHERE claim_key IS NOT NULL;
CREATE INDEX tombstone_fingerprint ON tombstone (fingerprint);

-- What was done to items, so that the last change can be undone and any can be explained.
CREATE TABLE change (
    seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    batch    TEXT    NOT NULL,                                -- undone together
    at_ms    INTEGER NOT NULL,
    action   TEXT    NOT NULL CHECK (action IN ('create', 'revise', 'supersede', 'retract', 'forget', 'pin', 'unpin', 'edit',
                 'stale', 'fresh', 'archive')),
    item_id  TEXT    NOT NULL,
    actor    TEXT    NOT NULL,                                -- "human" or the rule or model that did it
    reason   TEXT    NOT NULL DEFAULT '',
    before   TEXT    NOT NULL CHECK (json_valid(before)),     -- what the item row held before; {} where it is new
    undone   INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
) STRICT;
CREATE INDEX change_item ON change (item_id, seq);
CREATE INDEX change_batch ON change (batch);

-- One stretch of development.
CREATE TABLE episode (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT    NOT NULL UNIQUE,
    branch         TEXT,
    tickets        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(tickets)),
    started_at_ms  INTEGER NOT NULL,
    ended_at_ms    INTEGER,
    summary        INTEGER NOT NULL CHECK (summary >= 1),     -- number of the current one
    status         TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'stale', 'forgotten')),
    origin         TEXT    NOT NULL DEFAULT 'api' CHECK (origin <> ''), -- 'commit': found by its story, not in the index; 'todo': it holds nothing else
    FOREIGN KEY (id, summary) REFERENCES episode_summary (episode_id, number) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX episode_started ON episode (started_at_ms);
-- Those that may have begun before a time and gone on in it. A commit is one moment.
CREATE INDEX episode_lasting ON episode (started_at_ms, ended_at_ms) WHERE ended_at_ms > started_at_ms;
CREATE INDEX episode_branch ON episode (branch) WHERE branch IS NOT NULL;
CREATE INDEX episode_begun_by_hand ON episode (seq) WHERE origin = 'manual' AND ended_at_ms IS NULL;

-- What an episode was about; never changed once written.
CREATE TABLE episode_summary (
    episode_id     TEXT    NOT NULL REFERENCES episode (id),
    number         INTEGER NOT NULL CHECK (number >= 1),
    objective      TEXT    NOT NULL CHECK (objective <> ''),
    decisions      TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(decisions)),
    changes        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(changes)),
    problems       TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(problems)),
    keywords       TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(keywords)),
    author         TEXT    NOT NULL CHECK (author IN ('rule', 'model', 'human', 'import')),
    created_at_ms  INTEGER NOT NULL,
    PRIMARY KEY (episode_id, number)
) STRICT, WITHOUT ROWID;

-- Something an episode left open.
CREATE TABLE todo (
    episode_id  TEXT    NOT NULL REFERENCES episode (id),
    number      INTEGER NOT NULL CHECK (number >= 1),
    text        TEXT    NOT NULL CHECK (text <> ''),
    is_open     INTEGER NOT NULL CHECK (is_open IN (0, 1)),
    closed_by   TEXT    REFERENCES episode (id),
    PRIMARY KEY (episode_id, number),
    CHECK (is_open = 0 OR closed_by IS NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX todo_open ON todo (episode_id) WHERE is_open = 1;

-- A commit as this clone had it when it was recorded. Rewritten history is looked up by tree,
-- author time and patch-id; what is not found is said to be so.
CREATE TABLE recorded_commit (
    sha              TEXT    NOT NULL CHECK (length(sha) IN (40, 64)),
    episode          INTEGER NOT NULL REFERENCES episode (seq),
    tree             TEXT    NOT NULL,
    patch_id         TEXT,                                      -- worked out when it is needed
    branch           TEXT,                                      -- the one that it was reached from
    is_merged        INTEGER NOT NULL CHECK (is_merged IN (0, 1)), -- the main line of development reaches it
    author           TEXT    NOT NULL,
    authored_at_ms   INTEGER NOT NULL,
    committed_at_ms  INTEGER NOT NULL,
    PRIMARY KEY (sha, episode)
) STRICT, WITHOUT ROWID;
CREATE INDEX recorded_commit_episode ON recorded_commit (episode);
CREATE INDEX recorded_commit_unmerged ON recorded_commit (sha) WHERE is_merged = 0;

-- What an episode says of an earlier one. `doublings` tells how far back that is.
CREATE TABLE episode_link (
    episode    INTEGER NOT NULL REFERENCES episode (seq),
    other      INTEGER NOT NULL REFERENCES episode (seq),
    kind       TEXT    NOT NULL CHECK (kind IN ('reverts', 'picked_from', 'fixes', 'follows', 'refers', 'same_ticket')),
    doublings  INTEGER NOT NULL CHECK (doublings >= 0),
    PRIMARY KEY (episode, other, kind),
    CHECK (other < episode)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_link_other ON episode_link (other);
CREATE INDEX episode_link_doublings ON episode_link (doublings) WHERE kind <> 'same_ticket';

-- A file that an item or an episode cites, as it was when that was first seen.
CREATE TABLE cited_file (
    entry_id  TEXT    NOT NULL,
    path      TEXT    NOT NULL,
    revision  INTEGER NOT NULL CHECK (revision >= 1),         -- of the entry: a later one cites anew
    blob      TEXT    NOT NULL CHECK (length(blob) IN (40, 64)),
    PRIMARY KEY (entry_id, path)
) STRICT, WITHOUT ROWID;

-- The name that a path had before. A chain of these leads to the first one.
CREATE TABLE path_name (
    path  TEXT PRIMARY KEY,
    was   TEXT NOT NULL,
    CHECK (path <> was)
) STRICT, WITHOUT ROWID;

-- What a commit's episode is compared by. It is made of the message, which git keeps.
CREATE TABLE story_entry (
    episode  INTEGER PRIMARY KEY REFERENCES episode (seq),
    title    TEXT    NOT NULL,                                -- the terms of its subject
    words    TEXT    NOT NULL CHECK (json_valid(words)),      -- term → weight
    paths    TEXT    NOT NULL CHECK (json_valid(paths))
) STRICT;

-- Derived: the episodes that hold a word ("w:" before it), a path ("p:") or a ticket ("t:"), in runs.
CREATE TABLE story_posting (
    key       TEXT    NOT NULL,
    first     INTEGER NOT NULL,                               -- the lowest of the run
    episodes  BLOB    NOT NULL CHECK (length(episodes) % 4 = 0), -- 32 bits each, lowest byte first, ascending
    PRIMARY KEY (key, first)
) STRICT, WITHOUT ROWID;

-- Work to be done later. A lease is a due time in the future plus a token.
CREATE TABLE job (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    kind           TEXT    NOT NULL CHECK (kind IN ('extract', 'propose', 'consolidate', 'summarize', 'project')),
    subject        TEXT    NOT NULL DEFAULT '',               -- the thread; '' where there is one per project
    payload        TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
    state          TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'dead')),
    attempt        INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    due_at_ms      INTEGER NOT NULL,
    lease_token    TEXT,
    again_at_ms    INTEGER,                                   -- asked for again while leased: due then, once it is finished
    generation     INTEGER NOT NULL CHECK (generation >= 1),
    last_error     TEXT,
    diagnosis      TEXT    NOT NULL DEFAULT '' CHECK (length(diagnosis) <= 20000), -- of the last error, as it came; for debugging alone
    created_at_ms  INTEGER NOT NULL,
    updated_at_ms  INTEGER NOT NULL,
    CHECK (state = 'open' OR lease_token IS NULL),
    CHECK (again_at_ms IS NULL OR lease_token IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX job_open_subject ON job (kind, subject) WHERE state = 'open';
CREATE INDEX job_due ON job (due_at_ms, id) WHERE state = 'open';
CREATE INDEX job_left ON job (id) WHERE state <> 'done';

-- One call to a model: what for, what came of it and what it cost. It holds nothing that was said, so
-- `clear` keeps it: what is spent counts towards the day's cap whatever became of the memory.
CREATE TABLE model_call (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms         INTEGER NOT NULL,
    purpose       TEXT    NOT NULL CHECK (purpose IN ('extract', 'consolidate', 'compact', 'summarize', 'test')),
    model         TEXT    NOT NULL CHECK (model <> ''),        -- "provider:model"
    session       TEXT    NOT NULL DEFAULT '',                 -- the thread that it was made for; '' for none
    tokens_in     INTEGER NOT NULL CHECK (tokens_in >= 0),
    tokens_out    INTEGER NOT NULL CHECK (tokens_out >= 0),
    is_estimated  INTEGER NOT NULL CHECK (is_estimated IN (0, 1)), -- the server counted no tokens, these are a guess
    nano_usd      INTEGER CHECK (nano_usd >= 0),               -- billionths of a US dollar; NULL where no price is known
    outcome       TEXT    NOT NULL CHECK (outcome IN ('ok', 'cut', 'transient', 'quota', 'too_long', 'invalid', 'refused', 'misconfigured')),
    duration_ms   INTEGER NOT NULL CHECK (duration_ms >= 0)
) STRICT;
CREATE INDEX model_call_at ON model_call (at_ms);
CREATE INDEX model_call_session ON model_call (session, at_ms);

-- How far a transcript has been read.
CREATE TABLE import_cursor (
    path           TEXT    PRIMARY KEY,
    host           TEXT    NOT NULL,
    fingerprint    TEXT    NOT NULL,                          -- of the file's beginning, to notice another file
    byte_offset    INTEGER NOT NULL CHECK (byte_offset >= 0),
    line           INTEGER NOT NULL CHECK (line >= 0),
    bad_lines      INTEGER NOT NULL DEFAULT 0 CHECK (bad_lines >= 0),
    carry          TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(carry)), -- the reader's state between lines
    updated_at_ms  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was shown to an agent.
CREATE TABLE injection (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    thread_id  TEXT,
    entry_id   TEXT    NOT NULL,                              -- an item or an episode
    revision   INTEGER NOT NULL,
    part       TEXT    NOT NULL CHECK (part IN ('index', 'relevant', 'routing')),
    at_ms      INTEGER NOT NULL
) STRICT;
CREATE INDEX injection_thread ON injection (thread_id, entry_id, revision);

-- Derived: one searchable entry, an item or an episode.
CREATE TABLE document (
    id             INTEGER PRIMARY KEY,
    entry_id       TEXT    NOT NULL UNIQUE,
    is_item        INTEGER NOT NULL CHECK (is_item IN (0, 1)),
    thread_id      TEXT    NOT NULL DEFAULT '',                -- '' for all; else only this thread may find it
    started_at_ms  INTEGER NOT NULL,
    spellings      TEXT    NOT NULL DEFAULT ''                 -- its words as they were written, separated by blanks
) STRICT;

-- Derived: which terms an entry holds. The heaviest entries of a term come first, so that
-- a common term can be read in part.
CREATE TABLE posting (
    term      TEXT    NOT NULL,
    weight    REAL    NOT NULL,                               -- by field and length, 0 to 1
    document  INTEGER NOT NULL REFERENCES document (id),
    fields    INTEGER NOT NULL,                               -- bits: which fields hold it
    PRIMARY KEY (term, weight DESC, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX posting_document ON posting (document, term, fields);

-- Derived: how many entries hold a term.
CREATE TABLE term_stat (
    term   TEXT    PRIMARY KEY,
    count  INTEGER NOT NULL CHECK (count > 0)
) STRICT, WITHOUT ROWID;

-- Derived: how many entries hold a word as written; `reversed` finds it by its end.
CREATE TABLE spelling (
    word      TEXT    PRIMARY KEY,
    reversed  TEXT    NOT NULL,
    count     INTEGER NOT NULL CHECK (count > 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX spelling_reversed ON spelling (reversed);

-- Derived: full text of raw turns, segmented before it gets here. rowid = turn.seq.
CREATE VIRTUAL TABLE turn_text USING fts5 (
    user_terms, answer_terms,
    content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 tokenchars '_.'"
);
