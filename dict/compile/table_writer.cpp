#include "dict/compile/table_writer.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <unordered_map>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "dict/table/table.h"

namespace akin {
namespace {

using namespace table_format;

/// Share of the slots that are filled.
constexpr double kLoad = 0.72;

/// The distinct lemma sets of the forms.
struct RowSet {
  std::vector<Row> rows;
  std::vector<std::uint32_t> lemmas;  // ids, from 1
  std::vector<std::uint32_t> row_of_form;
  std::vector<std::uint64_t> forms;
};

struct SetHash {
  std::size_t operator()(const std::vector<std::uint32_t>& ids) const noexcept {
    std::uint64_t hash = ids.size();
    for (const std::uint32_t id : ids) hash = mix64(hash ^ id);
    return hash;
  }
};

RowSet gather_rows(const FormGraph& graph, const LemmaClasses& classes) {
  RowSet out;
  std::vector<std::uint64_t> hashes;
  hashes.reserve(classes.classes.size());
  for (const LemmaClass& c : classes.classes) hashes.push_back(word_hash(c.name));

  constexpr std::uint32_t kNone = 0xffffffffU;
  out.forms.reserve(graph.edges.size());
  out.row_of_form.reserve(graph.edges.size());
  std::vector<std::uint32_t> row_of_single(graph.lemmas.size(), kNone);
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, SetHash> row_of_set;
  std::vector<std::uint32_t> set;
  for (std::size_t begin = 0, end = 0; begin < graph.edges.size(); begin = end) {
    set.clear();
    for (; end < graph.edges.size() && graph.edges[end].form == graph.edges[begin].form; ++end) {
      set.push_back(graph.edges[end].lemma + 1);
    }
    std::uint32_t& row =
        set.size() == 1 ? row_of_single[set.front() - 1] : row_of_set.try_emplace(set, kNone).first->second;
    if (row == kNone) {
      row = static_cast<std::uint32_t>(out.rows.size());
      const std::uint32_t lemma_class = classes.class_of_lemma[set.front() - 1];
      out.rows.push_back({hashes[lemma_class], lemma_class, static_cast<std::uint32_t>(out.lemmas.size())});
      out.lemmas.insert(out.lemmas.end(), set.begin(), set.end());
    }
    out.forms.push_back(graph.edges[begin].form);
    out.row_of_form.push_back(row);
  }
  out.rows.push_back({0, 0, static_cast<std::uint32_t>(out.lemmas.size())});
  return out;
}

/// Appends sections to an image, each at an aligned offset.
class Image {
 public:
  /// `about` is roughly how many bytes it will have.
  explicit Image(std::size_t about) {
    bytes_.reserve(about);
    bytes_.resize(round_up(sizeof(Header)));
  }

  /// Space for `count` elements, all bytes zero.
  template <class T>
  Section allocate(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const Section section{bytes_.size(), count};
    bytes_.resize(round_up(bytes_.size() + count * sizeof(T)));
    return section;
  }
  template <class T>
  [[nodiscard]] std::span<T> elements(const Section& section) {
    return {reinterpret_cast<T*>(bytes_.data() + section.begin), static_cast<std::size_t>(section.count)};
  }
  template <class T>
  Section append(std::span<const T> from) {
    const Section section = allocate<T>(from.size());
    std::copy(from.begin(), from.end(), elements<T>(section).begin());
    return section;
  }

  std::vector<char> seal(Header header) {
    header.file_bytes = bytes_.size();
    header.body_hash = body_hash(bytes_);
    header.header_hash = header_hash(header);
    std::memcpy(bytes_.data(), &header, sizeof(header));
    return std::move(bytes_);
  }

 private:
  static std::size_t round_up(std::size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }
  std::vector<char> bytes_;
};

/// Home slots of a table with this many keys.
std::uint64_t home_slots_for(std::size_t keys) {
  return std::max<std::uint64_t>(16, static_cast<std::uint64_t>(double(keys) / kLoad));
}

/// Gives each key, in ascending order, the first free slot from its home on; calls place(i, slot) for key
/// number i. Returns the number of slots needed, including an empty one at the end.
template <class KeyAt, class Place>
std::size_t assign_slots(std::size_t count, std::uint64_t home_slots, KeyAt key_at, Place place) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    next = std::max(next, static_cast<std::size_t>(home_slot(key_at(i), home_slots)));
    place(i, next++);
  }
  return std::max(next, static_cast<std::size_t>(home_slots)) + 1;
}

/// Places slot_at(0) … slot_at(count - 1), whose keys ascend, among copies of `empty` in a section of the
/// image.
template <class T, class SlotAt>
Section append_slots(Image& image, std::size_t count, std::uint64_t home_slots, const T& empty,
                     SlotAt slot_at) {
  const auto key_at = [&](std::size_t i) { return slot_at(i).key; };
  const Section section = image.allocate<T>(assign_slots(count, home_slots, key_at, [](auto, auto) {}));
  const std::span<T> slots = image.elements<T>(section);
  std::size_t filled = 0;
  assign_slots(count, home_slots, key_at, [&](std::size_t i, std::size_t slot) {
    while (filled < slot) slots[filled++] = empty;
    slots[filled++] = slot_at(i);
  });
  std::fill(slots.begin() + static_cast<std::ptrdiff_t>(filled), slots.end(), empty);
  return section;
}

