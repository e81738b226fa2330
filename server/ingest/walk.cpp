#include "server/ingest/walk.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "base/utf8.h"
#include "extract/formats/passed_over.h"
#include "server/ingest/input.h"

namespace akin::ingest {

namespace fs = std::filesystem;

namespace {

/// Walks one folder argument.
class FolderWalk {
 public:
  FolderWalk(const fs::path& data_folder, InputList& out) : data_folder_(data_folder), out_(out) {}

  /// `prefix` is prepended to the ids of the files directly in `folder`.
  void enter(const fs::path& folder, const std::string& prefix) {
    std::error_code failure;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(folder, failure); !failure && at != fs::directory_iterator();
         at.increment(failure)) {
      entries.push_back(*at);
    }
    if (failure)
      out_.refused.push_back(system_error(failure.value(), display_name(folder), "read the folder"));
    std::sort(entries.begin(), entries.end(), [](const fs::directory_entry& a, const fs::directory_entry& b) {
      return a.path().filename().native() < b.path().filename().native();
    });
    for (const fs::directory_entry& entry : entries) take(entry, prefix);
  }

 private:
  const fs::path& data_folder_;
  InputList& out_;

  void take(const fs::directory_entry& entry, const std::string& prefix) {
    const std::string name = entry.path().filename().native();
    if (extract::is_passed_over(name)) {
      ++out_.hidden;
      return;
    }
    std::error_code failure;
    const bool link = entry.is_symlink(failure);
    const fs::file_status target = entry.status(failure);
    if (target.type() == fs::file_type::directory) {
      std::error_code no_data_folder;
      if (link || fs::equivalent(entry.path(), data_folder_, no_data_folder)) {
        ++out_.other;
      } else {
        enter(entry.path(), prefix + name + '/');
      }
      return;
    }
    if (target.type() == fs::file_type::regular) {
      const std::uint64_t bytes = entry.file_size(failure);
      add(entry.path(), prefix + name, failure ? 0 : bytes);
      return;
    }
    if (failure) {
      out_.refused.push_back(system_error(failure.value(), display_name(entry.path()), "follow the link"));
      return;
    }
    ++out_.other;
  }

  void add(const fs::path& path, std::string id, std::uint64_t bytes) {
    if (validate_utf8(id, "name").has_error()) {
      out_.refused.push_back({Errc::invalid_utf8, display_name(path),
                              "the file's name is not UTF-8, so it cannot be an id", "rename the file"});
      return;
    }
    out_.files.push_back({path, std::move(id), bytes});
  }
};

/// The name of a file argument, also for "books/." and "books/a.txt/".
std::string file_name(const fs::path& path) {
  const fs::path plain = path.lexically_normal();
  return plain.has_filename() ? plain.filename().native() : plain.parent_path().filename().native();
}

Result<void> refuse_shared_ids(const std::vector<InputFile>& files) {
  std::unordered_map<std::string_view, const InputFile*> owners;
  owners.reserve(files.size());
  for (const InputFile& file : files) {
    const auto [owner, first] = owners.emplace(file.id, &file);
    if (first) continue;
    return Error{Errc::already_exists, "id '" + file.id + "'",
                 "claimed by both " + display_name(owner->second->path) + " and " + display_name(file.path) +
                     "; nothing was written",
                 "index a folder that contains both, or one of them with --id"};
  }
  return {};
}

Result<void> take_argument(const fs::path& argument, const fs::path& data_folder, InputList& out) {
  if (argument == "-") {
    out.files.push_back({argument, "", 0});
    return {};
  }
  std::error_code failure;
  const fs::file_status status = fs::status(argument, failure);
  if (failure || status.type() == fs::file_type::not_found) {
    Error error = system_error(failure ? failure.value() : ENOENT, display_name(argument), "open");
    error.reason += "; nothing was written";
    return error;
  }
  if (status.type() == fs::file_type::directory) {
    FolderWalk(data_folder, out).enter(argument, "");
    return {};
  }
  const std::string id = file_name(argument);
  AKIN_CHECK(validate_utf8(id, "the name of " + display_name(argument)));
  const std::uint64_t bytes = status.type() == fs::file_type::regular ? fs::file_size(argument, failure) : 0;
  out.files.push_back({argument, id, failure ? 0 : bytes});
  return {};
}

}  // namespace

std::uint64_t InputList::bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const InputFile& file : files) bytes += file.bytes;
  return bytes;
}

Result<InputList> collect_inputs(const std::vector<fs::path>& arguments, const std::string& given_id,
                                 const fs::path& data_folder) {
  InputList list;
  for (const fs::path& argument : arguments) AKIN_CHECK(take_argument(argument, data_folder, list));
  const bool from_stdin = std::find(arguments.begin(), arguments.end(), fs::path("-")) != arguments.end();
  if (!given_id.empty()) {
    std::error_code failure;
    if (arguments.size() != 1 || fs::is_directory(arguments.front(), failure)) {
      return Error{Errc::invalid_argument, "--id",
                   "is for one document, but the arguments are not exactly one file",
                   "index that file alone"};
    }
    list.files.front().id = given_id;
  } else if (from_stdin) {
    return Error{Errc::invalid_argument, "standard input", "has no name to use as an id", "add --id ID"};
  }
  AKIN_CHECK(refuse_shared_ids(list.files));
  return list;
}

}  // namespace akin::ingest
