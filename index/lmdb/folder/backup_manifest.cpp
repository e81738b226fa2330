#include "index/lmdb/folder/backup_manifest.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/hex.h"
#include "index/collection/collection_name.h"
#include "index/lmdb/env/format.h"

namespace akin {

namespace {

using Json = nlohmann::ordered_json;

/// Version of the manifest itself.
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;
constexpr std::size_t kDigestDigits = 64;

Json file_object(const FileDigest& file) { return {{"bytes", file.bytes}, {"sha256", file.sha256}}; }

Error broken(std::string reason) {
  return Error{Errc::corrupt, std::string(kManifestFile), std::move(reason), "use another backup"};
}

/// Reads fields and remembers the first that is missing or has the wrong type.
class Object {
 public:
  explicit Object(const Json& json) : json_(json) {}

  template <class T>
  T get(const char* name) {
    const auto field = json_.is_object() ? json_.find(name) : json_.end();
    if (json_.is_object() && field != json_.end()) {
      if constexpr (std::is_same_v<T, std::string>) {
        if (field->is_string()) return field->template get<T>();
      } else if constexpr (std::is_same_v<T, bool>) {
        if (field->is_boolean()) return field->template get<T>();
      } else {
        if (field->is_number_unsigned() &&
            field->template get<std::uint64_t>() <= std::numeric_limits<T>::max())
          return field->template get<T>();
      }
    }
    wrong_ = name;
    return {};
  }

  [[nodiscard]] Result<void> check() const {
    if (wrong_.empty()) return {};
    return broken("the field '" + wrong_ + "' is missing or has the wrong type");
  }

