// Any bytes as the manifest of a backup: refused, or read as another reader of JSON reads them, with names
// that stay inside the backup, and so that writing gives the same again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "index/collection/collection_name.h"
#include "index/lmdb/folder/backup_manifest.h"

namespace {

using Json = nlohmann::json;

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_digest(const Json& object, const akin::FileDigest& file) {
  return object.at("bytes") == file.bytes && object.at("sha256") == file.sha256 && file.sha256.size() == 64;
}

/// Whether a restore finds it below the backup and writes it below the data folder.
bool is_inside(const std::filesystem::path& path) {
  return path.is_relative() && path.lexically_normal() == path && *path.begin() != "..";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const akin::Result<akin::BackupManifest> manifest = akin::decode_manifest(bytes);
  if (manifest.has_error()) {
    require(!manifest.error().reason.empty());
    return 0;
  }
  const Json json = Json::parse(bytes);
  require(json.at("backup") == 1 && json.at("akin") == manifest->akin &&
          json.at("format") == manifest->format && json.at("made") == manifest->made);
  require(json.at("collections").size() == manifest->collections.size());
  std::set<std::string> names;
  for (std::size_t i = 0; i < manifest->collections.size(); ++i) {
    const akin::BackedUpCollection& one = manifest->collections[i];
    const Json& object = json.at("collections").at(i);
    require(akin::is_collection_name(one.name) && names.insert(one.name).second);
    require(is_inside(akin::backed_up_file("", one.name)));
    require(object.at("name") == one.name && object.at("scheme") == one.identity.scheme &&
            object.at("languages") == one.identity.languages &&
            object.at("fingerprint") == one.identity.fingerprint &&
            object.at("store_text") == one.identity.store_text &&
            object.value("store_file", false) == one.identity.store_file &&
            object.at("documents") == one.documents && object.at("features") == one.features &&
            is_digest(object, one.file));
    require(one.dictionaries.has_value() == object.contains("dictionaries"));
    if (!one.dictionaries) continue;
    const Json& dictionaries = object.at("dictionaries");
    require(dictionaries.at("fingerprint") == one.dictionaries->fingerprint &&
            is_digest(dictionaries, one.dictionaries->file) &&
            is_inside(akin::backed_up_dictionaries("", one.dictionaries->fingerprint)));
  }
  require(manifest->state.has_value() == (json.contains("state") && !json.at("state").is_null()));
  if (manifest->state) require(is_digest(json.at("state"), *manifest->state));

  for (const akin::LeftOutCollection& one : manifest->left_out) require(akin::is_collection_name(one.name));

  const std::string written = akin::encode_manifest(*manifest);
  const akin::Result<akin::BackupManifest> again = akin::decode_manifest(written);
  require(again.has_value() && akin::encode_manifest(*again) == written);
  return 0;
}
