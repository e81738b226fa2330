#include "server/check/run.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/parallel.h"
#include "base/utf8.h"
#include "index/collection/collection_name.h"
#include "index/search/tier_search.h"
#include "morph/schemes/tiers.h"
#include "morph/words/text_check.h"
#include "server/check/references.h"
#include "server/json/quoted.h"

namespace akin::check {

namespace {

/// What a byte of a checked text takes: it is analysed whole and without what is excluded.
constexpr std::size_t kTextOfCheck = 3 * kTextWork;

Error wrong_collections(std::string reason) {
  return Error{Errc::invalid_argument, "field 'collections'", std::move(reason),
               "name 1 to " + std::to_string(kMaxCollections) + " collections, each once"};
}

Result<void> validate(const CheckRequest& request) {
  const std::size_t count = request.collections.size();
  if (count == 0) return wrong_collections("names none");
  if (count > kMaxCollections) return wrong_collections("names " + std::to_string(count));
  std::set<std::string_view> seen;
  for (const std::string& name : request.collections) {
    if (!seen.insert(name).second) return wrong_collections(json::in_quotes(name) + " is named twice");
  }
  return {};
}

Result<std::shared_ptr<Collection>> open(Catalog& catalog, const std::string& name) {
  if (!is_collection_name(name)) {
    return Error{Errc::invalid_argument, "collection " + json::in_quotes(name), "not a collection's name",
                 kCollectionNameRule};
  }
  auto collection = catalog.get(name);
  if (collection.has_error() && collection.error().code == Errc::not_found) {
    Error error = std::move(collection).error();
    if (error.remedy.empty()) error.remedy = "name an existing collection";
    return error;
  }
  return collection;
}

/// A collection, and its snapshot once one is needed.
struct Opened {
  std::shared_ptr<Collection> collection;
  std::unique_ptr<Snapshot> snapshot;

  Result<void> take_snapshot() {
    if (snapshot) return {};
    AKIN_TRY(snapshot, collection->snapshot());
    return {};
  }
};

class Preparation {
 public:
  Preparation(Catalog& catalog, CheckRequest& request) : catalog_(catalog), request_(request) {}

  Result<Outcome> run() {
    AKIN_CHECK(validate(request_));
    for (const std::string& name : request_.collections) {
      AKIN_TRY(Opened * opened, find(name));
      AKIN_TRY(const auto tiers, searched_tiers(*opened->collection));
      for (const auto& [tier, scheme] : tiers) add_analysis(*opened->collection, *scheme);
    }
    AKIN_CHECK(read_stored_text());
    AKIN_CHECK(read_text());
    AKIN_CHECK(add_collections());
    const std::vector<TemplateText>& templates = request_.policy.exclude.templates;
    input_.templates = templates.size();
    input_.read_template = [&](std::size_t number) { return read_template(templates[number]); };
    input_.text = *request_.text;
    input_.letters = &*letters_;
    input_.citations = &*citations_;
    input_.owner = request_.owner;
    input_.file_alerts = request_.file_alerts;
    if (!request_.id.empty()) input_.itself.push_back({request_.collection, request_.id});
    if (request_.stored_as) input_.itself.push_back(*request_.stored_as);
    AKIN_TRY(Outcome outcome, check_text(input_, request_.policy));
    outcome.fingerprint = fingerprint();
    return outcome;
  }

 private:
  /// Opens a collection unless it is open already.
  Result<Opened*> find(const std::string& name) {
    if (const auto found = opened_.find(name); found != opened_.end()) return &found->second;
    AKIN_TRY(auto collection, open(catalog_, name));
    return &opened_.emplace(name, Opened{std::move(collection), nullptr}).first->second;
  }

  /// How texts are analysed for a tier of a collection. Two collections have equal features of a text if both
  /// the scheme and the fingerprint are equal; dictionaries may differ from collection to collection.
  struct Way {
    std::string scheme;
    std::string fingerprint;  ///< Collection::fingerprint
    const Dictionary* dictionary = nullptr;

    friend bool operator==(const Way& one, const Way& other) {
      return one.scheme == other.scheme && one.fingerprint == other.fingerprint;
    }
  };
  static Way way_of(const Collection& collection, const Scheme& scheme) {
    return {scheme.name(), collection.fingerprint(), &collection.dictionary()};
  }

  void add_analysis(const Collection& collection, const Scheme& scheme) {
    Way way = way_of(collection, scheme);
    if (std::ranges::find(ways_, way) == ways_.end()) ways_.push_back(std::move(way));
  }

