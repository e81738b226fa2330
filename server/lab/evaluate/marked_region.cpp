#include "server/lab/evaluate/marked_region.h"

#include "server/json/quoted.h"

namespace akin::evaluate {

namespace {

Result<std::size_t> find_mark(std::string_view document, const std::string& mark) {
  const std::size_t at = document.find(mark);
  const std::string named = "the line " + json::in_quotes(mark.substr(0, mark.find('\n')));
  if (at == std::string_view::npos) {
    return Error{Errc::not_found, named, "is not in the document", "put it where the table is to be written"};
  }
  if (document.find(mark, at + 1) != std::string_view::npos) {
    return Error{Errc::invalid_argument, named, "is in the document twice", "keep one of them"};
  }
  return at;
}

}  // namespace

Result<std::string> with_region(std::string_view document, std::string_view name, std::string_view content) {
  const std::string begin = "<!-- begin " + std::string(name) + " -->\n";
  const std::string end = "<!-- end " + std::string(name) + " -->";
  AKIN_TRY(const std::size_t from, find_mark(document, begin));
  AKIN_TRY(const std::size_t to, find_mark(document, end));
  if (to < from) {
    return Error{Errc::invalid_argument, "region " + json::in_quotes(name), "ends before it begins",
                 "put its lines in order"};
  }
  std::string result(document.substr(0, from + begin.size()));
  result += "\n" + std::string(content);
  if (!result.ends_with('\n')) result += '\n';
  return result + "\n" + std::string(document.substr(to));
}

}  // namespace akin::evaluate
