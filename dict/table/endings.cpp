#include "dict/table/endings.h"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <compare>
#include <functional>
#include <optional>

#include "base/parallel.h"
#include "base/parallel_sort.h"
#include "base/per_thread.h"

namespace akin {
namespace {

constexpr std::size_t kLongestStrip = 7;

using Strips = boost::unordered_flat_map<std::uint64_t, std::uint32_t>;  // by the key of the ending

/// The last letters of a form, the last one first, and how many letters the form loses. In the order of these
/// numbers all forms with an ending are neighbours.
class FormEnd {
 public:
  /// Requires that the form has at least two letters and begins with the stem.
  FormEnd(std::u32string_view form, std::u32string_view stem) : words_{0, 0, form.size() - stem.size()} {
    const std::size_t letters = std::min(kLongestEnding, form.size() - 1);
    for (std::size_t i = 0; i < letters; ++i)
      words_[i / kInWord] |= std::uint64_t{form[form.size() - 1 - i]} << shift(i);
  }

  /// The letter before the last `i` ones; 0 if it is the form's first, or not among the last.
  [[nodiscard]] char32_t letter(std::size_t i) const noexcept {
    return static_cast<char32_t>(words_[i / kInWord] >> shift(i) & kLetter);
  }
  [[nodiscard]] std::size_t strip() const noexcept { return words_[2] & kStrip; }
  friend auto operator<=>(const FormEnd&, const FormEnd&) = default;

 private:
  static constexpr std::size_t kInWord = 3, kBits = 21;
  static constexpr std::uint64_t kLetter = (std::uint64_t{1} << kBits) - 1, kStrip = kLongestStrip;
  static constexpr std::size_t shift(std::size_t i) { return kBits * (kInWord - 1 - i % kInWord); }
  static_assert(kLongestEnding <= 2 * kInWord + 1 && (kStrip & (kStrip + 1)) == 0);

  std::array<std::uint64_t, 3> words_;  // the last word has one letter, and the number of letters to lose
};

/// Number of letters that an ending of `letters` letters removes; nothing if it is too ambiguous.
std::optional<std::uint32_t> decide(std::span<const FormEnd> forms, std::size_t letters) {
  std::array<std::size_t, kLongestStrip + 1> losing{};
  for (const FormEnd& form : forms) ++losing[form.strip()];
  const auto most = std::max_element(losing.begin(), losing.end());
  if (letters > 1 && double(*most) < kLeastPurity * double(forms.size())) return std::nullopt;
  return static_cast<std::uint32_t>(most - losing.begin());
}

/// The rules of one round.
class Round {
 public:
  /// `stems` has the stem that the forms of each paradigm should leave, in order; forms that do not begin
  /// with it are passed over, as are paradigms with stems shorter than kLeastStem.
  Round(std::span<const Paradigms> sources, std::span<const std::u32string_view> stems) {
    std::vector<FormEnd> ends;
    const std::u32string_view* stem = stems.data();
    for (const Paradigms& source : sources) {
      source.for_each([&](std::span<const std::u32string_view> forms) {
        if (stem->size() >= kLeastStem) {
          for (const std::u32string_view form : forms) {
            if (form.size() <= stem->size() + kLongestStrip && form.starts_with(*stem))
              ends.emplace_back(form, *stem);
          }
        }
        ++stem;
      });
    }
    sort_on_all_cores(ends, std::less<>());
    settle(ends, 0, {}, std::nullopt);
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
  /// Decides about the ending of `letters` letters that these forms have, and about all longer ones. `hash`
  /// is that of its letters, `shorter` what was decided about the ending without its first letter.
  void settle(std::span<const FormEnd> forms, std::size_t letters, SpellingHash hash,
              std::optional<std::uint32_t> shorter) {
    if (forms.size() < kLeastSupport) return;  // nor have longer endings more
    if (letters > 0) {
      const auto own = decide(forms, letters);
      if (own && shorter != own) kept_.emplace(hash.value(), *own);
      if (own) shorter = own;
    }
    if (letters == kLongestEnding) return;
    for (std::size_t begin = 0, end = 0; begin < forms.size(); begin = end) {
      const char32_t letter = forms[begin].letter(letters);
      while (end < forms.size() && forms[end].letter(letters) == letter) ++end;
      if (letter == 0) continue;
      SpellingHash longer = hash;
      longer.add(letter);
      settle(forms.subspan(begin, end - begin), letters + 1, longer, shorter);
    }
  }

  Strips kept_;
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
  struct Candidate {
    std::u32string_view stem;
    std::size_t forms = 0;
  };
  auto& candidates = PerThread<std::vector<Candidate>>::get();  // few
  candidates.clear();
  for (const std::u32string_view form : forms) {
    const std::u32string_view stem = rules.stem(form);
    if (stem.empty()) continue;
    const auto known = std::ranges::find(candidates, stem, &Candidate::stem);
    if (known != candidates.end()) {
      ++known->forms;
    } else {
      candidates.push_back({stem, 1});
    }
  }
  const auto precedes = [](const Candidate& a, const Candidate& b) {
    if (a.forms != b.forms) return a.forms > b.forms;
    return a.stem.size() != b.stem.size() ? a.stem.size() < b.stem.size() : a.stem < b.stem;
  };
  const auto first = std::ranges::min_element(candidates, precedes);
  return first == candidates.end() ? std::u32string_view() : first->stem;
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

void Paradigms::add(std::u32string_view lemma, std::span<const std::u32string_view> forms) {
  const std::u32string_view beginning = lemma.substr(0, kLeastStem);
  const auto belongs = [&](std::u32string_view form) { return form.starts_with(beginning); };
  if (lemma.size() < kLeastStem || std::count_if(forms.begin(), forms.end(), belongs) < 2) return;
  for (const std::u32string_view form : forms) {
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