  /// The tiers that the policy names, or all, by number; 0 for a collection without tiers.
  [[nodiscard]] Result<std::vector<std::pair<std::size_t, const Scheme*>>> searched_tiers(
      const Collection& collection) const {
    std::vector<std::pair<std::size_t, const Scheme*>> searched;
    const Scheme& scheme = collection.scheme();
    if (scheme.tiers().empty()) {
      searched.emplace_back(0, &scheme.verifying_scheme());
      return searched;
    }
    const auto words = static_cast<unsigned>(request_.policy.min_passage_words);
    for (std::size_t tier = 0; tier < scheme.tiers().size(); ++tier) {
      // One tier of seeds is enough.
      if (scheme.tiers()[tier].scheme->finds_passages() && tier != seed_tier(scheme, words)) continue;
      if (request_.policy.tiers.empty()) searched.emplace_back(tier, scheme.tiers()[tier].scheme.get());
    }
    for (const std::string& name : request_.policy.tiers) {
      AKIN_TRY(const std::size_t tier, find_tier(scheme, name));
      searched.emplace_back(tier, scheme.tiers()[tier].scheme.get());
    }
    return searched;
  }

  /// An open snapshot prevents the reuse of pages, so the text is analysed before the others are opened.
  Result<void> read_stored_text() {
    if (request_.text) return {};
    AKIN_TRY(Opened * opened, find(request_.collection));
    AKIN_CHECK(opened->take_snapshot());
    AKIN_TRY(StoredDocument document, opened->snapshot->document(request_.id));
    AKIN_TRY(request_.text, opened->snapshot->text(document));
    request_.places = std::move(document.places);
    return {};
  }

  /// Looks for its citations beside the analyses, on a thread that has nothing else to do.
  Result<void> read_text() {
    const std::string_view text = *request_.text;
    AKIN_CHECK(akin::check_text(text));
    AKIN_TRY(HeldMemory held, HeldMemory::take(kTextOfCheck * text.size()));
    held_.emplace(std::move(held));
    Result<void> analyzed;
    for_each_index(2, [&](std::size_t part) {
      if (part == 0) {
        analyzed = analyze(text);
      } else {
        citations_.emplace(text, letters_.emplace(text));
      }
    });
    return analyzed;
  }

  Result<void> analyze(std::string_view text) {
    input_.analyses.resize(ways_.size());
    for (const std::string& name : request_.collections) {
      AKIN_TRY(Opened * opened, find(name));
      AKIN_CHECK(read_by(opened->collection->shared_dictionary(), text));
    }
    return {};
  }

