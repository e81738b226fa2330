#include "index/codec/sequence_codec.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "index/codec/bits.h"
#include "index/codec/encoding.h"

namespace akin {

namespace {

constexpr std::uint64_t kLimit = std::numeric_limits<std::uint32_t>::max();

/// Bits that a stored hash has lost, by its width in bytes.
constexpr unsigned shift_of(unsigned width) noexcept { return width == 5 ? 24 : 0; }

/// The narrowest width that distinguishes the hashes: 4 if they have only 32 bits, 5 if the leading 40 bits
/// differ wherever the hashes do, otherwise 8.
unsigned width_of(std::span<const FeatureCount> counts) noexcept {
  const auto hash = [counts](std::size_t i) { return static_cast<std::uint64_t>(counts[i].feature); };
  if (counts.empty() || hash(counts.size() - 1) <= kLimit) return 4;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (hash(i - 1) >> shift_of(5) == hash(i) >> shift_of(5)) return 8;
  }
  return 5;
}

// Ranges. In the scheme of sentence pairs a range begins where the last but one ended, a space later, and
// ends one sentence after the end of the last; in that of sentences it begins after the last. So a start is
// encoded as its distance from the end of the range `lag` before it, an end as its distance from the end
// before it; with lag 0, which fits any ranges, from the start before it and from its own start. Numbers are
// in Rice's code (R. F. Rice, "Some practical universal noiseless coding techniques", 1979): the low k bits,
// the rest in unary.

constexpr unsigned kMaxUnary = 24;   ///< this many zeros announce a plain number
constexpr unsigned kPlainBits = 34;  ///< bits of a plain number
constexpr unsigned kMaxLag = 2;
constexpr unsigned kMaxRice = 33;

struct RangeNumbers {
  std::vector<std::uint64_t> begins, lengths;
};

/// The numbers for a lag; nothing if the lag does not fit.
std::optional<RangeNumbers> range_numbers(const std::vector<TextRange>& ranges, unsigned lag) {
  RangeNumbers numbers;
  numbers.begins.reserve(ranges.size());
  numbers.lengths.reserve(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    std::int64_t expected = 0;
    std::int64_t start = ranges[i].begin;
    if (lag == 0) {
      expected = i == 0 ? 0 : ranges[i - 1].begin;
    } else {
      expected = i < lag ? 0 : std::int64_t{ranges[i - lag].end} + 1;
      start = i == 0 ? 0 : std::int64_t{ranges[i - 1].end};
    }
    if (ranges[i].end < start) return std::nullopt;
    numbers.begins.push_back(zigzag(std::int64_t{ranges[i].begin} - expected));
    numbers.lengths.push_back(static_cast<std::uint64_t>(ranges[i].end - start));
  }
  return numbers;
}

std::uint64_t rice_bits(std::uint64_t value, unsigned k) noexcept {
  const std::uint64_t unary = value >> k;
  return unary < kMaxUnary ? unary + 1 + k : kMaxUnary + kPlainBits;
}

struct RiceCode {
  unsigned k = 0;
  std::uint64_t bits = 0;
};

/// The best of three widths about the logarithm of the mean.
RiceCode best_code(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = 0;
  for (std::uint64_t value : values) sum += value;
  const std::uint64_t mean = values.empty() ? 0 : sum / values.size();
  const auto middle = static_cast<unsigned>(std::bit_width(mean));
  RiceCode best{0, std::numeric_limits<std::uint64_t>::max()};
  for (unsigned k = middle > 1 ? middle - 2 : 0; k <= std::min(middle, kMaxRice); ++k) {
    std::uint64_t bits = 0;
    for (std::uint64_t value : values) bits += rice_bits(value, k);
    if (bits < best.bits) best = {k, bits};
  }
  return best;
}

void put_rice(BitWriter& out, std::uint64_t value, unsigned k) {
  const std::uint64_t unary = value >> k;
  if (unary >= kMaxUnary) {
    out.put(0, kMaxUnary);
    out.put(value, kPlainBits);
    return;
  }
  out.put_unary(unary);
  out.put(value & low_bits(k), k);
}

/// Reads bits, never beyond the bytes: there it returns zeros, and ok() is false.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) noexcept : bytes_(bytes) {}
  [[nodiscard]] bool ok() const noexcept { return at_ <= bytes_.size() * 8; }
  /// The bytes that the bits read so far touch.
  [[nodiscard]] std::size_t bytes_read() const noexcept { return (at_ + 7) / 8; }
  /// Whether the bits that fill the last byte are zeros.
  [[nodiscard]] bool padded() const noexcept {
    return at_ % 8 == 0 || (static_cast<unsigned char>(bytes_[at_ / 8]) >> (at_ % 8)) == 0;
  }
  [[nodiscard]] std::uint64_t rice(unsigned k) noexcept {
    const std::uint64_t word = peek();
    const auto zeros = static_cast<unsigned>(std::countr_zero(word));
    if (zeros >= kMaxUnary) {
      at_ += kMaxUnary;
      const std::uint64_t value = peek() & low_bits(kPlainBits);
      at_ += kPlainBits;
      return value;
    }
    at_ += zeros + 1;
    const std::uint64_t low = peek() & low_bits(k);
    at_ += k;
    return std::uint64_t{zeros} << k | low;
  }

