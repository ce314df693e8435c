/** How many runs each tenant has, by what they do. */
export const tenantQueues = String.raw`

-- Whoever changes runs of a tenant that have not ended locks its row first, so these counts are exact, and so are the
-- limits that are compared with them. Those who need several tenants lock them in the order of their ids.
CREATE TABLE tenant_queues (
  tenant_id    uuid        PRIMARY KEY,
  running      integer     NOT NULL DEFAULT 0 CHECK (running >= 0),
  -- How many of the running runs are deferred.
  deferred     integer     NOT NULL DEFAULT 0 CHECK (deferred >= 0),
  -- Runs that wait for their first attempt, due or not, and the length of their payloads.
  queued       integer     NOT NULL DEFAULT 0 CHECK (queued >= 0),
  queued_bytes bigint      NOT NULL DEFAULT 0 CHECK (queued_bytes >= 0),
  retrying     integer     NOT NULL DEFAULT 0 CHECK (retrying >= 0),
  -- No run that waits and is not blocked is due before. What is left in the index of those that were is passed over at once, also
  -- where a long transaction keeps it from being cleaned.
  due_from     timestamptz NOT NULL DEFAULT '-infinity',
  -- The tenant is gone: nothing is registered for it any more, and its history, which nobody can read, need not grow old.
  removed_at   timestamptz
) WITH (fillfactor = 50);
COMMENT ON TABLE tenant_queues IS 'Counts of the runs of each tenant that have not ended';
`;
