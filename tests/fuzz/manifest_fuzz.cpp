// Any bytes as the manifest of a backup: they are refused, or read so that writing them again gives the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "index/lmdb/backup_manifest.h"
#include "index/lmdb/collection_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const akin::Result<akin::BackupManifest> manifest = akin::decode_manifest(bytes);
  if (manifest.has_error()) return 0;
  for (const akin::BackedUpCollection& one : manifest->collections) {
    if (!akin::is_collection_name(one.name)) std::abort();
  }
  const std::string written = akin::encode_manifest(*manifest);
  const akin::Result<akin::BackupManifest> again = akin::decode_manifest(written);
  if (again.has_error() || akin::encode_manifest(*again) != written) std::abort();
  return 0;
}