 private:
  /// At least 57 bits from here on.
  [[nodiscard]] std::uint64_t peek() const noexcept {
    char word[8] = {};
    const std::size_t from = at_ / 8;
    if (from < bytes_.size())
      std::memcpy(word, bytes_.data() + from, std::min<std::size_t>(8, bytes_.size() - from));
    return load_u64(word) >> (at_ % 8);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

void append_ranges(std::string& bytes, const std::vector<TextRange>& ranges) {
  unsigned lag = 0;
  RangeNumbers numbers = *range_numbers(ranges, 0);
  RiceCode begins = best_code(numbers.begins);
  RiceCode lengths = best_code(numbers.lengths);
  for (unsigned other = 1; other <= kMaxLag; ++other) {
    std::optional<RangeNumbers> more = range_numbers(ranges, other);
    if (!more) continue;
    const RiceCode more_begins = best_code(more->begins);
    const RiceCode more_lengths = best_code(more->lengths);
    if (more_begins.bits + more_lengths.bits >= begins.bits + lengths.bits) continue;
    lag = other;
    numbers = std::move(*more);
    begins = more_begins;
    lengths = more_lengths;
  }
  bytes.push_back(static_cast<char>(lag));
  bytes.push_back(static_cast<char>(begins.k));
  bytes.push_back(static_cast<char>(lengths.k));
  BitWriter out(bytes);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    put_rice(out, numbers.begins[i], begins.k);
    put_rice(out, numbers.lengths[i], lengths.k);
  }
  out.finish();
}

bool read_ranges(ByteReader& reader, std::vector<TextRange>& ranges) {
  const unsigned lag = reader.u8();
  const unsigned begins = reader.u8();
  const unsigned lengths = reader.u8();
  if (!reader.ok() || lag > kMaxLag || begins > kMaxRice || lengths > kMaxRice) return false;
  BitReader bits(reader.rest());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::int64_t distance = unzigzag(bits.rice(begins));
    const auto length = static_cast<std::int64_t>(bits.rice(lengths));
    if (!bits.ok()) return false;
    std::int64_t expected = 0;
    if (lag == 0) {
      expected = i == 0 ? 0 : ranges[i - 1].begin;
    } else {
      expected = i < lag ? 0 : std::int64_t{ranges[i - lag].end} + 1;
    }
    const std::int64_t begin = expected + distance;
    const std::int64_t start = lag == 0 ? begin : i == 0 ? 0 : std::int64_t{ranges[i - 1].end};
    const std::int64_t end = start + length;
    if (begin < 0 || begin > end || end > static_cast<std::int64_t>(kLimit)) return false;
    ranges[i] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  if (!bits.padded()) return false;
  static_cast<void>(reader.bytes(bits.bytes_read()));
  return reader.ok();
}

void append_alert(std::string& bytes, const Alert& alert, std::uint32_t& previous) {
  bytes.push_back(static_cast<char>(alert.kind));
  append_varint(bytes, zigzag(std::int64_t{alert.range.begin} - std::int64_t{previous}));
  append_varint(bytes, alert.range.end - alert.range.begin);
  previous = alert.range.begin;
}

bool read_alert(ByteReader& reader, Alert& alert, std::uint32_t& previous) {
  const std::uint8_t kind = reader.u8();
  const std::uint64_t distance = reader.varint();
  const std::uint64_t length = reader.varint();
  if (!reader.ok() || kind > static_cast<std::uint8_t>(AlertKind::mixed_script) || distance > 2 * kLimit ||
      length > kLimit) {
    return false;
  }
  const std::int64_t begin = std::int64_t{previous} + unzigzag(distance);
  if (begin < 0 || static_cast<std::uint64_t>(begin) + length > kLimit) return false;
  alert.kind = static_cast<AlertKind>(kind);
  alert.range = {static_cast<std::uint32_t>(begin),
                 static_cast<std::uint32_t>(static_cast<std::uint64_t>(begin) + length)};
  previous = alert.range.begin;
  return true;
}

// The least bits of one element; a count that exceeds the remaining bytes is damage and must not be
// allocated.
constexpr std::size_t kLeastRangeBits = 2;
constexpr std::size_t kLeastAlertBytes = 3;

/// The width of hashes that are not there.
constexpr unsigned kDerived = 0;

void append_numbers(std::string& bytes, const FeatureSequence& sequence, unsigned width) {
  append_varint(bytes, sequence.hashes.size());
  append_varint(bytes, sequence.alerts.size());
  append_varint(bytes, sequence.sentences);
  append_varint(bytes, sequence.words);
  append_varint(bytes, sequence.code_points);
  bytes.push_back(static_cast<char>(width));
}

bool read_derived(ByteReader& reader, DerivedSequence& derived) {
  derived.postings.postings = reader.varint();
  derived.postings.sum = reader.u64();
  derived.digest = reader.u64();
  return reader.finished() && derived.postings.postings <= derived.features &&
         derived.features <= kMaxFeatures && (derived.postings.postings > 0 || derived.features == 0);
}

}  // namespace

