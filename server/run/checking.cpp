#include "server/run/checking.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "extract/client/extractor.h"
#include "extract/text_layout.h"
#include "server/api/write/check_objects.h"
#include "server/api/write/file_object.h"
#include "server/ingest/places.h"
#include "server/ingest/read_file.h"
#include "server/run/shown_texts.h"

namespace akin::api {

namespace {

/// A document as it was when it was compared.
struct Found {
  std::shared_ptr<Collection> collection;
  std::unique_ptr<Snapshot> snapshot;
  std::optional<StoredDocument> record;  ///< nothing if it was changed or removed, or cannot be read
};

Found found_unchanged(Catalog& catalog, const Json& source) {
  Found found;
  auto collection = catalog.get(source.at("collection").get_ref<const std::string&>());
  if (collection.has_error()) return found;
  found.collection = *std::move(collection);
  auto snapshot = found.collection->snapshot();
  if (snapshot.has_error()) return found;
  found.snapshot = *std::move(snapshot);
  const auto record = found.snapshot->find(source.at("id").get_ref<const std::string&>());
  if (record.has_value() && *record && (*record)->revision.value == source.at("revision"))
    found.record = **record;
  return found;
}

/// Where the words are on the pages of a file that is kept, as the file has them or as they were recognized,
/// so that its pages show the marks of today with any later reader. A page of a PDF or DjVu whose words have
/// no places is read again when it is shown.
std::string placed_words(const check::Policy& policy, extract::Document& file, std::string_view bytes) {
  if (!policy.store_files) return {};
  std::vector<extract::PageWords> pages;
  if (file.type == "pdf" || file.type == "djvu") {
    auto placed = extract::Extractor::installed().places(bytes, "file");
    if (placed.has_value()) pages = *std::move(placed);
  }
  for (auto& [number, words] : file.recognized) {
    if (pages.size() < number) pages.resize(number);
    pages[number - 1] = std::move(words);
  }
  return pages.empty() ? std::string() : extract::encode_places(std::move(pages));
}

/// The name without what follows its last dot; of a member of an archive, whose folders may say whose it is,
/// its path there.
std::string title_of_file(const std::string& name) {
  const std::size_t member = name.rfind(ingest::kMemberMark);
  if (member == std::string::npos) return std::filesystem::path(name).stem().native();
  return std::filesystem::path(name.substr(member + ingest::kMemberMark.size())).replace_extension().native();
}

}  // namespace

Json encode_asked(const AskedCheck& asked) {
  Json object;
  object["collections"] = asked.request.collections;
  object["collection"] = asked.request.collection;
  object["id"] = asked.request.id;
  object["owner"] = asked.request.owner;
  object["policy_name"] = asked.request.policy_name;
  object["policy"] = check::policy_object(asked.request.policy);
  object["title"] = asked.title;
  object["metadata"] = asked.metadata;
  object["key"] = asked.key;
  object["file"] = asked.file ? Json{{"media", asked.file->media}, {"charset", asked.file->charset}} : Json();
  object["file_name"] = asked.file_name;
  return object;
}

Result<AskedCheck> decode_asked(const Json& object) {
  AskedCheck asked;
  asked.request.collections = object.at("collections").get<std::vector<std::string>>();
  asked.request.collection = object.at("collection").get<std::string>();
  asked.request.id = object.at("id").get<std::string>();
  asked.request.owner = object.at("owner").get<std::string>();
  asked.request.policy_name = object.at("policy_name").get<std::string>();
  AKIN_TRY(asked.request.policy, check::parse_policy(object.at("policy")));
  asked.title = object.at("title").get<std::string>();
  asked.metadata = object.at("metadata");
  asked.key = object.at("key");
  if (const Json& file = object.at("file"); !file.is_null()) {
    BodyType& type = asked.file.emplace();
    type.media = file.at("media").get<std::string>();
    type.charset = file.at("charset").get<std::string>();
    type.kind = BodyKind::file;
  }
  asked.file_name = object.at("file_name").get<std::string>();
  return asked;
}

Result<check::NewCheck> make_check(const Service& service, AskedCheck asked, const Request& body,
                                   const PhaseSink& phase) {
  check::NewCheck made;
  std::optional<extract::Document> file;
  if (asked.file) {
    phase("extracting");
    const auto sampling = asked.is_brief ? extract::Sampling::brief : extract::Sampling::on;
    AKIN_TRY(file, body_document(service, body, *asked.file, sampling, asked.file_name));
    const StoredFile kept = body_file(body, *asked.file, *file, asked.file_name);
    made.file = check::OriginalFile{body.body, asked.file_name, kept.media_type,
                                    asked.file->media + "; charset=" + asked.file->charset};
    made.places = placed_words(asked.request.policy, *file, body.body);
    check::take_file(asked.request, *file);
    if (asked.title.empty()) asked.title = extract::whole_characters(file->metadata.title, kMaxTitleBytes);
    if (asked.title.empty())
      asked.title = extract::whole_characters(title_of_file(asked.file_name), kMaxTitleBytes);
  } else if (asked.reads_body()) {
    asked.request.text = body.body;
  }
  const Json stored = {{"collection", asked.request.collection}, {"id", asked.request.id}};
  if (!asked.request.id.empty() && hides_text_of(*service.catalog, service.state.get(), stored))
    return restricted_text(asked.request.collection, asked.request.id);
  phase("comparing");
  AKIN_TRY(const check::Outcome outcome, check::run_check(*service.catalog, asked.request));
  made.check["key"] = std::move(asked.key);
  made.check["title"] = std::move(asked.title);
  made.check["metadata"] = std::move(asked.metadata);
  json::move_fields(made.check, outcome_object(asked.request, outcome));
  made.map = file ? ingest::encode_places(*file) : asked.request.places;
  if (file) add_file(made.check, "sources", *file);
  if (!asked.request.places.empty())
    add_query_places(made.check.at("sources"), ingest::decode_places(asked.request.places));
  made.excerpts = kept_excerpts(service.state.get(), outcome.sources);
  made.text = *std::move(asked.request.text);
  return made;
}

Json kept_excerpts(const state::State* state, const std::vector<check::Source>& sources) {
  Json kept = Json::array();
  for (const check::Source& source : sources) {
    if (source.excerpts.empty()) continue;
    const auto hidden = hides_text(state, source.collection, source.document);
    if (hidden.has_error() || *hidden) continue;
    kept.push_back({{"collection", source.collection},
                    {"id", source.document.id},
                    {"parts", check::excerpts_array(source.excerpts)}});
  }
  return kept;
}

Result<check::CheckRequest> request_of(const Json& check, std::string text) {
  check::CheckRequest request;
  request.collections = check.at("collections").get<std::vector<std::string>>();
  request.text = std::move(text);
  const Json& query = check.at("query");
  request.collection = query.value("collection", "");
  request.id = query.value("id", "");
  if (const Json& stored = check.at("admitted"); !stored.is_null())
    request.stored_as =
        check::StoredText{stored.at("collection").get<std::string>(), stored.at("id").get<std::string>()};
  if (check.at("owner").is_string()) request.owner = check.at("owner").get<std::string>();
  Json policy = check.at("policy");
  if (policy.at("name").is_string()) request.policy_name = policy.at("name").get<std::string>();
  policy.erase("name");
  if (const auto file = check.find("file"); file != check.end()) request.file_alerts = alerts_in(*file);
  AKIN_TRY(request.policy, check::parse_policy(policy));
  return request;
}

Result<Json> outcome_of(Catalog& catalog, check::CheckRequest& request) {
  AKIN_TRY(const check::Outcome outcome, check::run_check(catalog, request));
  return outcome_object(request, outcome);
}

bool is_unchanged(Catalog& catalog, const Json& source) {
  return found_unchanged(catalog, source).record.has_value();
}

std::optional<std::string> unchanged_text(Catalog& catalog, const state::State* state, const Json& source) {
  const Found found = found_unchanged(catalog, source);
  if (!found.record) return std::nullopt;
  const auto hidden = hides_text(state, found.collection->name(), *found.record);
  if (hidden.has_error() || *hidden) return std::nullopt;
  auto text = found.snapshot->text(*found.record);
  return text.has_error() ? std::nullopt : std::optional(*std::move(text));
}

}  // namespace akin::api
