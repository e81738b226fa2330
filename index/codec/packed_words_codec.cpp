// PackedWords as bytes: its arrays in pieces, each of which is compressed by itself.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/text_codec.h"
#include "index/codec/encoding.h"
#include "index/codec/packed_words.h"

namespace akin {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are stored as they are in memory");

/// Bytes of a piece, before it is compressed. A number never lies in two.
constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::size_t kMilestoneBytes = 20;
/// Bytes of places a word can have.
constexpr std::uint64_t kMostPlaceBytes = 40;

template <class Array>
std::string_view bytes_of(const Array& array) noexcept {
  return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(array[0])};
}

template <class Array>
std::span<char> room_of(Array& array) noexcept {
  return {reinterpret_cast<char*>(array.data()), array.size() * sizeof(array[0])};
}

/// A piece of memory and the frame from which it is filled.
struct Piece {
  std::span<char> room;
  std::string_view frame;
};

}  // namespace

Result<std::string> PackedWords::encode() const {
  std::string milestones;
  milestones.reserve(milestones_.size() * kMilestoneBytes);
  for (const Milestone& one : milestones_) {
    append_u64(milestones, one.at);
    append_u32(milestones, one.word);
    append_u32(milestones, one.range_end);
    append_u32(milestones, one.bytes_end);
  }
  std::vector<std::string_view> pieces;
  for (const std::string_view array :
       {bytes_of(classes_), bytes_of(words_), std::string_view(places_), std::string_view(milestones)}) {
    for (std::size_t at = 0; at < array.size(); at += kPiece) pieces.push_back(array.substr(at, kPiece));
  }
  std::vector<Result<std::string>> frames(pieces.size(), std::string());
  for_each_index(pieces.size(), [&](std::size_t i) { frames[i] = compress_bytes(pieces[i], true); });
  std::string bytes;
  append_u64(bytes, classes_.size());
  append_u64(bytes, words_.size());
  append_u64(bytes, places_.size());
  append_u64(bytes, milestones_.size());
  std::size_t total = bytes.size();
  for (const Result<std::string>& frame : frames) {
    AKIN_CHECK(frame);
    append_u32(bytes, static_cast<std::uint32_t>(frame->size()));
    total += sizeof(std::uint32_t) + frame->size();
  }
  bytes.reserve(total);
  for (const Result<std::string>& frame : frames) bytes += *frame;
  return bytes;
}

std::optional<PackedWords> PackedWords::decode(std::string_view bytes, std::uint64_t text_bytes) {
  ByteReader reader(bytes);
  const std::uint64_t classes = reader.u64(), words = reader.u64(), places = reader.u64(),
                      milestones = reader.u64();
  if (!reader.ok() || words > text_bytes || classes > words || milestones > words ||
      places > kMostPlaceBytes * words) {
    return std::nullopt;
  }
  PackedWords decoded;
  decoded.classes_.resize(classes);
  decoded.words_.resize(words);
  decoded.places_.resize(places);
  std::string packed_milestones(milestones * kMilestoneBytes, '\0');
  std::vector<Piece> pieces;
  for (const std::span<char> room : {room_of(decoded.classes_), room_of(decoded.words_),
                                     room_of(decoded.places_), room_of(packed_milestones)}) {
    for (std::size_t at = 0; at < room.size(); at += kPiece)
      pieces.push_back({room.subspan(at, std::min(kPiece, room.size() - at)), {}});
  }
  ByteReader sizes(reader.bytes(pieces.size() * sizeof(std::uint32_t)));
  for (Piece& piece : pieces) piece.frame = reader.bytes(sizes.u32());
  if (!reader.finished()) return std::nullopt;
  std::atomic<bool> all = true;
  for_each_index(pieces.size(), [&](std::size_t i) {
    if (!decompress_bytes(pieces[i].frame, pieces[i].room)) all = false;
  });
  if (!all) return std::nullopt;
  decoded.milestones_.resize(milestones);
  ByteReader each(packed_milestones);
  for (Milestone& one : decoded.milestones_) {
    one.at = each.u64();
    one.word = each.u32();
    one.range_end = each.u32();
    one.bytes_end = each.u32();
  }
  if (!decoded.are_readable()) return std::nullopt;
  return decoded;
}

bool PackedWords::are_readable() const noexcept {
  std::uint32_t last = 0;
  for (const std::uint32_t number : words_) last = std::max(last, number);
  if (!words_.empty() && (last >= classes_.size() || milestones_.empty())) return false;
  if (!milestones_.empty() && milestones_.front().word != 0) return false;
  const auto is_out_of_order = [](const Milestone& one, const Milestone& next) {
    return one.word >= next.word || one.at > next.at;
  };
  return std::ranges::adjacent_find(milestones_, is_out_of_order) == milestones_.end() &&
         (milestones_.empty() || milestones_.back().at <= places_.size());
}

}  // namespace akin
