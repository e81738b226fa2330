#include "dict/read/aff_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "dict/fold/fold.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/flags.h"

namespace akin {
namespace {

using Status = Result<void>;

/// Whether an option is read here, or decides neither which words Hunspell accepts nor what it analyses.
/// Options that are not listed may do so.
bool leaves_compounds_alone(std::string_view keyword) {
  constexpr std::string_view kKnown[] = {
      "SET",         "FLAG",        "AF",          "PFX",         "SFX",           "NEEDAFFIX",
      "PSEUDOROOT",  "CIRCUMFIX",   "KEEPCASE",    "BREAK",       "FORBIDDENWORD", "ONLYINCOMPOUND",
      "CHECKSHARPS", "COMPOUNDMIN", "COMPOUNDEND", "NOSUGGEST",   "COMPOUNDBEGIN", "COMPOUNDMIDDLE",
      "WORDCHARS",   "TRY",         "KEY",         "MAP",         "REP",           "COMPOUNDPERMITFLAG",
      "MAXDIFF",     "MAXCPDSUGS",  "ONLYMAXDIFF", "NOSPLITSUGS", "MAXNGRAMSUGS",  "SUGSWITHDOTS",
      "VERSION",     "HOME",        "NAME",        "LANG"};
  return std::find(std::begin(kKnown), std::end(kKnown), keyword) != std::end(kKnown);
}

class AffReader {
 public:
  AffReader(std::string_view content, const std::filesystem::path& file) : content_(content), file_(file) {}

  Result<AffixData> read() {
    AKIN_CHECK(each_line(&AffReader::read_character_option));
    AKIN_CHECK(each_line(&AffReader::read_alias));
    AKIN_CHECK(each_line(&AffReader::read_option));
    AKIN_CHECK(each_line(&AffReader::read_compound_option));
    if (rules_left_ > 0) return fail("the last affix announces more rules than follow");
    make_set(data_.compound_flags);
    for (RuleSet* rules : {&data_.prefixes, &data_.suffixes}) {
      for (AffixRule& rule : rules->all()) note_membership(rule);
      rules->index();
    }
    return std::move(data_);
  }

 private:
  using Handler = Status (AffReader::*)(std::string_view keyword, std::string_view rest);

  [[nodiscard]] Error fail(std::string_view reason) const {
    return bad_line(file_, line_number_, std::string(reason));
  }

  Status each_line(Handler handler) {
    DictionaryLines lines(content_);
    while (lines.next()) {
      line_number_ = lines.number();
      std::string_view rest = lines.line();
      const std::string_view keyword = next_field(rest);
      if (keyword.empty() || keyword.starts_with('#')) continue;
      AKIN_CHECK((this->*handler)(keyword, rest));
    }
    return {};
  }

  // Flags, lengths and characters that decide which compounds are words. Errors are none here: a value that
  // Hunspell reads in another way only makes the options incomplete.
  Status read_compound_option(std::string_view keyword, std::string_view rest) {
    CompoundOptions& out = data_.compounds;
    out.complete = out.complete && leaves_compounds_alone(keyword);
    const std::pair<std::string_view, Flag*> kFlags[] = {{"COMPOUNDBEGIN", &out.begin},
                                                         {"COMPOUNDMIDDLE", &out.middle},
                                                         {"COMPOUNDEND", &out.end},
                                                         {"COMPOUNDPERMITFLAG", &out.permit},
                                                         {"KEEPCASE", &out.keep_case}};
    for (const auto& [name, target] : kFlags) {
      if (keyword == name)
        out.complete = out.complete && *target == 0 && read_flag(rest, *target).has_value();
    }
    const std::string_view field = next_field(rest);
    if (keyword == "COMPOUNDMIN") {
      int least = 0;
      std::from_chars(field.data(), field.data() + field.size(), least);
      out.least_letters = static_cast<std::size_t>(std::max(least, 1));
    } else if (keyword == "BREAK") {
      std::u32string letters;
      const bool first = !std::exchange(seen_breaks_, true);
      if (first) out.breaks.clear();
      if (!first && !data_.encoding.decode(field, letters)) out.complete = false;
      out.breaks += letters;
    } else if (keyword == "LANG") {
      // Hunspell has rules of its own for these.
      for (const std::string_view code : {"hu", "tr", "az", "crh"})
        out.complete = out.complete && !field.starts_with(code);
    }
    return {};
  }

