#include "index/lmdb/folder/reindex.h"

#include <utility>

#include "index/lmdb/documents/kept_dictionary.h"
#include "index/lmdb/folder/next_generation.h"
#include "index/write/derived_features.h"

namespace akin {

Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                const std::filesystem::path& shared, const JobControl& control) {
  AKIN_TRY(const FileLock maintenance, folder.lock_maintenance());
  AKIN_TRY(const std::shared_ptr<LmdbStore> from, open_present(folder));
  AKIN_TRY(const Reindex next, plan_reindex(folder.name(), from->identity(), plan));
  Transfer transfer(next.analysis, control);
  return make_generation(
      folder, from, transfer,
      [&](LmdbStore& old, const std::filesystem::path& path) -> Result<std::shared_ptr<LmdbStore>> {
        AKIN_TRY(std::shared_ptr<LmdbStore> to, LmdbStore::create(path, next.identity, building_options()));
        let_derive(*to, next.analysis.scheme, next.analysis.dictionary);
        AKIN_CHECK(keep_dictionary(path, shared, next.analysis.dictionary->packed()));
        {
          AKIN_TRY(const std::unique_ptr<Snapshot> view, old.snapshot());
          AKIN_CHECK(transfer.copy_all(*view, *to));
        }
        transfer.begin_phase("merging");
        AKIN_CHECK(to->flush_and_merge_until(true, control.stop));
        return to;
      });
}

}  // namespace akin
