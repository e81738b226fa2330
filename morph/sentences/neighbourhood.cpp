#include "morph/sentences/neighbourhood.h"

#include "morph/sentences/boundary.h"

namespace akin {
namespace {

bool contains(std::u32string_view set, char32_t c) { return set.find(c) != std::u32string_view::npos; }

bool is_apostrophe(char32_t c) { return c == U'\'' || c == U'\u2019' || c == U'\u02bc'; }

bool joins_words(char32_t c) { return c == U'-' || c == U'\u2010' || is_apostrophe(c); }

}  // namespace

std::size_t Neighbourhood::skip_space(std::size_t at) const {
  while (at < size() && is_boundary_space(block_[at])) ++at;
  return at;
}

std::size_t Neighbourhood::skip_space_back(std::size_t at) const {
  while (at > 0 && is_boundary_space(block_[at - 1])) --at;
  return at;
}

bool Neighbourhood::dash_at(std::size_t at) const {
  if (at >= size()) return false;
  if (is_dash(block_[at])) return true;
  return block_[at] == U'-' &&
         (at + 1 == size() || block_[at + 1] == U'-' || is_boundary_space(block_[at + 1]));
}

std::size_t Neighbourhood::word_begin(std::size_t end) const {
  std::size_t begin = end;
  while (begin > 0) {
    const char32_t c = block_[begin - 1];
    const bool inside = begin < end && begin > 1 && joins_words(c) && is_boundary_word(block_[begin - 2]);
    if (!inside && !is_boundary_word(c)) break;
    --begin;
  }
  return begin;
}

Neighbourhood::Next Neighbourhood::next_word(std::size_t at) const {
  Next next;
  for (; at < size(); ++at) {
    const char32_t c = block_[at];
    if (is_dash(c) || c == U'-') {
      next.dash = true;
    } else if (!is_boundary_space(c) && !is_quote(c) && !is_opening_bracket(c)) {
      break;
    }
  }
  next.begin = at;
  for (; at < size(); ++at) {
    const char32_t c = block_[at];
    const bool inside =
        at > next.begin && is_apostrophe(c) && at + 1 < size() && is_boundary_word(block_[at + 1]);
    if (!inside && !is_boundary_word(c)) break;
  }
  next.end = at;
  return next;
}

std::optional<std::size_t> Neighbourhood::opener(std::size_t at) const {
  std::size_t depth = 0;
  while (at > 0) {
    --at;
    if (is_closing_bracket(block_[at])) {
      ++depth;
    } else if (is_opening_bracket(block_[at])) {
      if (depth == 0) return at;
      --depth;
    }
  }
  return std::nullopt;
}

std::size_t Neighbourhood::smiley_end(std::size_t at) const {
  std::size_t i = at;
  if (i < size() && (block_[i] == U':' || block_[i] == U';' || block_[i] == U'=')) {
    ++i;
    if (i < size() && (block_[i] == U'-' || block_[i] == U'\'')) ++i;
  } else if (i >= size() || block_[i] != U')' || opener(at)) {
    return at;
  }
  const std::size_t mouth = i;
  while (i < size() && contains(U"()dpр", block_[i])) ++i;
  return i > mouth && (i == size() || is_boundary_space(block_[i])) ? i : at;
}

std::size_t Neighbourhood::words_before(std::size_t at, std::size_t limit) const {
  std::size_t words = 0;
  while (at > 0 && words < limit) {
    if (is_boundary_word(block_[at - 1])) {
      at = word_begin(at);
      ++words;
    } else if (is_terminator(block_[at - 1])) {
      break;
    } else {
      --at;
    }
  }
  return words;
}

}  // namespace akin
