#include "index/collection/collection.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/utf8.h"
#include "index/codec/posting.h"
#include "index/codec/stored_text.h"
#include "index/codec/word_codes.h"
#include "index/collection/catalog.h"
#include "index/collection/readable.h"
#include "index/search/scheme_snapshot.h"
#include "index/store/kept_words.h"
#include "index/write/derived_features.h"
#include "index/write/prepared_document.h"

namespace akin {

namespace {

bool has_control_character(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = next_code_point(utf8, at);
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return true;
  }
  return false;
}

Result<void> check(const SourceDocument& document) {
  const std::string what = "document '" + std::string(document.id.substr(0, kMaxIdBytes)) + "'";
  AKIN_CHECK(check_document_id(document.id));
  AKIN_CHECK(validate_utf8(document.title, "title of " + what));
  if (document.title.size() > kMaxTitleBytes) {
    return Error{Errc::too_large, what,
                 "its title is longer than " + std::to_string(kMaxTitleBytes) + " bytes",
                 "shorten the title"};
  }
  if (document.metadata.size() > kMaxMetadataBytes) {
    return Error{Errc::too_large, what,
                 "its metadata are longer than " + std::to_string(kMaxMetadataBytes) + " bytes",
                 "store less metadata"};
  }
  return {};
}

/// `verifying`: the features that verify come first in it.
void fill_findings(const SourceChange& change, const FeatureSequence& verifying) {
  if (change.findings == nullptr) return;
  const bool tiers = !verifying.tier_sizes.empty();
  *change.findings = {verifying.sentences, tiers ? verifying.tier_sizes.front() : verifying.hashes.size(),
                      verifying.alerts};
}

/// Whether the words that are kept of a text are its own. Error: corrupt.
Result<void> check_words(const Snapshot& snapshot, const StoredDocument& record, std::string_view text,
                         const Dictionary& dictionary) {
  AKIN_TRY(const std::optional<PackedWords> kept, kept_words_of(snapshot, record, dictionary));
  if (!kept) return {};
  AKIN_TRY(const PackedWords fresh, PackedWords::of(text, dictionary));
  if (kept->is_same(fresh)) return {};
  return corrupt("document '" + record.id + "'", "its text has other words than those that are kept");
}

}  // namespace

Result<void> check_document_id(std::string_view id) {
  if (id.empty() || id.size() > kMaxIdBytes) {
    return Error{Errc::invalid_argument, "id",
                 "it does not have 1 to " + std::to_string(kMaxIdBytes) + " bytes", "choose another id"};
  }
  AKIN_CHECK(validate_utf8(id, "id"));
  if (has_control_character(id)) {
    return Error{Errc::invalid_argument, "id", "it holds a control character", "choose another id"};
  }
  return {};
}

NewDocument new_document(const SourceDocument& source, const FeatureSequence& features) {
  NewDocument document;
  document.record.id = source.id;
  document.record.title = source.title;
  document.record.metadata = source.metadata;
  document.record.text_bytes = source.text.size();
  document.record.code_points = features.code_points;
  document.record.sentences = features.sentences;
  document.record.features =
      features.tier_sizes.empty() ? features.hashes.size() : features.tier_sizes.front();
  document.record.tier_sizes = features.tier_sizes;
  document.record.text_sha256 = sha256(source.text);
  document.record.file = source.file;
  document.record.places = source.places;
  document.text = source.text;
  document.file = source.original;
  document.features = &features;
  return document;
}

/// Permission to write into this collection's store, or the collection that has replaced it.
struct Collection::WritePass {
  std::shared_ptr<void> leave;
  std::shared_ptr<Collection> successor;
};

Result<std::shared_ptr<Collection>> Collection::open(CollectionParts parts, Dictionaries& dictionaries,
                                                     const ReadKept& read_kept) {
  const StoreIdentity& identity = parts.store->identity();
  AKIN_TRY(parts.scheme, scheme_of(parts.name, identity));
  const auto opened_with = [&](const std::shared_ptr<const Dictionary>& dictionary) {
    parts.dictionary = dictionary;
    let_derive(*parts.store, parts.scheme, dictionary);
    return std::make_shared<Collection>(std::move(parts));
  };
  const auto configured = dictionaries.for_store(identity);
  if (configured.has_value() && fits(identity, *parts.scheme, (*configured)->fingerprints()))
    return opened_with(*configured);
  AKIN_TRY(std::optional<std::string> packed, read_kept());
  KeptFingerprints own = std::optional<DictionaryFingerprints>();
  if (packed) {
    Result<std::shared_ptr<const Dictionary>> kept = dictionaries.unpacked(*std::move(packed));
    if (kept.has_value() && fits(identity, *parts.scheme, (*kept)->fingerprints())) return opened_with(*kept);
    own = kept.has_value() ? KeptFingerprints((*kept)->fingerprints()) : KeptFingerprints(kept.error());
  }
  return unreadable(parts.name, identity, *parts.scheme, dictionaries, own);
}

