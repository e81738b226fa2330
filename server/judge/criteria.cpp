#include "server/judge/criteria.h"

#include <algorithm>
#include <cmath>

#include "base/ascii.h"
#include "server/judge/rule.h"

namespace akin::judge {

namespace {

constexpr std::array<std::string_view, kCriteria> kNames{
    "words",        "trigrams",       "title",      "headline",        "subject",
    "sentences",    "sentences-back", "paragraphs", "paragraphs-back", "numbers",
    "numbers-back", "number-order",   "dates",      "quantities",      "names",
    "names-back",   "mentions",       "links",      "links-back",      "images",
    "time",         "authority",      "event"};

std::string known_names() {
  std::string names;
  for (const std::string_view name : kNames) names.append(names.empty() ? "" : ", ").append(name);
  return names;
}

/// Containment by weight of a part of one document in all words of another, its title's and its text's.
double containment_in(std::span<const Weighted> part, const JudgedDocument& whole) {
  if (part.empty()) return undefined();
  const auto has = [](std::span<const Weighted> set, std::uint64_t hash) {
    const auto found = std::lower_bound(set.begin(), set.end(), hash,
                                        [](const Weighted& one, std::uint64_t x) { return one.hash < x; });
    return found != set.end() && found->hash == hash;
  };
  double shared = 0;
  double sum = 0;
  for (const Weighted& one : part) {
    const auto weight = static_cast<double>(one.weight);
    sum += weight;
    if (has(whole.words, one.hash) || has(whole.title, one.hash)) shared += weight;
  }
  return shared / sum;
}

/// See kFormTrigrams. `values`: trigrams.
bool fill_one_form(const JudgedDocument& a, const JudgedDocument& b, const CriteriaValues& values) {
  const double shared = containment(a.numbers, b.numbers);
  if (a.numbers.size() >= kNumbersOfForm && b.numbers.size() >= kNumbersOfForm && shared == 0) return true;
  if (a.numbers.size() < 2 || b.numbers.size() < 2) return false;
  const bool in_other_order = a.numbers == b.numbers && containment(a.number_pairs, b.number_pairs) < 0.5;
  return values[index_of(Criterion::trigrams)] >= kFormTrigrams && (shared <= 0.5 || in_other_order);
}

/// The two directions of a containment, joined; if one is undefined, the other.
template <class Join>
double both_of(double there, double back, Join join) {
  if (std::isnan(there)) return back;
  return std::isnan(back) ? there : join(there, back);
}

/// Criterion::headline, subject and mentions.
void compare_topics(const JudgedDocument& a, const JudgedDocument& b, CriteriaValues& values) {
  values[index_of(Criterion::headline)] =
      both_of(containment_in(a.headline, b), containment_in(b.headline, a),
              [](double there, double back) { return (there + back) / 2; });
  values[index_of(Criterion::subject)] =
      both_of(containment_in(a.subject, b), containment_in(b.subject, a),
              [](double there, double back) { return std::min(there, back); });
  values[index_of(Criterion::mentions)] =
      both_of(containment_in(a.names, b), containment_in(b.names, a),
              [](double there, double back) { return std::max(there, back); });
}

}  // namespace

std::string_view criterion_name(Criterion criterion) noexcept { return kNames[index_of(criterion)]; }

std::vector<Criterion> all_criteria() {
  std::vector<Criterion> all;
  for (std::size_t i = 0; i < kCriteria; ++i) all.push_back(static_cast<Criterion>(i));
  return all;
}

Result<std::vector<Criterion>> parse_criteria(std::string_view list) {
  if (list == "all") return all_criteria();
  std::vector<Criterion> chosen;
  for (const std::string_view name : split(list, ',')) {
    const auto* const found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end()) {
      return Error{Errc::invalid_argument, "criterion '" + std::string(name) + "'", "does not exist",
                   "choose among all, " + known_names()};
    }
    chosen.push_back(static_cast<Criterion>(found - kNames.begin()));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

void SourceAuthorities::add(const std::string& source, bool original) {
  if (source.empty()) return;
  Count& count = counts_[source];
  ++count.documents;
  if (original) ++count.originals;
}

void SourceAuthorities::remove(const std::string& source, bool original) {
  if (source.empty()) return;
  Count& count = counts_.at(source);
  --count.documents;
  if (original) --count.originals;
}

std::optional<double> SourceAuthorities::of(const std::string& source) const {
  const auto found = counts_.find(source);
  if (found == counts_.end() || found->second.documents == 0) return std::nullopt;
  return static_cast<double>(found->second.originals + 1) / static_cast<double>(found->second.documents + 2);
}

double authority_criterion(const Origin& a, const Origin& b, const SourceAuthorities& sources) {
  const auto of = [&](const Origin& origin) {
    return origin.authority ? origin.authority : sources.of(origin.source);
  };
  const auto of_a = of(a);
  const auto of_b = of(b);
  return of_a && of_b ? (1 - *of_a + *of_b) / 2 : undefined();
}

CriteriaValues compare(const JudgedDocument& a, const JudgedDocument& b, const SourceAuthorities& sources) {
  CriteriaValues values;
  const auto at = [&](Criterion criterion) -> double& { return values[index_of(criterion)]; };
  at(Criterion::words) = cosine(a.words, a.words_square, b.words, b.words_square);
  at(Criterion::trigrams) = trigram_cosine(a.trigrams, a.trigrams_square, b.trigrams, b.trigrams_square);
  at(Criterion::title) = cosine(a.title, a.title_square, b.title, b.title_square);
  at(Criterion::sentences) = weighted_containment(a.sentences, b.sentences);
  at(Criterion::sentences_back) = weighted_containment(b.sentences, a.sentences);
  at(Criterion::paragraphs) = weighted_containment(a.paragraphs, b.paragraphs);
  at(Criterion::paragraphs_back) = weighted_containment(b.paragraphs, a.paragraphs);
  at(Criterion::numbers) = containment(a.numbers, b.numbers);
  at(Criterion::numbers_back) = containment(b.numbers, a.numbers);
  at(Criterion::number_order) = order_similarity(a.numbers_in_order, b.numbers_in_order);
  at(Criterion::dates) = resemblance(a.dates, b.dates);
  at(Criterion::quantities) = resemblance(a.quantities, b.quantities);
  at(Criterion::names) = weighted_containment(a.names, b.names);
  at(Criterion::names_back) = weighted_containment(b.names, a.names);
  compare_topics(a, b, values);
  const bool both_links = a.has_links && b.has_links;
  at(Criterion::links) = both_links ? containment(a.links, b.links) : undefined();
  at(Criterion::links_back) = both_links ? containment(b.links, a.links) : undefined();
  at(Criterion::images) = a.images && b.images ? count_similarity(*a.images, *b.images) : undefined();
  at(Criterion::time) = a.time && b.time ? nearness(*a.time, *b.time) : undefined();
  at(Criterion::authority) = authority_criterion(a.origin, b.origin, sources);
  at(Criterion::event) = event_score(values);
  if (fill_one_form(a, b, values)) at(Criterion::event) *= kFormShare;
  return values;
}

}  // namespace akin::judge
