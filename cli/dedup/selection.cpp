#include "cli/dedup/selection.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>

#include "base/files.h"

namespace akin::dedup {

namespace {

namespace fs = std::filesystem;

static_assert(std::is_trivially_copyable_v<Candidate> && sizeof(Candidate) == 16);

/// Candidates that are decided at once: of as many texts, pairs are measured on all cores.
constexpr std::size_t kWindow = 4096;
/// Texts with common text that are compared with each other, two by two.
constexpr std::size_t kCommonWindow = 64;
/// Candidate::share of a pair that was measured.
constexpr double kMeasured = -1.0;

/// Calls take(candidate) for all candidates of the files.
template <class Take>
Result<void> for_each_candidate(const std::vector<fs::path>& files, const Take& take) {
  for (const fs::path& file : files) {
    std::string held;
    const auto take_bytes = [&](std::string_view bytes) -> Result<void> {
      held += bytes;
      const std::size_t whole = held.size() / sizeof(Candidate) * sizeof(Candidate);
      for (std::size_t at = 0; at < whole; at += sizeof(Candidate)) {
        Candidate candidate;
        std::memcpy(&candidate, held.data() + at, sizeof candidate);
        take(candidate);
      }
      held.erase(0, whole);
      return {};
    };
    AKIN_CHECK(read_file(file, take_bytes));
  }
  return {};
}

}  // namespace

std::string_view bytes_of(const Candidate& candidate) noexcept {
  return {reinterpret_cast<const char*>(&candidate), sizeof candidate};
}

Selection::Selection(const Corpus& corpus, double least, CommonTexts* common)
    : corpus_(corpus),
      least_(least),
      common_(common),
      order_(corpus.texts()),
      rank_(corpus.texts()),
      fates_(corpus.texts(), Fate::open),
      covers_(corpus.texts()) {
  std::iota(order_.begin(), order_.end(), TextNumber{0});
  std::ranges::sort(order_, [&](TextNumber one, TextNumber other) { return corpus.prefers(one, other); });
  for (std::uint32_t rank = 0; rank < order_.size(); ++rank) rank_[order_[rank]] = rank;
}

Result<std::vector<std::uint32_t>> Selection::count_candidates(const std::vector<fs::path>& files) const {
  std::vector<std::uint32_t> counts(order_.size());
  AKIN_CHECK(for_each_candidate(files, [&](const Candidate& one) { ++counts[rank_[one.other]]; }));
  return counts;
}

void Selection::arrange(Candidates& candidates) const {
  const auto place = [&](const Candidate& one) {
    return std::tuple(rank_[one.other], rank_[one.preferred], one.share);
  };
  std::ranges::sort(candidates, {}, place);
  const auto is_same = [&](const Candidate& one, const Candidate& next) { return place(one) == place(next); };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), is_same), candidates.end());
}

Result<Selection::Candidates> Selection::read_round(const std::vector<fs::path>& files, Ranks round) const {
  Candidates candidates;
  AKIN_CHECK(for_each_candidate(files, [&](const Candidate& one) {
    const std::uint32_t rank = rank_[one.other];
    if (rank >= round.begin && rank < round.end && fates_[one.preferred] != Fate::dropped)
      candidates.push_back(one);
  }));
  arrange(candidates);
  return candidates;
}

void Selection::offer(const Candidate& candidate, bool aligned) {
  if (candidate.share < least_) return;
  Cover& cover = covers_[candidate.other];
  const Cover offered{candidate.preferred, aligned, candidate.share};
  const auto worth = [&](const Cover& one) {
    return std::tuple(one.share > 0.0, !one.aligned, one.share, -std::int64_t{rank_[one.by]});
  };
  if (worth(offered) > worth(cover)) cover = offered;
}

bool Selection::look_at(std::span<Candidate> of_text, std::vector<Candidate*>& due) {
  bool is_decided = true;
  const Cover& cover = covers_[of_text.front().other];
  for (const Candidate& one : of_text) {
    if (fates_[one.preferred] == Fate::open) is_decided = false;
    if (fates_[one.preferred] == Fate::kept && one.share > 0.0) offer(one, false);
  }
  const bool is_known = cover.share > 0.0 && !cover.aligned;
  for (Candidate& one : of_text) {
    if (fates_[one.preferred] == Fate::kept && one.share == 0.0 && !is_known) due.push_back(&one);
  }
  return is_decided;
}

Result<void> Selection::measure_all(std::vector<Candidate*>& due, const MeasureShares& measure) {
  if (due.empty()) return {};
  // Those of one preferred text together: it is read and prepared once.
  std::ranges::stable_sort(due, {}, [](const Candidate* one) { return one->preferred; });
  Candidates candidates;
  for (const Candidate* const one : due) candidates.push_back(*one);
  AKIN_TRY(const std::vector<double> shares, measure(candidates));
  for (std::size_t i = 0; i < due.size(); ++i) {
    due[i]->share = kMeasured;
    candidates[i].share = shares[i];
    offer(candidates[i], true);
  }
  measured_ += due.size();
  due.clear();
  return {};
}