std::uint64_t digest_of(const FeatureSequence& sequence) noexcept {
  std::uint64_t state = 1;  // mix64(0) is 0
  const auto add = [&state](std::uint64_t word) { state = mix64(state ^ word); };
  const auto add_range = [&](TextRange range) { add(std::uint64_t{range.begin} << 32U | range.end); };
  add(sequence.hashes.size());
  add(sequence.alerts.size());
  add(sequence.sentences);
  add(sequence.words);
  add(sequence.code_points);
  for (const Feature feature : sequence.hashes) add(static_cast<std::uint64_t>(feature));
  for (const TextRange range : sequence.ranges) add_range(range);
  for (const Alert& alert : sequence.alerts) {
    add(static_cast<std::uint64_t>(alert.kind));
    add_range(alert.range);
  }
  return state;
}

std::string encode_derived(const FeatureSequence& sequence, std::span<const FeatureCount> counts) {
  assert(sequence.hashes.size() == sequence.ranges.size());
  PostingDigest postings;
  for (const FeatureCount& entry : counts) postings.add(entry.feature, entry.count);
  std::string bytes;
  append_numbers(bytes, sequence, kDerived);
  append_varint(bytes, postings.postings);
  append_u64(bytes, postings.sum);
  append_u64(bytes, digest_of(sequence));
  append_checksum(bytes);
  return bytes;
}

std::string encode_sequence(const FeatureSequence& sequence, HashWidth hashes) {
  return encode_sequence(sequence, count_features(sequence.hashes), hashes);
}

std::string encode_sequence(const FeatureSequence& sequence, std::span<const FeatureCount> counts,
                            HashWidth hashes) {
  assert(sequence.hashes.size() == sequence.ranges.size());
  const unsigned width = hashes == HashWidth::whole ? 8 : width_of(counts);
  std::string bytes;
  bytes.reserve(48 + sequence.hashes.size() * (width + 3));
  append_numbers(bytes, sequence, width);
  for (Feature feature : sequence.hashes) {
    const std::uint64_t stored = static_cast<std::uint64_t>(feature) >> shift_of(width);
    char all[8];
    boost::endian::store_little_u64(reinterpret_cast<unsigned char*>(all), stored);
    bytes.append(all, width);
  }
  append_ranges(bytes, sequence.ranges);
  std::uint32_t previous = 0;
  for (const Alert& alert : sequence.alerts) append_alert(bytes, alert, previous);
  append_checksum(bytes);
  return bytes;
}

std::optional<StoredSequence> decode_sequence(std::string_view bytes) {
  const std::optional<std::string_view> body = without_checksum(bytes);
  if (!body) return std::nullopt;

  ByteReader reader(*body);
  StoredSequence stored;
  FeatureSequence& sequence = stored.sequence;
  const std::uint64_t features = reader.varint();
  const std::uint64_t alerts = reader.varint();
  sequence.sentences = reader.varint();
  sequence.words = reader.varint();
  sequence.code_points = reader.varint();
  const unsigned width = reader.u8();
  if (reader.ok() && width == kDerived) {
    stored.derived.emplace().features = features;
    return read_derived(reader, *stored.derived) ? std::optional(std::move(stored)) : std::nullopt;
  }
  if (!reader.ok() || (width != 4 && width != 5 && width != 8)) return std::nullopt;
  if (features > reader.left() / width || alerts > reader.left() / kLeastAlertBytes) return std::nullopt;

  stored.shift = shift_of(width);
  sequence.hashes.resize(features);
  sequence.ranges.resize(features);
  sequence.alerts.resize(alerts);
  for (Feature& feature : sequence.hashes) {
    const std::string_view one = reader.bytes(width);
    std::uint64_t value = 0;
    for (unsigned i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(one[i]);
    feature = Feature{value};
  }
  if (features * kLeastRangeBits > reader.left() * 8 || !read_ranges(reader, sequence.ranges))
    return std::nullopt;
  std::uint32_t previous = 0;
  for (Alert& alert : sequence.alerts) {
    if (!read_alert(reader, alert, previous)) return std::nullopt;
  }
  if (!reader.finished()) return std::nullopt;
  return stored;
}

}  // namespace akin
