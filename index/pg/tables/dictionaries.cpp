#include "index/pg/tables/dictionaries.h"

#include "base/time.h"
#include "index/collection/dictionaries.h"
#include "index/pg/tables/entry.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {
namespace {

Params of(StoreNumber store) { return Params().number(static_cast<std::int64_t>(store)); }

}  // namespace

Result<void> keep_dictionary(Connection& connection, StoreNumber store, std::string_view packed) {
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
  AKIN_TRY(const Rows rows, connection.run("SELECT content FROM akin.dictionaries"
                                           " JOIN akin.store_dictionaries USING (fingerprint)"
                                           " WHERE store = $1",
                                           of(store)));
  if (rows.size() == 0) return std::optional<std::string>();
  return std::optional(std::string(rows.bytes(0, 0)));
}

KeptFingerprints KnownDictionaries::fingerprints(Connection& connection, StoreNumber store) {
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
  AKIN_CHECK(dictionaries.configured());
  AKIN_TRY(const Rows rows,
           connection.run("SELECT name, scheme, fingerprint, store, languages FROM akin.collections"
                          " JOIN akin.stores USING (store)"
                          " WHERE expires = 0 OR expires > $1 ORDER BY name",
                          Params().number(microseconds(time_now()))));
  OutdatedCollections found;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    StoreIdentity built;
    built.scheme = rows.bytes(row, 1);
    built.fingerprint = rows.bytes(row, 2);
    built.languages = rows.bytes(row, 4);
    if (!is_outdated(built, dictionaries)) continue;
    const std::string name(rows.bytes(row, 0));
    const StoreNumber store{rows.number(row, 3)};
    AKIN_TRY(built, read_identity(connection, store));
    AKIN_CHECK(add_outdated(found, name, check_readable(name, built, dictionaries, [&] {
                              return known.fingerprints(connection, store);
                            })));
  }
  return found;
}

Result<void> drop_unused_dictionaries(Connection& connection) {
  AKIN_CHECK(
      connection.run("DELETE FROM akin.dictionaries d WHERE NOT EXISTS"
                     " (SELECT FROM akin.store_dictionaries s WHERE s.fingerprint = d.fingerprint)"));
  return {};
}

}  // namespace akin::pg