 private:
  const Json& json_;
  std::string wrong_;
};

Result<FileDigest> read_file_object(const Json& json) {
  Object object(json);
  FileDigest file{object.get<std::uint64_t>("bytes"), object.get<std::string>("sha256")};
  AKIN_CHECK(object.check());
  if (file.sha256.size() != kDigestDigits) return broken("a 'sha256' does not have 64 digits");
  return file;
}

bool is_fingerprint(std::string_view text) { return text.size() == 32 && bytes_of_hex(text).has_value(); }

Result<BackedUpCollection> read_collection(const Json& json) {
  Object object(json);
  BackedUpCollection collection;
  collection.name = object.get<std::string>("name");
  collection.identity.scheme = object.get<std::string>("scheme");
  collection.identity.languages = object.get<std::string>("languages");
  collection.identity.fingerprint = object.get<std::string>("fingerprint");
  collection.identity.store_text = object.get<bool>("store_text");
  if (json.is_object() && json.contains("store_file"))
    collection.identity.store_file = object.get<bool>("store_file");
  collection.documents = object.get<std::uint64_t>("documents");
  collection.features = object.get<std::uint64_t>("features");
  AKIN_CHECK(object.check());
  if (!is_collection_name(collection.name)) return broken("a 'name' is not a valid collection name");
  AKIN_TRY(collection.file, read_file_object(json));
  if (const auto kept = json.find("dictionaries"); kept != json.end()) {
    Object dictionaries(*kept);
    collection.dictionaries.emplace();
    collection.dictionaries->fingerprint = dictionaries.get<std::string>("fingerprint");
    AKIN_CHECK(dictionaries.check());
    if (!is_fingerprint(collection.dictionaries->fingerprint))
      return broken("the 'fingerprint' of 'dictionaries' does not have 32 digits");
    AKIN_TRY(collection.dictionaries->file, read_file_object(*kept));
  }
  return collection;
}

}  // namespace

std::filesystem::path backed_up_file(const std::filesystem::path& backup, std::string_view name) {
  return backup / "collections" / name / format::kDataFile;
}

std::filesystem::path backed_up_dictionaries(const std::filesystem::path& backup,
                                             std::string_view fingerprint) {
  return backup / "dictionaries" / fingerprint;
}

std::filesystem::path backed_up_state(const std::filesystem::path& backup) {
  return backup / "state" / format::kDataFile;
}

std::string encode_manifest(const BackupManifest& manifest) {
  Json collections = Json::array();
  for (const BackedUpCollection& one : manifest.collections) {
    Json object = {{"name", one.name},
                   {"scheme", one.identity.scheme},
                   {"languages", one.identity.languages},
                   {"fingerprint", one.identity.fingerprint},
                   {"store_text", one.identity.store_text},
                   {"documents", one.documents},
                   {"features", one.features}};
    if (one.identity.store_file) object["store_file"] = true;
    object.update(file_object(one.file));
    if (one.dictionaries) {
      object["dictionaries"] = {{"fingerprint", one.dictionaries->fingerprint}};
      object["dictionaries"].update(file_object(one.dictionaries->file));
    }
    collections.push_back(std::move(object));
  }
  Json json = {{"backup", kVersion},
               {"akin", manifest.akin},
               {"format", manifest.format},
               {"made", manifest.made},
               {"collections", std::move(collections)},
               {"state", manifest.state ? file_object(*manifest.state) : Json(nullptr)}};
  for (const LeftOutCollection& one : manifest.left_out) json["left_out"].push_back(one.name);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<BackupManifest> decode_manifest(std::string_view bytes) {
  const Json json = Json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return broken("it is not JSON");
  Object object(json);
  const auto version = object.get<std::uint32_t>("backup");
  BackupManifest manifest;
  manifest.akin = object.get<std::string>("akin");
  manifest.format = object.get<std::uint32_t>("format");
  manifest.made = object.get<std::string>("made");
  AKIN_CHECK(object.check());
  if (version != kVersion || manifest.format != format::kFormatVersion) {
    return Error{Errc::mismatch, std::string(kManifestFile),
                 "the akin " + manifest.akin + " that made it writes manifests of version " +
                     std::to_string(version) + " and indexes of format " + std::to_string(manifest.format) +
                     ", and this one reads " + std::to_string(kVersion) + " and " +
                     std::to_string(format::kFormatVersion),
                 "restore it with that akin, export the collections (akin export) and import them here (akin "
                 "import)"};
  }
  const auto collections = json.find("collections");
  if (collections == json.end() || !collections->is_array())
    return broken("the field 'collections' is not a list");
  std::set<std::string> names;
  for (const Json& one : *collections) {
    AKIN_TRY(BackedUpCollection collection, read_collection(one));
    if (!names.insert(collection.name).second) return broken("it names a collection twice");
    manifest.collections.push_back(std::move(collection));
  }
  if (const auto state = json.find("state"); state != json.end() && !state->is_null()) {
    AKIN_TRY(manifest.state, read_file_object(*state));
  }
  for (const Json& name : json.value("left_out", Json::array())) {
    if (!name.is_string() || !is_collection_name(name.get_ref<const std::string&>()))
      return broken("the field 'left_out' is not a list of collection names");
    manifest.left_out.push_back({name.get<std::string>(), {}});
  }
  return manifest;
}

Result<BackupManifest> read_manifest(const std::filesystem::path& backup) {
  std::string bytes;
  const Result<void> read =
      read_foreign_file(backup / kManifestFile, kMaxBytes, [&](std::string_view more) -> Result<void> {
        bytes += more;
        return {};
      });
  if (read.has_error()) {
    if (read.error().code == Errc::too_large) {
      return Error{Errc::too_large, (backup / kManifestFile).string(), "it is not the manifest of a backup",
                   "name a folder that akin backup made"};
    }
    if (read.error().code != Errc::not_found) return read.error();
    return Error{Errc::not_found, "backup '" + backup.string() + "'",
                 "there is no " + std::string(kManifestFile) + " in it",
                 "name a folder that akin backup made"};
  }
  return decode_manifest(bytes);
}

}  // namespace akin
