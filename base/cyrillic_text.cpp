#include "base/cyrillic_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace akin {
namespace {

using namespace std::string_view_literals;  // the literal has a zero inside

constexpr unsigned char kEscape = 0x98;

/// The characters of the bytes from 0x80 on.
constexpr std::u16string_view kHigh =
    u"\u0402\u0403\u201a\u0453\u201e\u2026\u2020\u2021\u20ac\u2030\u0409\u2039\u040a\u040c\u040b\u040f"
    u"\u0452\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u0000\u2122\u0459\u203a\u045a\u045c\u045b\u045f"
    u"\u00a0\u040e\u045e\u0408\u00a4\u0490\u00a6\u00a7\u0401\u00a9\u0404\u00ab\u00ac\u00ad\u00ae\u0407"
    u"\u00b0\u00b1\u0406\u0456\u0491\u00b5\u00b6\u00b7\u0451\u2116\u0454\u00bb\u0458\u0405\u0455\u0457"
    u"\u0410\u0411\u0412\u0413\u0414\u0415\u0416\u0417\u0418\u0419\u041a\u041b\u041c\u041d\u041e\u041f"
    u"\u0420\u0421\u0422\u0423\u0424\u0425\u0426\u0427\u0428\u0429\u042a\u042b\u042c\u042d\u042e\u042f"
    u"\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u0439\u043a\u043b\u043c\u043d\u043e\u043f"
    u"\u0440\u0441\u0442\u0443\u0444\u0445\u0446\u0447\u0448\u0449\u044a\u044b\u044c\u044d\u044e\u044f"sv;
static_assert(kHigh.size() == 0x80);

/// The bytes of the characters from `kFirst` on; 0 for a character without one.
template <char32_t kFirst, std::size_t kCount>
constexpr std::array<unsigned char, kCount> bytes_of_characters() {
  std::array<unsigned char, kCount> bytes{};
  for (std::size_t i = 0; i < kHigh.size(); ++i) {
    const char32_t c = kHigh[i];
    if (c >= kFirst && c < kFirst + kCount && c != 0)
      bytes[c - kFirst] = static_cast<unsigned char>(0x80 + i);
  }
  return bytes;
}

constexpr auto kOfTwoBytes = bytes_of_characters<0, 0x800>();
constexpr char32_t kFirstOfThree = 0x2000;
constexpr auto kOfThreeBytes = bytes_of_characters<kFirstOfThree, 0x200>();

struct Spelling {
  std::array<char, 3> bytes{};
  unsigned char size = 0;
};

constexpr std::array<Spelling, 0x100> spellings() {
  std::array<Spelling, 0x100> out{};
  for (unsigned i = 0; i < 0x100; ++i) {
    const char32_t c = i < 0x80 ? char32_t{i} : char32_t{kHigh[i - 0x80]};
    if (c < 0x80) {
      out[i] = {{static_cast<char>(c)}, 1};
    } else if (c < 0x800) {
      out[i] = {{static_cast<char>(0xc0U | c >> 6U), static_cast<char>(0x80U | (c & 0x3fU))}, 2};
    } else {
      out[i] = {{static_cast<char>(0xe0U | c >> 12U), static_cast<char>(0x80U | (c >> 6U & 0x3fU)),
                 static_cast<char>(0x80U | (c & 0x3fU))},
                3};
    }
  }
  out[kEscape] = {};
  return out;
}

constexpr auto kSpellings = spellings();

/// Bytes of the character that begins with this one; 0 if none does.
constexpr std::size_t size_of_character(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

bool continues(unsigned char byte) { return (byte & 0xc0U) == 0x80; }

/// The bytes of the character at `at`; 0 if it is not whole.
std::size_t whole_character(const unsigned char* at, const unsigned char* end) {
  const std::size_t size = size_of_character(*at);
  if (size == 0 || static_cast<std::size_t>(end - at) < size) return 0;
  return std::all_of(at + 1, at + size, continues) ? size : 0;
}

/// The byte that stands for a character of several bytes; 0 if none does.
unsigned char byte_of(const unsigned char* at, std::size_t size) {
  if (size == 2) return kOfTwoBytes[(at[0] & 0x1fU) << 6U | (at[1] & 0x3fU)];
  if (size != 3) return 0;
  const char32_t c = (at[0] & 0xfU) << 12U | (at[1] & 0x3fU) << 6U | (at[2] & 0x3fU);
  return c >= kFirstOfThree && c < kFirstOfThree + kOfThreeBytes.size() ? kOfThreeBytes[c - kFirstOfThree]
                                                                        : static_cast<unsigned char>(0);
}

/// Whether a sample of the bytes shows that a quarter of them begin such letters.
bool has_cyrillic_letters(std::string_view text) {
  constexpr std::size_t kEvery = 16;
  std::size_t seen = 0, leads = 0;
  for (std::size_t i = 0; i < text.size(); i += kEvery) {
    ++seen;
    leads += (static_cast<unsigned char>(text[i]) & 0xfeU) == 0xd0 ? 1 : 0;
  }
  return leads * 4 > seen;
}

#if defined(__x86_64__)

/// For each set of bits of a byte, the places of those bits, lowest first.
constexpr std::array<std::array<std::uint8_t, 8>, 0x100> places_of_bits() {
  std::array<std::array<std::uint8_t, 8>, 0x100> places{};
  for (unsigned bits = 0; bits < 0x100; ++bits) {
    std::size_t size = 0;
    for (std::uint8_t bit = 0; bit < 8; ++bit)
      if ((bits >> bit & 1U) != 0) places[bits][size++] = bit;
  }
  return places;
}

constexpr auto kPlacesOfBits = places_of_bits();

/// Appends the bytes of `half` (the lower eight) whose bits are set; writes eight bytes.
[[gnu::target("ssse3,popcnt")]] unsigned char* append_chosen(__m128i half, unsigned bits,
                                                             unsigned char* out) {
  const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPlacesOfBits[bits].data()));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(half, places));
  return out + std::popcount(bits);
}