  /// All that a dictionary makes of the text, in one pass; nothing if it has read the text.
  Result<void> read_by(std::shared_ptr<const Dictionary> dictionary, std::string_view text) {
    std::vector<std::size_t> numbers;
    std::vector<const Scheme*> schemes;
    for (std::size_t at = 0; at < ways_.size(); ++at) {
      if (ways_[at].dictionary != dictionary.get() || input_.analyses[at].scheme) continue;
      AKIN_TRY(input_.analyses[at].scheme, make_scheme(ways_[at].scheme));
      numbers.push_back(at);
      schemes.push_back(input_.analyses[at].scheme.get());
    }
    if (numbers.empty() && reading_by(*dictionary) != nullptr) return {};
    WordReader words;
    StyleReader style(text, *dictionary);
    AllSinks also;
    also.add(words);
    if (compares_styles()) also.add(style);
    AKIN_TRY(auto features, extract_features(text, *dictionary, schemes, &also.one()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      input_.analyses[numbers[i]].features = std::move(features[i]);
    input_.readings.push_back({std::move(dictionary), words.take(), style.style(), style.take_parts()});
    return {};
  }

  /// Null if the text was not read by such dictionaries.
  [[nodiscard]] const Reading* reading_by(const Dictionary& dictionary) const {
    const auto found = std::ranges::find_if(input_.readings, [&](const Reading& one) {
      return one.dictionary->fingerprint() == dictionary.fingerprint();
    });
    return found == input_.readings.end() ? nullptr : &*found;
  }

  [[nodiscard]] bool compares_styles() const {
    return request_.policy.review_unknown_words || request_.policy.review_sentence_length;
  }

  /// Covers everything that determines the features under the schemes in use: the fingerprint of the
  /// dictionaries, or those of all collections' dictionaries, separated by commas, if they differ.
  [[nodiscard]] std::string fingerprint() const {
    const bool synonyms = std::ranges::any_of(
        input_.analyses, [](const Analysis& analysis) { return analysis.scheme->joins_synonyms(); });
    std::set<std::string_view> distinct;
    for (const Way& way : ways_)
      distinct.insert(synonyms ? way.dictionary->synonym_fingerprint() : way.dictionary->fingerprint());
    std::string all;
    for (const std::string_view one : distinct) all.append(all.empty() ? "" : ",").append(one);
    return all;
  }

  Result<AnalyzedTemplate> read_template(const TemplateText& entry) {
    AnalyzedTemplate analyzed{entry.collection, entry.id, entry.text, {}, {}};
    if (!entry.collection.empty()) {
      AKIN_TRY(Opened * opened, find(entry.collection));
      AKIN_CHECK(opened->take_snapshot());
      AKIN_TRY(analyzed.text, opened->snapshot->text(entry.id));
    }
    template_bytes_ += analyzed.text.size();
    if (template_bytes_ > kMostTemplateBytes) {
      return Error{Errc::too_large, "templates of the policy",
                   "have together more than " + std::to_string(kMostTemplateBytes >> 20U) + " MiB of text",
                   "give only what submissions are made from"};
    }
    AKIN_TRY(HeldMemory held, HeldMemory::take(kTextOfCheck * analyzed.text.size()));
    analyzed.held.emplace(std::move(held));
    for (std::size_t at = 0; at < ways_.size(); ++at) {
      AKIN_TRY(FeatureSequence features,
               extract_features(analyzed.text, *ways_[at].dictionary, *input_.analyses[at].scheme));
      analyzed.features.push_back(std::move(features));
    }
    return analyzed;
  }

  Result<void> add_collections() {
    for (const std::string& name : request_.collections) {
      AKIN_TRY(Opened * opened, find(name));
      AKIN_CHECK(opened->take_snapshot());
      const Collection& collection = *opened->collection;
      SearchedCollection searched{.name = name,
                                  .generation = collection.generation().token,
                                  .snapshot = opened->snapshot.get(),
                                  .scheme = collection.scheme().name(),
                                  .tiers = {},
                                  .aligned = false,
                                  .dictionary = collection.shared_dictionary()};
      AKIN_TRY(const auto tiers, searched_tiers(collection));
      for (const auto& [tier, scheme] : tiers) {
        const auto way = std::ranges::find(ways_, way_of(collection, *scheme));
        const bool verified = scheme->finds_passages() && collection.keeps_texts();
        const bool named = !collection.scheme().tiers().empty();
        searched.tiers.push_back({tier, named ? collection.scheme().tiers()[tier].name : std::string(),
                                  static_cast<std::size_t>(way - ways_.begin()), verified});
        searched.aligned = searched.aligned || verified;
      }
      if (compares_styles() && collection.keeps_texts()) {
        AKIN_TRY(searched.styles, styles_of(collection, *opened->snapshot));
      }
      input_.collections.push_back(std::move(searched));
    }
    return {};
  }

  Result<StyleContrast> styles_of(const Collection& collection, const Snapshot& snapshot) const {
    const Reading& reading = *reading_by(collection.dictionary());
    StyleContrast styles{.text = reading.style, .usual = {}};
    if (styles.text.words < kMinStyleWords) return styles;
    AKIN_TRY(styles.usual, collection.usual_style(snapshot));
    const double unusual = request_.policy.review_unknown_words.value_or(kDefaultReviewUnknownWords);
    styles.others =
        find_other_languages(reading.parts, *reading.dictionary, styles.usual.unknown_share() + unusual);
    return styles;
  }

  Catalog& catalog_;
  CheckRequest& request_;
  std::map<std::string, Opened, std::less<>> opened_;
  std::vector<Way> ways_;
  CheckInput input_;
  std::uint64_t template_bytes_ = 0;
  std::optional<HeldMemory> held_;  ///< for the text
  std::optional<Letters> letters_;
  std::optional<Citations> citations_;
};

}  // namespace

void take_file(CheckRequest& request, extract::Document& file) {
  request.text = std::move(file.text);
  request.file_alerts = file.alerts;
  request.file_sha256 = file.sha256;
  if (!request.policy.compare_hidden || file.hidden.empty()) return;
  std::string& text = *request.text;
  if (!text.empty()) text += "\n\n";
  const auto seen = static_cast<std::uint32_t>(count_code_points(text));
  text += file.hidden;
  file.map.push_back({.range = {seen, seen + static_cast<std::uint32_t>(count_code_points(file.hidden))}});
}

Result<Outcome> run_check(Catalog& catalog, CheckRequest& request) {
  return Preparation(catalog, request).run();
}

}  // namespace akin::check
