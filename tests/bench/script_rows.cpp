#include "tests/bench/script_rows.h"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

namespace akin::bench {

void add_rows_of(Session& session, const std::string& script, const std::vector<std::string>& arguments,
                 const std::string& suffix) {
  std::string command = "python3 '" AKIN_BENCH_SCRIPTS "/" + script + "'";
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  std::FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) throw std::runtime_error("cannot run " + script);
  std::string skipped;
  char* line = nullptr;
  std::size_t room = 0;
  while (getline(&line, &room, output) > 0) {
    const auto message = nlohmann::json::parse(line);
    if (message.contains("skipped")) {
      message["skipped"].get_to(skipped);
      continue;
    }
    std::optional<double> goal;
    if (message.contains("goal") && !message["goal"].is_null()) goal = message["goal"].get<double>();
    session.add({message["name"].get<std::string>() + suffix, message["value"].get<double>(),
                 message["unit"].get<std::string>(), goal,
                 message["better"] == "higher" ? Better::higher : Better::lower,
                 message["yardstick"].get<std::string>()});
  }
  std::free(line);
  const int status = pclose(output);
  if (!skipped.empty()) throw Skipped(skipped);
  if (status != 0) throw std::runtime_error(script + " failed");
}

}  // namespace akin::bench
