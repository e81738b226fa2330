#include "dict/read/dic_reader.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/utf8.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/flags.h"

namespace akin {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The start of a line's morphological fields: after a tab, or at the first "xx:" that follows a blank.
std::size_t find_morphology(std::string_view line) {
  std::size_t begin = line.find('\t');
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos && colon < begin;
       colon = line.find(':', colon + 1)) {
    if (colon > 3 && is_blank(line[colon - 3])) {
      std::size_t blank = colon - 3;
      while (blank > 0 && is_blank(line[blank - 1])) --blank;
      if (blank > 0) begin = std::min(begin, blank);
      break;
    }
  }
  return begin;
}

/// Splits "word/flags" at the first slash that is neither escaped nor the line's first character.
struct WordAndFlags {
  std::string word;
  std::optional<std::string_view> flags;
};
WordAndFlags split_flags(std::string_view text) {
  WordAndFlags out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '/') {
      out.word += '/';
      ++i;
    } else if (text[i] == '/' && i > 0) {
      if (i + 1 < text.size()) out.flags = text.substr(i + 1);
      break;
    } else {
      out.word += text[i];
    }
  }
  return out;
}

class DicReader {
 public:
  DicReader(const AffixData& affixes, const std::filesystem::path& file) : affixes_(affixes), file_(file) {}

  Result<WordList> read(std::string_view content) {
    DictionaryLines lines(content);
    unsigned count = 0;
    if (!lines.next())
      return bad_line(file_, 1, "the file is empty; its first line should be the number of words");
    std::string_view first = lines.line();
    const std::string_view field = next_field(first);
    if (std::from_chars(field.data(), field.data() + field.size(), count).ec != std::errc{} || count == 0) {
      return bad_line(file_, 1, "the first line is not the number of words");
    }
    while (lines.next()) {
      if (!lines.line().empty()) AKIN_CHECK(read_line(lines.line(), lines.number()));
    }
    return std::move(list_);
  }

 private:
  Result<void> read_line(std::string_view line, std::size_t number) {
    const std::size_t split = find_morphology(line);
    const std::string_view morphology =
        split == std::string_view::npos ? std::string_view{} : line.substr(split);
    const WordAndFlags text = split_flags(line.substr(0, split));

    DictionaryEntry entry;
    if (!affixes_.encoding.decode(text.word, entry.word)) {
      return bad_line(file_, number, "the word is not valid " + affixes_.encoding_name);
    }
    std::erase_if(entry.word, [this](char32_t c) {
      return std::binary_search(affixes_.ignored.begin(), affixes_.ignored.end(), c);
    });
    if (entry.word.empty()) return {};
    if (text.flags) {
      if (const auto wrong = read_flags(*text.flags, entry); !wrong.empty()) {
        return bad_line(file_, number, std::string(wrong));
      }
    }
    if (!read_stem(morphology, entry)) {
      return bad_line(file_, number, "its st: field is not valid " + affixes_.encoding_name);
    }
    if (affixes_.reversed) std::reverse(entry.word.begin(), entry.word.end());
    list_.entries.push_back(std::move(entry));
    return {};
  }

  std::string_view read_flags(std::string_view field, DictionaryEntry& entry) {
    std::vector<Flag> flags;
    std::size_t alias = 0;
    if (affixes_.flag_aliases.empty()) {
      while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
      if (const auto wrong = append_flags(field, affixes_.flag_type, flags); !wrong.empty()) return wrong;
      make_set(flags);
    } else {
      std::from_chars(field.data(), field.data() + field.size(), alias);
      if (alias == 0 || alias > affixes_.flag_aliases.size()) return "AF has no such number";
      if (const auto known = alias_begin_.find(alias); known != alias_begin_.end()) {
        entry.flags_begin = known->second;
        entry.flags_count = static_cast<std::uint32_t>(affixes_.flag_aliases[alias - 1].size());
        return {};
      }
      flags = affixes_.flag_aliases[alias - 1];
    }
    if (list_.flags.size() + flags.size() > std::numeric_limits<std::uint32_t>::max())
      return "too many flags";
    entry.flags_begin = static_cast<std::uint32_t>(list_.flags.size());
    entry.flags_count = static_cast<std::uint32_t>(flags.size());
    list_.flags.insert(list_.flags.end(), flags.begin(), flags.end());
    if (alias != 0) alias_begin_.emplace(alias, entry.flags_begin);
    return {};
  }

  bool read_stem(std::string_view morphology, DictionaryEntry& entry) {
    if (!affixes_.morph_aliases.empty()) {
      std::size_t alias = 0;
      const std::string_view field = next_field(morphology);
      std::from_chars(field.data(), field.data() + field.size(), alias);
      morphology = alias == 0 || alias > affixes_.morph_aliases.size()
                       ? std::string_view{}
                       : std::string_view(affixes_.morph_aliases[alias - 1]);
    }
    std::u32string stem = entry.word;
    bool found = false;
    for (std::string_view field = next_field(morphology); !field.empty(); field = next_field(morphology)) {
      for (const std::string_view name : {"ds:", "sp:", "pa:"})
        list_.plain_fields = list_.plain_fields && !field.starts_with(name);
      if (found || !field.starts_with("st:") || field.size() <= 3) continue;
      if (!affixes_.encoding.decode(field.substr(3), stem)) return false;
      found = true;
    }
    entry.stem = to_utf8(affixes_.output.empty() ? stem : affixes_.output.apply(stem));
    return true;
  }

  const AffixData& affixes_;
  const std::filesystem::path& file_;
  WordList list_;
  std::unordered_map<std::size_t, std::uint32_t> alias_begin_;
};

}  // namespace

Result<WordList> read_dic(std::string_view content, const AffixData& affixes,
                          const std::filesystem::path& file) {
  return DicReader(affixes, file).read(content);
}

}  // namespace akin
