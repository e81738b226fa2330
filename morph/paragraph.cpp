#include "morph/paragraph.h"

#include <utility>

namespace akin {
namespace {

Cell cell_of(const FoldedChar& c) {
  return {c.code_point_offset, c.byte_offset, c.code_points, c.bytes, c.kind, c.scripts, c.zero_width, false};
}

bool is_word_character(CharKind kind) {
  return kind == CharKind::letter || kind == CharKind::digit || kind == CharKind::solo ||
         kind == CharKind::mark;
}

/// Lets `first` reach to the end of `last`, as far as its fields hold.
void extend(Cell& first, const FoldedChar& last) {
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
    letters_.clear();
    cells_.clear();
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
  FoldedChar c;
  while (!complete_ && letters_.size() < size) {
    if (reader_.next(c)) {
      take(c);
    } else {
      end_paragraph();
      at_end_ = true;
    }
  }
}

void Paragraph::drop(std::size_t count) {
  letters_.erase(letters_.begin(), letters_.begin() + static_cast<std::ptrdiff_t>(count));
  cells_.erase(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(count));
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
    pending_.after_space = !begun_ || cells_.back().kind == CharKind::space;
  } else {
    extend(pending_.hyphen, c);
  }
  ++pending_.hyphens;
}

void Paragraph::take_mark(const FoldedChar& c) {
  after_carriage_return_ = false;
  if (nothing_pending() && begun_ && is_word_character(cells_.back().kind)) {
    push(c.letter, cell_of(c));
  } else if (c.letter == kCombiningAcute && pending_.hyphens == 0 && pending_.spaces == 1 &&
             pending_.line_breaks == 0) {
    Cell apostrophe = pending_.space;
    extend(apostrophe, c);
    apostrophe.kind = CharKind::apostrophe;
    pending_ = {};
    push(U'\'', apostrophe);
    last_is_letter_ = false;
  }
  // A mark on nothing is as if it were not there.
}

void Paragraph::take_apostrophe(const FoldedChar& c) {
  if (nothing_pending() && begun_ && cells_.back().kind == CharKind::apostrophe) {
    cells_.back().kind = CharKind::quote;
    extend(cells_.back(), c);
    letters_.back() = U'"';
    return;
  }
  settle_pending(false);
  push(U'\'', cell_of(c));
  last_is_letter_ = false;
}

bool Paragraph::settle_pending(bool before_letter) {
  if (nothing_pending()) return false;
  const Pending pending = std::exchange(pending_, {});
  if (before_letter && last_is_letter_ && (pending.hyphens == 1 || pending.soft_hyphen)) return true;
  last_is_letter_ = false;
  if (pending.hyphens > 0) {
    const bool dash = pending.hyphens > 1 || (pending.after_space && pending.spaces > 0);
    Cell cell = pending.hyphen;
    cell.kind = dash ? CharKind::dash : CharKind::hyphen;
    push(dash ? U'\u2014' : U'-', cell);
  }
  if (pending.spaces > 0) {
    Cell cell = pending.space;
    cell.kind = CharKind::space;
    push(U' ', cell);
  }
  return false;
}

void Paragraph::push(char32_t letter, const Cell& cell) {
  letters_.push_back(letter);
  cells_.push_back(cell);
  begun_ = true;
}

void Paragraph::end_paragraph() {
  pending_.spaces = 0;
  if (pending_.after_space && pending_.hyphens == 1) pending_.hyphens = 2;
  settle_pending(false);
  complete_ = true;
}

}  // namespace akin
