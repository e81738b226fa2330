// Prepares a database for collections, and for the roles that read and write them.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace akin::pg {

/// server_version_num of the oldest supported PostgreSQL: 15.
inline constexpr std::int64_t kOldestServer = 150000;

/// Creates akin's schema in a database, if it is missing. Errors: invalid_argument (no connection string),
/// mismatch (PostgreSQL before 15, another akin's schema), unsupported (a pooler in transaction mode),
/// forbidden, and those of Connection::open.
[[nodiscard]] Result<void> init_database(const std::string& conninfo);

/// What each role runs, in order: a superuser's part (the roles akin_reader and akin_writer), the part of the
/// owner of schema akin (the rights of both on existing tables and on those that the owner creates later,
/// whichever role runs it), and the logins of people. Each part does what the running role may, or stops psql
/// with an error that names the role to run it. May be run again.
inline constexpr const char* kRoles = R"(\set ON_ERROR_STOP on
-- 1. A superuser, or a role that may create roles: the roles.
DO $superuser$ DECLARE
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
END $superuser$;
-- 2. The owner of schema akin, or a superuser, after "akin store init": the rights of readers and writers.
DO $owner$ DECLARE
  owner name := (SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'akin');
BEGIN
  IF owner IS NULL THEN
    RAISE NOTICE 'The schema akin does not exist yet: run "akin store init" as the owner, then this script again.';
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
  -- Access keys and the secrets of watches are not for readers.
  IF to_regclass('akin.state') IS NOT NULL THEN REVOKE ALL ON akin.state FROM akin_reader; END IF;
END $owner$;
-- 3. A superuser, for each person or program:
--    CREATE ROLE anna LOGIN PASSWORD '...' IN ROLE akin_reader;
)";

}  // namespace akin::pg
