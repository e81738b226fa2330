// {"format":"akin-judge","version":3, …, "digest":"…"}: the digest is content_hash of the object without it.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/hex.h"
#include "dict/table/content_hash.h"
#include "server/json/strict_json.h"
#include "server/judge/model.h"

namespace akin::judge {

namespace {

using json::Json;

constexpr std::string_view kFormat = "akin-judge";
constexpr unsigned kVersion = 3;
constexpr std::size_t kHexDigits = 16;
constexpr std::size_t kTermBytes = 2 * kHexDigits;

// Writing

Json statistics_json(const TermStatistics& statistics) {
  std::string terms;
  for (const auto& one : statistics.frequent()) terms += hex16(one.term) + hex16(one.documents);
  return {{"documents", statistics.documents()}, {"words", statistics.words()}, {"terms", std::move(terms)}};
}

Json counts_json(const ClassificationCounts& counts) {
  return {{"right_yes", counts.right_yes}, {"wrong_yes", counts.wrong_yes}, {"right_no", counts.right_no},
          {"wrong_no", counts.wrong_no},   {"undecided", counts.undecided}, {"missed", counts.missed}};
}

Json record_json(const TrainingRecord& record) {
  return {{"pairs", record.pairs},
          {"positives", record.positives},
          {"groups", record.groups},
          {"folds", record.folds},
          {"seed", record.seed},
          {"precision", record.precision},
          {"log_loss", record.held_out.log_loss},
          {"plain", counts_json(record.held_out.plain)},
          {"verdicts", counts_json(record.held_out.classifications)}};
}

Json sources_json(const SourceAuthorities& sources) {
  Json object = Json::object();
  const std::map<std::string, SourceAuthorities::Count> sorted(sources.counts().begin(),
                                                               sources.counts().end());
  for (const auto& [source, count] : sorted) object[source] = {count.originals, count.documents};
  return object;
}

Json classifier_json(const Classifier& classifier) {
  Json criteria = Json::array();
  for (const Criterion criterion : classifier.scaling.criteria) criteria.push_back(criterion_name(criterion));
  return {{"criteria", std::move(criteria)},
          {"means", classifier.scaling.means},
          {"spreads", classifier.scaling.spreads},
          {"least", classifier.scaling.least},
          {"most", classifier.scaling.most},
          {"c", classifier.plane.c},
          {"rho", classifier.plane.rho},
          {"weights", classifier.plane.weights},
          {"sigmoid", {classifier.sigmoid.a, classifier.sigmoid.b}},
          {"margins", {classifier.margins.no, classifier.margins.yes}},
          {"sources", sources_json(classifier.sources)},
          {"record", record_json(classifier.record)}};
}

std::string digest_of(const Json& object) { return to_hex(content_hash(json::compact(object))); }

// Reading: an invalid field throws its name, which read_model turns into an error.

struct BadField {
  std::string name;
};

const Json& field(const Json& object, const char* name) {
  if (!object.is_object()) throw BadField{name};
  const auto found = object.find(name);
  if (found == object.end()) throw BadField{name};
  return *found;
}

double number(const Json& value, const char* name) {
  if (!value.is_number()) throw BadField{name};
  return value.get<double>();
}

double number_field(const Json& object, const char* name) { return number(field(object, name), name); }

std::uint64_t count(const Json& value, const char* name) {
  if (!value.is_number_unsigned()) throw BadField{name};
  return value.get<std::uint64_t>();
}

std::uint64_t count_field(const Json& object, const char* name) { return count(field(object, name), name); }

std::string text_field(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_string()) throw BadField{name};
  return value.get<std::string>();
}

std::vector<double> numbers_field(const Json& object, const char* name, std::size_t size) {
  const Json& value = field(object, name);
  if (!value.is_array() || value.size() != size) throw BadField{name};
  std::vector<double> numbers;
  for (const Json& one : value) numbers.push_back(number(one, name));
  return numbers;
}

TermStatistics read_statistics(const Json& object) {
  const std::uint64_t documents = count_field(object, "documents");
  const std::string terms = text_field(object, "terms");
  if (terms.size() % kTermBytes != 0) throw BadField{"terms"};
  std::vector<TermStatistics::Frequency> frequent;
  for (std::size_t at = 0; at < terms.size(); at += kTermBytes) {
    const auto term = parse_hex16(std::string_view(terms).substr(at, kHexDigits));
    const auto with = parse_hex16(std::string_view(terms).substr(at + kHexDigits, kHexDigits));
    const bool ascends = frequent.empty() || (term && *term > frequent.back().term);
    if (!term || !with || !ascends || *with < 2 || *with > documents || *with > 0xffffffffU) {
      throw BadField{"terms"};
    }
    frequent.push_back({*term, static_cast<std::uint32_t>(*with)});
  }
  return {documents, count_field(object, "words"), frequent};
}

ClassificationCounts read_counts(const Json& object) {
  return {count_field(object, "right_yes"), count_field(object, "wrong_yes"), count_field(object, "right_no"),
          count_field(object, "wrong_no"),  count_field(object, "undecided"), count_field(object, "missed")};
}

TrainingRecord read_record(const Json& object) {
  TrainingRecord record;
  record.pairs = count_field(object, "pairs");
  record.positives = count_field(object, "positives");
  record.groups = count_field(object, "groups");
  record.folds = count_field(object, "folds");
  record.seed = count_field(object, "seed");
  record.precision = number_field(object, "precision");
  record.held_out.log_loss = number_field(object, "log_loss");
  record.held_out.plain = read_counts(field(object, "plain"));
  record.held_out.classifications = read_counts(field(object, "verdicts"));
  return record;
}

SourceAuthorities read_sources(const Json& object) {
  if (!object.is_object()) throw BadField{"sources"};
  SourceAuthorities sources;
  for (const auto& [source, counts] : object.items()) {
    if (!counts.is_array() || counts.size() != 2) throw BadField{"sources"};
    const SourceAuthorities::Count read{count(counts[0], "sources"), count(counts[1], "sources")};
    if (read.originals > read.documents) throw BadField{"sources"};
    sources.set(source, read);
  }
  return sources;
}

Scaling read_scaling(const Json& object) {
  Scaling scaling;
  const Json& names = field(object, "criteria");
  if (!names.is_array() || names.empty()) throw BadField{"criteria"};
  for (const Json& name : names) {
    const auto parsed = name.is_string() ? parse_criteria(name.get<std::string>())
                                         : Result<std::vector<Criterion>>(std::vector<Criterion>());
    if (parsed.has_error() || parsed->size() != 1) throw BadField{"criteria"};
    if (!scaling.criteria.empty() && parsed->front() <= scaling.criteria.back()) throw BadField{"criteria"};
    scaling.criteria.push_back(parsed->front());
  }
  scaling.means = numbers_field(object, "means", scaling.criteria.size());
  scaling.spreads = numbers_field(object, "spreads", scaling.criteria.size());
  for (const double spread : scaling.spreads) {
    if (!(spread > 0)) throw BadField{"spreads"};
  }
  scaling.least = numbers_field(object, "least", scaling.criteria.size());
  scaling.most = numbers_field(object, "most", scaling.criteria.size());
  return scaling;
}

Hyperplane read_plane(const Json& object, std::size_t columns) {
  Hyperplane plane{number_field(object, "c"), number_field(object, "rho"),
                   numbers_field(object, "weights", columns)};
  if (!(plane.c > 0)) throw BadField{"c"};
  return plane;
}

Classifier read_classifier(const Json& object) {
  Classifier classifier;
  classifier.scaling = read_scaling(object);
  classifier.plane = read_plane(object, classifier.scaling.criteria.size());
  const auto sigmoid = numbers_field(object, "sigmoid", 2);
  classifier.sigmoid = {sigmoid[0], sigmoid[1]};
  if (!(sigmoid[0] <= 0)) throw BadField{"sigmoid"};
  const auto margins = numbers_field(object, "margins", 2);
  classifier.margins = {margins[0], margins[1]};
  if (!(margins[0] <= 0.5 && margins[1] >= 0.5)) throw BadField{"margins"};
  classifier.sources = read_sources(field(object, "sources"));
  classifier.record = read_record(field(object, "record"));
  return classifier;
}

Model read_fields(const Json& object) {
  Model model;
  model.name = text_field(object, "name");
  if (!is_model_name(model.name)) throw BadField{"name"};
  model.languages = text_field(object, "languages");
  model.dictionary = text_field(object, "dictionary");
  model.classifier = read_classifier(field(object, "classifier"));
  model.statistics.texts = read_statistics(field(object, "texts"));
  model.statistics.titles = read_statistics(field(object, "titles"));
  model.statistics.trigrams = read_statistics(field(object, "trigrams"));
  return model;
}

Error broken(const std::string& place, std::string reason) {
  return {Errc::corrupt, "model " + place, std::move(reason), "train it again: akin-lab train --help"};
}

}  // namespace

