#include "index/pairs/pair_round.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace akin {

namespace {

constexpr std::uint32_t kMaxWeight = 0x7fffffffU;

/// The first place of [at, end) that holds `document` or a later one. Documents looked up ascend, so the
/// search widens from where the last one ended.
template <class DocumentAt>
std::size_t gallop(std::size_t at, std::size_t end, std::uint32_t document, DocumentAt&& document_at) {
  std::size_t step = 1;
  std::size_t low = at;
  while (at < end && document_at(at) < document) {
    low = at + 1;
    at += step;
    step *= 2;
  }
  std::size_t high = std::min(at, end);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (document_at(middle) < document) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

void PairRound::begin(std::uint32_t first, std::uint32_t last) {
  assert(first < last && last <= survey_.size());
  first_ = first;
  last_ = last;
  end_ = 0;
  sums_ = 0;
  rests_ = 0;
}

std::size_t PairRound::words() const noexcept {
  const std::size_t begins = 2 * (std::size_t{last_} - first_ + 1);
  return end_ + begins + kSumWords * sums_ + kRestWords * rests_;
}

PairRound::List PairRound::read_list(std::size_t& at) const noexcept {
  List list;
  const std::uint32_t head = arena_[at++];
  list.weight = head & ~kSplit;
  if ((head & kSplit) == 0) {
    list.prefix = static_cast<std::uint32_t>(at);
    while ((arena_[at++] & kLast) == 0) {
    }
    list.prefix_end = list.others = list.others_end = static_cast<std::uint32_t>(at);
    return list;
  }
  const std::uint32_t in_prefix = arena_[at++];
  const std::uint32_t others = arena_[at++];
  list.prefix = static_cast<std::uint32_t>(at);
  list.prefix_end = list.others = list.prefix + in_prefix;
  list.others_end = list.others + others;
  at = list.others_end;
  return list;
}

void PairRound::write_plain(std::uint32_t weight, std::span<const DocNumber> documents) {
  arena_[end_++] = weight;
  for (const DocNumber document : documents) arena_[end_++] = static_cast<std::uint32_t>(document);
  arena_[end_ - 1] |= kLast;
}

void PairRound::write_split(std::uint32_t weight, std::span<const DocNumber> documents, unsigned band) {
  const std::size_t head = end_;
  end_ += 3;
  const auto write_part = [&](bool in_prefix) {
    const std::size_t part = end_;
    for (const DocNumber document : documents) {
      const auto number = static_cast<std::uint32_t>(document);
      if (survey_.in_prefix(number, band) == in_prefix) arena_[end_++] = number;
    }
    if (end_ > part) arena_[end_ - 1] |= kLast;
    return static_cast<std::uint32_t>(end_ - part);
  };
  arena_[head] = weight | kSplit;
  arena_[head + 1] = write_part(true);
  arena_[head + 2] = write_part(false);
}

template <class Sum, class Rest>
void PairRound::for_each_place(const List& list, Sum&& sum, Rest&& rest) const {
  std::uint32_t prefix = list.prefix;
  std::uint32_t other = list.others;
  const auto add_candidate = [&](std::uint32_t a, std::uint32_t place, std::uint32_t end) {
    if (place != end) sum(a, place);
  };
  const auto leave = [&](std::uint32_t a, std::uint32_t place, std::uint32_t end) {
    if (place != end) rest(a, place, end);
  };
  const bool either = survey_.candidate_rule() == CandidateRule::either;
  for (;;) {
    const std::uint32_t in_prefix = prefix == list.prefix_end ? last_ : document(prefix);
    const std::uint32_t not_in_prefix = other == list.others_end ? last_ : document(other);
    const std::uint32_t a = std::min(in_prefix, not_in_prefix);
    if (a >= last_) return;
    if (a == in_prefix) {
      ++prefix;
      add_candidate(a, prefix, list.prefix_end);
      if (either) {
        add_candidate(a, other, list.others_end);
      } else {
        leave(a, other, list.others_end);
      }
    } else {
      ++other;
      if (either) {
        add_candidate(a, prefix, list.prefix_end);
      } else {
        leave(a, prefix, list.prefix_end);
      }
      leave(a, other, list.others_end);
    }
  }
}

void PairRound::count_places(const List& list) {
  for_each_place(
      list, [&](std::uint32_t, std::uint32_t) { ++sums_; },
      [&](std::uint32_t, std::uint32_t, std::uint32_t) { ++rests_; });
}

bool PairRound::add(std::uint32_t weight, std::span<const DocNumber> documents, std::uint32_t shortest) {
  const auto behind = std::lower_bound(documents.begin(), documents.end(), DocNumber{first_});
  const std::span<const DocNumber> members(behind, documents.end());
  if (members.size() < 2 || static_cast<std::uint32_t>(members.front()) >= last_) return true;
  const unsigned band = survey_.band(documents.size());
  const auto in_prefix = [&](DocNumber member) {
    return survey_.in_prefix(static_cast<std::uint32_t>(member), band);
  };
  const bool plain = band == 0 || std::ranges::all_of(members, in_prefix);
  constexpr std::size_t kLongestHead = 3;
  while (words() + members.size() * (1 + std::max(2 * kSumWords, 2 * kRestWords)) + kLongestHead >
         arena_.size()) {
    const std::uint32_t half = (last_ - first_) / 2;
    if (half < shortest) return false;
    shorten(first_ + half);
    if (static_cast<std::uint32_t>(members.front()) >= last_) return true;
  }
  std::size_t list = end_;
  if (plain) {
    write_plain(std::min(weight, kMaxWeight), members);
  } else {
    write_split(std::min(weight, kMaxWeight), members, band);
  }
  count_places(read_list(list));
  return weight <= kMaxWeight || add(weight - kMaxWeight, documents, shortest);
}

void PairRound::shorten(std::uint32_t last) {
  last_ = last;
  sums_ = 0;
  rests_ = 0;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < end_;) {
    const std::size_t begin = at;
    const List list = read_list(at);
    const bool prefix_in = list.prefix != list.prefix_end && document(list.prefix) < last_;
    const bool others_in = list.others != list.others_end && document(list.others) < last_;
    if (!prefix_in && !others_in) continue;
    std::copy(arena_.begin() + static_cast<std::ptrdiff_t>(begin),
              arena_.begin() + static_cast<std::ptrdiff_t>(at),
              arena_.begin() + static_cast<std::ptrdiff_t>(kept));
    std::size_t moved = kept;
    kept += at - begin;
    count_places(read_list(moved));
  }
  end_ = kept;
}

void PairRound::seal() {
  assert(words() <= arena_.size());
  const std::size_t documents = last_ - first_;
  sum_begins_ = end_;
  rest_begins_ = sum_begins_ + documents + 1;
  const std::size_t first_sum = rest_begins_ + documents + 1;
  const std::size_t first_rest = first_sum + kSumWords * sums_;
  std::fill_n(arena_.begin() + static_cast<std::ptrdiff_t>(end_), 2 * (documents + 1), 0U);

  // Counts first, so that each table holds the start of the next document's places; then fills from the back,
  // which leaves the start of its own.
  std::uint32_t* const sum_begins = &arena_[sum_begins_];
  std::uint32_t* const rest_begins = &arena_[rest_begins_];
  for (std::size_t at = 0; at < end_;) {
    for_each_place(
        read_list(at), [&](std::uint32_t a, std::uint32_t) { sum_begins[a - first_] += kSumWords; },
        [&](std::uint32_t a, std::uint32_t, std::uint32_t) { rest_begins[a - first_] += kRestWords; });
  }
  auto sum_end = static_cast<std::uint32_t>(first_sum);
  auto rest_end = static_cast<std::uint32_t>(first_rest);
  for (std::size_t i = 0; i <= documents; ++i) {
    sum_begins[i] = sum_end += sum_begins[i];
    rest_begins[i] = rest_end += rest_begins[i];
  }
  for (std::size_t at = 0; at < end_;) {
    const List list = read_list(at);
    for_each_place(
        list,
        [&](std::uint32_t a, std::uint32_t place) {
          const std::uint32_t sum = sum_begins[a - first_] -= kSumWords;
          arena_[sum] = place;
          arena_[sum + 1] = list.weight;
        },
        [&](std::uint32_t a, std::uint32_t place, std::uint32_t end) {
          const std::uint32_t rest = rest_begins[a - first_] -= kRestWords;
          arena_[rest] = place;
          arena_[rest + 1] = end;
          arena_[rest + 2] = list.weight;
        });
  }
}

void PairRound::partners(std::uint32_t a, PairCounters& counters, std::vector<WantedPair>& found) const {
  assert(a >= first_ && a < last_);
  const std::uint64_t features = survey_[a].features;
  if (features <= condition_.bound) return;
  std::uint32_t* const counts = counters.counts.data();
  std::uint32_t* const touched = counters.touched.data();
  const std::uint32_t* const arena = arena_.data();
  std::size_t touches = 0;
  const std::size_t at = a - first_;
  const std::uint32_t sums_end = arena[sum_begins_ + at + 1];
  for (std::uint32_t sum = arena[sum_begins_ + at]; sum < sums_end; sum += kSumWords) {
    // Lists are scattered by their features' hashes: the one after the next is prefetched meanwhile. (After
    // the last sums the word read belongs to another table, and prefetching any address is harmless.)
    __builtin_prefetch(arena + arena[std::min(sum + 2 * kSumWords, sums_end - kSumWords)]);
    const std::uint32_t weight = arena[sum + 1];
    const std::uint32_t* place = arena + arena[sum];
    std::uint32_t word = 0;
    do {
      word = *place++;
      const std::uint32_t b = word & ~kLast;
      const std::uint32_t before = counts[b];
      counts[b] = before + weight;
      // Always written, and kept if it is new: a branch here would be mispredicted too often.
      touched[touches] = b;
      touches += before == 0 ? 1 : 0;
    } while ((word & kLast) == 0);
  }

  counters.candidates.clear();
  for (std::size_t i = 0; i < touches; ++i) {
    const std::uint32_t b = touched[i];
    const std::uint64_t most = std::uint64_t{counts[b]} + survey_.ignored_features(a, b);
    const std::uint64_t size = survey_[b].features;
    if (condition_.holds(Overlap{std::min({most, features, size}), features, size})) {
      counters.candidates.push_back(b);
    }
  }
  std::ranges::sort(counters.candidates);
  if (!counters.candidates.empty()) finish(a, counters);
  for (const std::uint32_t b : counters.candidates) {
    if (condition_.holds(Overlap{counts[b], features, survey_[b].features})) {
      found.push_back({a, b, counts[b]});
    }
  }
  for (std::size_t i = 0; i < touches; ++i) counts[touched[i]] = 0;
}

void PairRound::finish(std::uint32_t a, PairCounters& counters) const {
  const std::size_t at = a - first_;
  const std::uint32_t rests_end = arena_[rest_begins_ + at + 1];
  for (std::uint32_t rest = arena_[rest_begins_ + at]; rest < rests_end; rest += kRestWords) {
    std::size_t place = arena_[rest];
    const std::size_t end = arena_[rest + 1];
    const std::uint32_t weight = arena_[rest + 2];
    const std::size_t steps = 2 * std::bit_width((end - place) / counters.candidates.size());
    if (counters.candidates.size() * (steps + 1) < end - place) {
      for (const std::uint32_t b : counters.candidates) {
        place = gallop(place, end, b, [&](std::size_t i) { return document(i); });
        if (place == end) break;
        if (document(place) == b) counters.counts[b] += weight;
      }
    } else {
      // Documents without a count are not candidates, and must not become candidates.
      for (; place < end; ++place) {
        std::uint32_t& count = counters.counts[document(place)];
        count += count == 0 ? 0 : weight;
      }
    }
  }
}

}  // namespace akin