Result<std::shared_ptr<Collection>> Collection::successor() const {
  const std::shared_ptr<Catalog> catalog = parts_.catalog.lock();
  if (catalog == nullptr) {
    return Error{Errc::busy, "collection '" + parts_.name + "'", "it has been rebuilt since it was opened",
                 "open it again"};
  }
  return catalog->get(parts_.name);
}

template <class T, class Again>
Result<T> Collection::done_or_again(Result<T> done, const Again& again) const {
  if (!done.has_error()) return done;
  const Result<bool> replaced = parts_.guard->is_replaced(parts_.generation);
  if (replaced.has_error() || !*replaced) return done;
  AKIN_TRY(const std::shared_ptr<Collection> next, successor());
  return again(*next);
}

Result<Collection::WritePass> Collection::pass_for_writing() const {
  AKIN_TRY(std::shared_ptr<void> leave, parts_.guard->enter(parts_.generation));
  if (leave != nullptr) return WritePass{std::move(leave), nullptr};
  AKIN_TRY(std::shared_ptr<Collection> next, successor());
  return WritePass{nullptr, std::move(next)};
}

Result<FeatureSequence> Collection::analyze(std::string_view text, SentenceSink* also) const {
  return extract_features(text, *parts_.dictionary, parts_.scheme->verifying_scheme(), also);
}

Result<FeatureSequence> Collection::analyze_in(std::string_view text, std::size_t tier,
                                               SentenceSink* also) const {
  const auto tiers = parts_.scheme->tiers();
  if (tier < tiers.size()) return extract_features(text, *parts_.dictionary, *tiers[tier].scheme, also);
  if (tier == 0) return analyze(text, also);
  return Error{Errc::invalid_argument, "tier " + std::to_string(tier + 1),
               "collection '" + parts_.name + "' does not have it", "name a tier of the collection"};
}

Result<FeatureSequence> Collection::analyze_tiers(std::string_view text, SentenceSink* also) const {
  if (!parts_.scheme->tiers().empty())
    return extract_features(text, *parts_.dictionary, *parts_.scheme, also);
  AKIN_TRY(FeatureSequence features, analyze(text, also));
  features.tier_sizes = {features.hashes.size()};
  return features;
}

Result<TextStyle> Collection::usual_style(const Snapshot& snapshot) const {
  return style_.of(snapshot, *parts_.dictionary);
}

Result<Collection::Analyzed> Collection::analyze_to_store(const SourceChange& change) const {
  const Scheme& scheme = *parts_.scheme;
  // A signature lacks what the findings need.
  const bool from_verifying =
      scheme.generates_candidates() && (change.features != nullptr || change.findings != nullptr);
  if (from_verifying) {
    FeatureSequence analyzed;
    if (change.features == nullptr) {
      AKIN_TRY(analyzed, analyze(change.document.text));
    }
    const FeatureSequence& verifying = change.features != nullptr ? *change.features : analyzed;
    fill_findings(change, verifying);
    return Analyzed{scheme.signature(verifying), {}};
  }
  const std::string_view text = change.document.text;
  std::optional<PackedWords::Reader> words;
  WordCodeReader codes;
  SentenceSink* also = nullptr;
  if (parts_.store->keeps_words()) {
    also = text.size() > kLongText ? static_cast<SentenceSink*>(&words.emplace(text.size())) : &codes;
  }
  Analyzed analyzed;
  AKIN_TRY(analyzed.features, extract_features(text, dictionary(), scheme, also));
  fill_findings(change, analyzed.features);
  if (words) {
    AKIN_TRY(analyzed.words, encode_kept_words(words->take(), dictionary()));
  } else if (also != nullptr) {
    analyzed.words = encode_word_codes(codes.codes(), dictionary());
  }
  return analyzed;
}

Result<PreparedDocument> Collection::prepare(const SourceChange& change, bool is_one_of_many) const {
  if (change.error != nullptr) return *change.error;
  AKIN_CHECK(check(change.document));
  // Given features are stored unchanged if the scheme compares documents by all their features.
  if (change.features != nullptr && &parts_.scheme->verifying_scheme() == parts_.scheme.get()) {
    fill_findings(change, *change.features);
    return parts_.store->prepare(new_document(change.document, *change.features));
  }
  Result<Analyzed> analyzed = analyze_to_store(change);
  if (analyzed.has_error()) {
    Error error = std::move(analyzed).error();
    if (is_one_of_many) error.what = "document '" + std::string(change.document.id) + "': " + error.what;
    return error;
  }
  NewDocument document = new_document(change.document, analyzed->features);
  document.words = analyzed->words;
  return parts_.store->prepare(std::move(document));
}

