-- Version 2: what is asked for by time or by branch is found by an index.

-- What a stretch of work covers is read by time.
CREATE INDEX turn_said ON turn (said_at_ms);
CREATE INDEX episode_started ON episode (started_at_ms);
-- Those that may have begun before a time and gone on in it. A commit is one moment.
CREATE INDEX episode_lasting ON episode (started_at_ms, ended_at_ms) WHERE ended_at_ms > started_at_ms;
CREATE INDEX episode_branch ON episode (branch) WHERE branch IS NOT NULL;
CREATE INDEX episode_begun_by_hand ON episode (seq) WHERE origin = 'manual' AND ended_at_ms IS NULL;

-- A todo that was noted while no episode was open stands in one of its own, in which no work was done.
UPDATE episode
   SET origin = 'todo'
 WHERE origin = 'manual' AND ended_at_ms = started_at_ms
   AND EXISTS (SELECT 1
                 FROM episode_summary AS s
                 JOIN todo AS t ON t.episode_id = s.episode_id AND t.text = s.objective
                WHERE s.episode_id = episode.id AND s.number = episode.summary);
