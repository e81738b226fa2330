#include "dict/read/supplement.h"

#include "base/utf8.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

constexpr BuiltInList kSupplements[] = {
#include "dict/supplements.inc"
};

constexpr std::string_view kEveryForm = "-*";

std::string not_a_word(std::string_view field) { return std::string(field).append(" is not one word"); }

}  // namespace

Result<EdgeList> read_supplement(std::string_view content, const std::filesystem::path& file) {
  EdgeList out;
  FormFolder folder;
  DictionaryLines lines(content);
  while (lines.next()) {
    const auto fail = [&](std::string_view reason) {
      return bad_line(file, lines.number(), std::string(reason));
    };
    const std::string_view line = lines.line().substr(0, lines.line().find('#'));
    if (!validate_utf8(line, file.string())) return fail("the line is not valid UTF-8");
    const std::size_t colon = line.find(':');
    std::string_view before = line.substr(0, colon);
    const std::string_view lemma = next_field(before);
    if (lemma.empty() && colon == std::string_view::npos) continue;
    if (lemma.empty() || colon == std::string_view::npos || !next_field(before).empty()) {
      return fail("a line must read 'lemma: form form …'");
    }
    const auto folded_lemma = folder.fold_form(to_utf32(lemma));
    if (!folded_lemma) return fail(not_a_word(lemma));
    const std::uint64_t lemma_key = folded_lemma->key;
    const auto index = static_cast<std::uint32_t>(out.lemmas.size());
    out.lemmas.emplace_back(lemma);
    out.edges.push_back({lemma_key, index, 0});

    std::string_view rest = line.substr(colon + 1);
    std::string_view field = next_field(rest);
    if (field.empty()) return fail("a lemma without forms");
    for (; !field.empty(); field = next_field(rest)) {
      if (field == kEveryForm) {
        out.cuts.push_back({lemma_key, 0, {}, true});
        continue;
      }
      const bool is_cut = field.front() == '-';
      const std::string_view form = field.substr(is_cut ? 1 : 0);
      const auto folded = folder.fold_form(to_utf32(form));
      if (!folded) return fail(not_a_word(form));
      if (is_cut) {
        out.cuts.push_back({lemma_key, folded->key, std::string(form), false});
      } else {
        out.edges.push_back({folded->key, index, 0});
      }
    }
  }
  return out;
}

std::span<const BuiltInList> built_in_supplements() noexcept { return kSupplements; }

}  // namespace akin
