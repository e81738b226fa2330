#include "cli/commands/common/document_flags.h"

#include "index/collection/bulk.h"

namespace akin::cli {

void add_filter_option(Command command, std::string& filter, const std::string& help) {
  command
      .add_option("--filter", filter,
                  help + ",\nsuch as 'language = \"krl\" AND date < 2020-01-01' (akin's filter language)")
      .type_name("FILTER");
}

Result<std::optional<filter::Filter>> filter_of(const std::string& text) {
  if (text.empty()) return std::optional<filter::Filter>();
  AKIN_TRY(filter::Filter filter, filter::Filter::parse(text));
  return std::optional(std::move(filter));
}

void add_encoding_option(Command command, std::string& encoding) {
  command
      .add_option(
          "--encoding", encoding,
          "Encoding of plain texts, and of HTML that declares none: utf-8, a name such as windows-1251\nor "
          "koi8-r, or auto (found by each file's bytes)")
      .capture_default_str()
      .type_name("NAME");
}

void add_load_memory(Command command, std::uint64_t& memory) {
  command
      .add_option("--memory", memory,
                  "Memory for texts read but not yet stored (suffixes K, M, G; at least 16M)")
      .with_size_suffix()
      .range(kLeastBulkMemory, std::uint64_t{1} << 50)
      .type_name("BYTES")
      .default_str("1G");
}

}  // namespace akin::cli
