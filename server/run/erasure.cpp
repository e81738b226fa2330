#include "server/run/erasure.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/sha256.h"
#include "base/stray_bytes.h"
#include "base/waiting.h"
#include "index/pairs/text_copies.h"
#include "server/access/keys.h"
#include "server/access/persons.h"
#include "server/api/write/key_objects.h"
#include "server/audit/audit_log.h"
#include "server/audit/erasure.h"
#include "server/check/announcements.h"
#include "server/check/checks.h"
#include "server/check/decision.h"
#include "server/gate/gates.h"
#include "server/json/strict_json.h"
#include "server/run/hand_ins.h"
#include "server/watch/forget_document.h"

namespace akin::api {

namespace {

using json::Json;

Result<void> check_texts(const std::vector<std::string>& texts) {
  if (!texts.empty() && std::ranges::none_of(texts, &std::string::empty)) return {};
  return Error{Errc::invalid_argument, "texts to look for", texts.empty() ? "there are none" : "one is empty",
               "give what must be nowhere"};
}

std::uint64_t count_in(std::string_view bytes, const std::vector<std::string>& texts) {
  std::uint64_t found = 0;
  for (const std::string& text : texts) {
    for (std::size_t at = bytes.find(text); at != std::string_view::npos; at = bytes.find(text, at + 1))
      ++found;
  }
  return found;
}

Result<bool> remove_document(Catalog& catalog, const std::string& name, const std::string& id) {
  const auto collection = catalog.get(name);
  if (collection.has_error() && collection.error().code == Errc::not_found) return false;
  AKIN_CHECK(collection);
  Precondition condition;
  condition.or_absent = true;
  const SourceChange removal{.document = {.id = id}, .remove = true, .condition = std::move(condition)};
  AKIN_TRY(const WriteResults results, (*collection)->write({&removal, 1}, WriteMode::all));
  return results.front()->replaced;
}

/// Notes an erasure before it begins.
Result<void> begin(state::State& state, const std::string& action, const std::string& what,
                   const state::Actor& by) {
  return audit::record(state, {.by = by, .action = action, .about = sha256_hex(what)});
}

/// Removes the answers to repeated requests, which may have anything in them, and notes the erasure.
Result<void> finish(state::State& state, const std::string& action, const std::string& what,
                    const Erased& erased, const state::Actor& by) {
  AKIN_CHECK(state.erase_all(state::Table::answers, ""));
  return audit::record(
      state, {.by = by, .action = action, .about = sha256_hex(what), .details = erased_object(erased)});
}

/// Whether the text of JSON has the id as a string of its own, or as that of a person who holds a key.
bool names_person(std::string_view json, const std::string& id) {
  return json.find(Json(id).dump()) != std::string_view::npos ||
         json.find(Json("person:" + id).dump()) != std::string_view::npos;
}

/// Events that wait for the webhook are not sent, and those that failed are forgotten.
Result<void> forget_events(state::State& state, const std::string& id) {
  constexpr std::size_t kMost = 100'000;
  AKIN_TRY(auto waiting, check::announcements(state, kMost));
  AKIN_TRY(const auto failed, check::failed_announcements(state));
  waiting.insert(waiting.end(), failed.begin(), failed.end());
  for (const check::Announcement& one : waiting) {
    if (names_person(one.body, id)) AKIN_CHECK(check::settle(state, one));
  }
  return {};
}

}  // namespace

Json erased_object(const Erased& erased) {
  return {{"was_there", erased.was_there},
          {"checks_deleted", erased.checks.deleted},
          {"checks_changed", erased.checks.changed},
          {"watched", erased.watched},
          {"logged", erased.logged}};
}

Result<Erased> erase_document(Catalog& catalog, const std::shared_ptr<state::State>& state,
                              const std::string& collection, const std::string& id, const state::Actor& by) {
  Erased erased;
  const std::string place = collection + "/" + id;
  AKIN_CHECK(begin(*state, "document.erasing", place, by));
  AKIN_TRY(erased.was_there, remove_document(catalog, collection, id));
  AKIN_CHECK(gate::Gates(state).groups().leave(collection, id));
  AKIN_CHECK(gate::Gates(state).refusals().forget_document(collection, id));
  AKIN_TRY(erased.watched, watch::forget_document(state, collection, id));
  AKIN_TRY(erased.checks, check::forget_document(state, collection, id, by));
  AKIN_TRY(erased.logged,
           audit::erase_entries(
               *state, [&](const Json& entry) { return entry.value("about", "") == place; }, by));
  AKIN_CHECK(finish(*state, "document.erased", place, erased, by));
  // What was made of documents of a dropped collection is erased, too; a name that nothing has is a mistake.
  if (erased.is_nothing()) AKIN_CHECK(catalog.get(collection));
  return erased;
}

Result<Erased> erase_person(const std::shared_ptr<state::State>& state, const std::string& id,
                            const state::Actor& by) {
  Erased erased;
  AKIN_CHECK(begin(*state, "person.erasing", id, by));
  access::Keys keys(state);
  const auto removed = access::Persons(state).erase(id, keys, by);
  erased.was_there = removed.has_value();
  if (removed.has_error() && removed.error().code != Errc::not_found) return removed.error();
  AKIN_TRY(erased.checks, check::forget_person(state, id, by));
  AKIN_CHECK(forget_hand_ins(*state, id));
  AKIN_CHECK(forget_events(*state, id));
  AKIN_TRY(erased.logged, audit::erase_entries(
                              *state, [&](const Json& entry) { return names_person(entry.dump(), id); }, by));
  AKIN_CHECK(finish(*state, "person.erased", id, erased, by));
  return erased;
}

Result<Json> find_in_files(const std::filesystem::path& data, const std::vector<std::string>& texts) {
  AKIN_CHECK(check_texts(texts));
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  for (auto entry = std::filesystem::recursive_directory_iterator(data, failure);
       !failure && entry != std::filesystem::end(entry); entry.increment(failure)) {
    // Closing LMDB's table of readers, which has numbers only, would end this process's lock on it.
    if (entry->is_regular_file() && entry->path().filename() != "lock.mdb") files.push_back(entry->path());
  }
  if (failure) return system_error(failure.value(), data.string(), "list");
  std::ranges::sort(files);
  Json object{{"files", files.size()}, {"found", 0}, {"places", Json::array()}};
  std::uint64_t total = 0;
  for (const std::filesystem::path& file : files) {
    std::uint64_t found = 0;
    for (const std::string& text : texts) {
      AKIN_CHECK(check_work());
      const auto count = count_in_file(file, text);
      // A file that a server removed meanwhile has nothing any more.
      if (count.has_error() && std::filesystem::exists(file, failure)) return count.error();
      found += count.has_value() ? *count : 0;
    }
    if (found > 0)
      object["places"].push_back({{"file", file.lexically_relative(data).string()}, {"found", found}});
    total += found;
  }
  object["found"] = total;
  return object;
}

Result<Json> find_in_collections(const Catalog& catalog, const std::vector<std::string>& texts) {
  AKIN_CHECK(check_texts(texts));
  std::uint64_t documents = 0, kept = 0, total = 0;
  Json places = Json::array();
  AKIN_TRY(const std::vector<std::string> names, catalog.list());
  for (const std::string& name : names) {
    AKIN_TRY(const std::shared_ptr<Store> store, catalog.open_store(name));
    AKIN_TRY(const std::unique_ptr<Snapshot> snapshot, store->snapshot());
    AKIN_TRY(const StoreStats stats, snapshot->stats());
    kept += stats.tombstones;
    AKIN_CHECK(for_each_document(*snapshot, [&](const StoredDocument& document) -> Result<void> {
      if (Result<void> wanted = check_work(); wanted.has_error()) return wanted;
      std::uint64_t found =
          count_in(document.id, texts) + count_in(document.title, texts) + count_in(document.metadata, texts);
      if (store->identity().store_text) {
        AKIN_TRY(const std::string text, snapshot->text(document));
        found += count_in(text, texts);
      }
      if (document.file && document.file->kept_bytes > 0) {
        AKIN_TRY(const StoredFile file, snapshot->file(document));
        found += count_in(file.bytes, texts);
      }
      ++documents;
      total += found;
      if (found > 0) places.push_back({{"collection", name}, {"id", document.id}, {"found", found}});
      return {};
    }));
  }
  return Json{{"documents", documents}, {"kept", kept}, {"found", total}, {"places", std::move(places)}};
}

Result<Json> data_of_person(const std::shared_ptr<state::State>& state, const std::string& id) {
  Json object{{"id", id},
              {"person", nullptr},
              {"checks", Json::array()},
              {"decisions", Json::array()},
              {"log", Json::array()}};
  const auto person = access::Persons(state).find(id);
  if (person.has_value()) object["person"] = person_object(*person);
  const check::Checks checks(state, 0);
  AKIN_CHECK(checks.for_each([&](const Json& check) -> Result<void> {
    const auto& name = check.at("id").get_ref<const std::string&>();
    if (check.at("owner") == Json(id)) {
      AKIN_TRY(std::string text, checks.text(name));
      object["checks"].push_back(check);
      object["checks"].back()["text"] = std::move(text);
    }
    AKIN_TRY(const auto history, check::Decisions(state).history(check));
    const bool decided =
        std::ranges::any_of(history, [&](const Json& entry) { return names_person(entry.dump(), id); });
    if (decided) object["decisions"].push_back(name);
    return {};
  }));
  constexpr std::size_t kAtOnce = 16;
  for (std::uint64_t after = 0;;) {
    AKIN_TRY(const auto lines, audit::lines(*state, after, kAtOnce));
    for (const std::string& line : lines) {
      ++after;
      AKIN_TRY(Json entry, json::parse_json(line, json::kAnyJsonValues));
      if (names_person(entry.dump(), id)) object["log"].push_back(std::move(entry));
    }
    if (lines.size() < kAtOnce) return object;
  }
}

}  // namespace akin::api
