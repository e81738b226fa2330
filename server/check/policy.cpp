#include "server/check/policy.h"

#include <algorithm>

#include "index/collection/collection.h"
#include "index/collection/collection_name.h"
#include "morph/align/align_options.h"
#include "morph/schemes/tiers.h"
#include "server/filter/filter.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Fields;
using json::Json;

constexpr std::uint64_t kMax32 = 0xffffffffU;
constexpr std::uint64_t kMaxListed = 10'000;
constexpr std::uint64_t kMaxKeepDays = 36'500;
constexpr std::size_t kMaxTemplates = 100;
constexpr std::size_t kMaxTemplateText = std::size_t{1} << 20U;
constexpr std::size_t kMaxDescriptionBytes = 4096;

Error wrong(std::string_view field, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, "field " + json::in_quotes(field), std::move(reason),
               std::move(remedy)};
}

/// The given value, else the default.
template <class T, class Given>
Result<void> take(T& value, Result<std::optional<Given>> given) {
  if (given.has_error()) return std::move(given).error();
  if (*given) value = T(**given);
  return {};
}

/// A share, or null for never.
Result<void> take_threshold(std::optional<double>& value, const Fields& fields, std::string_view name) {
  const Json* given = fields.value(name);
  if (given != nullptr && given->is_null()) {
    value.reset();
    return {};
  }
  return take(value, fields.share(name));
}

Result<TemplateText> parse_template(const Json& object) {
  constexpr std::string_view kField = "exclude.templates";
  AKIN_TRY(const Fields fields, Fields::read(object, {"collection", "id", "text"}, "template of the policy"));
  TemplateText result;
  AKIN_CHECK(take(result.collection, fields.string("collection")));
  AKIN_CHECK(take(result.id, fields.string("id")));
  AKIN_CHECK(take(result.text, fields.string("text")));
  const bool stored = fields.has("collection") && fields.has("id");
  if (stored == fields.has("text") || fields.has("collection") != fields.has("id")) {
    return wrong(kField, "a template has neither 'text' alone nor 'collection' and 'id'",
                 "give the template's text, or the collection and id of a stored document");
  }
  if (stored && !is_collection_name(result.collection)) {
    return wrong(kField, json::in_quotes(result.collection) + " is not a collection's name",
                 "name the collection that the template is stored in");
  }
  if (stored) {
    if (Result<void> checked = check_document_id(result.id); checked.has_error()) {
      Error error = std::move(checked).error();
      error.what = std::string(kField) + ": " + error.what;
      return error;
    }
  }
  return result;
}

Result<void> parse_templates(std::vector<TemplateText>& templates, const Json* array) {
  if (array == nullptr) return {};
  if (!array->is_array() || array->size() > kMaxTemplates) {
    return wrong("exclude.templates", "is not an array of up to " + std::to_string(kMaxTemplates),
                 "give an array of templates");
  }
  std::size_t bytes = 0;
  for (const Json& entry : *array) {
    AKIN_TRY(TemplateText parsed, parse_template(entry));
    bytes += parsed.text.size();
    if (std::ranges::find(templates, parsed) == templates.end()) templates.push_back(std::move(parsed));
  }
  if (bytes > kMaxTemplateText) {
    return Error{Errc::too_large, "field 'exclude.templates'",
                 "has more than " + std::to_string(kMaxTemplateText) + " bytes of text",
                 "store the templates as documents, and name these"};
  }
  return {};
}

Result<Exclusions> parse_exclusions(const Json& object) {
  AKIN_TRY(const Fields fields,
           Fields::read(object,
                        {"quotations", "max_quotation_share", "max_quotation_letters", "bibliography",
                         "max_bibliography_share", "referenced_quotations", "unreferenced_quotations",
                         "referenced_passages", "max_cited_share", "own_earlier", "templates"},
                        "field 'exclude'"));
  Exclusions result;
  AKIN_CHECK(take(result.quotations, fields.boolean("quotations")));
  AKIN_CHECK(take(result.max_quotation_share, fields.share("max_quotation_share")));
  AKIN_CHECK(take(result.max_quotation_letters, fields.integer("max_quotation_letters", kMax32)));
  AKIN_CHECK(take(result.bibliography, fields.boolean("bibliography")));
  AKIN_CHECK(take(result.max_bibliography_share, fields.share("max_bibliography_share")));
  AKIN_CHECK(take(result.referenced_quotations, fields.boolean("referenced_quotations")));
  AKIN_CHECK(take(result.unreferenced_quotations, fields.boolean("unreferenced_quotations")));
  AKIN_CHECK(take(result.referenced_passages, fields.boolean("referenced_passages")));
  AKIN_CHECK(take(result.max_cited_share, fields.share("max_cited_share")));
  AKIN_CHECK(take(result.own_earlier, fields.boolean("own_earlier")));
  AKIN_CHECK(parse_templates(result.templates, fields.value("templates")));
  return result;
}

