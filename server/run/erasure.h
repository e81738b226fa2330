// Erasing a document or a person from everything that is stored, and what is stored of a person.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "index/collection/catalog.h"
#include "server/check/forget.h"
#include "server/json/json.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::api {

struct Erased {
  bool was_there = false;  ///< the document or person itself
  check::Forgotten checks;
  std::uint64_t watched = 0;  ///< events and watches
  std::uint64_t logged = 0;   ///< entries of the audit log, which keep their numbers and hashes

  [[nodiscard]] bool is_nothing() const noexcept {
    return !was_there && checks.deleted + checks.changed + watched + logged == 0;
  }
};

/// {"was_there", "checks_deleted", "checks_changed", "watched", "logged"}
[[nodiscard]] json::Json erased_object(const Erased& erased);

/// Removes a document, and what was made of it: checks of its text, passages of it that other checks keep,
/// events and watches, its place in a group of duplicates, stored answers to repeated requests, and what the
/// audit log says about it. The log then has an entry with the SHA-256 of "COLLECTION/ID" and these numbers.
/// The bytes stay in free pages until the files are written again. Error: not_found, if neither the
/// collection nor any of this existed.
[[nodiscard]] Result<Erased> erase_document(Catalog& catalog, const std::shared_ptr<state::State>& state,
                                            const std::string& collection, const std::string& id,
                                            const state::Actor& by);

/// The same for a person: their record and secrets, the checks whose owner they are, their id and name in the
/// decisions of others' checks, and in the audit log what they did and what is about them. Documents that
/// name them as owner remain.
[[nodiscard]] Result<Erased> erase_person(const std::shared_ptr<state::State>& state, const std::string& id,
                                          const state::Actor& by);

/// How often the texts are in the bytes of all files of a data folder (base/stray_bytes.h):
/// {"files", "found", "places": [{"file", "found"}]}, the files relative to the folder. Errors: io,
/// invalid_argument (no text, or an empty one), those of stopped work.
[[nodiscard]] Result<json::Json> find_in_files(const std::filesystem::path& data,
                                               const std::vector<std::string>& texts);

/// How often the texts are in what the collections have of their documents, byte by byte: ids, titles,
/// metadata, texts, and kept files as they are. {"documents", "kept", "found", "places": [{"collection",
/// "id", "found"}]}, where "kept" counts the removed documents that an engine still has. Errors: as
/// find_in_files, and those of the collections.
[[nodiscard]] Result<json::Json> find_in_collections(const Catalog& catalog,
                                                     const std::vector<std::string>& texts);

/// {"id", "person", "checks", "decisions", "log"}: the person's record or null, the checks whose owner they
/// are, each with its text, the ids of checks that they decided about, and the entries of the audit log by
/// them or about them.
[[nodiscard]] Result<json::Json> data_of_person(const std::shared_ptr<state::State>& state,
                                                const std::string& id);

}  // namespace akin::api
