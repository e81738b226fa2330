#include "extract/child/builder.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"

namespace akin::extract {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && !is_markup_space(c); }

/// Control characters have no place in a text.
std::string without_controls(std::string_view utf8) {
  std::string clean(utf8);
  std::ranges::replace_if(clean, is_control, ' ');
  return clean;
}

std::string one_line(std::string_view utf8) {
  TextLayout layout;
  layout.flow(without_controls(utf8));
  return std::move(layout).take();
}

}  // namespace

void DocumentBuilder::kind(PieceKind kind) {
  if (now_.kind == kind) return;
  border();
  now_.kind = kind;
}

void DocumentBuilder::page(std::uint32_t page) {
  now_.page = page;
  document_.pages = std::max(document_.pages, page);
}

void DocumentBuilder::place(PageWords recognized) {
  placed_words_ += recognized.words.size();
  if (now_.page == 0 || recognized.words.empty() || placed_words_ > kMostRecognizedWords) return;
  document_.recognized.insert_or_assign(now_.page, std::move(recognized));
}

void DocumentBuilder::begin_part(std::string_view name) {
  std::string line = one_line(name);
  line.resize(whole_characters(line, kMostPartName).size());
  if (line.empty() || document_.parts.size() == kMostParts) return;
  document_.parts.push_back(std::move(line));
  now_.part = static_cast<std::uint32_t>(document_.parts.size());
}

void DocumentBuilder::begin_piece() {
  const std::size_t size = layout_.mark().size;
  while (!starts_.empty() && starts_.back().byte >= size) starts_.pop_back();  // nothing is left of it
  if (!starts_.empty()) {
    const Piece& last = starts_.back().piece;
    const bool same = last.kind == now_.kind && last.page == now_.page && last.part == now_.part;
    if (same || starts_.size() == kMostPieces) return;
  }
  starts_.push_back({size, now_});
}

void DocumentBuilder::flow(std::string_view utf8) {
  if (std::ranges::all_of(utf8, is_markup_space)) return layout_.flow(utf8);
  begin_piece();
  if (std::ranges::none_of(utf8, is_control)) return layout_.flow(utf8);
  layout_.flow(without_controls(utf8));
}

void DocumentBuilder::verbatim(std::string_view utf8) {
  if (utf8.empty()) return;
  begin_piece();
  layout_.verbatim(without_controls(utf8));
}

void DocumentBuilder::paragraph(PieceKind kind, std::string_view utf8, bool set_off) {
  this->kind(kind);
  border();
  layout_.set_off(set_off);
  if (kind == PieceKind::heading) begin_part(utf8);
  bool first = true;
  for (const std::string_view line : split(utf8, '\n')) {
    if (!first) line_break();
    first = false;
    flow(line);
  }
  border();
  layout_.set_off(false);
  looks_.end_paragraph();
}

FileAlert& DocumentBuilder::note(FileAlertKind kind, std::uint64_t count) {
  Noted& noted = noted_[static_cast<std::size_t>(kind)];
  if (noted.alert.characters == 0) {
    noted.byte = layout_.mark().size;
    noted.alert.kind = kind;
    noted.alert.page = now_.page;
    noted.alert.part = now_.part;
  }
  noted.alert.characters += count;
  return noted.alert;
}

void DocumentBuilder::hide(std::string_view utf8, HidingSet ways) {
  const std::string line = one_line(utf8);
  if (line.empty()) return;
  note(FileAlertKind::hidden_text, count_code_points(line)).ways |= ways;
  if (!document_.hidden.empty()) document_.hidden += ' ';
  document_.hidden += line;
}

void DocumentBuilder::report(FileAlertKind kind, std::uint64_t count, std::string_view sample) {
  if (count == 0) return;
  FileAlert& alert = note(kind, count);
  if (alert.sample.empty()) alert.sample = whole_characters(one_line(sample), kSampleBytes);
}

void DocumentBuilder::leave_out(std::string_view utf8) {
  const std::string line = one_line(utf8);
  std::string same = line;
  std::erase_if(same, [](char c) { return c >= '0' && c <= '9'; });
  if (!left_out_.insert(std::move(same)).second) return;
  report(FileAlertKind::text_left_out, count_code_points(line), line);
}

