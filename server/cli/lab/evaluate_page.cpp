#include "server/cli/lab/evaluate_page.h"

#include <filesystem>
#include <utility>

#include "base/files.h"
#include "server/lab/evaluate/marked_region.h"

namespace akin::cli {

namespace {

Result<std::string> changed_page(const PageRegion& page, std::string_view markdown) {
  AKIN_TRY(const std::string document, read_whole_file(page.into));
  auto changed = evaluate::with_region(document, page.region, markdown);
  if (!changed.has_error()) return changed;
  Error error = std::move(changed).error();
  error.what = page.into + ": " + error.what;
  return error;
}

}  // namespace

void add_page_options(Command command, PageRegion& page) {
  command.add_option("--into", page.into, "Put Markdown tables into a region of this document")
      .type_name("FILE");
  command
      .add_option("--region", page.region,
                  "Name of the region, between <!-- begin NAME --> and <!-- end NAME -->")
      .type_name("NAME");
}

Result<void> check_page(const PageRegion& page) {
  if (page.into.empty()) return {};
  if (page.region.empty()) {
    return Error{Errc::invalid_argument, "--into", "needs the name of a region", "give it with --region"};
  }
  AKIN_CHECK(changed_page(page, ""));
  return {};
}

Result<void> write_page(const PageRegion& page, std::string_view markdown) {
  if (page.into.empty()) return {};
  AKIN_TRY(const std::string changed, changed_page(page, markdown));
  return replace_file(std::filesystem::absolute(page.into), changed);
}

void CommandLine::add(std::string_view word) {
  const bool plain = !word.empty() && word.find_first_of("()* ;&'\"$|<>\\`") == std::string_view::npos;
  text_ += plain ? " " : " '";
  for (const char c : word) {
    if (c == '\'') {
      text_ += "'\\''";
    } else {
      text_ += c;
    }
  }
  if (!plain) text_ += '\'';
}

void CommandLine::add(std::string_view flag, std::string_view value) {
  add(flag);
  add(value);
}

std::string CommandLine::markdown() const { return "`" + text_ + "`\n\n"; }

}  // namespace akin::cli
