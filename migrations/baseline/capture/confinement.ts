import { FIRST_NORMAL_OID } from './values.js';

/** No schema that a customer can write in is searched; its temporary one last, and never for functions. */
const DECLARATION = 'SET search_path = pg_catalog, pg_temp';

const CAPTURE_FUNCTIONS = ['capture_data_events()', 'capture_data_event()'];

/** In SQL: the capture functions, as numbers. */
function captureFunctions(schema: string): string {
  return CAPTURE_FUNCTIONS.map((name) => `'${schema}.${name}'::regprocedure`).join(', ');
}

/**
 * `data_capture_stranger`: why a table is not wholly the program's account's or superusers', null when it is. Types of
 * PostgreSQL itself are nobody's: only a superuser can define a cast of one of them to another.
 */
export function strangerOfTable(schema: string): string {
  return `
    CREATE FUNCTION data_capture_stranger(watched oid) RETURNS text LANGUAGE sql STABLE ${DECLARATION} AS $capture$
      WITH RECURSIVE trusted AS (
        SELECT oid FROM pg_roles
        WHERE rolsuper OR oid = (SELECT relowner FROM pg_class WHERE oid = '${schema}.data_events'::regclass)
      ), used (attname, type) AS (
        SELECT attname, atttypid FROM pg_attribute WHERE attrelid = watched AND attnum > 0 AND NOT attisdropped
        UNION
        SELECT attname, part.type FROM used JOIN pg_type ON pg_type.oid = used.type CROSS JOIN LATERAL (
          SELECT typelem UNION ALL SELECT typbasetype
          UNION ALL SELECT rngsubtype FROM pg_range WHERE rngtypid = used.type OR rngmultitypid = used.type
          UNION ALL SELECT atttypid FROM pg_attribute WHERE attrelid = typrelid AND attnum > 0 AND NOT attisdropped
        ) AS part (type) WHERE part.type >= ${FIRST_NORMAL_OID}
      )
      SELECT 'belongs to the account ' || pg_get_userbyid(relowner) FROM pg_class
      WHERE oid = watched AND relowner NOT IN (SELECT oid FROM trusted)
      UNION ALL (
        SELECT 'has a column ' || attname || ' of the type ' || format_type(type, NULL) || ', which belongs to the account '
               || pg_get_userbyid(typowner)
        FROM used JOIN pg_type ON pg_type.oid = used.type
        WHERE used.type >= ${FIRST_NORMAL_OID} AND typowner NOT IN (SELECT oid FROM trusted)
        ORDER BY attname, type
      )
      LIMIT 1
    $capture$`;
}

/**
 * `data_capture_is_confined`: whether the capture functions belong to a role that nobody can log in as or act as but
 * the program's account, and that has none of the account's rights.
 */
export function isCaptureConfined(schema: string): string {
  return `
    CREATE FUNCTION data_capture_is_confined() RETURNS boolean LANGUAGE sql STABLE ${DECLARATION} AS $capture$
      SELECT bool_and(
        prosecdef
        AND NOT (rolsuper OR rolcanlogin OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)
        AND proowner <> account.relowner
        AND NOT EXISTS (SELECT FROM pg_auth_members WHERE member = proowner)
        AND NOT EXISTS (
          SELECT FROM pg_auth_members AS membership JOIN pg_roles AS other ON other.oid = membership.member
          WHERE membership.roleid = proowner AND other.oid <> account.relowner AND NOT other.rolsuper
            -- Whoever makes a role may administer it since PostgreSQL 16, which is not yet to act as it. Before 16
            -- these columns do not exist, and a member may do both.
            AND (coalesce((to_jsonb(membership) ->> 'set_option')::boolean, true)
                 OR coalesce((to_jsonb(membership) ->> 'inherit_option')::boolean, true))
        )
        AND NOT EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0)
      )
      FROM pg_proc JOIN pg_roles ON pg_roles.oid = proowner
      CROSS JOIN (SELECT relowner FROM pg_class WHERE oid = '${schema}.data_events'::regclass) AS account
      WHERE pg_proc.oid IN (${captureFunctions(schema)})
    $capture$`;
}

/**
 * `confine_data_capture`: gives the capture functions to the role `<account>_capture`, which is made if the account may
 * make roles. Answers null when they are confined, else why they are not; then nothing has changed.
 */
export function confineCapture(schema: string): string {
  const give = CAPTURE_FUNCTIONS.map(
    (name) => `
        EXECUTE format('REVOKE ALL ON FUNCTION ${schema}.${name} FROM PUBLIC');
        EXECUTE format('ALTER FUNCTION ${schema}.${name} OWNER TO %I', capture);
        EXECUTE format('GRANT EXECUTE ON FUNCTION ${schema}.${name} TO %I', current_user);`,
  ).join('');
  return `
    CREATE FUNCTION confine_data_capture() RETURNS text LANGUAGE plpgsql ${DECLARATION} AS $capture$
    DECLARE
      capture name := left(current_user, 48) || '_capture';
      knows_set boolean := current_setting('server_version_num')::integer >= 160000;
      may_create boolean;
    BEGIN
      IF ${schema}.data_capture_is_confined() THEN RETURN NULL; END IF;
      BEGIN
        IF to_regrole(quote_ident(capture)) IS NULL THEN
          BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', capture);
          -- By the same account, in another database of the server.
          EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
          END;
        END IF;
        -- To give a function away one has to be able to act as its new owner, and to inherit its rights to replace it.
        IF NOT pg_has_role(capture, 'USAGE') OR (knows_set AND NOT pg_has_role(capture, 'SET')) THEN
          EXECUTE format('GRANT %I TO %I', capture, current_user)
                  || CASE WHEN knows_set THEN ' WITH INHERIT TRUE, SET TRUE' ELSE '' END;
        END IF;
        EXECUTE format('GRANT USAGE ON SCHEMA ${schema} TO %I', capture);
        EXECUTE format('GRANT INSERT ON ${schema}.data_events TO %I', capture);
        EXECUTE format('GRANT SELECT ON ${schema}.data_triggers TO %I', capture);
        EXECUTE format('GRANT SELECT (tenant_id, id, paused) ON ${schema}.jobs TO %I', capture);
        may_create := has_schema_privilege(capture, to_regnamespace('${schema}')::oid, 'CREATE');
        IF NOT may_create THEN EXECUTE format('GRANT CREATE ON SCHEMA ${schema} TO %I', capture); END IF;
        ${give}
        IF NOT may_create THEN EXECUTE format('REVOKE CREATE ON SCHEMA ${schema} FROM %I', capture); END IF;
        IF NOT ${schema}.data_capture_is_confined() THEN
          RAISE EXCEPTION 'the role % can log in, has rights of its own, or has other members than this account', capture;
        END IF;
        RETURN NULL;
      -- Whatever it is: without the role less can be watched, and nothing else is worse.
      EXCEPTION WHEN OTHERS THEN RETURN SQLERRM;
      END;
    END $capture$`;
}
