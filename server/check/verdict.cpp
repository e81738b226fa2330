#include "server/check/verdict.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace akin::check {

namespace {

std::optional<Reason> share_reason(double share, const Policy& policy) {
  Reason reason;
  reason.kind = Reason::Kind::share;
  reason.value = share;
  if (reaches(share, policy.refuse_share)) {
    reason.verdict = Verdict::refuse;
    reason.threshold = *policy.refuse_share;
  } else if (reaches(share, policy.review_share)) {
    reason.threshold = *policy.review_share;
  } else {
    return std::nullopt;
  }
  return reason;
}

std::optional<Reason> source_reason(const Outcome& outcome, const Policy& policy, const SourcesOver& over) {
  if (over.refuse == 0 && over.review == 0) return std::nullopt;
  const bool refused = over.refuse > 0;
  const Source& first = *std::ranges::max_element(outcome.sources, {}, &Source::letters);
  Reason reason;
  reason.kind = Reason::Kind::source_share;
  reason.value = outcome.share(first);
  reason.collection = first.collection;
  reason.id = first.document.id;
  if (refused) reason.verdict = Verdict::refuse;
  reason.threshold = refused ? *policy.refuse_source_share : *policy.review_source_share;
  reason.sources = refused ? over.refuse : over.review;
  return reason;
}

std::optional<Reason> own_share(const Outcome& outcome, const Policy& policy) {
  if (!reaches(outcome.own_share(), policy.review_own_share)) return std::nullopt;
  Reason reason;
  reason.kind = Reason::Kind::own_share;
  reason.value = outcome.own_share();
  reason.threshold = *policy.review_own_share;
  return reason;
}

std::optional<Reason> too_short(const Outcome& outcome, const Policy& policy) {
  std::uint64_t most = 0;
  for (const FeatureCounts& counts : outcome.features) {
    // What seeds find is aligned, and decided by words.
    if (!outcome.aligned_words || !counts.finds_passages) most = std::max(most, counts.compared);
  }
  if (most > policy.bound || outcome.aligned_words >= policy.min_passage_words) return std::nullopt;
  Reason reason;
  reason.kind = Reason::Kind::too_short;
  reason.value = static_cast<double>(most);
  reason.threshold = static_cast<double>(policy.bound + 1);
  reason.words = outcome.aligned_words;
  reason.needed_words = policy.min_passage_words;
  return reason;
}

/// A smaller part of a text in other languages is the names, titles and formulas that it has, too.
constexpr double kLeastRest = 0.2;

TextStyle whole_text(const StyleContrast& styles) { return styles.text; }

/// The style of a text without its parts in other languages, as far as its words go; empty if hardly anything
/// is left.
TextStyle without_other_languages(const StyleContrast& styles) {
  TextStyle rest = styles.text;
  rest -= styles.others;
  if (static_cast<double>(rest.words) < kLeastRest * static_cast<double>(styles.text.words)) return {};
  return rest;
}

/// A property of a style, of how much of a text and how many words it is taken, and how far that of the text
/// is from the usual one.
struct StyleMeasure {
  TextStyle (*compared)(const StyleContrast&);
  double (*property)(const TextStyle&);
  std::uint64_t (*words)(const TextStyle&);
  double (*distance)(const TextStyle& text, const TextStyle& usual);
};

std::uint64_t all_words(const TextStyle& style) { return style.words; }
double unknown_share(const TextStyle& style) { return style.unknown_share(); }
double length_of_sentences(const TextStyle& style) { return style.words_per_sentence(); }
double length_of_marked(const TextStyle& style) { return style.words_per_marked_sentence(); }
double times(double one, double other) { return other > 0 ? one / other : 0.0; }

/// Names, abbreviations and notation are unknown everywhere: exchanged letters are so in running text, too.
/// There they are more, as short words are left as they are.
double unknown_distance(const TextStyle& text, const TextStyle& usual) {
  constexpr double kMore = 1.5;
  return std::min(text.unknown_share() - usual.unknown_share(),
                  (text.unknown_running_share() - usual.unknown_running_share()) / kMore);
}

constexpr StyleMeasure kUnknownWords = {without_other_languages, unknown_share, all_words, unknown_distance};
constexpr StyleMeasure kLongSentences = {
    whole_text, length_of_sentences, all_words, [](const TextStyle& text, const TextStyle& usual) {
      return times(length_of_sentences(text), length_of_sentences(usual));
    }};
/// Only of sentences that marks divide: in tables and lists, cells and lines do. Plays and references have
/// short ones, too, but not of two words on average.
constexpr StyleMeasure kShortSentences = {
    whole_text, length_of_marked, [](const TextStyle& style) { return style.marked_words; },
    [](const TextStyle& text, const TextStyle& usual) {
      constexpr double kMost = 2;
      return length_of_marked(text) > kMost ? 0.0 : times(length_of_marked(usual), length_of_marked(text));
    }};

/// The reason that a property of the text is far from what is usual in each of the collections, if their
/// samples allow to say so.
std::optional<Reason> style_reason(const Outcome& outcome, Reason::Kind kind,
                                   const std::optional<double>& threshold, const StyleMeasure& measure) {
  if (!threshold || outcome.index.empty()) return std::nullopt;
  std::optional<Reason> nearest;
  double least = 0.0;
  for (const IndexState& state : outcome.index) {
    const TextStyle text = state.styles ? measure.compared(*state.styles) : TextStyle();
    if (measure.words(text) < kMinStyleWords || measure.words(state.styles->usual) < kMinUsualWords) {
      return std::nullopt;
    }
    Reason reason;
    reason.kind = kind;
    reason.value = measure.property(text);
    reason.usual = measure.property(state.styles->usual);
    reason.threshold = *threshold;
    reason.collection = state.collection;
    const double far = measure.distance(text, state.styles->usual);
    if (nearest && far >= least) continue;
    least = far;
    nearest = std::move(reason);
  }
  return least >= *threshold ? nearest : std::nullopt;
}

std::optional<Reason> unknown_words(const Outcome& outcome, const Policy& policy) {
  return style_reason(outcome, Reason::Kind::unknown_words, policy.review_unknown_words, kUnknownWords);
}

std::optional<Reason> sentence_length(const Outcome& outcome, const Policy& policy) {
  constexpr Reason::Kind kKind = Reason::Kind::sentence_length;
  std::optional<Reason> reason = style_reason(outcome, kKind, policy.review_sentence_length, kLongSentences);
  return reason ? reason : style_reason(outcome, kKind, policy.review_sentence_length, kShortSentences);
}

std::optional<Reason> quotations(const Outcome& outcome, const Policy& policy) {
  const LetterCounts& letters = outcome.letters;
  if (letters.total == 0 || outcome.words < kMinStyleWords) return std::nullopt;
  Reason reason;
  reason.kind = Reason::Kind::quotations;
  reason.value = static_cast<double>(letters.quoted) / static_cast<double>(letters.total);
  if (!reaches(reason.value, policy.review_quotations)) return std::nullopt;
  reason.threshold = *policy.review_quotations;
  return reason;
}

/// A reason for each kind of alert that is frequent.
std::vector<Reason> alert_reasons(const Outcome& outcome, const Policy& policy) {
  std::vector<Reason> reasons;
  for (const AlertKind kind : kAlertKinds) {
    const std::uint64_t count = outcome.alert_counts[kind];
    const std::optional<double>& threshold = policy.review_alerts[static_cast<std::size_t>(kind)];
    if (count < kMinAlerts || !threshold) continue;
    // Letters for private use make no words: a text may have nothing else.
    const double rate =
        1000.0 * static_cast<double>(count) / static_cast<double>(std::max(outcome.words, count));
    if (rate < *threshold) continue;
    Reason reason;
    reason.kind = Reason::Kind::alerts;
    reason.value = rate;
    reason.threshold = *threshold;
    reason.alert = kind;
    reason.alerts = count;
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

/// A reason for each kind of alert of the file that concerns much of it.
std::vector<Reason> disguise_reasons(const Outcome& outcome, const Policy& policy) {
  std::vector<Reason> reasons;
  for (const extract::FileAlert& alert : outcome.file_alerts) {
    const auto& threshold = policy.review_disguise[static_cast<std::size_t>(alert.kind)];
    if (!reaches(alert.share, threshold)) continue;
    Reason reason;
    reason.kind = Reason::Kind::disguise;
    reason.value = alert.share;
    reason.threshold = *threshold;
    reason.file_alert = alert.kind;
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::review:
      return "review";
    case Verdict::refuse:
      return "refuse";
  }
  return "unknown";
}

bool reaches(double share, const std::optional<double>& threshold) noexcept {
  return threshold && share >= *threshold;
}

void decide_verdict(Outcome& outcome, const Policy& policy, const SourcesOver& over) {
  for (auto& reason : {share_reason(outcome.share(), policy), source_reason(outcome, policy, over),
                       own_share(outcome, policy), too_short(outcome, policy), unknown_words(outcome, policy),
                       sentence_length(outcome, policy), quotations(outcome, policy)}) {
    if (reason) outcome.reasons.push_back(*reason);
  }
  std::ranges::move(alert_reasons(outcome, policy), std::back_inserter(outcome.reasons));
  std::ranges::move(disguise_reasons(outcome, policy), std::back_inserter(outcome.reasons));
  for (const Reason& reason : outcome.reasons) outcome.verdict = std::max(outcome.verdict, reason.verdict);
  std::ranges::stable_sort(outcome.reasons, std::ranges::greater(), &Reason::verdict);
}

double Outcome::share() const noexcept { return ratio(letters.found, letters.compared); }

double Outcome::own_share() const noexcept { return ratio(letters.own, letters.compared); }

double Outcome::share(const Source& source) const noexcept { return ratio(source.letters, letters.compared); }

}  // namespace akin::check
