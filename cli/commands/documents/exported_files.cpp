#include "cli/commands/documents/exported_files.h"

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "base/files.h"

namespace akin::cli {

namespace {

/// Of a name in the file systems of Linux.
constexpr std::size_t kMostNameBytes = 255;

bool is_path_within(std::string_view id) {
  for (;;) {
    const std::size_t slash = id.find('/');
    const std::string_view name = id.substr(0, slash);
    if (name.empty() || name == "." || name == ".." || name.size() > kMostNameBytes) return false;
    if (slash == std::string_view::npos) return true;
    id.remove_prefix(slash + 1);
  }
}

Error not_written(std::string_view id, std::string reason) {
  return {Errc::invalid_argument, "file of document '" + std::string(id) + "'", std::move(reason),
          "akin show ID --file OUT writes it"};
}

}  // namespace

Result<ExportedFiles> ExportedFiles::open(const std::filesystem::path& folder) {
  AKIN_CHECK(make_folder(folder));
  std::error_code code;
  const bool empty = std::filesystem::is_empty(folder, code);
  if (code) return system_error(code.value(), folder.string(), "read");
  if (!empty) {
    return Error{Errc::already_exists, folder.string(), "it is not empty, and no file in it is replaced",
                 "name another folder"};
  }
  return ExportedFiles(folder);
}

Result<void> ExportedFiles::write(std::string_view id, std::string_view bytes) {
  if (!is_path_within(id)) return not_written(id, "its id is not the path of a file within a folder");
  const std::filesystem::path path = folder_ / id;
  std::error_code code;
  std::filesystem::create_directories(path.parent_path(), code);
  if (code == std::errc::not_a_directory || code == std::errc::file_exists)
    return not_written(id, "its folder would have the path of another document's file");
  if (code) return system_error(code.value(), path.parent_path().string(), "create");
  if (std::filesystem::exists(path, code)) return not_written(id, "another document's file has its path");
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out.good()) return system_error(errno, path.string(), "write");
  ++files_;
  bytes_ += bytes.size();
  return {};
}

}  // namespace akin::cli
