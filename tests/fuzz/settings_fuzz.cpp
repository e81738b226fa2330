// A configuration file of any bytes: read or refused with a line, and every text it holds can be written
// again.
#include <cstdlib>

#include "cli/frame/settings_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace akin::cli;
  const auto entries = parse_settings({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (entries.has_error()) {
    if (entries.error().what.empty() || entries.error().reason.empty()) std::abort();
    return 0;
  }
  for (const FileEntry& entry : *entries) {
    if (entry.line == 0) std::abort();
    if (entry.kind != FileValue::text) continue;
    const auto again = parse_settings("again = " + toml_string(entry.values.front()), "again");
    if (again.has_error() || again->front().values != entry.values) std::abort();
  }
  return 0;
}
