#include "server/api/write/check_objects.h"

#include <utility>

#include "base/rfc3339.h"
#include "server/api/write/file_object.h"
#include "server/api/write/passage_columns.h"
#include "server/api/write/work.h"
#include "server/check/compared_sources.h"

namespace akin::api {

namespace {

std::string_view reason_name(check::Reason::Kind kind) {
  switch (kind) {
    case check::Reason::Kind::share:
      return "share";
    case check::Reason::Kind::source_share:
      return "source_share";
    case check::Reason::Kind::own_share:
      return "own_share";
    case check::Reason::Kind::too_short:
      return "too_short";
    case check::Reason::Kind::alerts:
      return "alerts";
    case check::Reason::Kind::unknown_words:
      return "unknown_words";
    case check::Reason::Kind::sentence_length:
      return "sentence_length";
    case check::Reason::Kind::quotations:
      return "quotations";
    case check::Reason::Kind::disguise:
      return "disguise";
  }
  return "unknown";
}

Json reasons_array(const std::vector<check::Reason>& reasons) {
  Json array = Json::array();
  for (const check::Reason& reason : reasons) {
    Json entry;
    entry["kind"] = reason_name(reason.kind);
    entry["verdict"] = check::verdict_name(reason.verdict);
    if (reason.kind == check::Reason::Kind::too_short) {
      entry["features"] = static_cast<std::uint64_t>(reason.value);
      entry["needed"] = static_cast<std::uint64_t>(reason.threshold);
      if (reason.words) entry["words"] = *reason.words;
      if (reason.words) entry["needed_words"] = reason.needed_words;
    } else if (reason.kind == check::Reason::Kind::alerts) {
      entry["alert"] = alert_name(reason.alert);
      entry["alerts"] = reason.alerts;
      entry["rate"] = reason.value;
      entry["threshold"] = reason.threshold;
    } else if (reason.kind == check::Reason::Kind::sentence_length) {
      entry["words"] = reason.value;
      entry["usual"] = reason.usual;
      entry["threshold"] = reason.threshold;
      entry["collection"] = reason.collection;
    } else {
      entry["share"] = reason.value;
      entry["threshold"] = reason.threshold;
    }
    if (reason.kind == check::Reason::Kind::disguise)
      entry["alert"] = extract::kFileAlertNames[static_cast<std::size_t>(reason.file_alert)];
    if (reason.kind == check::Reason::Kind::unknown_words) {
      entry["usual"] = reason.usual;
      entry["collection"] = reason.collection;
    }
    if (reason.kind == check::Reason::Kind::source_share) {
      entry["sources"] = reason.sources;
      entry["collection"] = reason.collection;
      entry["id"] = reason.id;
    }
    array.push_back(std::move(entry));
  }
  return array;
}

Json alert_counts_object(const AlertCounts& counts) {
  Json object;
  for (const AlertKind kind : kAlertKinds) object[std::string(alert_name(kind))] = counts[kind];
  return object;
}

/// The matched words of each passage as a share of all words of either text.
void add_shares(Json& array, const std::vector<Passage>& passages, const MatchedWords& all) {
  for (std::size_t at = 0; at < passages.size(); ++at) {
    const MatchedWords one{passages[at].words, passages[at].words, all.a_words, all.b_words};
    array[at]["a_share"] = one.a_share();
    array[at]["b_share"] = one.b_share();
  }
}

/// The stretches of aligned passages that do not count.
void add_gaps(Json& array, const std::vector<Passage>& passages) {
  for (std::size_t at = 0; at < passages.size(); ++at) {
    if (passages[at].gaps.empty()) continue;
    Json& gaps = array[at]["gaps"] = Json::array();
    for (const TextRange& gap : passages[at].gaps) gaps.push_back(range_array(gap));
  }
}

/// The places of the changes of one passage, as docs/checks.md describes the columns.
Json places_of(const Passage& passage, const std::vector<TextChange>& changes) {
  Json kinds = Json::array(), a = Json::array(), b = Json::array();
  std::int64_t a_end = passage.a.begin, b_end = passage.b.begin;
  for (const TextChange& change : changes) {
    kinds.push_back(static_cast<unsigned>(change.kind));
    add_to_column(a, change.a, a_end);
    add_to_column(b, change.b, b_end);
  }
  return {{"kinds", std::move(kinds)}, {"a", std::move(a)}, {"b", std::move(b)}};
}

void add_changes(Json& array, const check::Source& source) {
  for (std::size_t at = 0; at < source.changes.size(); ++at) {
    if (!source.changes[at].empty())
      array[at]["change_places"] = places_of(source.passages[at], source.changes[at]);
  }
}

void add_citations(Json& array, const std::vector<check::Citation>& citations) {
  for (std::size_t at = 0; at < citations.size(); ++at) {
    array[at]["quoted"] = citations[at].quoted;
    array[at]["referenced"] = citations[at].referenced;
  }
}

Json sources_array(const check::CheckRequest& request, const check::Outcome& outcome) {
  Json array = Json::array();
  for (const check::Source& source : outcome.sources) {
    Json entry;
    entry["collection"] = source.collection;
    entry["id"] = source.document.id;
    entry["title"] = source.document.title;
    entry["revision"] = source.document.revision.value;
    entry["stored"] = format_rfc3339(source.document.revision.value);
    const std::string date = check::publication_date(source.document);
    entry["date"] = date.empty() ? Json(nullptr) : Json(date);
    if (!source.tier.empty()) entry["tier"] = source.tier;
    entry["share"] = outcome.share(source);
    entry["letters"] = source.letters;
    entry["extent"] = source.extent;
    entry["only"] = source.only;
    if (source.same_as > 0) entry["same_as"] = source.same_as;
    entry["x"] = source.overlap.x;
    entry["features"] = source.overlap.b_features;
    add_measures(entry, source.overlap);
    if (source.words) entry["words"] = words_object(*source.words);
    Json& passages = entry["passages"] = passages_array(source.passages);
    if (source.words) add_shares(passages, source.passages, *source.words);
    add_gaps(passages, source.passages);
    add_changes(passages, source);
    add_citations(passages, source.citations);
    add_stored_places(passages, source.document);
    entry["passages_total"] = source.passages_total;
    add_same_file(entry, request.file_sha256, source.document);
    array.push_back(std::move(entry));
  }
  return array;
}

Json excluded_array(const std::vector<check::Exclusion>& excluded) {
  Json array = Json::array();
  for (const check::Exclusion& exclusion : excluded) {
    Json entry;
    entry["kind"] = exclusion_name(exclusion.kind);
    entry["range"] = range_array(exclusion.range);
    if (!exclusion.id.empty()) entry["by"] = {{"collection", exclusion.collection}, {"id", exclusion.id}};
    array.push_back(std::move(entry));
  }
  return array;
}

Json not_excluded_array(const std::vector<check::NotExcluded>& list) {
  Json array = Json::array();
  for (const check::NotExcluded& entry : list) {
    array.push_back({{"kind", exclusion_name(entry.kind)},
                     {"range", range_array(entry.range)},
                     {"reason", entry.too_long ? "too_long" : "over_share"}});
  }
  return array;
}

Json features_array(const std::vector<check::FeatureCounts>& features) {
  Json array = Json::array();
  for (const check::FeatureCounts& counts : features) {
    array.push_back({{"scheme", counts.scheme},
                     {"total", counts.total},
                     {"excluded", counts.total - counts.compared},
                     {"compared", counts.compared},
                     {"found", counts.found}});
  }
  return array;
}

Json index_array(const std::vector<check::IndexState>& index) {
  Json array = Json::array();
  for (const check::IndexState& state : index) {
    array.push_back({{"collection", state.collection},
                     {"scheme", state.scheme},
                     {"generation", state.generation},
                     {"documents", state.stats.documents},
                     {"last_revision", state.stats.last_revision.value},
                     {"candidates", state.alignable},
                     {"aligned", state.aligned}});
    if (state.common) array.back()["common"] = *state.common;
    add_common_text(array.back(), state.common_text);
    if (!state.styles || state.styles->others.languages.empty()) continue;
    Json& languages = array.back()["other_languages"] = Json::array();
    for (const check::OtherLanguage& one : state.styles->others.languages)
      languages.push_back({{"language", one.code}, {"words", one.words}, {"share", one.share}});
  }
  return array;
}

Json letters_object(const check::LetterCounts& letters) {
  return {{"total", letters.total},       {"excluded", letters.total - letters.compared},
          {"compared", letters.compared}, {"found", letters.found},
          {"extent", letters.extent},     {"own", letters.own}};
}

Json own_array(const std::vector<check::OwnPassage>& own) {
  Json array = Json::array();
  for (const check::OwnPassage& passage : own)
    array.push_back({{"range", range_array(passage.range)},
                     {"by", {{"collection", passage.collection}, {"id", passage.id}}}});
  return array;
}

Json repeats_array(const std::vector<check::Repeat>& repeats) {
  Json array = Json::array();
  for (const check::Repeat& repeat : repeats)
    array.push_back({{"first", range_array(repeat.first)},
                     {"again", range_array(repeat.again)},
                     {"words", repeat.words}});
  return array;
}

}  // namespace

Json outcome_object(const check::CheckRequest& request, const check::Outcome& outcome) {
  Json object;
  object["verdict"] = verdict_name(outcome.verdict);
  object["reasons"] = reasons_array(outcome.reasons);
  object["share"] = outcome.share();
  object["own_share"] = outcome.own_share();
  object["letters"] = letters_object(outcome.letters);
  object["features"] = features_array(outcome.features);
  object["sources_total"] = outcome.sources_total;
  object["sources"] = sources_array(request, outcome);
  object["own_earlier"] = own_array(outcome.own.passages);
  object["own_earlier_total"] = outcome.own.total;
  object["excluded"] = excluded_array(outcome.exclusions.excluded);
  object["excluded_total"] = outcome.exclusions.excluded_total();
  object["not_excluded"] = not_excluded_array(outcome.exclusions.not_excluded);
  object["not_excluded_total"] = outcome.exclusions.not_excluded_total;
  object["repeats"] = repeats_array(outcome.repeats);
  object["repeats_total"] = outcome.repeats_total;
  object["query"] = {{"text_bytes", request.text.value_or("").size()},
                     {"code_points", outcome.code_points},
                     {"sentences", outcome.sentences},
                     {"words", outcome.words},
                     {"alert_count", outcome.alert_counts.total()},
                     {"alert_counts", alert_counts_object(outcome.alert_counts)},
                     {"alerts", alerts_array(outcome.alerts)}};
  if (!request.id.empty()) {
    object["query"]["collection"] = request.collection;
    object["query"]["id"] = request.id;
  }
  object["owner"] = request.owner.empty() ? Json(nullptr) : Json(request.owner);
  object["collections"] = request.collections;
  object["index"] = index_array(outcome.index);
  object["policy"] = named_policy_object(request.policy_name, request.policy);
  object["fingerprint"] = outcome.fingerprint;
  object["version"] = AKIN_VERSION;
  return object;
}

Json check_summary(Json summary) {
  for (const char* inner : {"key", "concerns"}) summary.erase(inner);
  summary.emplace("words", 0);
  return summary;
}

Json named_policy_object(std::string_view name, const check::Policy& policy) {
  Json object;
  object["name"] = name.empty() ? Json(nullptr) : Json(name);
  object.update(check::policy_object(policy));
  return object;
}

Json proposals_object(std::uint64_t more_than, const std::vector<check::ProposedTemplate>& proposals) {
  Json object{{"more_than", more_than}, {"templates", Json::array()}};
  for (const check::ProposedTemplate& one : proposals)
    object["templates"].push_back({{"documents", one.documents},
                                   {"words", one.words},
                                   {"id", one.id},
                                   {"range", range_array(one.range)},
                                   {"text", one.text}});
  return object;
}

}  // namespace akin::api