Result<std::vector<std::string>> parse_tier_names(const Json* array) {
  std::vector<std::string> names;
  if (array == nullptr) return names;
  const bool strings = array->is_array() && array->size() <= kMaxTiers &&
                       std::ranges::all_of(*array, [](const Json& entry) { return entry.is_string(); });
  if (!strings) {
    return wrong("tiers", "is not an array of up to " + std::to_string(kMaxTiers) + " names",
                 "name tiers of the collections, or give [] for all");
  }
  for (const Json& entry : *array) {
    if (std::ranges::find(names, entry.get_ref<const std::string&>()) != names.end()) {
      return wrong("tiers", "names " + json::in_quotes(entry.get_ref<const std::string&>()) + " twice",
                   "name each once");
    }
    names.push_back(entry.get<std::string>());
  }
  return names;
}

/// The threshold for refusing must not be lower than that for reviewing.
Result<void> check_order(const std::optional<double>& review, const std::optional<double>& refuse,
                         std::string_view name) {
  if (!review || !refuse || *review <= *refuse) return {};
  return wrong("refuse_" + std::string(name), "is less than 'review_" + std::string(name) + "'",
               "give a share that is as large or larger, or null");
}

Result<void> validate(const Policy& policy) {
  if (policy.description.size() > kMaxDescriptionBytes) {
    return Error{Errc::too_large, "field 'description'",
                 "more than " + std::to_string(kMaxDescriptionBytes) + " bytes", "shorten it"};
  }
  if (policy.readers == 0) return wrong("readers", "is 0", "give 1, or 2 for a second reader");
  if (policy.max_sources == 0) return wrong("max_sources", "is 0", "give a number from 1 to 10000");
  if (policy.common_limit && *policy.common_limit == 0) {
    return wrong("common_limit", "is 0", "give a number of documents from 1, or null to leave nothing out");
  }
  if (policy.min_passage_features == 0) {
    return wrong("min_passage_features", "is 0", "give 1 to count every passage");
  }
  if (policy.min_passage_words < kLeastPassageWords || policy.min_passage_words > kMostPassageWords) {
    return wrong("min_passage_words", "is " + std::to_string(policy.min_passage_words),
                 "give a number of words from " + std::to_string(kLeastPassageWords) + " to " +
                     std::to_string(kMostPassageWords));
  }
  AKIN_CHECK(check_order(policy.review_share, policy.refuse_share, "share"));
  return check_order(policy.review_source_share, policy.refuse_source_share, "source_share");
}

/// Thresholds by kind of alert: a field of the policy.
template <std::size_t kKinds>
struct ThresholdsByKind {
  std::string_view field;
  const std::array<std::string_view, kKinds>& kinds;
  double most;
  const char* unit;  ///< with its article
};

