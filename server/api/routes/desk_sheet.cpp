// The pages of the desk that show pages of the file that was handed in.
#include "server/desk/sheet.h"

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/held_memory.h"
#include "extract/client/extractor.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/audit/audit_log.h"

namespace akin::api {

namespace {

Error no_such_page(const std::string& page, std::uint32_t pages) {
  return {Errc::not_found, "page " + in_quotes(page),
          pages == 0 ? "the pages of this file are not shown"
                     : "the file has pages 1 to " + std::to_string(pages),
          "open the report of the check"};
}

Result<std::uint32_t> page_of(const std::string& text, const Json& check) {
  const std::uint32_t pages =
      has_page_pictures(check) ? check.at("file").value("pages", std::uint32_t{0}) : 0;
  std::uint32_t page = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), page);
  if (failure != std::errc() || end != text.data() + text.size() || page < 1 || page > pages)
    return no_such_page(text, pages);
  return page;
}

Result<extract::PageWords> kept_words(const check::Checks& checks, const std::string& id,
                                      std::uint32_t page) {
  AKIN_TRY(const std::string places, checks.places(id));
  if (places.empty()) return extract::PageWords();
  AKIN_TRY(std::vector<extract::PageWords> pages, extract::decode_places(places, id));
  return page <= pages.size() ? std::move(pages[page - 1]) : extract::PageWords();
}

}  // namespace

bool has_page_pictures(const Json& check) {
  const auto file = check.find("file");
  if (file == check.end() || !file->is_object() || !check.at("original").is_object()) return false;
  const std::string type = file->value("type", "");
  return type == "pdf" || type == "djvu" || type == "picture";
}

Result<Response> get_desk_sheet(const Call& call) {
  const std::string& id = call.captures.front();
  const desk::Reader reader = reader_of(call, "/desk/checks/" + id + "/pages/" + call.captures[1]);
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const auto checks, checks_of(call.service));
    AKIN_TRY(const Json check, allowed_check(call, *checks));
    AKIN_TRY(const std::uint32_t page, page_of(call.captures[1], check));
    AKIN_TRY(const HeldMemory held,
             HeldMemory::take(2 * check.at("original").at("bytes").get<std::uint64_t>()));
    AKIN_TRY(const StoredFile file, checks->original(check));
    AKIN_TRY(const std::string text, checks->text(id));
    AKIN_TRY(extract::PagePicture picture,
             extract::Extractor::installed().picture({.page = page, .bytes = file.bytes}, file.name));
    AKIN_CHECK(record(call, "check.file_read", id));
    const Json shown = shown_check(reader, check);
    desk::Sheet sheet{.check = shown,
                      .text = text,
                      .page = page,
                      .pages = check.at("file").at("pages").get<std::uint32_t>(),
                      .picture = std::move(picture),
                      .data_url = {}};
    AKIN_TRY(sheet.kept, kept_words(*checks, id, page));
    sheet.data_url = "data:image/jpeg;base64," + base64(sheet.picture.jpeg);
    return page_response(200, reader, desk::sheet_page(reader, sheet), "img-src data:");
  });
}

}  // namespace akin::api
