#include "dict/supplement.h"

#include "base/utf8.h"
#include "dict/form_folder.h"
#include "dict/line_reader.h"

namespace akin {

Result<EdgeList> read_supplement(std::string_view content, const std::filesystem::path& file) {
  EdgeList out;
  FormFolder folder;
  LineReader lines(content);
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
    const auto index = static_cast<std::uint32_t>(out.lemmas.size());
    out.lemmas.emplace_back(lemma);
    const std::size_t edges_before = out.edges.size();
    std::string_view rest = line.substr(colon + 1);
    for (std::string_view form = lemma; !form.empty(); form = next_field(rest)) {
      const auto folded = folder.fold_form(to_utf32(form));
      if (!folded) return fail(std::string(form).append(" is not one word"));
      out.edges.push_back({folded->key, index, 0});
    }
    if (out.edges.size() == edges_before + 1) return fail("a lemma without forms");
  }
  return out;
}

}  // namespace akin
