#include "server/judge/window.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"

namespace akin::judge {

namespace {

constexpr std::array<std::string_view, 5> kCandidateRuleNames{"sentence-pairs", "sentences", "two-heaviest",
                                                              "heavy-words", "both"};

/// Distinguishes heavy words from the weights of sentences, which are above 0.
constexpr float kHeavy = -1;

std::uint64_t salted(std::uint64_t word) { return mix64(word ^ 0x6865617679ULL); }

}  // namespace

Result<CandidateRule> parse_candidate_rule(std::string_view name) {
  const auto* const found = std::find(kCandidateRuleNames.begin(), kCandidateRuleNames.end(), name);
  if (found != kCandidateRuleNames.end())
    return static_cast<CandidateRule>(found - kCandidateRuleNames.begin());
  return Error{Errc::invalid_argument, "nomination '" + std::string(name) + "'", "does not exist",
               "choose sentence-pairs, sentences, two-heaviest, heavy-words or both"};
}

std::string_view candidate_rule_name(CandidateRule candidate_rule) noexcept {
  return kCandidateRuleNames[static_cast<std::size_t>(candidate_rule)];
}

void Window::list_features(const JudgedDocument& document, std::vector<Weighed>& out) const {
  out.clear();
  const CandidateRule by = options_.candidate_rule;
  if (by == CandidateRule::sentence_pairs) {
    for (const std::uint64_t pair : document.sentence_pairs) out.push_back({pair, 1});
  }
  if (by == CandidateRule::sentences || by == CandidateRule::both) {
    for (const Weighted& sentence : document.sentences) out.push_back({sentence.hash, sentence.weight});
  }
  if (by == CandidateRule::heavy_words || by == CandidateRule::both) {
    for (const std::uint64_t word : document.heaviest) out.push_back({salted(word), kHeavy});
  }
  if (by == CandidateRule::two_heaviest && document.heaviest.size() >= 2) {
    out.push_back({mix64(document.heaviest[0]) + mix64(document.heaviest[1]), 1});
  }
}

void Window::link(std::uint64_t number, const Weighed& feature, std::vector<std::uint32_t>& nodes) {
  std::uint32_t at = free_;
  if (at == kNone) {
    at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[at].older;
  }
  const auto [head, fresh] = heads_.emplace(feature.feature, at);
  const std::uint32_t older = fresh ? kNone : std::exchange(head->second, at);
  nodes_[at] = {feature.feature, number, feature.weight, kNone, older};
  if (older != kNone) nodes_[older].newer = at;
  nodes.push_back(at);
}

void Window::unlink(std::uint32_t at) {
  Node& node = nodes_[at];
  if (node.older != kNone) nodes_[node.older].newer = node.newer;
  if (node.newer != kNone) {
    nodes_[node.newer].older = node.older;
  } else if (node.older != kNone) {
    heads_[node.feature] = node.older;
  } else {
    heads_.erase(node.feature);
  }
  node.older = std::exchange(free_, at);
}

Candidates Window::candidates(const JudgedDocument& document) {
  Candidates found;
  scores_.clear();
  list_features(document, features_);
  walks_.clear();
  for (const Weighed& feature : features_) {
    const auto head = heads_.find(feature.feature);
    if (head == heads_.end()) continue;
    Walk walk{head->second, options_.candidates_by_feature};
    if (feature.weight == kHeavy) {
      walks_.push_back(walk);
      continue;
    }
    for (; walk.goes_on(); walk.step(nodes_)) scores_[nodes_[walk.at].number].sentences += feature.weight;
    if (walk.at != kNone) ++found.cut_features;
  }
  // Lists of heavy words are long, and each node of one is elsewhere in memory: while one is fetched, the
  // others are walked.
  while (!walks_.empty()) {
    for (std::size_t i = 0; i < walks_.size();) {
      Walk& walk = walks_[i];
      if (walk.goes_on()) {
        ++scores_[nodes_[walk.at].number].heavy;
        walk.step(nodes_);
        ++i;
        continue;
      }
      if (walk.at != kNone) ++found.cut_features;
      walk = walks_.back();
      walks_.pop_back();
    }
  }
  struct Ranked {
    Score score;
    std::uint64_t number;
  };
  std::vector<Ranked> ranked;
  for (const auto& [number, score] : scores_) {
    if (score.sentences > 0 || score.heavy >= kSharedHeavy) ranked.push_back({score, number});
  }
  const auto before = [](const Ranked& a, const Ranked& b) {
    if (a.score.sentences != b.score.sentences) return a.score.sentences > b.score.sentences;
    if (a.score.heavy != b.score.heavy) return a.score.heavy > b.score.heavy;
    return a.number < b.number;
  };
  const std::size_t most = std::min(ranked.size(), options_.candidates);
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(most), ranked.end(), before);
  found.generated = ranked.size();
  for (std::size_t i = 0; i < most; ++i) found.best.push_back(ranked[i].number);
  return found;
}

std::uint64_t Window::insert(WindowEntry entry) {
  while (size_ >= options_.documents) remove(first_);
  const std::uint64_t number = first_ + slots_.size();
  Slot& slot = slots_.emplace_back();
  list_features(entry.document, features_);
  slot.nodes.reserve(features_.size());
  for (const Weighed& feature : features_) link(number, feature, slot.nodes);
  numbers_.emplace(entry.id, number);
  slot.entry = std::move(entry);
  ++size_;
  return number;
}

std::optional<std::uint64_t> Window::find(const std::string& id) const {
  const auto found = numbers_.find(id);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

void Window::remove(std::uint64_t number) {
  Slot& slot = slots_[number - first_];
  for (const std::uint32_t node : slot.nodes) unlink(node);
  numbers_.erase(slot.entry->id);
  slot = {};
  --size_;
  drop_gone();
}

void Window::drop_gone() {
  while (!slots_.empty() && !slots_.front().entry) {
    slots_.pop_front();
    ++first_;
  }
}

void Window::advance(std::int64_t time) {
  if (time <= now_) return;
  now_ = time;
  while (!slots_.empty() && slots_.front().entry->time < now_ - options_.seconds) remove(first_);
}

}  // namespace akin::judge
