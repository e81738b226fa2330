#include "tests/bench/row_json.h"

#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/bench/process.h"

namespace akin::bench {

double machine_load() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

namespace {

/// The value after "name :" in a file of such lines.
std::string value_of(const char* file, std::string_view name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t value = line.find_first_not_of(" \t", line.find(':') + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "unknown";
}

/// Type of the file system that holds a path: the mount point with the longest matching beginning.
std::string file_system_of(const std::filesystem::path& path) {
  std::error_code unreadable;
  const std::string wanted = std::filesystem::weakly_canonical(path, unreadable).string() + "/";
  std::ifstream mounts("/proc/mounts");
  std::string best, type = "unknown";
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream cells(line);
    std::string device, point, kind;
    cells >> device >> point >> kind;
    if (!point.ends_with('/')) point += '/';
    if (wanted.starts_with(point) && point.size() >= best.size()) {
      best = point;
      type = kind;
    }
  }
  return type;
}

nlohmann::ordered_json machine(const std::filesystem::path& filesystem, double load) {
  utsname system{};
  uname(&system);
  return {{"processor", value_of("/proc/cpuinfo", "model name")},
          {"cores", std::thread::hardware_concurrency()},
          {"memory", format("%.1f GB", static_cast<double>(machine_memory()) / 1e9)},
          {"system", std::string(system.sysname) + " " + system.release},
          {"file system", file_system_of(filesystem)},
          {"compiler", "g++ " __VERSION__},
          {"load", format("%.1f before the measurements, %.1f after them", load, machine_load())}};
}

}  // namespace

nlohmann::ordered_json to_json(const Row& row) {
  nlohmann::ordered_json json;
  json["name"] = row.name;
  json["value"] = row.value;
  json["unit"] = row.unit;
  json["better"] = row.better == Better::higher ? "higher" : "lower";
  json["goal"] = row.goal ? nlohmann::ordered_json(*row.goal) : nlohmann::ordered_json();
  json["met"] = row.goal ? nlohmann::ordered_json(row.met()) : nlohmann::ordered_json();
  json["yardstick"] = row.yardstick;
  return json;
}

nlohmann::ordered_json to_json(const std::vector<Row>& rows, const std::filesystem::path& filesystem,
                               double load) {
  nlohmann::ordered_json json;
  json["machine"] = machine(filesystem, load);
  json["rows"] = nlohmann::ordered_json::array();
  for (const Row& row : rows) json["rows"].push_back(to_json(row));
  return json;
}

nlohmann::ordered_json earlier_rows(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return nlohmann::ordered_json::array();
  const auto json = nlohmann::ordered_json::parse(in, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("rows"))
    throw std::runtime_error(file.string() + " is not what ./bench writes");
  return json["rows"];
}

}  // namespace akin::bench
