#include "dict/compile/endings.h"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <optional>

#include "base/parallel.h"

namespace akin {
namespace {

constexpr std::size_t kLongestStrip = 7;

/// How many letters the forms with one ending lose.
struct Tally {
  std::uint64_t shorter = 0;  ///< key of the ending without its first letter; 0 for one letter
  std::array<std::uint32_t, kLongestStrip + 1> forms{};  ///< by the number of letters they lose
};
using Tallies = boost::unordered_flat_map<std::uint64_t, Tally>;
using Strips = boost::unordered_flat_map<std::uint64_t, std::uint32_t>;  // by the key of the ending

/// Number of letters that an ending removes; nothing if it is too rare or too ambiguous.
std::optional<std::uint32_t> decide(const Tally& tally, bool one_letter) {
  std::uint64_t all = 0;
  for (const std::uint32_t forms : tally.forms) all += forms;
  const auto most = std::max_element(tally.forms.begin(), tally.forms.end());
  if (all < kLeastSupport || (!one_letter && double(*most) < kLeastPurity * double(all))) return std::nullopt;
  return static_cast<std::uint32_t>(most - tally.forms.begin());
}

/// The rules of one round. Each length of endings is counted separately, one per processor.
class Round {
 public:
  /// `stems` has the stem that the forms of each paradigm should leave, in order; forms that do not begin
  /// with it are passed over, as are paradigms with stems shorter than kLeastStem.
  Round(std::span<const Paradigms> sources, std::span<const std::u32string_view> stems) {
    std::array<Tallies, kLongestEnding> tallies;
    for_each_index(kLongestEnding, [&](std::size_t i) {
      const std::u32string_view* stem = stems.data();
      for (const Paradigms& source : sources) {
        source.for_each([&](std::span<const std::u32string_view> forms) {
          if (stem->size() >= kLeastStem) {
            for (const std::u32string_view form : forms) count(form, *stem, i + 1, tallies[i]);
          }
          ++stem;
        });
      }
    });
    for (std::size_t i = 0; i < kLongestEnding; ++i) settle(tallies[i], i == 0);
  }

  [[nodiscard]] std::u32string_view stem(std::u32string_view word) const {
    const std::size_t length = stem_length(word, [this](std::uint64_t key) {
      const auto found = kept_.find(key);
      return found == kept_.end() ? -1 : static_cast<int>(found->second);
    });
    return word.substr(0, length);
  }

  [[nodiscard]] std::vector<Ending> endings() const {
    std::vector<Ending> out;
    out.reserve(kept_.size());
    for (const auto& [key, strip] : kept_) out.push_back({key, strip});
    std::sort(out.begin(), out.end(), [](const Ending& a, const Ending& b) { return a.key < b.key; });
    return out;
  }

 private:
  static void count(std::u32string_view form, std::u32string_view stem, std::size_t letters,
                    Tallies& tallies) {
    if (letters >= form.size() || form.size() > stem.size() + kLongestStrip || !form.starts_with(stem))
      return;
    SpellingHash hash;
    for (std::size_t i = 1; i < letters; ++i) hash.add(form[form.size() - i]);
    const std::uint64_t shorter = letters > 1 ? hash.value() : 0;
    hash.add(form[form.size() - letters]);
    Tally& tally = tallies[hash.value()];
    tally.shorter = shorter;
    ++tally.forms[form.size() - stem.size()];
  }

  void settle(const Tallies& tallies, bool one_letter) {
    Strips decided;
    for (const auto& [key, tally] : tallies) {
      const auto shorter = decided_.find(tally.shorter);
      const auto own = decide(tally, one_letter);
      if (own && (shorter == decided_.end() || shorter->second != *own)) kept_.emplace(key, *own);
      if (own) {
        decided.emplace(key, *own);
      } else if (shorter != decided_.end()) {
        decided.emplace(key, shorter->second);
      }
    }
    decided_ = std::move(decided);
  }

  Strips kept_;
  Strips decided_;  // for endings of the length decided last
};

std::u32string_view common_beginning(std::span<const std::u32string_view> forms) {
  std::u32string_view common = forms.front();
  for (const std::u32string_view form : forms) {
    const auto end = std::mismatch(common.begin(), common.end(), form.begin(), form.end()).first;
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return common;
}

/// The stem that most forms get. Of several, the shortest counts, and of equally short ones the first;
/// nothing if the rules know no form's end.
std::u32string_view commonest_stem(std::span<const std::u32string_view> forms, const Round& rules) {
  std::map<std::u32string_view, std::size_t> stems;
  for (const std::u32string_view form : forms) {
    const std::u32string_view stem = rules.stem(form);
    if (!stem.empty()) ++stems[stem];
  }
  const auto precedes = [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first.size() < b.first.size();
  };
  const auto first = std::min_element(stems.begin(), stems.end(), precedes);
  return first == stems.end() ? std::u32string_view() : first->first;
}

/// stem_of(forms) for each paradigm of each source.
template <class StemOf>
std::vector<std::u32string_view> stems_of(std::span<const Paradigms> sources, StemOf stem_of) {
  std::vector<std::vector<std::u32string_view>> parts(sources.size());
  for_each_index(sources.size(), [&](std::size_t i) {
    sources[i].for_each(
        [&](std::span<const std::u32string_view> forms) { parts[i].push_back(stem_of(forms)); });
  });
  std::vector<std::u32string_view> stems;
  for (const auto& part : parts) stems.insert(stems.end(), part.begin(), part.end());
  return stems;
}

}  // namespace

void Paradigms::add(std::u32string_view lemma, std::span<const std::u32string> forms) {
  const std::u32string_view beginning = lemma.substr(0, kLeastStem);
  const auto belongs = [&](const std::u32string& form) { return form.starts_with(beginning); };
  if (lemma.size() < kLeastStem || std::count_if(forms.begin(), forms.end(), belongs) < 2) return;
  for (const std::u32string& form : forms) {
    if (!belongs(form)) continue;
    letters_ += form;
    form_ends_.push_back(letters_.size());
  }
  paradigm_ends_.push_back(form_ends_.size());
}

std::vector<Ending> learn_endings(std::span<const Paradigms> sources) {
  const Round first(sources, stems_of(sources, common_beginning));
  const auto names = [&](std::span<const std::u32string_view> forms) { return commonest_stem(forms, first); };
  return Round(sources, stems_of(sources, names)).endings();
}

}  // namespace akin