/// An object of thresholds by kind; absent kinds keep theirs.
template <std::size_t kKinds>
Result<void> take_by_kind(std::array<std::optional<double>, kKinds>& thresholds,
                          const ThresholdsByKind<kKinds>& what, const Json* given) {
  if (given == nullptr) return {};
  if (!given->is_object()) {
    return wrong(what.field, "is not an object",
                 "give thresholds by kind, as in {" + json::in_quotes(what.kinds.front()) + ": 0.5}");
  }
  for (auto at = given->begin(); at != given->end(); ++at) {
    const std::string& name = at.key();
    const Json& value = *at;
    const auto kind = std::ranges::find(what.kinds, std::string_view(name));
    if (kind == what.kinds.end()) {
      std::string all;
      for (const std::string_view known : what.kinds)
        all += (all.empty() ? "name " : ", ") + std::string(known);
      return wrong(what.field, json::in_quotes(name) + " is not a kind of alert", std::move(all));
    }
    const bool in_range = value.is_number() && value.get<double>() >= 0 && value.get<double>() <= what.most;
    if (!in_range && !value.is_null()) {
      return wrong(std::string(what.field) + "." + name,
                   "is not a number from 0 to " + std::to_string(static_cast<int>(what.most)),
                   "give " + std::string(what.unit) + ", or null for never");
    }
    thresholds[static_cast<std::size_t>(kind - what.kinds.begin())] =
        value.is_null() ? std::nullopt : std::optional(value.get<double>());
  }
  return {};
}

constexpr std::array<std::string_view, kAlertKinds.size()> alert_names() {
  std::array<std::string_view, kAlertKinds.size()> names;
  std::ranges::transform(kAlertKinds, names.begin(), alert_name);
  return names;
}
const std::array<std::string_view, kAlertKinds.size()> kAlertNames = alert_names();

template <std::size_t kKinds>
Json by_kind_object(const std::array<std::optional<double>, kKinds>& thresholds,
                    const std::array<std::string_view, kKinds>& names) {
  Json object = Json::object();
  for (std::size_t i = 0; i < kKinds; ++i)
    object[std::string(names[i])] = thresholds[i] ? Json(*thresholds[i]) : Json(nullptr);
  return object;
}

Result<void> take_sentence_length(std::optional<double>& factor, const Json* given) {
  if (given == nullptr) return {};
  const bool in_range = given->is_number() && given->get<double>() > 1 && given->get<double>() <= 1000;
  if (!in_range && !given->is_null()) {
    return wrong("review_sentence_length", "is not a number over 1, up to 1000",
                 "give how many times as long or as short sentences may be, or null for any");
  }
  factor = given->is_null() ? std::nullopt : std::optional(given->get<double>());
  return {};
}

