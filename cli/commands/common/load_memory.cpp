#include "cli/commands/common/load_memory.h"

#include "index/collection/bulk.h"

namespace akin::cli {

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