/// The joined classes in ascending order of their hashes.
std::vector<SynonymSlot> joined_classes(const JoinedSynonyms& synonyms, const LemmaClasses& classes) {
  std::vector<SynonymSlot> joined;
  for (const std::vector<std::uint32_t>& group : synonyms.groups) {
    const std::uint64_t hash = word_hash(classes.classes[group.front()].name);
    for (const std::uint32_t member : group) {
      joined.push_back({word_hash(classes.classes[member].name), hash});
    }
  }
  std::sort(joined.begin(), joined.end(),
            [](const SynonymSlot& a, const SynonymSlot& b) { return a.key < b.key; });
  return joined;
}

void count_synonyms(const JoinedSynonyms& synonyms, Header& header) {
  header.unknown_synonyms = synonyms.unknown;
  header.synonym_groups = synonyms.groups.size();
  for (const std::vector<std::uint32_t>& group : synonyms.groups) {
    header.synonym_classes += group.size();
    header.largest_synonym_group = std::max<std::uint64_t>(header.largest_synonym_group, group.size());
  }
}

class Text {
 public:
  TextSpan append(std::string_view piece) {
    const TextSpan span{static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(piece.size())};
    text_ += piece;
    return span;
  }
  [[nodiscard]] std::span<const char> all() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::vector<char> write_table(const FormGraph& graph, const LemmaClasses& classes, TableExtras extras) {
  RowSet rows;
  Text text;
  std::vector<Lemma> lemmas;
  std::vector<TextSpan> names;
  Header header;
  for_each_index(2, [&](std::size_t task) {
    if (task == 0) {
      rows = gather_rows(graph, classes);
      return;
    }
    lemmas.reserve(graph.lemmas.size());
    for (std::size_t i = 0; i < graph.lemmas.size(); ++i)
      lemmas.push_back({text.append(graph.lemmas[i]), classes.class_of_lemma[i]});
    names.reserve(classes.classes.size());
    for (std::size_t i = 0; i < classes.classes.size(); ++i) {
      names.push_back(text.append(to_utf8(classes.classes[i].name)));
      if (classes.classes[i].forms > header.largest_class_forms) {
        header.largest_class = i;
        header.largest_class_forms = classes.classes[i].forms;
      }
    }
  });
  std::vector<Source>& sources = extras.sources;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    sources[i].lemmas = graph.per_source[i].lemmas;
    sources[i].forms = graph.per_source[i].forms;
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source& a, const Source& b) { return a.content < b.content; });

  header.magic = kMagic;
  header.byte_order = kByteOrder;
  header.version = kCompilerVersion;
  header.fingerprint = extras.fingerprint.all;
  header.words_fingerprint = extras.fingerprint.words;
  count_synonyms(extras.synonyms, header);
  const std::vector<SynonymSlot> joined = joined_classes(extras.synonyms, classes);
  header.forms = rows.forms.size();
  header.home_slots = home_slots_for(rows.forms.size());
  header.ending_home_slots = home_slots_for(extras.endings.size());
  header.synonym_home_slots = home_slots_for(joined.size());
  Image image(header.home_slots * (sizeof(Slot) + 1) + rows.rows.size() * sizeof(Row) +
              rows.lemmas.size() * sizeof(std::uint32_t) + names.size() * sizeof(TextSpan) +
              lemmas.size() * sizeof(Lemma) + text.all().size() +
              2 * extras.endings.size() * sizeof(EndingSlot) + 2 * joined.size() * sizeof(SynonymSlot));
  header.slots = append_slots(image, rows.forms.size(), header.home_slots,
                              Slot{kEmptyKey, WordClassTable::kNoRow, 0}, [&](std::size_t i) {
                                return Slot{rows.forms[i], rows.row_of_form[i], 0};
                              });
  header.rows = image.append<Row>(rows.rows);
  header.row_lemmas = image.append<std::uint32_t>(rows.lemmas);
  header.classes = image.append<TextSpan>(names);
  header.lemmas = image.append<Lemma>(lemmas);
  header.sources = image.append<Source>(sources);
  header.ignored = image.append<char32_t>(extras.ignored);
  header.endings = append_slots(image, extras.endings.size(), header.ending_home_slots,
                                EndingSlot{kEmptyKey, 0, 0}, [&](std::size_t i) {
                                  return EndingSlot{extras.endings[i].key, extras.endings[i].strip, 0};
                                });
  header.synonyms = append_slots(image, joined.size(), header.synonym_home_slots,
                                 SynonymSlot{kEmptyKey, kEmptyKey}, [&](std::size_t i) { return joined[i]; });
  header.text = image.append<char>(text.all());
  return image.seal(header);
}

}  // namespace akin
