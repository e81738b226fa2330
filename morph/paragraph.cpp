#include "morph/paragraph.h"

#include <algorithm>
#include <utility>

namespace akin {
namespace {

Cell cell_of(const FoldedChar& c) {
  return {c.code_point_offset, c.byte_offset, c.code_points, c.bytes, c.kind,
          c.scripts,           c.zero_width,  false,         false};
}

bool is_word_character(CharKind kind) {
  return kind == CharKind::letter || kind == CharKind::digit || kind == CharKind::solo ||
         kind == CharKind::mark;
}

/// Lets `first` reach to the end of `last`, as far as its fields hold.
template <class Character>
void extend(Cell& first, const Character& last) {
  const std::uint32_t code_points = last.code_point_offset + last.code_points - first.code_point_offset;
  const std::uint32_t bytes = last.byte_offset + last.bytes - first.byte_offset;
  if (bytes > 0xffff) return;
  first.code_points = static_cast<std::uint16_t>(code_points);
  first.bytes = static_cast<std::uint16_t>(bytes);
}

}  // namespace

Paragraph::Paragraph(std::string_view utf8) { reader_.reset(utf8); }

bool Paragraph::next() {
  while (!at_end_) {
    size_ = 0;
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
  // One character may put down three: a hyphen and a space before it, and itself.
  if (letters_.size() < size + 4) {
    letters_.resize(size + 4);
    cells_.resize(size + 4);
  }
  FoldedChar c;
  while (!complete_ && size_ < size) {
    if (nothing_pending()) take_plain(size);
    if (size_ >= size) break;
    if (reader_.next(c)) {
      take(c);
    } else {
      end_paragraph();
      at_end_ = true;
    }
  }
}

void Paragraph::drop(std::size_t count) {
  const auto shift = static_cast<std::ptrdiff_t>(count);
  std::copy(letters_.begin() + shift, letters_.begin() + static_cast<std::ptrdiff_t>(size_),
            letters_.begin());
  std::copy(cells_.begin() + shift, cells_.begin() + static_cast<std::ptrdiff_t>(size_), cells_.begin());
  size_ -= count;
  run_begin_ = run_begin_ > count ? run_begin_ - count : 0;
}

void Paragraph::take_plain(std::size_t size) {
  char32_t* letter_at = letters_.data() + size_;
  Cell* cell_at = cells_.data() + size_;
  std::uint8_t scripts = run_scripts_;
  const std::size_t taken =
      reader_.take_letters(size - size_, [&](char32_t letter, std::uint8_t script, std::uint32_t code_point,
                                             std::uint32_t byte, std::uint32_t bytes) {
        *letter_at++ = letter;
        *cell_at++ = {code_point, byte,  1,    static_cast<std::uint16_t>(bytes), CharKind::letter, script,
                      false,      false, false};
        scripts |= script;
      });
  if (taken == 0) return;
  size_ += taken;
  run_scripts_ = scripts;
  last_is_letter_ = true;
  begun_ = true;
}

void Paragraph::take(const FoldedChar& c) {
  switch (c.kind) {
    case CharKind::letter: {
      Cell cell = cell_of(c);
      if (!nothing_pending()) cell.after_hyphen = settle_pending(true);
      push(c.letter, cell);
      last_is_letter_ = true;
      break;
    }
    case CharKind::mark:
      take_mark(c);
      break;
    case CharKind::space:
    case CharKind::line_break:
      take_space(c);
      break;
    case CharKind::paragraph_break:
      end_paragraph();
      break;
    case CharKind::hyphen:
      take_hyphen(c);
      break;
    case CharKind::apostrophe:
      take_apostrophe(c);
      break;
    default:
      settle_pending(false);
      push(c.letter, cell_of(c));
      last_is_letter_ = false;
  }
}

void Paragraph::take_space(const FoldedChar& c) {
  if (!begun_ && pending_.hyphens == 0) return;
  if (pending_.spaces == 0) {
    pending_.space = cell_of(c);
    pending_.space.kind = CharKind::space;
    if (c.soft_hyphen && pending_.hyphens == 0) pending_.soft_hyphen = true;
    after_carriage_return_ = false;
  }
  ++pending_.spaces;
  if (c.kind == CharKind::line_break && !(after_carriage_return_ && c.letter == U'\n'))
    ++pending_.line_breaks;
  after_carriage_return_ = c.letter == U'\r';
  if (pending_.line_breaks == 2) end_paragraph();
}

void Paragraph::take_hyphen(const FoldedChar& c) {
  if (pending_.spaces > 0) settle_pending(false);
  if (pending_.hyphens == 0) {
    pending_.hyphen = cell_of(c);
    pending_.after_space = !begun_ || back().kind == CharKind::space;
  } else {
    extend(pending_.hyphen, c);
  }
  ++pending_.hyphens;
}

void Paragraph::take_mark(const FoldedChar& c) {
  after_carriage_return_ = false;
  if (nothing_pending() && begun_ && is_word_character(back().kind)) {
    push(c.letter, cell_of(c));
  } else if (c.letter == kCombiningAcute && pending_.hyphens == 0 && pending_.spaces == 1 &&
             pending_.line_breaks == 0) {
    Cell apostrophe = pending_.space;
    extend(apostrophe, c);
    apostrophe.kind = CharKind::apostrophe;
    pending_ = {};
    put_apostrophe(apostrophe);
  }
  // A mark on nothing is as if it were not there.
}

void Paragraph::take_apostrophe(const FoldedChar& c) {
  settle_pending(false);
  put_apostrophe(cell_of(c));
}

void Paragraph::put_apostrophe(const Cell& cell) {
  last_is_letter_ = false;
  if (begun_ && back().kind == CharKind::apostrophe) {
    cells_[size_ - 1].kind = CharKind::quote;
    extend(cells_[size_ - 1], cell);
    letters_[size_ - 1] = U'"';
  } else {
    push(U'\'', cell);
  }
}

bool Paragraph::settle_pending(bool before_letter) {
  if (nothing_pending()) return false;
  if (pending_.hyphens == 0 && !pending_.soft_hyphen) {
    push(U' ', pending_.space);
    last_is_letter_ = false;
    pending_.spaces = pending_.line_breaks = 0;
    return false;
  }
  const Pending pending = std::exchange(pending_, {});
  if (before_letter && last_is_letter_ && (pending.hyphens == 1 || pending.soft_hyphen)) return true;
  last_is_letter_ = false;
  if (pending.hyphens > 0) {
    const bool dash = pending.hyphens > 1 || (pending.after_space && pending.spaces > 0);
    Cell cell = pending.hyphen;
    cell.kind = dash ? CharKind::dash : CharKind::hyphen;
    push(dash ? U'\u2014' : U'-', cell);
  }
  if (pending.spaces > 0) push(U' ', pending.space);
  return false;
}

void Paragraph::push(char32_t letter, const Cell& cell) {
  const bool of_run = cell.kind == CharKind::letter || cell.kind == CharKind::digit ||
                      (cell.kind == CharKind::mark && run_begin_ < size_);
  if (!of_run || cell.after_hyphen) end_run();
  letters_[size_] = letter;
  cells_[size_] = cell;
  ++size_;
  if (!of_run) run_begin_ = size_;
  run_scripts_ |= of_run ? cell.scripts : std::uint8_t{kNoScript};
  begun_ = true;
}

void Paragraph::end_run() {
  if (mixes_scripts(run_scripts_) && folder_.unmask({letters_.data() + run_begin_, size_ - run_begin_})) {
    cells_[run_begin_].unmasked = true;
    const CharTable& table = CharTable::instance();
    for (std::size_t i = run_begin_; i < size_; ++i) cells_[i].scripts = table[letters_[i]].scripts();
  }
  run_begin_ = size_;
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
