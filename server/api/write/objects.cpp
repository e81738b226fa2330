#include "server/api/write/objects.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/hex.h"
#include "base/rfc3339.h"
#include "base/text_range.h"
#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "morph/disguise/disguise.h"
#include "morph/schemes/scheme.h"
#include "morph/words/scanner.h"
#include "server/api/write/file_object.h"
#include "server/api/write/work.h"
#include "server/json/strict_json.h"

namespace akin::api {

namespace {

Json lemmas_array(const Dictionary& dictionary, WordClass word_class) {
  Json lemmas = Json::array();
  if (word_class.form == WordClass::kNoForm) return lemmas;
  for (const std::uint32_t id : dictionary.lemma_ids(word_class.form)) lemmas.push_back(dictionary.lemma(id));
  return lemmas;
}

/// Records each sentence and passes it on to the scheme.
class SentenceRecorder final : public SentenceSink {
 public:
  SentenceRecorder(const Dictionary& dictionary, const Scheme& scheme, FeatureStream& next)
      : dictionary_(dictionary), scheme_(scheme), next_(next) {}

  void on_sentence(const Sentence& sentence) override {
    Json words = Json::array();
    for (const Word& word : sentence.words) {
      Json entry;
      entry["text"] = word.source;
      entry["class"] = dictionary_.class_name(folder_.fold(word.source));
      entry["hash"] = hex16(scheme_.word_hash(word, dictionary_));
      words.push_back(std::move(entry));
    }
    Json entry;
    entry["range"] = range_array(sentence.range);
    entry["words"] = std::move(words);
    sentences_.push_back(std::move(entry));
    next_.on_sentence(sentence);
  }

  [[nodiscard]] Json take() { return std::move(sentences_); }

