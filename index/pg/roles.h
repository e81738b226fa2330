// The roles of a database of akin, as SQL for its owner to run.
#pragma once

namespace akin::pg {

/// Makes the roles akin_reader (searches) and akin_writer (puts, removes; serves), which have no login of
/// their own, and grants them their rights on existing objects and on those that the executing role will
/// create later. May be run again. Needs CREATEROLE if the roles are missing.
inline constexpr const char* kRoles = R"(DO $roles$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'akin_reader') THEN CREATE ROLE akin_reader NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'akin_writer') THEN CREATE ROLE akin_writer NOLOGIN; END IF;
END $roles$;
GRANT USAGE ON SCHEMA akin TO akin_reader, akin_writer;
GRANT SELECT ON ALL TABLES IN SCHEMA akin TO akin_reader, akin_writer;
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA akin TO akin_writer;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA akin TO akin_writer;
ALTER DEFAULT PRIVILEGES IN SCHEMA akin GRANT SELECT ON TABLES TO akin_reader, akin_writer;
ALTER DEFAULT PRIVILEGES IN SCHEMA akin GRANT INSERT, UPDATE, DELETE ON TABLES TO akin_writer;
ALTER DEFAULT PRIVILEGES IN SCHEMA akin GRANT USAGE, SELECT ON SEQUENCES TO akin_writer;
-- Passwords of shards, access keys and the secrets of watches are not for readers.
DO $secrets$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['akin.shards', 'akin.state'] LOOP
    IF to_regclass(name) IS NOT NULL THEN EXECUTE 'REVOKE ALL ON ' || name || ' FROM akin_reader'; END IF;
  END LOOP;
END $secrets$;
)";

}  // namespace akin::pg