void DocumentBuilder::web_page(const Page& page) {
  border();
  verbatim(page.text);
  border();
  hide(page.hidden, page.ways);
  if (!page.added.empty()) leave_out(page.added);
  report(FileAlertKind::script_text, page.script_text.characters, page.script_text.sample);
  report(FileAlertKind::interleaved_text, page.interleaved, page.interleaved_sample);
  if (!page.script_text.is_read) unread_script_text_ += page.script_text.characters;
}

void DocumentBuilder::report_share(FileAlertKind kind, std::uint64_t count, double share,
                                   std::string_view sample) {
  report(kind, count, sample);
  if (count > 0) noted_[static_cast<std::size_t>(kind)].alert.share = share;
}

/// Moves over the text once, and trims each piece's white space off.
void DocumentBuilder::make_map() {
  const std::string& text = document_.text;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const std::size_t begin = std::min(starts_[i].byte, text.size());
    const std::size_t end = i + 1 < starts_.size() ? std::min(starts_[i + 1].byte, text.size()) : text.size();
    const std::string_view piece = std::string_view(text).substr(begin, end - begin);
    const auto before = std::min(piece.find_first_not_of(" \n\t\r\f"), piece.size());
    const auto after = piece.size() - std::min(piece.find_last_not_of(" \n\t\r\f") + 1, piece.size());
    const auto length = static_cast<std::uint32_t>(count_code_points(piece));
    Piece& made = starts_[i].piece;
    if (before < piece.size()) {
      made.range = {at + static_cast<std::uint32_t>(before), at + length - static_cast<std::uint32_t>(after)};
      document_.map.push_back(made);
    }
    at += length;
  }
}

/// Its share, and where it begins.
void DocumentBuilder::place(Noted& noted) const {
  FileAlert& alert = noted.alert;
  const std::string& text = document_.text;
  std::uint64_t all = count_code_points(text);
  if (alert.kind == FileAlertKind::hidden_text) {
    alert.sample = whole_characters(document_.hidden, kSampleBytes);
    all += alert.characters;
  } else if (alert.kind == FileAlertKind::text_left_out) {
    all += alert.characters;
  } else if (alert.kind == FileAlertKind::script_text) {
    all += unread_script_text_;
  } else if (alert.kind == FileAlertKind::pages_without_text) {
    constexpr std::uint64_t kLettersOfPage = 1800;  // of a manuscript
    all = document_.pages > 0 ? document_.pages
                              : alert.characters + (all + kLettersOfPage - 1) / kLettersOfPage;
  }
  if (alert.share == 0) {
    alert.share = std::min(
        static_cast<double>(alert.characters) / static_cast<double>(std::max<std::uint64_t>(all, 1)), 1.0);
  }
  if (alert.page == 0) {
    const std::size_t begin = std::min(text.find_first_not_of(" \n", noted.byte), text.size());
    alert.at = static_cast<std::uint32_t>(count_code_points(std::string_view(text).substr(0, begin)));
    return;
  }
  const auto piece =
      std::ranges::find_if(document_.map, [&](const Piece& one) { return one.page >= alert.page; });
  alert.at =
      piece == document_.map.end() ? static_cast<std::uint32_t>(count_code_points(text)) : piece->range.begin;
}

Result<Document> DocumentBuilder::take(const std::string& name) && {
  if (full()) {
    return Error{Errc::file_too_large, name,
                 "has more than " + std::to_string(most_bytes_) + " bytes of text", "split it"};
  }
  document_.text = std::move(layout_).take();
  make_map();
  report(FileAlertKind::interleaved_text, looks_.characters(), looks_.sample());
  for (Noted& noted : noted_) {
    if (noted.alert.characters == 0) continue;
    place(noted);
    if (is_enough(noted.alert)) document_.alerts.push_back(std::move(noted.alert));
  }
  FileMetadata& metadata = document_.metadata;
  for (std::string* field : {&metadata.title, &metadata.language, &metadata.date}) *field = one_line(*field);
  for (auto* list : {&metadata.authors, &metadata.identifiers}) {
    for (std::string& one : *list) one = one_line(one);
    std::erase(*list, std::string());
  }
  return std::move(document_);
}

}  // namespace akin::extract
