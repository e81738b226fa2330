#include "extract/client/page_answer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "extract/client/answer_fields.h"
#include "extract/formats/text_encoding.h"

namespace akin::extract {

namespace {

constexpr char kPage = '\3';

bool are_bounded(const std::vector<std::string>& all, std::size_t most, std::size_t bytes) {
  return all.size() <= most &&
         std::ranges::all_of(all, [&](const std::string& one) { return one.size() <= bytes; });
}

bool are_bounded(const PageFacts& facts) {
  std::size_t data = 0;
  for (const std::string& one : facts.linked_data) data += one.size();
  return data <= kMostLinkedData && facts.images <= kMostImages &&
         are_bounded(facts.times, kMostLinks, kMostStatement) &&
         are_bounded(facts.links, kMostLinks, kMostStatement) &&
         std::ranges::all_of(facts.statements, [](const PageFacts::Statement& one) {
           return one.name.size() <= kMostStatement && one.value.size() <= kMostStatement;
         });
}

std::optional<Page> read_fields(Fields fields) {
  constexpr std::size_t kStatementBytes = 8;
  Page page;
  page.title = fields.string();
  page.language = fields.string();
  page.text = fields.text_with_zeros();  // plain text may have them
  page.hidden = fields.string();
  page.hidden_at = fields.u32();
  page.ways = fields.u8();
  page.script_text.characters = fields.u32();
  page.script_text.at = fields.u32();
  page.script_text.is_read = fields.one_of<bool>(2);
  page.script_text.sample = fields.string();
  page.interleaved = fields.u32();
  page.interleaved_sample = fields.string();
  page.added = fields.string();
  page.facts.statements.resize(fields.count(kMostStatements, kStatementBytes));
  for (PageFacts::Statement& one : page.facts.statements) {
    one.name = fields.string();
    one.value = fields.string();
  }
  page.facts.linked_data = fields.strings();
  page.facts.times = fields.strings();
  page.facts.links = fields.strings();
  page.facts.images = fields.u32();
  const bool right = fields.ended() && page.title.size() <= kMaxPageTitle && are_bounded(page.facts) &&
                     std::max(page.hidden_at, page.script_text.at) <= count_code_points(page.text) &&
                     std::max(page.script_text.sample.size(), page.interleaved_sample.size()) <= kSampleBytes;
  return right ? std::optional(std::move(page)) : std::nullopt;
}

}  // namespace

std::string encode_page_request(const PageRequest& request) {
  std::string body(1, request.html ? '\1' : '\0');
  put_string(body, request.encoding);
  body += request.bytes;
  return body;
}

Result<PageRequest> decode_page_request(std::string_view body) {
  Fields fields(body);
  PageRequest request;
  request.html = fields.one_of<bool>(2);
  request.encoding = fields.string();
  const auto bytes = fields.rest();
  if (!bytes) return Error{Errc::corrupt, "akin-extract", "was sent something else than a page", ""};
  request.bytes = *bytes;
  return request;
}

Result<Page> read_page(const PageRequest& request, const std::string& name) {
  if (request.html) return read_html(request.bytes, name, request.encoding);
  Page page;
  AKIN_TRY(page.text, decode_text(std::string(request.bytes), request.encoding, name));
  return page;
}

std::string encode_page(const Result<Page>& page) {
  if (page.has_error()) return encode_error(page.error());
  std::string out(1, kPage);
  put_string(out, page->title);
  put_string(out, page->language);
  put_string(out, page->text);
  put_string(out, page->hidden);
  append_u32(out, page->hidden_at);
  out += static_cast<char>(page->ways);
  append_u32(out, page->script_text.characters);
  append_u32(out, page->script_text.at);
  out += page->script_text.is_read ? '\1' : '\0';
  put_string(out, page->script_text.sample);
  append_u32(out, page->interleaved);
  put_string(out, page->interleaved_sample);
  put_string(out, page->added);
  append_u32(out, static_cast<std::uint32_t>(page->facts.statements.size()));
  for (const PageFacts::Statement& one : page->facts.statements) {
    put_string(out, one.name);
    put_string(out, one.value);
  }
  put_strings(out, page->facts.linked_data);
  put_strings(out, page->facts.times);
  put_strings(out, page->facts.links);
  append_u32(out, page->facts.images);
  return out;
}

Result<Page> decode_page(std::string_view body, const std::string& name) {
  return decode_tagged(body, kPage, name, read_fields);
}

}  // namespace akin::extract