Json threshold(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

Result<Policy> parse_policy(const Json& object) {
  AKIN_TRY(const Fields fields, Fields::read(object,
                                             {"description",
                                              "tiers",
                                              "bound",
                                              "min_containment",
                                              "common_limit",
                                              "min_source_share",
                                              "filter",
                                              "min_passage_features",
                                              "min_passage_words",
                                              "review_share",
                                              "refuse_share",
                                              "review_source_share",
                                              "refuse_source_share",
                                              "review_own_share",
                                              "review_alerts",
                                              "review_disguise",
                                              "compare_hidden",
                                              "review_unknown_words",
                                              "review_sentence_length",
                                              "review_quotations",
                                              "keep_days",
                                              "stand_days",
                                              "store_files",
                                              "readers",
                                              "max_sources",
                                              "exclude"},
                                             "policy"));
  Policy policy;
  AKIN_CHECK(take(policy.description, fields.string("description")));
  AKIN_TRY(policy.tiers, parse_tier_names(fields.value("tiers")));
  AKIN_CHECK(take(policy.bound, fields.integer("bound", kMax32)));
  AKIN_CHECK(take(policy.min_containment, fields.share("min_containment")));
  if (!fields.is_null("common_limit")) {
    AKIN_TRY(policy.common_limit, fields.integer("common_limit", kMax32));
  }
  AKIN_CHECK(take(policy.min_source_share, fields.share("min_source_share")));
  AKIN_CHECK(take(policy.filter, fields.string("filter")));
  if (!policy.filter.empty()) AKIN_CHECK(filter::Filter::parse(policy.filter));
  AKIN_CHECK(take(policy.min_passage_features, fields.integer("min_passage_features", kMax32)));
  AKIN_CHECK(take(policy.min_passage_words, fields.integer("min_passage_words", kMax32)));
  AKIN_CHECK(take_threshold(policy.review_share, fields, "review_share"));
  AKIN_CHECK(take_threshold(policy.refuse_share, fields, "refuse_share"));
  AKIN_CHECK(take_threshold(policy.review_source_share, fields, "review_source_share"));
  AKIN_CHECK(take_threshold(policy.refuse_source_share, fields, "refuse_source_share"));
  AKIN_CHECK(take_threshold(policy.review_own_share, fields, "review_own_share"));
  AKIN_CHECK(take_by_kind(policy.review_alerts,
                          {"review_alerts", kAlertNames, 1000, "a number of alerts per 1,000 words"},
                          fields.value("review_alerts")));
  AKIN_CHECK(take_by_kind(policy.review_disguise,
                          {"review_disguise", extract::kFileAlertNames, 1, "a share of the file"},
                          fields.value("review_disguise")));
  AKIN_CHECK(take(policy.compare_hidden, fields.boolean("compare_hidden")));
  AKIN_CHECK(take_threshold(policy.review_unknown_words, fields, "review_unknown_words"));
  AKIN_CHECK(take_sentence_length(policy.review_sentence_length, fields.value("review_sentence_length")));
  AKIN_CHECK(take_threshold(policy.review_quotations, fields, "review_quotations"));
  if (!fields.is_null("keep_days")) {
    AKIN_TRY(policy.keep_days, fields.integer("keep_days", kMaxKeepDays));
  }
  if (!fields.is_null("stand_days")) {
    AKIN_TRY(policy.stand_days, fields.integer("stand_days", kMaxKeepDays));
  }
  AKIN_CHECK(take(policy.store_files, fields.boolean("store_files")));
  AKIN_CHECK(take(policy.readers, fields.integer("readers", 2)));
  AKIN_CHECK(take(policy.max_sources, fields.integer("max_sources", kMaxListed)));
  if (const Json* exclude = fields.value("exclude"); exclude != nullptr) {
    AKIN_TRY(policy.exclude, parse_exclusions(*exclude));
  }
  AKIN_CHECK(validate(policy));
  return policy;
}

Json policy_object(const Policy& policy) {
  const Exclusions& exclude = policy.exclude;
  Json templates = Json::array();
  for (const TemplateText& entry : exclude.templates) {
    templates.push_back(entry.collection.empty() ? Json{{"text", entry.text}}
                                                 : Json{{"collection", entry.collection}, {"id", entry.id}});
  }
  return {{"description", policy.description},
          {"tiers", policy.tiers},
          {"bound", policy.bound},
          {"min_containment", policy.min_containment},
          {"common_limit", policy.common_limit ? Json(*policy.common_limit) : Json(nullptr)},
          {"min_source_share", policy.min_source_share},
          {"filter", policy.filter},
          {"min_passage_features", policy.min_passage_features},
          {"min_passage_words", policy.min_passage_words},
          {"review_share", threshold(policy.review_share)},
          {"refuse_share", threshold(policy.refuse_share)},
          {"review_source_share", threshold(policy.review_source_share)},
          {"refuse_source_share", threshold(policy.refuse_source_share)},
          {"review_own_share", threshold(policy.review_own_share)},
          {"review_alerts", by_kind_object(policy.review_alerts, kAlertNames)},
          {"review_disguise", by_kind_object(policy.review_disguise, extract::kFileAlertNames)},
          {"compare_hidden", policy.compare_hidden},
          {"review_unknown_words", threshold(policy.review_unknown_words)},
          {"review_sentence_length", threshold(policy.review_sentence_length)},
          {"review_quotations", threshold(policy.review_quotations)},
          {"keep_days", policy.keep_days ? Json(*policy.keep_days) : Json(nullptr)},
          {"stand_days", policy.stand_days ? Json(*policy.stand_days) : Json(nullptr)},
          {"store_files", policy.store_files},
          {"readers", policy.readers},
          {"max_sources", policy.max_sources},
          {"exclude",
           {{"quotations", exclude.quotations},
            {"max_quotation_share", exclude.max_quotation_share},
            {"max_quotation_letters", exclude.max_quotation_letters},
            {"bibliography", exclude.bibliography},
            {"max_bibliography_share", exclude.max_bibliography_share},
            {"referenced_quotations", exclude.referenced_quotations},
            {"unreferenced_quotations", exclude.unreferenced_quotations},
            {"referenced_passages", exclude.referenced_passages},
            {"max_cited_share", exclude.max_cited_share},
            {"own_earlier", exclude.own_earlier},
            {"templates", std::move(templates)}}}};
}

}  // namespace akin::check