 private:
  const Dictionary& dictionary_;
  const Scheme& scheme_;
  FeatureStream& next_;
  WordFolder folder_;
  Json sentences_ = Json::array();
};

void add_containments(Json& object, const Overlap& overlap) {
  object["containment"] = overlap.has_containment ? Json(overlap.containment()) : Json(nullptr);
  object["contained"] = overlap.has_containment ? Json(overlap.contained()) : Json(nullptr);
}

Json counts_object(std::uint64_t done, std::uint64_t total) {
  return {{"done", done}, {"total", total == 0 ? Json(nullptr) : Json(total)}};
}

}  // namespace

Json task_object(const tasks::TaskInfo& task) {
  Json object;
  object["id"] = task.id;
  object["type"] = task.type;
  object["collection"] = task.collection.empty() ? Json(nullptr) : Json(task.collection);
  object["parameters"] = task.parameters;
  object["status"] = tasks::status_name(task.status);
  object["progress"] = task.progress;
  if (task.counts) {
    object["documents"] = counts_object(task.counts->documents_done, task.counts->documents_total);
    object["bytes"] = counts_object(task.counts->bytes_done, task.counts->bytes_total);
  }
  object["created"] = format_time(task.created);
  object["started"] = time_or_null(task.started);
  object["finished"] = time_or_null(task.finished);
  object["error"] = task.error ? error_object(*task.error) : Json(nullptr);
  if (task.status == tasks::TaskStatus::done) object["result_lines"] = task.result_lines;
  return object;
}

Json document_object(const DocumentRecord& document) {
  Json object;
  object["id"] = document.id;
  object["title"] = document.title;
  auto metadata = json::parse_json(document.metadata);
  object["metadata"] = metadata.has_value() && metadata->is_object() ? *std::move(metadata) : Json::object();
  object["text_bytes"] = document.text_bytes;
  object["code_points"] = document.code_points;
  object["sentences"] = document.sentences;
  object["features"] = document.features;
  object["stored"] = format_rfc3339(document.revision.value);
  if (document.text_sha256) object["text_sha256"] = hex_of(*document.text_sha256);
  if (document.file) object["file_sha256"] = hex_of(document.file->sha256);
  if (document.file && document.file->kept_bytes > 0) object["file_bytes"] = document.file->kept_bytes;
  return object;
}

Json alerts_array(const std::vector<Alert>& alerts) {
  Json array = Json::array();
  for (const Alert& alert : alerts) {
    Json entry;
    entry["kind"] = alert_name(alert.kind);
    entry["range"] = range_array(alert.range);
    array.push_back(std::move(entry));
  }
  return array;
}

void add_measures(Json& object, const Overlap& overlap) {
  add_containments(object, overlap);
  object["resemblance"] = overlap.resemblance();
  object["sorensen"] = overlap.sorensen();
}

Json words_object(const MatchedWords& words) {
  return {{"a", words.a}, {"b", words.b}, {"a_share", words.a_share()}, {"b_share", words.b_share()}};
}

Json hit_object(const Hit& hit, bool with_passages) {
  Json object;
  object["id"] = hit.document.id;
  object["title"] = hit.document.title;
  object["x"] = hit.overlap.x;
  object["features"] = hit.overlap.b_features;
  add_measures(object, hit.overlap);
  if (hit.words) object["words"] = words_object(*hit.words);
  if (!with_passages) return object;
  Json& passages = object["passages"] = passages_array(hit.passages);
  add_stored_places(passages, hit.document);
  return object;
}

namespace {

Json tier_totals(const Scheme& scheme, std::span<const TierQuery> tiers, const SearchResult& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    Json entry;
    entry["tier"] = scheme.tiers()[tiers[i].tier].name;
    entry["bound"] = tiers[i].bound;
    entry["min_containment"] = tiers[i].min_containment;
    if (tiers[i].verified) entry["min_word_share"] = tiers[i].min_word_share;
    if (tiers[i].min_bits > 0) entry["min_bits"] = tiers[i].min_bits;
    if (tiers[i].min_rare_bits > 0) entry["min_rare_bits"] = tiers[i].min_rare_bits;
    entry["verified"] = tiers[i].verified;
    entry["features"] = tiers[i].query.hashes.size();
    entry["total"] = result.counted ? Json(result.tier_totals[i]) : Json(nullptr);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

Json search_head(const SearchRequest& request, const SearchResult& result, const Scheme& scheme,
                 std::span<const TierQuery> tiers) {
  Json object;
  object["query"] = {{"sentences", request.query->sentences},
                     {"features", request.query->hashes.size()},
                     {"code_points", request.query->code_points},
                     {"alerts", alerts_array(request.query->alerts)}};
  object["bound"] = request.bound;
  object["min_containment"] = request.min_containment;
  object["limit"] = request.limit;
  object["total"] = result.counted ? Json(result.total) : Json(nullptr);
  if (scheme.generates_candidates()) {
    object["nomination"] = {{"by", scheme.name()},
                            {"judged_by", scheme.verifying_scheme().name()},
                            {"nominees", result.candidates}};
  }
  if (!tiers.empty()) object["tiers"] = tier_totals(scheme, tiers, result);
  if (std::ranges::any_of(tiers, &TierQuery::verified)) {
    object["alignment"] = {{"candidates", result.alignable}, {"aligned", result.aligned}};
  }
  add_common_text(object, result.common);
  return object;
}

void add_tiers(Json& object, const Hit& hit, const Scheme& scheme) {
  if (hit.tiers.empty()) return;
  const auto first = std::ranges::find(hit.tiers, true, &TierOverlap::found);
  object["tier"] = first == hit.tiers.end() ? Json(nullptr) : Json(scheme.tiers()[first->tier].name);
  Json list = Json::array();
  for (const TierOverlap& one : hit.tiers) {
    Json entry;
    entry["tier"] = scheme.tiers()[one.tier].name;
    entry["found"] = one.found;
    entry["x"] = one.overlap.x;
    entry["features"] = one.overlap.b_features;
    add_measures(entry, one.overlap);
    list.push_back(std::move(entry));
  }
  object["tiers"] = std::move(list);
}

Json compare_object(const FeatureSequence& a, const FeatureSequence& b, const Scheme& scheme) {
  Overlap shared = overlap(a.hashes, b.hashes);
  shared.has_containment = scheme.has_containment();
  const auto side = [](const FeatureSequence& text) {
    Json object;
    object["features"] = text.hashes.size();
    object["sentences"] = text.sentences;
    return object;
  };
  Json object;
  object["x"] = shared.x;
  object["a"] = side(a);
  object["b"] = side(b);
  add_measures(object, shared);
  object["passages"] = passages_array(shared_passages(a, b));
  return object;
}

void add_alignment(Json& object, const AlignedText& aligned) {
  object["words"] = words_object(aligned.words);
  Json passages = passages_array(aligned.passages);
  for (std::size_t at = 0; at < aligned.changes.size(); ++at) {
    Json& changes = passages[at]["changes"] = Json::array();
    for (const TextChange& change : aligned.changes[at]) {
      changes.push_back(
          {{"kind", name_of(change.kind)}, {"a", range_array(change.a)}, {"b", range_array(change.b)}});
    }
  }
  object["passages"] = std::move(passages);
}

Json pair_object(const DocumentPair& pair) {
  Json object;
  object["a"] = pair.a;
  object["b"] = pair.b;
  object["x"] = pair.overlap.x;
  add_containments(object, pair.overlap);
  object["resemblance"] = pair.overlap.resemblance();
  if (pair.words) object["words"] = words_object(*pair.words);
  return object;
}

Json group_object(const std::vector<std::string>& ids) {
  Json object;
  object["size"] = ids.size();
  object["ids"] = ids;
  return object;
}

Result<Json> features_object(std::string_view text, const Dictionary& dictionary, const Scheme& scheme) {
  AKIN_CHECK(features_fingerprint(scheme, dictionary));
  FeatureSequence sequence;
  const auto stream = scheme.stream(dictionary, sequence);
  SentenceRecorder recorder(dictionary, scheme, *stream);
  AKIN_TRY(const ScanSummary summary, scan_text(text, dictionary, recorder));
  stream->finish();
  Json features = Json::array();
  for (std::size_t at = 0; at < sequence.hashes.size(); ++at) {
    Json entry;
    entry["hash"] = hex16(static_cast<std::uint64_t>(sequence.hashes[at]));
    entry["range"] = range_array(sequence.ranges[at]);
    features.push_back(std::move(entry));
  }
  Json object;
  object["scheme"] = scheme.name();
  object["sentences"] = recorder.take();
  object["features"] = std::move(features);
  object["alerts"] = alerts_array(find_disguise(text, summary.alert_counts, summary.alerts).alerts);
  return object;
}

Json collection_object(std::string_view name, const StoreIdentity& identity, const StoreStats& stats,
                       const std::optional<Time>& expires, const std::optional<std::string>& configured) {
  Json object;
  object["name"] = name;
  object["scheme"] = identity.scheme;
  object["store_text"] = identity.store_text;
  object["store_file"] = identity.store_file;
  object["languages"] = identity.languages;
  object["fingerprint"] = identity.fingerprint;
  object["documents"] = stats.documents;
  object["features"] = stats.features;
  object["postings"] = stats.postings;
  object["recent_postings"] = stats.recent_postings;
  object["runs"] = stats.runs;
  object["text_bytes"] = stats.text_bytes;
  object["text_stored_bytes"] = stats.text_stored_bytes;
  if (const auto& files = stats.files)
    object.update({{"file_bytes", files->bytes}, {"file_stored_bytes", files->stored_bytes}});
  object["disk_bytes"] = stats.disk_bytes;
  object["expires"] = time_or_null(expires);
  object["dictionaries"] = {{"outdated", configured != identity.fingerprint},
                            {"configured_fingerprint", configured ? Json(*configured) : Json(nullptr)}};
  return object;
}

Json scrub_object(const ScrubPass& pass) {
  Json object{{"ended", time_or_null(pass.ended)}, {"bytes", pass.bytes}, {"findings", pass.findings}};
  if (pass.findings > 0) object["first"] = {{"where", pass.first.where}, {"broken", pass.first.broken}};
  return object;
}

namespace {

Json synonyms_object(const Dictionary& dictionary) {
  const SynonymStats& stats = dictionary.stats().synonyms;
  Json files = Json::array();
  for (const auto& file : stats.files) files.push_back(file.string());
  return {{"files", std::move(files)}, {"groups", stats.groups},
          {"classes", stats.classes},  {"largest", stats.largest},
          {"unknown", stats.unknown},  {"fingerprint", dictionary.synonym_fingerprint()}};
}

}  // namespace

Json dictionary_object(const Dictionary& dictionary) {
  const DictionaryStats& stats = dictionary.stats();
  Json sources = Json::array();
  for (const DictionarySource& source : stats.sources) {
    Json entry;
    entry["language"] = source.language;
    entry["aff"] = source.aff.string();
    entry["dic"] = source.dic.string();
    entry["supplements"] = Json::array();
    for (const auto& supplement : source.supplements) entry["supplements"].push_back(supplement.string());
    entry["lemmas"] = source.lemmas;
    entry["forms"] = source.forms;
    entry["compounds"] = source.compounds;
    sources.push_back(std::move(entry));
  }
  Json object;
  object["fingerprint"] = dictionary.fingerprint();
  object["lemmas"] = stats.lemmas;
  object["forms"] = stats.forms;
  object["classes"] = stats.classes;
  object["largest_class"] = stats.largest_class;
  object["largest_class_forms"] = stats.largest_class_forms;
  object["table_bytes"] = stats.table_bytes;
  object["cache_file"] = stats.cache_file;
  object["sources"] = std::move(sources);
  if (dictionary.has_synonyms()) object["synonyms"] = synonyms_object(dictionary);
  return object;
}

Json word_object(const Dictionary& dictionary, std::string_view word) {
  WordFolder folder;
  const FoldedWord folded = folder.fold(word);
  const WordClass word_class = dictionary.classify(folded);
  Json object;
  object["word"] = word;
  object["folded"] = to_utf8(folded.letters);
  object["known"] = dictionary.knows(folded);
  object["lemmas"] = lemmas_array(dictionary, word_class);
  object["class"] = dictionary.class_name(folded);
  object["hash"] = hex16(word_class.hash);
  if (dictionary.has_synonyms()) {
    object["counts_as"] = dictionary.synonym_name(folded);
    object["synonym_hash"] = hex16(dictionary.synonym_hash(word_class.hash));
  }
  return object;
}

}  // namespace akin::api