[[gnu::target("ssse3,popcnt")]] __m128i all(int byte) { return _mm_set1_epi8(static_cast<char>(byte)); }

/// Whether bytes are from `first` to `last`.
[[gnu::target("ssse3,popcnt")]] __m128i are_between(__m128i bytes, int first, int last) {
  return _mm_cmpeq_epi8(_mm_subs_epu8(_mm_sub_epi8(bytes, all(first)), all(last - first)),
                        _mm_setzero_si128());
}

/// Packs Russian letters and ASCII sixteen bytes at a time, up to another character or to the last few bytes.
[[gnu::target("ssse3,popcnt")]] void pack_sixteens(const unsigned char*& at, const unsigned char* end,
                                                   unsigned char*& out) {
  constexpr unsigned kStep = 16;
  unsigned begun = 0;  // whether the byte at `at` belongs to a letter that has been packed
  while (end - at > std::ptrdiff_t{kStep}) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i after = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 1));
    const __m128i first_lead = _mm_cmpeq_epi8(bytes, all(0xd0));
    const __m128i second_lead = _mm_cmpeq_epi8(bytes, all(0xd1));
    // U+0410 to U+043F, U+0440 to U+044F, U+0401, U+0451.
    const __m128i first_half = _mm_and_si128(first_lead, are_between(after, 0x90, 0xbf));
    const __m128i second_half = _mm_and_si128(second_lead, are_between(after, 0x80, 0x8f));
    const __m128i large_yo = _mm_and_si128(first_lead, _mm_cmpeq_epi8(after, all(0x81)));
    const __m128i small_yo = _mm_and_si128(second_lead, _mm_cmpeq_epi8(after, all(0x91)));
    const __m128i of_alphabet = _mm_or_si128(first_half, second_half);
    const __m128i letters = _mm_or_si128(of_alphabet, _mm_or_si128(large_yo, small_yo));
    const __m128i distance = _mm_or_si128(
        _mm_or_si128(_mm_and_si128(first_half, all(0xc0 - 0x90)),
                     _mm_and_si128(second_half, all(0xf0 - 0x80))),
        _mm_or_si128(_mm_and_si128(large_yo, all(0xa8 - 0x81)), _mm_and_si128(small_yo, all(0xb8 - 0x91))));
    const __m128i packed =
        _mm_or_si128(_mm_and_si128(letters, _mm_add_epi8(after, distance)), _mm_andnot_si128(letters, bytes));
    const auto leads = static_cast<unsigned>(_mm_movemask_epi8(letters));
    const unsigned ascii = ~static_cast<unsigned>(_mm_movemask_epi8(bytes)) & 0xffffU;
    const unsigned known = leads | leads << 1U | begun | ascii;
    const auto read = std::min(static_cast<unsigned>(std::countr_one(known)), unsigned{kStep});
    const unsigned chosen = (leads | ascii) & ((1U << read) - 1);
    out = append_chosen(packed, chosen & 0xffU, out);
    out = append_chosen(_mm_srli_si128(packed, 8), chosen >> 8U, out);
    at += read;
    begun = leads >> (kStep - 1);
    if (read == kStep) continue;
    return;
  }
  at += begun;
}

