#include "tests/bench/word_chain.h"

#include <algorithm>
#include <utility>

namespace akin::bench {

void WordChain::add(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f";
  for (std::size_t at = text.find_first_not_of(kSpace); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    const auto [entry, is_new] =
        numbers_.try_emplace(std::string(text.substr(at, end - at)), spellings_.size());
    if (is_new) spellings_.push_back(entry->first);
    words_.push_back(entry->second);
    at = text.find_first_not_of(kSpace, end);
  }
}

void WordChain::learn() {
  one_ = contexts(1);
  two_ = contexts(2);
}

WordChain::Contexts WordChain::contexts(unsigned order) const {
  std::vector<std::pair<std::uint64_t, Place>> keyed;
  keyed.reserve(words_.size());
  for (Place place = 0; place < words_.size(); ++place) {
    const std::uint64_t last = place < 1 ? 0 : words_[place - 1];
    const std::uint64_t before = order < 2 || place < 2 ? 0 : words_[place - 2];
    keyed.emplace_back(before << 32U | last, place);
  }
  std::ranges::sort(keyed);
  Contexts found;
  found.context.resize(keyed.size());
  for (std::size_t at = 0; at < keyed.size(); ++at) {
    const Place place = keyed[at].second;
    if (at == 0 || keyed[at].first != keyed[at - 1].first) {
      found.begins.push_back(static_cast<std::uint32_t>(at));
      found.single.push_back(true);
    } else if (words_[place] != words_[found.places.back()]) {
      found.single.back() = false;
    }
    found.places.push_back(place);
    found.context[place] = static_cast<std::uint32_t>(found.begins.size() - 1);
  }
  found.begins.push_back(static_cast<std::uint32_t>(keyed.size()));
  return found;
}

WordChain::Place WordChain::alternative(Random& random, Place place) const {
  const Contexts& known = two_.single[two_.context[place]] ? one_ : two_;
  const std::uint32_t context = known.context[place];
  const std::uint32_t begin = known.begins[context], end = known.begins[context + 1];
  return known.places[begin + random.below(end - begin)];
}

void WordChain::write(Random& random, std::size_t bytes, std::string& out) const {
  const std::size_t end = out.size() + bytes;
  auto place = static_cast<Place>(random.below(words_.size()));
  while (out.size() < end) {
    out += spellings_[words_[place]];
    out += ' ';
    place = alternative(random, (place + 1) % static_cast<Place>(words_.size()));
  }
  out.back() = '\n';
}

}  // namespace akin::bench