Result<WriteResults> Collection::write(std::span<const SourceChange> changes, WriteMode mode,
                                       const std::function<void()>& ready) {
  const bool names_documents = mode == WriteMode::all && changes.size() > 1;
  std::vector<Change> prepared(changes.size());
  for_each_index(changes.size(), [&](std::size_t i) {
    prepared[i] = {.id = changes[i].document.id, .condition = changes[i].condition};
    if (!changes[i].remove || changes[i].error != nullptr)
      prepared[i].document = prepare(changes[i], names_documents);
  });
  AKIN_CHECK(refusals(prepared, mode));
  if (ready) ready();
  const auto by = [&](Collection& next) {
    // Its scheme or dictionary may differ, so it analyses the texts again.
    std::vector<SourceChange> again(changes.begin(), changes.end());
    for (SourceChange& change : again) change.features = nullptr;
    return next.write(again, mode);
  };
  AKIN_TRY(const WritePass pass, pass_for_writing());
  if (pass.successor != nullptr) return by(*pass.successor);
  return done_or_again(parts_.store->write(prepared, mode), by);
}

Result<PutResult> Collection::put(const SourceDocument& document, const Precondition& condition) {
  const SourceChange change{.document = document, .condition = condition};
  AKIN_TRY(const WriteResults results, write({&change, 1}, WriteMode::all));
  return results.front();
}

Result<std::vector<PutResult>> Collection::put_all(const std::vector<SourceDocument>& documents) {
  std::vector<SourceChange> changes;
  changes.reserve(documents.size());
  for (const SourceDocument& one : documents) changes.push_back({.document = one});
  AKIN_TRY(const WriteResults results, write(changes, WriteMode::all));
  return values_of(results);
}

Result<std::uint64_t> Collection::remove(const std::vector<std::string>& ids) {
  std::vector<SourceChange> changes;
  changes.reserve(ids.size());
  for (const std::string& id : ids) changes.push_back({.document = {.id = id}, .remove = true});
  AKIN_TRY(const WriteResults results, write(changes, WriteMode::all));
  return count_replaced(results);
}

Result<void> Collection::flush_and_merge() {
  {
    AKIN_TRY(const WritePass pass, pass_for_writing());
    if (pass.successor != nullptr) return pass.successor->flush_and_merge();
  }
  // Takes no lock: a merge changes no document, and a switch need not wait for it.
  Result<void> merged = parts_.store->flush_and_merge(false);
  if (!merged.has_error()) return merged;
  const Result<bool> replaced = parts_.guard->is_replaced(parts_.generation);
  return !replaced.has_error() && *replaced ? Result<void>() : merged;
}

Result<std::unique_ptr<Snapshot>> Collection::snapshot() const {
  AKIN_TRY(std::unique_ptr<Snapshot> stored, parts_.store->snapshot());
  const Scheme& scheme = *parts_.scheme;
  if (scheme.has_containment() && &scheme.verifying_scheme() == &scheme) return stored;
  return std::make_unique<SchemeSnapshot>(std::move(stored), parts_.scheme, parts_.dictionary);
}

Result<std::uint64_t> Collection::verify_deep(
    const std::function<void(const Finding&)>& report,
    const std::function<void(std::uint64_t, std::uint64_t)>& progress) const {
  if (!parts_.store->identity().store_text) {
    return Error{Errc::unsupported, "collection '" + parts_.name + "'",
                 "it keeps no texts, so their features cannot be derived again", "verify it without --deep"};
  }
  AKIN_TRY(const std::unique_ptr<Snapshot> view, parts_.store->snapshot());
  AKIN_TRY(const StoreStats stats, view->stats());
  std::uint64_t findings = 0;
  std::uint64_t done = 0;
  const auto found = [&](const std::string& id, std::string broken) {
    ++findings;
    if (report) report({"document '" + id + "'", std::move(broken)});
  };
  constexpr std::size_t kPage = 256;
  std::string after;
  for (;;) {
    AKIN_TRY(const std::vector<StoredDocument> page, view->list(after, kPage));
    if (page.empty()) return findings;
    for (const StoredDocument& record : page) {
      Result<std::string> text = view->text(record);
      Result<FeatureSequence> stored = view->features(record);
      if (text.has_error() || stored.has_error()) {
        found(record.id, text.has_error() ? text.error().reason : stored.error().reason);
      } else if (Result<FeatureSequence> fresh = extract_features(*text, dictionary(), scheme());
                 fresh.has_error()) {
        found(record.id, "its text cannot be analysed: " + fresh.error().reason);
      } else if (fresh->hashes != stored->hashes || fresh->ranges != stored->ranges) {
        found(record.id, "its text has other features than those stored");
      } else {
        const Result<void> words = check_words(*view, record, *text, dictionary());
        if (words.has_error()) found(record.id, words.error().reason);
      }
      if (progress) progress(++done, stats.documents);
    }
    after = page.back().id;
  }
}

}  // namespace akin
