#include "cli/commands/common/filter_option.h"

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

}  // namespace akin::cli
