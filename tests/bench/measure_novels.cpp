// The second experiment of Veretennikov 2009: novels and fragments of them, 4.28 GB at full size.
#include <algorithm>
#include <charconv>
#include <map>
#include <random>
#include <set>

#include "tests/bench/bench.h"
#include "tests/bench/experiment_index.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/fragments.h"

namespace akin::bench {

namespace {

using experiments::Work;

constexpr std::uint64_t kFullSize = 4'280'000'000;

/// "n0012" is a novel, "n0012#0003" a fragment of it.
std::string id_of(std::size_t novel, std::size_t fragment) {
  const std::string whole = format("n%04zu", novel);
  return fragment == 0 ? whole : whole + format("#%04zu", fragment);
}

struct Place {
  std::uint32_t novel = 0, fragment = 0;  ///< fragment 0 is the novel itself
};

Place place_of(std::string_view id) {
  Place place;
  const char* end = id.data() + id.size();
  const char* rest = std::from_chars(id.data() + 1, end, place.novel).ptr;
  if (rest != end) std::from_chars(rest + 1, end, place.fragment);
  return place;
}

/// Novels that are long enough to cut, in a shuffled order: as many as make up the share of `size` that they
/// had in 2009 (593 MB of 4.28 GB), at least one. All of them at full size.
std::vector<Work> read_novels(const Session& session, std::uint64_t size) {
  if (session.corpora.empty()) throw Skipped("no corpora (AKIN_CORPORA)");
  std::vector<Work> novels;
  for (const std::string& folder : novel_folders()) {
    if (!std::filesystem::is_directory(std::filesystem::path(session.corpora) / folder)) continue;
    for (Work& work : experiments::read_works(session.corpora, folder))
      if (work.text.size() >= experiments::FragmentSizes().shortest) novels.push_back(std::move(work));
  }
  if (novels.empty()) throw Skipped("the corpora hold no novels");
  std::shuffle(novels.begin(), novels.end(), std::mt19937_64(2009));
  const std::uint64_t share = size / 4280 * 593;
  std::uint64_t bytes = novels.front().text.size();
  std::size_t taken = 1;
  while (taken < novels.size() && bytes + novels[taken].text.size() <= share)
    bytes += novels[taken++].text.size();
  novels.resize(taken);
  return novels;
}

/// The novels, then one fragment of each, again and again until all have `size` bytes.
class NovelsAndFragments {
 public:
  NovelsAndFragments(const std::vector<Work>& novels, std::uint64_t size) : novels_(novels), size_(size) {}

  bool operator()(LoadedText& document) {
    if (novel_ == novels_.size()) {
      novel_ = 0;
      fragment_ += 1;
    }
    if (fragment_ > 0 && bytes_ >= size_) return false;
    const std::string& text = novels_[novel_].text;
    document.id = id_of(novel_, fragment_);
    document.text = fragment_ == 0 ? std::string_view(text) : experiments::cut_fragment(text, {}, random_);
    bytes_ += document.text.size();
    novel_ += 1;
    return true;
  }

 private:
  const std::vector<Work>& novels_;
  std::uint64_t size_;
  std::uint64_t bytes_ = 0;
  std::size_t novel_ = 0, fragment_ = 0;
  std::mt19937_64 random_{2009};
};

/// The paper's two conditions, filled pair by pair.
class Conditions {
 public:
  void add(const SimilarPair& pair) {
    Place a = place_of(pair.a), b = place_of(pair.b);
    double share = pair.overlap.containment();  // of a in b
    if (a.fragment == 0) {
      std::swap(a, b);
      share = pair.overlap.contained();
    }
    if (a.fragment == 0) return;  // two novels
    if (a.novel != b.novel) {
      sources_[std::minmax(a.novel, b.novel)] += 1;
    } else if (b.fragment == 0 && share >= 0.5) {
      found_.emplace(a.novel, a.fragment);
      least_ = std::min(least_, share);
    }
  }

