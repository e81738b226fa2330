#include "morph/words/paragraph.h"

#include <utility>

#include "morph/sentences/boundary.h"
#include "morph/words/scanner.h"

namespace akin {
namespace {

bool is_word_character(CharKind kind) {
  return kind == CharKind::letter || kind == CharKind::digit || kind == CharKind::solo ||
         kind == CharKind::mark;
}

/// Whether a letter after a character of this kind begins a word, whatever came before.
bool parts_words(CharKind kind) {
  return kind == CharKind::space || kind == CharKind::other || kind == CharKind::quote ||
         kind == CharKind::dash;
}

/// Extends `first` to the end of `last`, as far as its fields can hold that.
void extend(FoldedChar& first, const FoldedChar& last) {
  const std::uint32_t code_points = last.code_point_offset + last.code_points - first.code_point_offset;
  const std::uint32_t bytes = last.byte_offset + last.bytes - first.byte_offset;
  if (bytes > 0xffff) return;
  first.code_points = static_cast<std::uint16_t>(code_points);
  first.bytes = static_cast<std::uint16_t>(bytes);
}

void extend(Piece& piece, const FoldedChar& last) {
  piece.range.end = last.code_point_offset + last.code_points;
  piece.byte_end = last.byte_offset + last.bytes;
}

Piece piece_of(const FoldedChar& c, std::uint32_t at) {
  return {.begin = at,
          .end = at + 1,
          .range = {c.code_point_offset, c.code_point_offset + c.code_points},
          .byte_begin = c.byte_offset,
          .byte_end = c.byte_offset + c.bytes,
          .kind = c.kind,
          .scripts = c.scripts};
}

}  // namespace

Paragraph::Paragraph(std::string_view utf8) : plain_(utf8) { reader_.reset(utf8); }

bool Paragraph::next() {
  while (!at_end_) {
    window_.clear();
    run_begin_ = 0;
    run_scripts_ = kNoScript;
    pending_ = {};
    last_is_letter_ = false;
    begun_ = false;
    complete_ = false;
    fill(1);
    if (begun_) return true;
  }
  return false;
}

void Paragraph::fill(std::size_t size) {
  // One character may add three: a hyphen and a space before it, and itself.
  window_.reserve(size + PlainReader::kRoom + 4);
  FoldedChar c;
  while (!complete_ && window_.size() < size) {
    read_plain(size);
    if (window_.size() >= size) break;
    if (reader_.next(c)) {
      take(c);
    } else {
      end_paragraph();
      at_end_ = true;
    }
  }
}

void Paragraph::drop(std::size_t letters, std::size_t words, std::size_t pieces) {
  window_.drop(letters, words, pieces);
  run_begin_ = run_begin_ > letters ? run_begin_ - letters : 0;
}

void Paragraph::read_plain(std::size_t size) {
  auto place = reader_.place();
  if (!place || pending_.soft_hyphen) return;
  const CharInfo first = reader_.at_place();
  if (!nothing_pending()) {
    if (!first.is_plain_letter() || (pending_.hyphens > 0 && !pending_.is_dash())) return;
    settle_pending(false);
  }
  const bool white = first.kind() == CharKind::space || first.kind() == CharKind::line_break;
  if (begun_ ? !parts_words(last_kind_) : white) return;
  const CharKind last = plain_.read(*place, size, window_);
  if (last == CharKind::ignorable) return;
  reader_.seek(*place);
  begun_ = true;
  last_kind_ = last;
  last_is_letter_ = last == CharKind::letter;
  run_begin_ = window_.size();
}

void Paragraph::take(const FoldedChar& c) {
  switch (c.kind) {
    case CharKind::letter:
      push(c, settle_pending(true));
      last_is_letter_ = true;
      break;
    case CharKind::mark:
      take_mark(c);
      break;
    case CharKind::space:
    case CharKind::line_break:
      take_space(c);
      break;
    case CharKind::paragraph_break:
      goes_on() ? take_space(c) : end_paragraph();
      break;
    case CharKind::hyphen:
      take_hyphen(c);
      break;
    case CharKind::apostrophe:
      settle_pending(false);
      put_apostrophe(c);
      break;
    default:
      settle_pending(false);
      push(c);
      last_is_letter_ = false;
  }
}

void Paragraph::take_space(const FoldedChar& c) {
  if (!begun_ && pending_.hyphens == 0) return;
  if (pending_.spaces == 0) {
    pending_.space = c;
    if (c.soft_hyphen && pending_.hyphens == 0) pending_.soft_hyphen = true;
    after_carriage_return_ = false;
  }
  ++pending_.spaces;
  if (c.kind == CharKind::line_break && !(after_carriage_return_ && c.letter == U'\n'))
    ++pending_.line_breaks;
  after_carriage_return_ = c.letter == U'\r';
  if (pending_.line_breaks == 2 && !goes_on()) end_paragraph();
}

bool Paragraph::goes_on() const {
  if (pending_.hyphens == 0) return goes_on_past_blank_line(window_.letters());
  return pending_.hyphens == 2 || (pending_.hyphens == 1 && pending_.after_space);
}

void Paragraph::take_hyphen(const FoldedChar& c) {
  if (pending_.spaces > 0) settle_pending(false);
  if (pending_.hyphens == 0) {
    pending_.hyphen = c;
    pending_.after_space = !begun_ || last_kind_ == CharKind::space;
  } else {
    extend(pending_.hyphen, c);
  }
  ++pending_.hyphens;
}

void Paragraph::take_mark(const FoldedChar& c) {
  after_carriage_return_ = false;
  if (nothing_pending() && begun_ && is_word_character(last_kind_)) {
    push(c);
  } else if (c.letter == kCombiningAcute && pending_.hyphens == 0 && pending_.spaces == 1 &&
             pending_.line_breaks == 0) {
    FoldedChar apostrophe = pending_.space;
    extend(apostrophe, c);
    apostrophe.letter = U'\'';
    apostrophe.kind = CharKind::apostrophe;
    pending_ = {};
    put_apostrophe(apostrophe);
  }
  // A mark on nothing is ignored.
}

void Paragraph::put_apostrophe(const FoldedChar& c) {
  last_is_letter_ = false;
  if (begun_ && last_kind_ == CharKind::apostrophe) {
    Piece& quote = window_.piece(window_.piece_count() - 1);
    quote.kind = last_kind_ = CharKind::quote;
    extend(quote, c);
    window_.letter(window_.size() - 1) = U'"';
  } else {
    push(c);
  }
}

bool Paragraph::settle_pending(bool before_letter) {
  if (nothing_pending()) return false;
  if (pending_.hyphens == 0 && !pending_.soft_hyphen) {
    push_space();
    last_is_letter_ = false;
    pending_.spaces = pending_.line_breaks = 0;
    return false;
  }
  const Pending pending = std::exchange(pending_, {});
  if (before_letter && last_is_letter_ && (pending.hyphens == 1 || pending.soft_hyphen)) {
    hyphen_is_soft_ = pending.hyphens == 0;
    return true;
  }
  last_is_letter_ = false;
  if (pending.hyphens > 0) {
    FoldedChar mark = pending.hyphen;
    const bool dash = pending.is_dash();
    mark.kind = dash ? CharKind::dash : CharKind::hyphen;
    mark.letter = dash ? kDash : U'-';
    push(mark);
  }
  if (pending.spaces > 0) push_space();
  return false;
}

void Paragraph::push_space() {
  end_run();
  window_.put(U' ');
  run_begin_ = window_.size();
  last_kind_ = CharKind::space;
  begun_ = true;
}

void Paragraph::push(const FoldedChar& c, bool after_hyphen) {
  const auto at = static_cast<std::uint32_t>(window_.size());
  const bool of_run = c.kind == CharKind::letter || c.kind == CharKind::digit ||
                      (c.kind == CharKind::mark && run_begin_ < at);
  if (!of_run || after_hyphen) end_run();
  window_.put(c.letter);
  add_to_pieces(c, at, after_hyphen);
  if (of_run) {
    run_scripts_ |= c.scripts;
  } else {
    run_begin_ = window_.size();
  }
  last_kind_ = c.kind;
  begun_ = true;
}

Piece* Paragraph::part_before(std::size_t at) {
  const std::size_t count = window_.piece_count();
  if (count == 0) return nullptr;
  Piece& last = window_.piece(count - 1);
  return last.part && last.end == at ? &last : nullptr;
}

bool Paragraph::follows_plain_word(std::size_t at) const {
  if (window_.words().empty()) return false;
  const QuickWord& last = window_.words().back();
  return last.begin + last.size == at &&
         CharTable::instance()[window_.letters()[at - 1]].kind() == CharKind::letter;
}

void Paragraph::absorb_apostrophe(std::uint32_t letter_at) {
  if (last_kind_ != CharKind::apostrophe) return;
  if (follows_plain_word(letter_at - 1)) {
    const Piece apostrophe = window_.piece(window_.piece_count() - 1);
    window_.drop_last_piece();
    window_.turn_last_word_into_part();
    window_.put(apostrophe);
  }
  if (window_.piece_count() < 2) return;
  Piece& part = window_.piece(window_.piece_count() - 2);
  const Piece& apostrophe = window_.piece(window_.piece_count() - 1);
  if (!part.part || !part.on_letter || part.end + 1 != letter_at || part.end - part.begin >= kMaxWordLetters)
    return;
  part.end = letter_at;
  part.range.end = apostrophe.range.end;
  part.byte_end = apostrophe.byte_end;
  part.zero_width = part.zero_width || apostrophe.zero_width;
  window_.drop_last_piece();
}

void Paragraph::add_to_pieces(const FoldedChar& c, std::uint32_t at, bool after_hyphen) {
  if (c.kind == CharKind::letter && !after_hyphen) absorb_apostrophe(at);
  Piece* const before = is_word_character(c.kind) ? part_before(at) : nullptr;
  const bool on = c.kind == CharKind::mark ||
                  (c.kind != CharKind::solo && before != nullptr && before->kind != CharKind::solo);
  if (before != nullptr && on && !after_hyphen && at - before->begin < kMaxWordLetters) {
    before->end = at + 1;
    extend(*before, c);
    before->scripts |= c.scripts;
    before->zero_width = before->zero_width || c.zero_width;
    if (c.kind != CharKind::mark) before->on_letter = c.kind == CharKind::letter;
    return;
  }
  if (before != nullptr && after_hyphen) before->before_hyphen = before->on_letter;
  Piece piece = piece_of(c, at);
  if (c.kind == CharKind::letter || c.kind == CharKind::digit || c.kind == CharKind::solo) {
    piece.part = true;
    piece.kind = c.kind == CharKind::solo ? CharKind::solo : CharKind::letter;
    piece.on_letter = c.kind == CharKind::letter;
    piece.after_hyphen = after_hyphen;
    piece.after_soft_hyphen = after_hyphen && hyphen_is_soft_;
  } else {
    piece.zero_width = c.zero_width;
  }
  window_.put(piece);
}

void Paragraph::end_run() {
  const std::size_t end = window_.size();
  if (mixes_scripts(run_scripts_) && folder_.unmask({&window_.letter(run_begin_), end - run_begin_})) {
    const CharTable& table = CharTable::instance();
    for (std::size_t i = window_.piece_count(); i-- > 0 && window_.piece(i).end > run_begin_;) {
      Piece& piece = window_.piece(i);
      piece.scripts = kNoScript;
      for (std::size_t at = piece.begin; at < piece.end; ++at)
        piece.scripts |= table[window_.letter(at)].scripts();
      piece.unmasked = piece.unmasked || piece.begin <= run_begin_;
    }
  }
  run_begin_ = end;
  run_scripts_ = kNoScript;
}

void Paragraph::end_paragraph() {
  pending_.spaces = 0;
  if (pending_.after_space && pending_.hyphens == 1) pending_.hyphens = 2;
  settle_pending(false);
  end_run();
  complete_ = true;
}

}  // namespace akin