  // SET, FLAG and COMPLEXPREFIXES decide how all other lines are read, wherever they are in the file.
  Status read_character_option(std::string_view keyword, std::string_view rest) {
    if (keyword == "SET") {
      data_.encoding_name = next_field(rest);
      const auto encoding = Encoding::named(data_.encoding_name);
      if (!encoding)
        return fail("SET names an encoding that is not supported: '" + data_.encoding_name + "'");
      data_.encoding = *encoding;
    } else if (keyword == "FLAG") {
      if (rest.find("long") != std::string_view::npos) {
        data_.flag_type = FlagType::two_characters;
      } else if (rest.find("num") != std::string_view::npos) {
        data_.flag_type = FlagType::number;
      } else if (rest.find("UTF-8") != std::string_view::npos) {
        data_.flag_type = FlagType::utf8;
      }  // whatever else it says, Hunspell reads flags of one character
    } else if (keyword == "COMPLEXPREFIXES") {
      data_.reversed = true;
    }
    return {};
  }

  // Affix rules need AF, AM and IGNORE, which may come after them.
  Status read_alias(std::string_view keyword, std::string_view rest) {
    if (keyword == "AF") {
      const std::string_view field = next_field(rest);
      if (!std::exchange(seen_flag_aliases_, true)) return check_count(field);
      std::vector<Flag> flags;
      if (const auto wrong = append_flags(field, data_.flag_type, flags); !wrong.empty()) return fail(wrong);
      make_set(flags);
      data_.flag_aliases.push_back(std::move(flags));
    } else if (keyword == "AM") {
      if (!std::exchange(seen_morph_aliases_, true)) return check_count(next_field(rest));
      data_.morph_aliases.emplace_back(rest);
    } else if (keyword == "IGNORE") {
      AKIN_CHECK(decode(next_field(rest), data_.ignored));
      std::sort(data_.ignored.begin(), data_.ignored.end());
    }
    return {};
  }

  Status read_option(std::string_view keyword, std::string_view rest) {
    const std::pair<std::string_view, Flag*> kFlags[] = {{"NEEDAFFIX", &data_.need_affix},
                                                         {"PSEUDOROOT", &data_.need_affix},
                                                         {"CIRCUMFIX", &data_.circumfix},
                                                         {"ONLYINCOMPOUND", &data_.only_in_compound},
                                                         {"FORBIDDENWORD", &data_.forbidden_word}};
    for (const auto& [name, target] : kFlags) {
      if (keyword == name) return read_flag(rest, *target);
    }
    constexpr std::string_view kCompound[] = {"COMPOUNDFLAG", "COMPOUNDBEGIN", "COMPOUNDMIDDLE",
                                              "COMPOUNDEND"};
    if (std::find(std::begin(kCompound), std::end(kCompound), keyword) != std::end(kCompound)) {
      Flag flag = 0;
      AKIN_CHECK(read_flag(rest, flag));
      data_.compound_flags.push_back(flag);
    } else if (keyword == "COMPOUNDRULE") {
      return read_compound_rule(rest);
    } else if (keyword == "FULLSTRIP") {
      data_.full_strip = true;
    } else if (keyword == "CHECKSHARPS") {
      data_.check_sharps = true;
    } else if (keyword == "ICONV") {
      return read_conversion(rest, seen_input_, data_.input);
    } else if (keyword == "OCONV") {
      return read_conversion(rest, seen_output_, data_.output);
    } else if (keyword == "PFX" || keyword == "SFX") {
      return rules_left_ == 0 ? read_affix_header(keyword, rest) : read_affix_rule(keyword, rest);
    }
    return {};
  }

