// The roles of a database of akin, as a script for psql.
#pragma once

namespace akin::pg {

/// What each role runs, in order: a superuser's part (the extension and the right that shards require, the
/// roles akin_reader and akin_writer), the part of the owner of schema akin (the rights of both on existing
/// tables and on those that the owner creates later, whichever role runs it), and the logins of people. Each
/// part does what the running role may, or stops psql with an error that names the role to run it. May be run
/// again.
inline constexpr const char* kRoles = R"(\set ON_ERROR_STOP on
-- 1. A superuser, in the coordinator's database, before "akin store init": the roles, and what shards require.
DO $superuser$ DECLARE
  owner name := pg_get_userbyid(coalesce((SELECT nspowner FROM pg_namespace WHERE nspname = 'akin'),
                                         (SELECT datdba FROM pg_database WHERE datname = current_database())));
  is_superuser boolean := (SELECT rolsuper FROM pg_roles WHERE rolname = current_user);
  may_create boolean := (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user);
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['akin_reader', 'akin_writer'] LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = wanted);
    IF NOT may_create THEN
      RAISE EXCEPTION 'the role % is missing', wanted USING HINT = 'A superuser runs this script first.';
    END IF;
    EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
  END LOOP;
  IF is_superuser AND EXISTS (SELECT FROM pg_available_extensions WHERE name = 'postgres_fdw') THEN
    CREATE EXTENSION IF NOT EXISTS postgres_fdw;
    EXECUTE format('GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO %I', owner);
  END IF;
END $superuser$;
-- 2. The owner of schema akin, or a superuser, after "akin store init": the rights of readers and writers.
DO $owner$ DECLARE
  owner name := (SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'akin');
  secret text;
BEGIN
  IF owner IS NULL THEN
    RAISE NOTICE 'There is no schema akin yet: run "akin store init" as the owner, then this script again.';
    RETURN;
  END IF;
  IF NOT pg_has_role(owner, 'MEMBER') THEN
    RAISE EXCEPTION 'schema akin belongs to the role %', owner USING HINT = 'That role runs this script.';
  END IF;
  GRANT USAGE ON SCHEMA akin TO akin_reader, akin_writer;
  GRANT SELECT ON ALL TABLES IN SCHEMA akin TO akin_reader, akin_writer;
  GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA akin TO akin_writer;
  GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA akin TO akin_writer;
  EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA akin GRANT SELECT ON TABLES TO akin_reader, akin_writer', owner);
  EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA akin GRANT INSERT, UPDATE, DELETE ON TABLES TO akin_writer', owner);
  EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA akin GRANT USAGE, SELECT ON SEQUENCES TO akin_writer', owner);
  -- Passwords of shards, access keys and the secrets of watches are not for readers.
  FOREACH secret IN ARRAY ARRAY['akin.shards', 'akin.state'] LOOP
    IF to_regclass(secret) IS NOT NULL THEN EXECUTE 'REVOKE ALL ON ' || secret || ' FROM akin_reader'; END IF;
  END LOOP;
END $owner$;
-- 3. A superuser, for each person or program:
--    CREATE ROLE anna LOGIN PASSWORD '...' IN ROLE akin_reader;
)";

}  // namespace akin::pg
