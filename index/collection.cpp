#include "index/collection.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/utf8.h"
#include "index/analysis.h"
#include "index/catalog.h"
#include "index/scheme_snapshot.h"

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

/// Leave to write into this collection's store, or the collection that has taken its place.
struct Collection::WritePass {
  std::shared_ptr<void> leave;
  std::shared_ptr<Collection> successor;
};

Result<std::shared_ptr<Collection>> Collection::open(CollectionParts parts, std::string_view languages) {
  const StoreIdentity& identity = parts.store->identity();
  const auto mismatch = [&](std::string reason) {
    return Error{Errc::mismatch, "collection '" + parts.name + "'", std::move(reason),
                 "run `akin reindex --collection " + parts.name +
                     "` to rebuild it, or use the configuration that it was built with"};
  };
  Result<std::shared_ptr<const Scheme>> scheme = make_scheme(identity.scheme);
  if (scheme.has_error()) return mismatch("this akin does not know its scheme '" + identity.scheme + "'");
  const Result<std::string> fingerprint = features_fingerprint(**scheme, *parts.dictionary);
  if (fingerprint.has_error()) {
    return Error{Errc::mismatch, "collection '" + parts.name + "'",
                 "its scheme " + (*scheme)->name() + " joins synonyms, and none are configured",
                 "name those that it was built with, as in --synonyms ru, or rebuild it without: "
                 "`akin reindex --collection " +
                     parts.name + " --scheme SCHEME`"};
  }
  if (identity.fingerprint != *fingerprint) {
    return mismatch(std::string("it was built with other dictionaries") +
                    ((*scheme)->joins_synonyms() ? " or synonyms" : "") +
                    " (languages: " + identity.languages +
                    ") than those configured (languages: " + std::string(languages) + ")");
  }
  parts.scheme = *std::move(scheme);
  return std::make_shared<Collection>(std::move(parts));
}

