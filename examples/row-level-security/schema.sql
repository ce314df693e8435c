-- The table belongs to whoever runs this. The program signs in as orders_app, which row level security binds; FORCE binds the
-- owner of the table as well. Superusers and roles with BYPASSRLS are never bound.
CREATE TABLE orders (
  id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- With a default, so that INSERT need not name it. Without a tenant, the setting is null or empty, and nothing matches.
  tenant text NOT NULL DEFAULT nullif(current_setting('app.tenant', true), ''),
  item   text NOT NULL
);
CREATE INDEX orders_of_tenant ON orders (tenant, id);

ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE orders FORCE ROW LEVEL SECURITY;
-- In a subquery, the setting is read once for each statement, and not for each row.
CREATE POLICY of_tenant ON orders
  USING (tenant = (SELECT nullif(current_setting('app.tenant', true), '')))
  WITH CHECK (tenant = (SELECT nullif(current_setting('app.tenant', true), '')));

CREATE ROLE orders_app LOGIN PASSWORD 'orders';
GRANT SELECT, INSERT, UPDATE, DELETE ON orders TO orders_app;
