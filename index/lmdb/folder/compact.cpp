#include "index/lmdb/folder/compact.h"

#include "index/collection/generation_switch.h"
#include "index/lmdb/documents/kept_dictionary.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/folder/hashed_file.h"
#include "index/lmdb/folder/next_generation.h"
#include "index/write/derived_features.h"

namespace akin {

namespace {

Result<std::shared_ptr<LmdbStore>> copy_store(const LmdbStore& from, const std::filesystem::path& folder,
                                              Transfer& transfer) {
  AKIN_CHECK(make_folder(folder));
  AKIN_TRY(HashedFile file, HashedFile::make(folder / format::kDataFile));
  transfer.begin_phase("copying");
  const Result<void> copied = from.copy([&](std::string_view bytes) -> Result<void> {
    AKIN_CHECK(transfer.check_stop());
    AKIN_CHECK(file.write(bytes));
    transfer.advance(0, bytes.size());
    return {};
  });
  if (copied.has_error()) return copied.error();
  AKIN_CHECK(file.finish());
  AKIN_CHECK(replace_file(folder / format::kMergeLock, ""));
  AKIN_TRY(std::shared_ptr<LmdbStore> copy, LmdbStore::open(folder, building_options()));
  AKIN_CHECK(copy->end_change_log());  // it was copied along
  return copy;
}

}  // namespace

Result<Compaction> compact_collection(const CollectionFolder& folder, const std::filesystem::path& shared,
                                      const JobControl& control) {
  AKIN_TRY(const FileLock maintenance, folder.lock_maintenance());
  AKIN_TRY(const std::shared_ptr<LmdbStore> from, open_present(folder));
  Transfer transfer({nullptr, nullptr, from->identity().store_text, from->identity().store_file}, control);
  Compaction result;
  AKIN_TRY(result.bytes_before, disk_bytes(*from));
  transfer.expect(0, result.bytes_before);
  transfer.begin_phase("merging");
  AKIN_CHECK(from->flush_and_merge_until(true, control.stop));
  AKIN_TRY(const Generation old_generation, folder.current());
  AKIN_TRY(const auto kept, kept_dictionary(folder.store_path(old_generation)));
  let_derive(*from, kept);  // for what is written meanwhile
  const auto copy = [&](LmdbStore& old,
                        const std::filesystem::path& path) -> Result<std::shared_ptr<LmdbStore>> {
    AKIN_TRY(std::shared_ptr<LmdbStore> made, copy_store(old, path, transfer));
    if (kept) AKIN_CHECK(keep_dictionary(path, shared, *kept));
    let_derive(*made, kept);
    return made;
  };
  AKIN_CHECK(make_generation(folder, from, transfer, copy));
  AKIN_TRY(const Generation current, folder.current());
  std::error_code code;
  result.bytes_after = std::filesystem::file_size(folder.store_path(current) / format::kDataFile, code);
  if (code) return system_error(code.value(), folder.name(), "read the size");
  return result;
}

}  // namespace akin
