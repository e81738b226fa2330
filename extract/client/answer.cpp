#include "extract/client/answer.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/bytes.h"
#include "base/utf8.h"
#include "extract/client/answer_fields.h"

namespace akin::extract {

namespace {

/// Of a piece of a map, at the least.
constexpr std::size_t kPieceBytes = 17;

bool is_in_order(const Document& document) {
  const std::size_t length = count_code_points(document.text);
  std::uint32_t end = 0;
  for (const Piece& piece : document.map) {
    if (piece.range.begin < end || piece.range.end < piece.range.begin || piece.range.end > length ||
        piece.page > document.pages || piece.part > document.parts.size())
      return false;
    end = piece.range.end;
  }
  return std::ranges::all_of(document.alerts, [&](const FileAlert& alert) {
    return alert.page <= document.pages && alert.part <= document.parts.size() && alert.at <= length;
  });
}

FileAlert read_alert(Fields& fields) {
  FileAlert alert;
  alert.kind = fields.one_of<FileAlertKind>(kFileAlertNames.size());
  alert.characters = fields.u64();
  alert.share = std::bit_cast<double>(fields.u64());
  if (!(alert.share >= 0 && alert.share <= 1)) fields.fail();
  alert.sample = fields.string();
  alert.page = fields.u32();
  alert.part = fields.u32();
  alert.at = fields.u32();
  alert.ways = fields.u8();
  return alert;
}

void put_recognized(std::string& out, const Document& document) {
  append_u32(out, static_cast<std::uint32_t>(document.recognized.size()));
  for (const auto& [number, page] : document.recognized) {
    append_u32(out, number);
    append_u32(out, page.width);
    append_u32(out, page.height);
    put_words(out, page.words);
  }
}

/// Fails at a page that the document does not have, or has already.
void read_recognized(Fields& fields, Document& document) {
  constexpr std::size_t kPageBytes = 16;
  const std::size_t count = fields.count(kMostPlacedPages, kPageBytes);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t number = fields.u32();
    PageWords page{.width = fields.u32(), .height = fields.u32(), .words = {}};
    page.words = read_words(fields, page.width, page.height);
    const bool is_there = number >= 1 && number <= document.pages;
    if (!is_there || !document.recognized.emplace(number, std::move(page)).second) fields.fail();
  }
}

std::optional<Document> read_document(Fields fields) {
  Document document;
  document.type = fields.string();
  document.text = fields.string();
  document.map.resize(fields.count(kMostPieces, kPieceBytes));
  for (Piece& piece : document.map) {
    piece.range.begin = fields.u32();
    piece.range.end = fields.u32();
    piece.kind = fields.one_of<PieceKind>(kPieceKindNames.size());
    piece.page = fields.u32();
    piece.part = fields.u32();
  }
  document.parts = fields.strings();
  document.pages = fields.u32();
  document.metadata.title = fields.string();
  document.metadata.authors = fields.strings();
  document.metadata.language = fields.string();
  document.metadata.date = fields.string();
  document.metadata.identifiers = fields.strings();
  document.metadata.site = fields.string();
  document.alerts.resize(fields.count(kFileAlertNames.size(), 1));
  for (FileAlert& alert : document.alerts) alert = read_alert(fields);
  document.hidden = fields.string();
  read_recognized(fields, document);
  if (!fields.ended() || !is_in_order(document)) return std::nullopt;
  return document;
}

void put_document(std::string& out, const Document& document) {
  put_string(out, document.type);
  put_string(out, document.text);
  append_u32(out, static_cast<std::uint32_t>(document.map.size()));
  for (const Piece& piece : document.map) {
    append_u32(out, piece.range.begin);
    append_u32(out, piece.range.end);
    out += static_cast<char>(piece.kind);
    append_u32(out, piece.page);
    append_u32(out, piece.part);
  }
  put_strings(out, document.parts);
  append_u32(out, document.pages);
  put_string(out, document.metadata.title);
  put_strings(out, document.metadata.authors);
  put_string(out, document.metadata.language);
  put_string(out, document.metadata.date);
  put_strings(out, document.metadata.identifiers);
  put_string(out, document.metadata.site);
  append_u32(out, static_cast<std::uint32_t>(document.alerts.size()));
  for (const FileAlert& alert : document.alerts) {
    out += static_cast<char>(alert.kind);
    append_u64(out, alert.characters);
    append_u64(out, std::bit_cast<std::uint64_t>(alert.share));
    put_string(out, alert.sample);
    append_u32(out, alert.page);
    append_u32(out, alert.part);
    append_u32(out, alert.at);
    out += static_cast<char>(alert.ways);
  }
  put_string(out, document.hidden);
  put_recognized(out, document);
}

/// An optional error is a byte, 0 or 1, and the error.
void put_optional(std::string& out, const std::optional<Error>& error) {
  out += static_cast<char>(error.has_value());
  if (error) put_error(out, *error);
}

std::optional<Error> read_optional(Fields& fields, const std::string& name) {
  return fields.one_of<bool>(2) ? std::optional(read_error(fields, name)) : std::nullopt;
}

void put_unpacked(std::string& out, const Unpacked& unpacked) {
  append_u32(out, static_cast<std::uint32_t>(unpacked.members.size()));
  for (const Member& member : unpacked.members) {
    put_string(out, member.name);
    put_string(out, member.bytes);
    put_optional(out, member.error);
  }
  append_u64(out, unpacked.hidden);
  put_optional(out, unpacked.broken);
}

std::optional<Unpacked> read_unpacked(Fields fields, const std::string& name) {
  constexpr std::size_t kMemberBytes = 9;
  Unpacked unpacked;
  std::unordered_set<std::string> names;
  unpacked.members.resize(fields.count(kMostParts, kMemberBytes));
  for (Member& member : unpacked.members) {
    member.name = fields.string();
    member.bytes = fields.take(fields.u32());
    member.error = read_optional(fields, name);
    if (member.name.empty() || !names.insert(member.name).second) fields.fail();
  }
  unpacked.hidden = fields.u64();
  unpacked.broken = read_optional(fields, name);
  if (!fields.ended()) return std::nullopt;
  return unpacked;
}

}  // namespace

