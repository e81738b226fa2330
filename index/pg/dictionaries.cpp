#include "index/pg/dictionaries.h"

#include "base/time.h"
#include "index/dictionaries.h"
#include "index/pg/entry.h"
#include "index/pg/format.h"
#include "index/pg/schema.h"

namespace akin::pg {
namespace {

constexpr const char* kMakeDictionaries =
    "CREATE TABLE IF NOT EXISTS akin.dictionaries (fingerprint bytea PRIMARY KEY, content bytea NOT NULL);"
    "ALTER TABLE akin.dictionaries ALTER content SET STORAGE EXTERNAL;"
    "CREATE TABLE IF NOT EXISTS akin.store_dictionaries ("
    " store bigint PRIMARY KEY REFERENCES akin.stores ON DELETE CASCADE,"
    " fingerprint bytea NOT NULL REFERENCES akin.dictionaries);"
    "COMMENT ON TABLE akin.dictionaries IS 'akin: dictionaries that stores were built with, compressed';"
    "COMMENT ON TABLE akin.store_dictionaries IS 'akin: the dictionaries that each store was built with'";

Result<bool> has_tables(Connection& connection) {
  AKIN_TRY(const Rows there, connection.run("SELECT FROM pg_tables WHERE schemaname = 'akin'"
                                            " AND tablename = 'store_dictionaries'"));
  return there.size() > 0;
}

Params of(StoreNumber store) { return Params().number(static_cast<std::int64_t>(store)); }

}  // namespace

Result<void> make_dictionary_tables(Connection& connection) {
  AKIN_TRY(const bool is_there, has_tables(connection));
  if (is_there) return {};
  AKIN_CHECK(begin(connection));
  AKIN_CHECK(connection.command("SELECT " + call_of("pg_advisory_xact_lock", AdvisoryLock::schema)));
  AKIN_CHECK(connection.command(kMakeDictionaries));
  return commit(connection);
}

Result<void> keep_dictionary(Connection& connection, StoreNumber store, std::string_view packed) {
  AKIN_TRY(const bool is_there, has_tables(connection));
  if (!is_there) return {};
  const std::string_view fingerprint = Dictionary::fingerprint_of_packed(packed);
  // The lock prevents its removal before the store refers to it.
  AKIN_TRY(const Rows known,
           connection.run("SELECT FROM akin.dictionaries WHERE fingerprint = $1 FOR KEY SHARE",
                          Params().bytes(fingerprint)));
  if (known.size() == 0) {
    AKIN_CHECK(connection.run("INSERT INTO akin.dictionaries VALUES ($1, $2) ON CONFLICT DO NOTHING",
                              Params().bytes(fingerprint).bytes(packed)));
  }
  AKIN_CHECK(connection.run("INSERT INTO akin.store_dictionaries VALUES ($1, $2) ON CONFLICT DO NOTHING",
                            of(store).bytes(fingerprint)));
  return {};
}

Result<std::optional<std::string>> kept_dictionary(Connection& connection, StoreNumber store) {
  AKIN_TRY(const bool is_there, has_tables(connection));
  if (!is_there) return std::optional<std::string>();
  AKIN_TRY(const Rows rows, connection.run("SELECT content FROM akin.dictionaries"
                                           " JOIN akin.store_dictionaries USING (fingerprint)"
                                           " WHERE store = $1",
                                           of(store)));
  if (rows.size() == 0) return std::optional<std::string>();
  return std::optional(std::string(rows.bytes(0, 0)));
}

Result<void> keep_for_earlier(Pool& pool, StoreNumber store, const Dictionary& dictionary) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_TRY(const bool is_there, has_tables(*connection));
  if (!is_there) return {};
  AKIN_TRY(const Rows kept,
           connection->run("SELECT FROM akin.store_dictionaries WHERE store = $1", of(store)));
  if (kept.size() > 0) return {};
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(keep_dictionary(*connection, store, dictionary.packed()));
  return commit(*connection);
}

KeptFingerprints KnownDictionaries::fingerprints(Connection& connection, StoreNumber store) {
  AKIN_TRY(const bool is_there, has_tables(connection));
  if (!is_there) return std::optional<DictionaryFingerprints>();
  AKIN_TRY(const Rows rows,
           connection.run("SELECT fingerprint FROM akin.store_dictionaries WHERE store = $1", of(store)));
  if (rows.size() == 0) return std::optional<DictionaryFingerprints>();
  {
    const std::lock_guard guard(mutex_);
    if (const auto known = known_.find(rows.bytes(0, 0)); known != known_.end()) return known->second;
  }
  AKIN_TRY(const std::optional<std::string> packed, kept_dictionary(connection, store));
  if (!packed) return std::optional<DictionaryFingerprints>();
  KeptFingerprints kept = fingerprints_of_kept(*packed);
  // Damage may be repaired under the same key.
  if (kept.has_error() && kept.error().code == Errc::corrupt) return kept;
  const std::lock_guard guard(mutex_);
  return known_.insert_or_assign(std::string(rows.bytes(0, 0)), std::move(kept)).first->second;
}

Result<OutdatedCollections> outdated_collections(Connection& connection, Dictionaries& dictionaries,
                                                 KnownDictionaries& known) {
  AKIN_TRY(const std::shared_ptr<const Dictionary> configured, dictionaries.configured());
  AKIN_TRY(const Rows rows, connection.run("SELECT name, scheme, fingerprint, store FROM akin.collections"
                                           " JOIN akin.stores USING (store)"
                                           " WHERE expires = 0 OR expires > $1 ORDER BY name",
                                           Params().number(microseconds(time_now()))));
  OutdatedCollections found;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    StoreIdentity built;
    built.scheme = rows.bytes(row, 1);
    built.fingerprint = rows.bytes(row, 2);
    if (!is_outdated(built, *configured)) continue;
    std::string name(rows.bytes(row, 0));
    const StoreNumber store{rows.number(row, 3)};
    AKIN_TRY(StoreDescription described, read_description(connection, store));
    built = std::move(described.identity);
    Result<void> readable =
        check_readable(name, built, dictionaries, [&] { return known.fingerprints(connection, store); });
    if (readable.has_error() && !is_of_contents(readable.error())) return std::move(readable).error();
    if (readable.has_error()) {
      found.unreadable.push_back({std::move(name), std::move(readable).error()});
    } else {
      found.in_use.push_back(std::move(name));
    }
  }
  return found;
}

Result<void> drop_unused_dictionaries(Connection& connection) {
  AKIN_TRY(const bool is_there, has_tables(connection));
  if (!is_there) return {};
  AKIN_CHECK(
      connection.run("DELETE FROM akin.dictionaries d WHERE NOT EXISTS"
                     " (SELECT FROM akin.store_dictionaries s WHERE s.fingerprint = d.fingerprint)"));
  return {};
}

}  // namespace akin::pg
