/** The clock of schedules, and the processes of the deployment. */
export const instances = String.raw`

-- The clock of schedules and deadlines. A test that drives a program through time replaces it.
CREATE FUNCTION service_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT now()';

-- Whatever their roles. Each updates its row every ten seconds and deletes it when it stops.
CREATE TABLE instances (
  -- That of a worker is also the one of its row in workers.
  id         uuid        PRIMARY KEY,
  roles      text[]      NOT NULL,
  version    text        NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE workers (
  id           uuid        PRIMARY KEY,
  -- How many of its slots one tenant may hold.
  tenant_slots integer     NOT NULL,
  started_at   timestamptz NOT NULL DEFAULT now(),
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE schedulers (
  id        uuid        PRIMARY KEY,
  ticked_at timestamptz NOT NULL DEFAULT now()
);
`;
