#include "tests/experiments/corpora.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "tests/support/built.h"

namespace akin::experiments {

namespace fs = std::filesystem;

namespace {

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

fs::path corpora_folder() {
  const char* given = std::getenv("AKIN_CORPORA");
  const fs::path folder =
      given != nullptr ? fs::path(given) : test::source_folder() / "build/corpora/corpora";
  return fs::is_directory(folder) ? folder : fs::path();
}

std::vector<Work> read_works(const fs::path& root, const std::string& folder) {
  std::vector<Work> works;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const fs::path& path = entry.path();
    if (!entry.is_regular_file() || path.extension() != ".txt" || path.filename() == "SOURCE.txt") continue;
    works.push_back({path.lexically_relative(root).generic_string(), read_file(path)});
  }
  std::sort(works.begin(), works.end(), [](const Work& a, const Work& b) { return a.id < b.id; });
  return works;
}

std::vector<std::vector<std::string>> read_table(const fs::path& file) {
  std::istringstream lines(read_file(file));
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> row;
    std::istringstream cells(line);
    std::string cell;
    while (std::getline(cells, cell, '\t')) row.push_back(cell);
    rows.push_back(std::move(row));
  }
  return rows;
}

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "akin-experiment-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder in " + name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace akin::experiments