#endif

/// Eight bytes, the first one as the lowest.
std::uint64_t eight_bytes(const unsigned char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof(bytes));
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return bytes;
}

/// Packs letters from U+0400 to U+047F and ASCII, up to another character or to the last few bytes. Takes
/// four letters at a time: words and blanks alternate unpredictably, so each branch costs more than four
/// letters.
void pack_letters(const unsigned char*& at, const unsigned char* end, unsigned char*& out) {
  constexpr std::size_t kStep = 8;
  while (static_cast<std::size_t>(end - at) > kStep) {
    const std::uint64_t bytes = eight_bytes(at);
    // Lead bytes 0xd0 and 0xd1, continuing bytes 0x80 to 0xbf.
    const std::uint64_t others = (bytes & 0xc0fec0fec0fec0feU) ^ 0x80d080d080d080d0U;
    const auto read = static_cast<std::size_t>(std::countr_zero(others)) / 16;
    const auto byte_of_letter = [bytes](unsigned i) {
      const std::uint64_t letter = bytes >> 16U * i;
      return kOfTwoBytes[0x400 + ((letter & 1U) << 6U) + (letter >> 8U & 0x3fU)];
    };
    out[0] = byte_of_letter(0);
    out[1] = byte_of_letter(1);
    out[2] = byte_of_letter(2);
    out[3] = byte_of_letter(3);
    // Those of letters are 0x80 or more, or 0 if there is none.
    const unsigned missing = ~(out[0] | out[1] << 8U | out[2] << 16U | unsigned{out[3]} << 24U) & 0x80808080U;
    const auto known = static_cast<std::size_t>(std::countr_zero(missing)) / 8;
    const std::size_t letters = std::min(read, known);
    out += letters;
    at += 2 * letters;
    if (letters == kStep / 2) continue;
    if (*at >= 0x80) return;
    *out++ = *at++;
  }
}

}  // namespace

bool pack_cyrillic(std::string_view text, std::string& packed) {
  if (!has_cyrillic_letters(text)) return false;
  // Each character leaves at most one byte more than it has, and no character has less than two bytes then.
  packed.resize(text.size() + text.size() / 2 + 4);
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = at + text.size();
  auto* out = reinterpret_cast<unsigned char*>(packed.data());
  while (at < end) {
#if defined(__x86_64__)
    if (cpu_level() >= CpuLevel::v2) pack_sixteens(at, end, out);
#endif
    pack_letters(at, end, out);
    if (at == end) break;
    const std::size_t size = whole_character(at, end);
    if (size == 0) return false;
    const unsigned char byte = size == 1 ? *at : byte_of(at, size);
    if (byte != 0 || size == 1) {
      *out++ = byte;
    } else {
      *out++ = kEscape;
      out = std::copy_n(at, size, out);
    }
    at += size;
  }
  packed.resize(static_cast<std::size_t>(reinterpret_cast<char*>(out) - packed.data()));
  return packed.size() <= text.size() - text.size() / 4;
}

std::optional<std::string> unpack_cyrillic(std::string_view packed, std::uint64_t text_bytes) {
  std::string text(text_bytes, '\0');
  const auto* at = reinterpret_cast<const unsigned char*>(packed.data());
  const auto* const end = at + packed.size();
  char* out = text.data();
  char* const full = out + text.size();
  while (at < end) {
    while (at < end && full - out >= static_cast<std::ptrdiff_t>(sizeof(Spelling)) && *at != kEscape) {
      const Spelling& spelling = kSpellings[*at++];
      std::memcpy(out, &spelling, sizeof(spelling));
      out += spelling.size;
    }
    if (at == end) break;
    const auto room = static_cast<std::size_t>(full - out);
    if (*at == kEscape) {
      ++at;
      const std::size_t size = at < end ? whole_character(at, end) : 0;
      if (size == 0 || room < size) return std::nullopt;
      out = std::copy_n(at, size, out);
      at += size;
    } else {
      const Spelling& spelling = kSpellings[*at++];
      if (room < spelling.size) return std::nullopt;
      out = std::copy_n(spelling.bytes.data(), spelling.size, out);
    }
  }
  if (out != full) return std::nullopt;
  return text;
}

}  // namespace akin