Result<std::shared_ptr<Collection>> Collection::successor() const {
  const std::shared_ptr<Catalog> catalog = parts_.catalog.lock();
  if (catalog == nullptr) {
    return Error{Errc::busy, "collection '" + parts_.name + "'", "it has been rebuilt since it was opened",
                 "open it anew"};
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

Result<FeatureSequence> Collection::analyze(std::string_view text) const {
  return extract_features(text, *parts_.dictionary, parts_.scheme->judge());
}

Result<FeatureSequence> Collection::analyze_in(std::string_view text, std::size_t tier) const {
  const auto tiers = parts_.scheme->tiers();
  if (tier < tiers.size()) return extract_features(text, *parts_.dictionary, *tiers[tier].scheme);
  if (tier == 0) return analyze(text);
  return Error{Errc::invalid_argument, "tier " + std::to_string(tier + 1),
               "collection '" + parts_.name + "' does not have it", "name a tier of the collection"};
}

Result<FeatureSequence> Collection::stored_features(std::string_view text) const {
  return extract_features(text, *parts_.dictionary, *parts_.scheme);
}

Result<std::optional<FeatureSequence>> Collection::stored_instead_of(const FeatureSequence& judged,
                                                                     std::string_view text) const {
  const Scheme& scheme = *parts_.scheme;
  if (&scheme.judge() == &scheme) return std::optional<FeatureSequence>();
  if (scheme.nominates()) return std::optional(scheme.signature(judged));
  AKIN_TRY(FeatureSequence all, stored_features(text));
  return std::optional(std::move(all));
}

Result<PutResult> Collection::put(const SourceDocument& document, const Precondition& condition) {
  AKIN_CHECK(check(document));
  AKIN_TRY(const FeatureSequence features, analyze(document.text));
  return put(document, features, condition);
}

Result<PutResult> Collection::put(const SourceDocument& document, const FeatureSequence& features,
                                  const Precondition& condition) {
  AKIN_CHECK(check(document));
  AKIN_TRY(const WritePass pass, pass_for_writing());
  // The successor may see texts otherwise: it analyses anew.
  if (pass.successor != nullptr) return pass.successor->put(document, condition);
  AKIN_TRY(const std::optional<FeatureSequence> others, stored_instead_of(features, document.text));
  return done_or_again(parts_.store->put(new_document(document, others ? *others : features), condition),
                       [&](Collection& next) { return next.put(document, condition); });
}

Result<std::vector<PutResult>> Collection::put_instead(const std::vector<SourceDocument>& documents,
                                                       const std::vector<const FeatureSequence*>& features,
                                                       const std::vector<Version>& displaced) {
  for (const SourceDocument& document : documents) AKIN_CHECK(check(document));
  AKIN_TRY(const WritePass pass, pass_for_writing());
  const auto by = [&](Collection& next) -> Result<std::vector<PutResult>> {
    AKIN_TRY(const std::vector<FeatureSequence> anew,
             analyze_all(documents, *next.parts_.dictionary, next.parts_.scheme->judge()));
    std::vector<const FeatureSequence*> views;
    views.reserve(anew.size());
    for (const FeatureSequence& one : anew) views.push_back(&one);
    return next.put_instead(documents, views, displaced);
  };
  if (pass.successor != nullptr) return by(*pass.successor);
  std::vector<std::optional<FeatureSequence>> others(documents.size());
  std::vector<NewDocument> made;
  made.reserve(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    AKIN_TRY(others[i], stored_instead_of(*features[i], documents[i].text));
    made.push_back(new_document(documents[i], others[i] ? *others[i] : *features[i]));
  }
  return done_or_again(parts_.store->put_instead(made, displaced), by);
}

Result<std::vector<PutResult>> Collection::put_all(const std::vector<SourceDocument>& documents) {
  for (const SourceDocument& document : documents) AKIN_CHECK(check(document));
  AKIN_TRY(const std::vector<FeatureSequence> features,
           analyze_all(documents, *parts_.dictionary, *parts_.scheme));
  AKIN_TRY(const WritePass pass, pass_for_writing());
  if (pass.successor != nullptr) return pass.successor->put_all(documents);
  std::vector<NewDocument> analyzed;
  analyzed.reserve(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i)
    analyzed.push_back(new_document(documents[i], features[i]));
  return done_or_again(parts_.store->put_all(analyzed),
                       [&](Collection& next) { return next.put_all(documents); });
}

Result<std::uint64_t> Collection::remove(const std::vector<std::string>& ids) {
  AKIN_TRY(const WritePass pass, pass_for_writing());
  if (pass.successor != nullptr) return pass.successor->remove(ids);
  return done_or_again(parts_.store->remove(ids), [&](Collection& next) { return next.remove(ids); });
}

Result<bool> Collection::remove_if(std::string_view id, const Precondition& condition) {
  AKIN_TRY(const WritePass pass, pass_for_writing());
  if (pass.successor != nullptr) return pass.successor->remove_if(id, condition);
  return done_or_again(parts_.store->remove_if(id, condition),
                       [&](Collection& next) { return next.remove_if(id, condition); });
}

Result<std::vector<Result<PutResult>>> Collection::apply(const std::vector<SourceChange>& changes,
                                                         const std::function<void()>& ready) {
  std::vector<Result<FeatureSequence>> features(changes.size(), FeatureSequence());
  for_each_index(changes.size(), [&](std::size_t i) {
    if (changes[i].remove) return;
    if (const Result<void> checked = check(changes[i].document); checked.has_error()) {
      features[i] = checked.error();
    } else {
      features[i] = stored_features(changes[i].document.text);
    }
  });
  AKIN_TRY(const WritePass pass, pass_for_writing());
  if (pass.successor != nullptr) return pass.successor->apply(changes, ready);

  std::vector<NewDocument> documents(changes.size());
  std::vector<Change> wanted;
  std::vector<Result<PutResult>> results(changes.size(), PutResult());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (features[i].has_error()) {
      results[i] = features[i].error();
      continue;
    }
    if (!changes[i].remove) documents[i] = new_document(changes[i].document, *features[i]);
    wanted.push_back({changes[i].remove ? nullptr : &documents[i], changes[i].document.id});
    places.push_back(i);
  }
  Result<std::vector<Result<PutResult>>> made = parts_.store->apply(wanted, ready);
  if (made.has_error()) {
    return done_or_again(std::move(made), [&](Collection& next) { return next.apply(changes); });
  }
  for (std::size_t i = 0; i < made->size(); ++i) results[places[i]] = (*made)[i];
  return results;
}

Result<void> Collection::settle() {
  {
    AKIN_TRY(const WritePass pass, pass_for_writing());
    if (pass.successor != nullptr) return pass.successor->settle();
  }
  // Without the pass: a merge changes no document, and a switch need not wait for it.
  Result<void> settled = parts_.store->settle(false);
  if (!settled.has_error()) return settled;
  const Result<bool> replaced = parts_.guard->is_replaced(parts_.generation);
  return !replaced.has_error() && *replaced ? Result<void>() : settled;
}

Result<std::unique_ptr<Snapshot>> Collection::snapshot() const {
  AKIN_TRY(std::unique_ptr<Snapshot> stored, parts_.store->snapshot());
  const Scheme& scheme = *parts_.scheme;
  if (scheme.has_containment() && &scheme.judge() == &scheme) return stored;
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
    AKIN_TRY(const std::vector<DocumentRecord> page, view->list(after, kPage));
    if (page.empty()) return findings;
    for (const DocumentRecord& record : page) {
      Result<std::string> text = view->text(record.id);
      Result<FeatureSequence> stored = view->features(record.id);
      if (text.has_error() || stored.has_error()) {
        found(record.id, text.has_error() ? text.error().reason : stored.error().reason);
      } else if (Result<FeatureSequence> fresh = stored_features(*text); fresh.has_error()) {
        found(record.id, "its text cannot be analysed: " + fresh.error().reason);
      } else if (fresh->hashes != stored->hashes || fresh->ranges != stored->ranges) {
        found(record.id, "its text gives other features than those stored");
      }
      if (progress) progress(++done, stats.documents);
    }
    after = page.back().id;
  }
}

}  // namespace akin
