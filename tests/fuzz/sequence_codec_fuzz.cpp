// Stored features, chunks of them, records, texts, files and words: any bytes are refused or read, and values
// that are read come back when written again. Input: one byte that chooses the codec, then the bytes, to
// which a correct checksum is added if the codec requires one.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/cyrillic_text.h"
#include "base/text_codec.h"
#include "index/codec/document_chunk.h"
#include "index/codec/encoding.h"
#include "index/codec/packed_words.h"
#include "index/codec/sequence_codec.h"
#include "index/codec/stored_file.h"
#include "index/codec/stored_text.h"
#include "index/store/records.h"

namespace {

using namespace akin;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string with_checksum(std::string_view bytes) {
  std::string sealed(bytes);
  append_u32(sealed, checksum(bytes));
  sealed.shrink_to_fit();
  return sealed;
}

bool same(const FeatureSequence& a, const FeatureSequence& b) {
  const auto same_alerts = [](const Alert& left, const Alert& right) {
    return left.kind == right.kind && left.range == right.range;
  };
  return a.hashes == b.hashes && a.ranges == b.ranges && a.sentences == b.sentences && a.words == b.words &&
         a.code_points == b.code_points &&
         std::equal(a.alerts.begin(), a.alerts.end(), b.alerts.begin(), b.alerts.end(), same_alerts);
}

void check_sequence(std::string_view bytes) {
  const auto stored = decode_sequence(with_checksum(bytes));
  if (!stored) return;
  if (stored->derived) return require(stored->derived->postings.postings <= stored->features());
  for (const TextRange& range : stored->sequence.ranges) require(range.begin <= range.end);
  const auto again = decode_sequence(encode_sequence(stored->sequence, HashWidth::whole));
  require(again && again->shift == 0 && same(again->sequence, stored->sequence));
}

void check_chunk(std::string_view bytes) {
  const DocNumber first{17};
  const std::vector<char> exact(bytes.begin(), bytes.end());
  const auto parts = DocumentChunk::open(first, {exact.data(), exact.size()});
  if (!parts) return;
  require(!parts->empty() && parts->front().first == first);
  DocumentChunk chunk(chunk_of_pages(4));
  for (const auto& [number, sequence] : *parts) chunk.add(number, sequence);
  const std::string written = chunk.take();
  require(DocumentChunk::open(first, written) == parts);
}

void check_record(std::string_view bytes) {
  const auto record = decode_record(with_checksum(bytes));
  if (!record) return;
  const auto again = decode_record(encode_record(*record));
  require(again && encode_record(*record) == with_checksum(bytes) && *again == *record);
}

void check_text(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto text_bytes = static_cast<unsigned char>(bytes[0]);
  const auto text = decompress_text(bytes.substr(1), text_bytes);
  require(!text || text->size() == text_bytes);
  const auto unpacked = unpack_cyrillic(bytes.substr(1), text_bytes);
  require(!unpacked || unpacked->size() == text_bytes);
  const std::string frame = compress_text(bytes).value();
  require(decompress_text(frame, bytes.size()) == bytes && !decompress_text(frame, bytes.size() + 1));
}

void check_file(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto file_bytes = static_cast<unsigned char>(bytes[0]);
  const auto read = decode_file(bytes.substr(1), file_bytes, sha256(bytes.substr(1)), "file");
  require(read.has_error() || read->bytes.size() == file_bytes);
  const FileView file{bytes.substr(0, 3), "", bytes};
  const auto again = decode_file(encode_file(file).value(), bytes.size(), sha256(bytes), "file");
  require(again.has_value() && again->name == file.name && again->bytes == bytes);
}

/// The bytes as a text in parts, the first byte giving its length.
void check_parts(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto text_bytes = static_cast<unsigned char>(bytes[0]);
  const std::string stored = "\2" + std::string(bytes.substr(1));
  auto text = StoredText::of(stored, text_bytes, "text");
  if (text.has_error()) return;
  const auto begin = text->read(0, text_bytes / 2U);
  const std::string half(begin.has_value() ? *begin : std::string_view());
  const auto whole = std::move(*text).take();
  require(whole.has_error() ||
          (whole->size() == text_bytes && begin.has_value() && whole->starts_with(half)));
}

/// The bytes as the arrays of kept words, of which the first four give the lengths.
void check_words(std::string_view bytes) {
  constexpr std::array<std::size_t, 4> kWidths = {8, 4, 1, 20};
  if (bytes.size() < kWidths.size()) return;
  std::string encoded, frames;
  std::string_view rest = bytes.substr(kWidths.size());
  std::vector<std::string> made;
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    const auto count = static_cast<unsigned char>(bytes[i]);
    append_u64(encoded, count);
    std::string array(rest.substr(0, count * kWidths[i]));
    rest.remove_prefix(array.size());
    array.resize(count * kWidths[i]);
    if (!array.empty()) made.push_back(compress_bytes(array, true).value());
  }
  for (const std::string& frame : made) append_u32(encoded, static_cast<std::uint32_t>(frame.size()));
  for (const std::string& frame : made) encoded += frame;
  const auto words = PackedWords::decode(encoded, 255);
  if (!words) return;
  const auto count = static_cast<std::uint32_t>(words->numbered().size());
  require(words->unpacked().classes.size() == count);
  for (std::uint32_t i = 0; i < count; ++i) {
    require(words->unpacked({i, count}).ranges.size() == count - i);
    static_cast<void>(words->numbered()[i]);
  }
  const auto again = PackedWords::decode(words->encode().value(), 255);
  require(again && again->is_same(*words));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 7) {
    case 0:
      check_sequence(bytes);
      break;
    case 1:
      check_chunk(bytes);
      break;
    case 2:
      check_record(bytes);
      break;
    case 3:
      check_text(bytes);
      break;
    case 4:
      check_file(bytes);
      break;
    case 5:
      check_parts(bytes);
      break;
    default:
      check_words(bytes);
  }
  return 0;
}