Result<void> Selection::decide(std::span<Candidate> candidates, const MeasureShares& measure) {
  std::vector<std::span<Candidate>> open;  // of each text that is open
  std::vector<Candidate*> due;
  for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
    while (end < candidates.size() && candidates[end].other == candidates[begin].other) ++end;
    open.push_back(candidates.subspan(begin, end - begin));
  }
  while (!open.empty()) {
    // The first open text waits for no other, so every turn decides about one at least.
    std::vector<std::span<Candidate>> ready, waiting;
    for (const auto& of_text : open) (look_at(of_text, due) ? ready : waiting).push_back(of_text);
    AKIN_CHECK(measure_all(due, measure));
    for (const auto& of_text : ready) {
      const TextNumber text = of_text.front().other;
      fates_[text] = covers_[text].share > 0.0 ? Fate::dropped : Fate::kept;
    }
    open = std::move(waiting);
  }
  return {};
}

void Selection::keep_others(Ranks round, std::span<const Candidate> candidates) {
  std::vector<bool> has_candidates(round.end - round.begin);
  for (const Candidate& one : candidates) has_candidates[rank_[one.other] - round.begin] = true;
  for (std::size_t rank = round.begin; rank < round.end; ++rank)
    if (!has_candidates[rank - round.begin]) fates_[order_[rank]] = Fate::kept;
}

Result<void> Selection::add_common(std::span<const TextNumber> texts, Candidates& candidates) {
  AKIN_CHECK(common_->read(texts));
  if (corpus_.is_known(texts.back())) return {};  // and so are those that are preferred
  common_->find_kept(candidates);
  common_->find_among_themselves(candidates);
  std::erase_if(candidates, [&](const Candidate& one) { return corpus_.is_known(one.other); });
  arrange(candidates);
  return {};
}

Result<void> Selection::write_common(std::size_t begin, const fs::path& file,
                                     std::vector<std::uint32_t>& counts) {
  const FileHandle out(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (out.get() < 0) return system_error(errno, file.string(), "write");
  for (std::size_t rank = begin; rank < order_.size();) {
    std::vector<TextNumber> texts;
    for (; rank < order_.size() && texts.size() < kWindow; ++rank)
      if (common_->has(order_[rank]) && !corpus_.is_known(order_[rank])) texts.push_back(order_[rank]);
    Candidates candidates;
    AKIN_CHECK(common_->read(texts));
    common_->find_kept(candidates);
    std::string bytes;
    for (const Candidate& one : candidates) {
      bytes += bytes_of(one);
      ++counts[rank_[one.other]];
    }
    AKIN_CHECK(write_all(out, bytes, file.string()));
  }
  common_->forget();
  return {};
}

Result<std::size_t> Selection::decide_round(
    Ranks round, std::span<const Candidate> candidates, const MeasureShares& measure,
    const std::function<Result<void>(const SelectionProgress&)>& progress) {
  std::size_t at = 0;
  for (Ranks window{round.begin, round.begin}; window.begin < round.end; window.begin = window.end) {
    std::vector<TextNumber> common;
    const std::size_t first = at;
    while (window.end < round.end && at - first < kWindow && common.size() < kCommonWindow) {
      const TextNumber text = order_[window.end++];
      if (common_ != nullptr && common_->has(text)) common.push_back(text);
      while (at < candidates.size() && candidates[at].other == text) ++at;
    }
    Candidates all(candidates.begin() + static_cast<std::ptrdiff_t>(first),
                   candidates.begin() + static_cast<std::ptrdiff_t>(at));
    if (!common.empty()) AKIN_CHECK(add_common(common, all));
    keep_others(window, all);
    AKIN_CHECK(decide(all, measure));
    AKIN_CHECK(progress({static_cast<double>(window.end) / static_cast<double>(order_.size()), measured_}));
    if (common.empty()) continue;
    common_->keep([&](TextNumber text) { return fates_[text] == Fate::kept; });
    if (common_->is_full()) return window.end;
  }
  return round.end;
}

Result<void> Selection::run(std::vector<fs::path> files, std::uint64_t memory, const MeasureShares& measure,
                            const std::function<Result<void>(const SelectionProgress&)>& progress) {
  const fs::path beside = files.front();
  AKIN_TRY(std::vector<std::uint32_t> counts, count_candidates(files));
  for (Ranks round; round.begin < order_.size();) {
    std::uint64_t count = 0;
    round.end = round.begin;
    while (round.end < order_.size() &&
           (count == 0 || (count + counts[round.end]) * sizeof(Candidate) <= memory))
      count += counts[round.end++];
    Candidates candidates;
    if (count > 0) {
      AKIN_TRY(candidates, read_round(files, round));
    }
    AKIN_TRY(round.begin, decide_round(round, candidates, measure, progress));
    if (common_ == nullptr || !common_->is_full()) continue;
    files.push_back(beside);
    files.back() += ".common-" + std::to_string(round.begin);
    AKIN_CHECK(write_common(round.begin, files.back(), counts));
  }
  return {};
}

}  // namespace akin::dedup
