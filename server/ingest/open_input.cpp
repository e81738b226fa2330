#include "server/ingest/open_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "server/ingest/input.h"

namespace akin::ingest {

namespace {

/// Whether it is what a shell names in place of "<(command)", or standard input.
bool names_descriptor(const std::filesystem::path& path) {
  const std::string& name = path.native();
  return name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
}

}  // namespace

Result<OpenInput> OpenInput::open(const std::filesystem::path& path) {
  FileHandle file;
  // A pipe with a name would be waited for here.
  if (path != "-") file = FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const int descriptor = path == "-" ? STDIN_FILENO : file.get();
  OpenInput input(std::move(file), descriptor, display_name(path));
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return system_error(errno, input.name_, "open");
  if (S_ISDIR(status.st_mode))
    return Error{Errc::invalid_argument, input.name_, "is a folder", "name a file"};
  if (!S_ISREG(status.st_mode) && path != "-" && !names_descriptor(path)) {
    return Error{Errc::invalid_argument, input.name_, "is a device or a pipe, not a file",
                 "name a file, or give - and send the bytes to standard input"};
  }
  if (path != "-" && ::fcntl(descriptor, F_SETFL, 0) != 0) return system_error(errno, input.name_, "open");
  if (S_ISREG(status.st_mode)) input.size_ = static_cast<std::uint64_t>(status.st_size);
  return input;
}

Result<std::size_t> OpenInput::read(char* into, std::size_t room) const {
  for (;;) {
    const ssize_t got = ::read(descriptor_, into, room);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return system_error(errno, name_, "read");
  }
}

}  // namespace akin::ingest