std::string encode_greeting(const Sandbox& sandbox) {
  std::string out(kGreetingMagic);
  out += static_cast<char>(sandbox.no_new_privileges);
  out += static_cast<char>(sandbox.system_calls);
  out += static_cast<char>(sandbox.limits);
  append_u32(out, sandbox.landlock);
  put_string(out, sandbox.broken);
  return out;
}

Result<Sandbox> decode_greeting(std::string_view message) {
  Fields fields(message);
  Sandbox sandbox;
  const bool known = fields.take(kGreetingMagic.size()) == kGreetingMagic;
  sandbox.no_new_privileges = fields.u8() != 0;
  sandbox.system_calls = fields.u8() != 0;
  sandbox.limits = fields.u8() != 0;
  sandbox.landlock = fields.u32();
  sandbox.broken = fields.string();
  if (known && fields.ended()) return sandbox;
  return Error{Errc::corrupt, "akin-extract", "is of another version than akin", "install both together"};
}

std::string with_command(const std::vector<std::string>& command, std::string_view bytes) {
  std::string body;
  put_strings(body, command);
  body += bytes;
  return body;
}

Result<Filtering> split_command(std::string_view body) {
  Fields fields(body);
  std::vector<std::string> command = fields.strings();
  if (const auto bytes = fields.rest(); bytes && !command.empty())
    return Filtering{std::move(command), *bytes};
  return Error{Errc::corrupt, "akin-extract", "was sent no command of a filter", ""};
}

std::string frame_head(std::string_view magic, std::uint64_t length) {
  std::string head(magic);
  append_u64(head, length);
  return head;
}

Result<std::uint64_t> read_frame_head(std::string_view magic, std::string_view head) {
  if (head.size() == kFrameHead && head.starts_with(magic)) return load_u64(head.data() + magic.size());
  return Error{Errc::corrupt, "akin-extract", "sent something else than an answer", ""};
}

std::uint64_t longest_answer(std::string_view magic, std::uint64_t most_text) noexcept {
  constexpr std::uint64_t kRest = std::uint64_t{96} << 20U;  // names, metadata, errors, recognized words
  const std::uint64_t document = 2 * most_text + kMostPieces * kPieceBytes + kRest;
  return magic == kContentMagic ? std::max(document, kMostUnpacked + kRest) : document;
}

std::string encode_answer(const Result<Document>& answer) {
  if (answer.has_error()) return encode_error(answer.error());
  std::string out(1, '\1');
  put_document(out, *answer);
  return out;
}

std::string encode_content(const Result<Content>& answer) {
  if (answer.has_error()) return encode_error(answer.error());
  std::string out;
  if (const auto* document = std::get_if<Document>(&*answer)) {
    out += '\1';
    put_document(out, *document);
  } else {
    out += '\2';
    put_unpacked(out, std::get<Unpacked>(*answer));
  }
  return out;
}

std::string encode_output(const Result<std::string>& output) {
  if (output.has_error()) return encode_error(output.error());
  return '\1' + *output;
}

Result<std::string> decode_output(std::string_view body, const std::string& name) {
  if (body.starts_with('\1')) return std::string(body.substr(1));
  return decode_error(body, name);
}

Result<Document> decode_answer(std::string_view body, const std::string& name) {
  AKIN_TRY(Content content, decode_content(body, name));
  if (auto* document = std::get_if<Document>(&content)) return std::move(*document);
  return broken_answer(name);
}

Result<Content> decode_content(std::string_view body, const std::string& name) {
  enum class Kind : std::uint8_t { error, document, unpacked };
  Fields fields(body);
  switch (fields.one_of<Kind>(3)) {
    case Kind::document:
      if (auto document = read_document(fields)) return Content(*std::move(document));
      return broken_answer(name);
    case Kind::unpacked:
      if (auto unpacked = read_unpacked(fields, name)) return Content(*std::move(unpacked));
      return broken_answer(name);
    case Kind::error:
      break;
  }
  return decode_error(body, name);
}

}  // namespace akin::extract