bool is_model_name(std::string_view name) noexcept {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= 64 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::string model_text(const Model& model) {
  Json object = {{"format", kFormat},
                 {"version", kVersion},
                 {"name", model.name},
                 {"languages", model.languages},
                 {"dictionary", model.dictionary},
                 {"classifier", classifier_json(model.classifier)},
                 {"texts", statistics_json(model.statistics.texts)},
                 {"titles", statistics_json(model.statistics.titles)},
                 {"trigrams", statistics_json(model.statistics.trigrams)}};
  std::string digest = digest_of(object);
  object["digest"] = std::move(digest);
  return json::compact(object) + "\n";
}

Result<Model> read_model(std::string_view text, const std::string& place) {
  auto parsed = json::parse_json(text, json::kAnyJsonValues);
  if (parsed.has_error()) return broken(place, "is not a model: " + parsed.error().reason);
  Json& object = *parsed;
  try {
    if (text_field(object, "format") != kFormat) return broken(place, "is of another kind");
    if (const auto version = count_field(object, "version"); version != kVersion) {
      return Error{
          Errc::mismatch, "model " + place,
          "is of version " + std::to_string(version) + ", this akin reads " + std::to_string(kVersion),
          "train it again: akin-lab train --help"};
    }
    const std::string digest = text_field(object, "digest");
    object.erase("digest");
    if (digest != digest_of(object))
      return broken(place, "its digest is wrong: the file was changed or damaged");
    return read_fields(object);
  } catch (const BadField& bad) {
    return broken(place, "field " + bad.name + " is missing or invalid");
  }
}

Result<void> check_dictionary(const Model& model, const Dictionary& dictionary) {
  if (model.dictionary == dictionary.fingerprint()) return {};
  return Error{Errc::mismatch, "model '" + model.name + "'",
               "was trained with other dictionaries (languages: " + model.languages + ")",
               "name them with --lang, or train it again"};
}

}  // namespace akin::judge
