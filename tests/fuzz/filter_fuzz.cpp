// Any bytes as a filter: refused with a place, or read; and then its opposite accepts what it does not.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/filter/filter.h"

namespace {

akin::DocumentRecord record(std::string id, std::string metadata) {
  akin::DocumentRecord result;
  result.id = std::move(id);
  result.title = "Title";
  result.metadata = std::move(metadata);
  result.revision = akin::Revision(1'709'164'800'000'250);
  return result;
}

const std::array kRecords = {
    record("a", ""), record("b", R"({"author":"N. N.","date":"2019-05-17","group":["a",3],"year":2000})"),
    record("c", R"({"date":"2020-01-01T00:00:00+01:00","flag":true,"year":0.1,"source":null})"),
    record("d", "no JSON")};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto filter = akin::filter::Filter::parse(text);
  if (filter.has_error()) {
    if (filter.error().reason.empty()) std::abort();
    return 0;
  }
  const auto opposite = akin::filter::Filter::parse("NOT (" + text + ")");
  if (opposite.has_error()) return 0;  // one level or some bytes too many
  for (const akin::DocumentRecord& one : kRecords) {
    if (filter->accepts(one) == opposite->accepts(one)) std::abort();
  }
  return 0;
}
