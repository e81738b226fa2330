#include "dict/read/dictionary_lines.h"

#include <utility>

namespace akin {

DictionaryLines::DictionaryLines(std::string_view content) : rest_(content) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool DictionaryLines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++number_;
  return true;
}

std::string_view next_field(std::string_view& rest) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = rest.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    rest = {};
    return {};
  }
  const std::size_t end = rest.find_first_of(kBlanks, begin);
  const std::string_view field = rest.substr(begin, end == std::string_view::npos ? end : end - begin);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end);
  return field;
}

Error bad_line(const std::filesystem::path& file, std::size_t line, std::string reason) {
  return Error{Errc::bad_dictionary, file.string() + " line " + std::to_string(line), std::move(reason),
               "repair the file, or use another dictionary"};
}

}  // namespace akin