  /// Fragments that are similar to their novel: half of the fragment is in it. Numbers of the novel and the
  /// fragment.
  [[nodiscard]] const auto& found() const noexcept { return found_; }
  [[nodiscard]] double least() const noexcept { return least_; }
  /// Pairs of novels of which a fragment of one is similar to the other or to a fragment of it.
  [[nodiscard]] const auto& sources() const noexcept { return sources_; }

 private:
  std::set<std::pair<std::uint32_t, std::uint32_t>> found_;
  double least_ = 1.0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sources_;
};

/// The fragments that miss their novel, each with how much of it is in the novel; the first three.
std::string missed_fragments(const Conditions& conditions, const Snapshot& snapshot, std::uint64_t novels,
                             std::uint64_t fragments) {
  std::string missed;
  int named = 0;
  for (std::uint64_t i = 0; i < fragments && named < 3; ++i) {
    const auto novel = static_cast<std::uint32_t>(i % novels);
    const auto fragment = static_cast<std::uint32_t>(1 + i / novels);
    if (conditions.found().contains({novel, fragment})) continue;
    const std::string id = id_of(novel, fragment);
    const auto part = need(snapshot.features(id));
    const auto whole = need(snapshot.features(id_of(novel, 0)));
    missed +=
        format("; %s misses with %llu of its %zu features", id.c_str(),
               static_cast<unsigned long long>(overlap(part.hashes, whole.hashes).x), part.hashes.size());
    ++named;
  }
  return missed;
}

void report_conditions(Session& session, const Conditions& conditions, const Snapshot& snapshot,
                       std::uint64_t novels) {
  const std::uint64_t fragments = need(snapshot.stats()).documents - novels;
  session.add(
      {"novels: fragments that miss their source", static_cast<double>(fragments - conditions.found().size()),
       "fragments", 0.0, Better::lower,
       format("condition 1; %llu of %llu fragments have at least half of themselves in their novel, the "
              "least %.3f",
              static_cast<unsigned long long>(conditions.found().size()),
              static_cast<unsigned long long>(fragments), conditions.least()) +
           missed_fragments(conditions, snapshot, novels, fragments)});
  // As in paper_2009 fragments: chance would have to repeat whole passages.
  constexpr std::uint64_t kSharedText = 20;
  std::uint64_t unexplained = 0;
  for (const auto& [pair, count] : conditions.sources()) {
    const auto a = need(snapshot.features(id_of(pair.first, 0)));
    const auto b = need(snapshot.features(id_of(pair.second, 0)));
    if (overlap(a.hashes, b.hashes).x < kSharedText) unexplained += 1;
  }
  session.add({"novels: unrelated novels with similar fragments", static_cast<double>(unexplained), "pairs",
               0.0, Better::lower,
               format("condition 2; %zu pairs of novels have similar fragments, all others of them share at "
                      "least %llu sentence pairs",
                      conditions.sources().size(), static_cast<unsigned long long>(kSharedText))});
}

void measure_novels(Session& session) {
  const std::uint64_t size = session.sizes.novels;
  const std::vector<Work> novels = read_novels(session, size);
  isolated(session, [&](Session& inner) { report_load(inner, "novels", NovelsAndFragments(novels, size)); });
  isolated(session, [&](Session& inner) { report_disk(inner, "novels"); });
  isolated(session, [&](Session& inner) {
    Conditions conditions;
    const std::optional<double> goal = size >= kFullSize ? std::optional(10.0) : std::nullopt;
    const auto snapshot =
        report_pairs(inner, "novels", goal, [&](const SimilarPair& pair) { conditions.add(pair); });
    report_conditions(inner, conditions, *snapshot, novels.size());
  });
}

}  // namespace

std::vector<Measurement> novel_measurements() {
  return {{"novels", "2009: novels and their fragments, both conditions, all pairs (--bytes 4.28G)",
           measure_novels}};
}

}  // namespace akin::bench
