#include "index/opensearch/documents/bulk_lines.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"

namespace akin::opensearch {
namespace {

std::string words_of(const std::vector<FeatureCount>& counts) {
  std::string words;
  words.reserve(12 * counts.size());
  for (const FeatureCount& one : counts) {
    for (std::uint64_t occurrence = 1; occurrence <= one.count; ++occurrence)
      add_word(words, one.feature, occurrence);
  }
  return words;
}

Result<void> send_long(std::string& lines, const SendLines& send) {
  return lines.size() >= kRequestBytes ? send(lines) : Result<void>();
}

}  // namespace

void begin_line(std::string& lines, const char* action, const std::string& id) {
  lines.append("{\"").append(action).append("\":{\"_id\":\"").append(id).append("\"}}\n");
}

Result<void> add_document(std::string& lines, const Placed& place, const PreparedDocument& document,
                          const SendLines& send) {
  const auto count = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
  const Sizes sizes{count(document.counts.size()),
                    count(document.features),
                    count(document.text_bytes),
                    count(document.file_bytes),
                    {count(document.text.size()), count(document.sequence.size()),
                     count(document.file.size()), count(document.words.size())}};
  begin_line(lines, "index", std::to_string(place.number));
  // None of these has a character that JSON escapes, but for the id.
  lines.append("{\"number\":").append(std::to_string(place.number));
  lines.append(",\"turn\":").append(std::to_string(place.turn));
  lines.append(",\"revision\":").append(std::to_string(place.revision.value));
  lines.append(",\"id\":").append(Json(document.id).dump());
  lines.append(",\"record\":\"").append(base64(document.record));
  lines.append("\",\"sizes\":\"").append(sizes.encoded());
  lines.append("\",\"features\":\"").append(words_of(document.counts)).append("\"");
  const auto parts = {std::pair(PartKind::text, std::string_view(document.text)),
                      std::pair(PartKind::sequence, std::string_view(document.sequence)),
                      std::pair(PartKind::file, std::string_view(document.file)),
                      std::pair(PartKind::words, std::string_view(document.words))};
  const auto add_piece = [&](const Piece& piece, std::string_view bytes) {
    lines.append(",\"").append(piece.field()).append("\":\"");
    lines.append(base64(bytes.substr(piece.at * kPieceBytes, kPieceBytes))).append("\"");
  };
  for (const auto& [kind, bytes] : parts) {
    if (!bytes.empty()) add_piece({place.number, kind, 0}, bytes);
  }
  lines.append("}\n");
  AKIN_CHECK(send_long(lines, send));
  for (const auto& [kind, bytes] : parts) {
    for (Piece piece{place.number, kind, 1}; piece.at * kPieceBytes < bytes.size(); ++piece.at) {
      begin_line(lines, "index", piece.id());
      lines.append("{\"turn\":").append(std::to_string(place.turn));
      add_piece(piece, bytes);
      lines.append("}\n");
      AKIN_CHECK(send_long(lines, send));
    }
  }
  return {};
}

void add_erasure(std::string& lines, const Head::Gone& gone) {
  for (const std::string& id : ids_of(gone.number, gone.sizes)) begin_line(lines, "delete", id);
}

}  // namespace akin::opensearch