  Status read_flag(std::string_view rest, Flag& target) {
    std::vector<Flag> flags;
    std::string_view field = next_field(rest);
    // If a field is too long, Hunspell takes the first flag.
    if (data_.flag_type == FlagType::character) field = field.substr(0, 1);
    if (data_.flag_type == FlagType::two_characters) field = field.substr(0, 2);
    if (const auto wrong = append_flags(field, data_.flag_type, flags); !wrong.empty()) return fail(wrong);
    if (flags.empty()) return fail("a flag is missing");
    target = flags.front();
    return {};
  }

  Status read_compound_rule(std::string_view rest) {
    const std::string_view field = next_field(rest);
    if (!std::exchange(seen_compound_rules_, true)) return check_count(field);
    if (const auto wrong = append_rule_flags(field, data_.flag_type, data_.compound_flags); !wrong.empty()) {
      return fail(wrong);
    }
    return {};
  }

  Status read_conversion(std::string_view rest, bool& seen, ConversionTable& table) {
    const std::string_view pattern = next_field(rest);
    if (!std::exchange(seen, true)) return check_count(pattern);
    const std::string_view replacement = next_field(rest);
    if (replacement.empty()) return fail("a conversion needs a pattern and a replacement");
    std::u32string from;
    std::u32string to;
    AKIN_CHECK(decode(pattern, from));
    AKIN_CHECK(decode(replacement, to));
    // Forms are folded: an ICONV rule between spellings that fold alike adds none (Korean: 11,172 syllables).
    if (&table != &data_.input || !fold_alike(from, to)) table.add(from, to);
    return {};
  }

  bool fold_alike(std::u32string_view a, std::u32string_view b) {
    const std::u32string folded(folder_.fold(to_utf8(a)).letters);
    return !folded.empty() && folded == folder_.fold(to_utf8(b)).letters;
  }

  Status read_affix_header(std::string_view keyword, std::string_view rest) {
    std::string_view flag_field = next_field(rest);
    const std::string_view cross = next_field(rest);
    const std::string_view count = next_field(rest);
    AKIN_CHECK(read_flag(flag_field, header_flag_));
    AKIN_CHECK(check_count(count));
    header_keyword_ = keyword;
    header_cross_ = cross.starts_with('Y');
    std::from_chars(count.data(), count.data() + count.size(), rules_left_);
    return {};
  }

  Status read_affix_rule(std::string_view keyword, std::string_view rest) {
    AffixRule rule;
    rule.cross_product = header_cross_;
    AKIN_CHECK(read_flag(next_field(rest), rule.flag));
    if (keyword != header_keyword_ || rule.flag != header_flag_) {
      return fail("the affix above announces more rules than follow");
    }
    const std::string_view strip = next_field(rest);
    std::string_view append = next_field(rest);
    if (append.empty()) return fail("an affix rule needs a flag, what to strip and what to add");
    if (const std::size_t slash = append.find('/'); slash != std::string_view::npos) {
      AKIN_CHECK(read_flags_or_alias(append.substr(slash + 1), rule.continuation));
      append = append.substr(0, slash);
    }
    if (strip != "0") AKIN_CHECK(decode(strip, rule.strip));
    if (append != "0") AKIN_CHECK(decode(append, rule.append));
    std::erase_if(rule.append, [this](char32_t c) {
      return std::binary_search(data_.ignored.begin(), data_.ignored.end(), c);
    });
    AKIN_CHECK(read_condition(next_field(rest), rule.condition));
    data_.compounds.complete = data_.compounds.complete && std::string_view(rest).find(':') == rest.npos;
    AKIN_CHECK(read_surface_prefix(rest, rule));
    if (data_.reversed) {
      std::reverse(rule.strip.begin(), rule.strip.end());
      std::reverse(rule.append.begin(), rule.append.end());
      rule.condition.reverse();
    }
    const CharTable& characters = CharTable::instance();
    rule.elides = keyword == "PFX" && std::any_of(rule.append.begin(), rule.append.end(), [&](char32_t c) {
                    return characters[c].kind() == CharKind::apostrophe;
                  });
    const bool prefix = (keyword == "PFX") != data_.reversed;
    (prefix ? data_.prefixes : data_.suffixes).add(std::move(rule));
    --rules_left_;
    return {};
  }

