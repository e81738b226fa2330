#include "index/lmdb/reindex.h"

#include <utility>

#include "index/lmdb/kept_dictionary.h"
#include "index/lmdb/next_generation.h"

namespace akin {

Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                const JobControl& control) {
  AKIN_TRY(const FileLock maintenance, folder.lock_maintenance(std::chrono::milliseconds(0)));
  AKIN_TRY(const std::shared_ptr<LmdbStore> from, open_present(folder));
  AKIN_TRY(const std::shared_ptr<const Scheme> scheme,
           make_scheme(plan.scheme.empty() ? from->identity().scheme : plan.scheme));
  if (!from->identity().store_text) {
    return Error{Errc::unsupported, folder.name(), "it keeps no texts, so it cannot be rebuilt from them",
                 "make a new collection and index the originals into it"};
  }
  Transfer transfer({plan.dictionary, scheme}, control);
  AKIN_TRY(const std::string fingerprint, features_fingerprint(*scheme, *plan.dictionary));
  const StoreIdentity identity{scheme->name(), fingerprint, plan.languages};
  return make_generation(
      folder, from, transfer,
      [&](LmdbStore& old, const std::filesystem::path& path) -> Result<std::shared_ptr<LmdbStore>> {
        AKIN_TRY(std::shared_ptr<LmdbStore> to, LmdbStore::create(path, identity, building_options()));
        AKIN_CHECK(keep_dictionary(path, plan.shared, plan.dictionary->packed()));
        {
          AKIN_TRY(const std::unique_ptr<Snapshot> view, old.snapshot());
          AKIN_CHECK(transfer.copy_all(*view, *to));
        }
        transfer.begin_phase("merging");
        AKIN_CHECK(to->settle_until(true, control.stop));
        AKIN_CHECK(transfer.check_stop());
        return to;
      });
}

}  // namespace akin