  Status read_condition(std::string_view field, Condition& condition) {
    if (field.empty()) return {};
    std::u32string pattern;
    AKIN_CHECK(decode(field, pattern));
    auto parsed = Condition::parse(pattern);
    if (!parsed) return fail("a bracket of the condition is not closed");
    condition = std::move(*parsed);
    return {};
  }

  Status read_flags_or_alias(std::string_view field, std::vector<Flag>& flags) {
    if (data_.flag_aliases.empty()) {
      if (const auto wrong = append_flags(field, data_.flag_type, flags); !wrong.empty()) return fail(wrong);
    } else {
      std::size_t alias = 0;
      std::from_chars(field.data(), field.data() + field.size(), alias);
      if (alias == 0 || alias > data_.flag_aliases.size()) return fail("AF has no such number");
      flags = data_.flag_aliases[alias - 1];
    }
    make_set(flags);
    return {};
  }

  Status read_surface_prefix(std::string_view fields, AffixRule& rule) {
    if (!data_.morph_aliases.empty()) {
      std::size_t alias = 0;
      const std::string_view field = next_field(fields);
      std::from_chars(field.data(), field.data() + field.size(), alias);
      if (alias == 0 || alias > data_.morph_aliases.size()) return {};
      fields = data_.morph_aliases[alias - 1];
    }
    constexpr std::string_view kSurfacePrefix = "sp:";
    for (std::string_view field = next_field(fields); !field.empty(); field = next_field(fields)) {
      if (!field.starts_with(kSurfacePrefix)) continue;
      std::u32string letters;
      AKIN_CHECK(decode(field.substr(kSurfacePrefix.size()), letters));
      static const Encoding utf8 = *Encoding::named("UTF-8");
      if (!utf8.encode(letters, rule.surface_prefix)) return fail("its sp: field is not text");
      break;
    }
    return {};
  }

  Status decode(std::string_view bytes, std::u32string& letters) {
    if (data_.encoding.decode(bytes, letters)) return {};
    return fail("the line is not valid " + data_.encoding_name);
  }

  Status check_count(std::string_view field) {
    unsigned count = 0;
    const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), count);
    if (status != std::errc{} || count == 0)
      return fail("a table's first line must give the number of its lines");
    return {};
  }

  void note_membership(AffixRule& rule) const {
    rule.needs_affix = has_flag(rule.continuation, data_.need_affix);
    rule.circumfix = has_flag(rule.continuation, data_.circumfix);
    rule.only_in_compound = has_flag(rule.continuation, data_.only_in_compound);
  }

  std::string_view content_;
  const std::filesystem::path& file_;
  AffixData data_;
  WordFolder folder_;
  std::size_t line_number_ = 0;
  bool seen_flag_aliases_ = false, seen_morph_aliases_ = false, seen_compound_rules_ = false;
  bool seen_input_ = false, seen_output_ = false, seen_breaks_ = false;
  std::string_view header_keyword_;
  Flag header_flag_ = 0;
  bool header_cross_ = false;
  unsigned rules_left_ = 0;
};

}  // namespace

Result<AffixData> read_aff(std::string_view content, const std::filesystem::path& file) {
  return AffReader(content, file).read();
}

}  // namespace akin
