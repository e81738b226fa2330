#include "server/ingest/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "base/hex.h"
#include "base/utf8.h"
#include "morph/text/scanner.h"

namespace akin::ingest {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Closes what it opened; standard input stays open.
class InputDescriptor {
 public:
  explicit InputDescriptor(const std::filesystem::path& path)
      : owned_(path != "-"), value_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {}
  ~InputDescriptor() {
    if (owned_ && value_ >= 0) ::close(value_);
  }
  InputDescriptor(const InputDescriptor&) = delete;
  InputDescriptor& operator=(const InputDescriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  bool owned_;
  int value_;
};

Error too_large(const std::string& name) {
  return {Errc::too_large, name,
          "longer than the limit of " + std::to_string(kMaxTextBytes) + " bytes for one text",
          "split it into several documents"};
}

Result<std::string> checked_text(std::string bytes, const std::string& name) {
  AKIN_CHECK(validate_utf8(bytes, name));
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  return bytes;
}

}  // namespace

Result<std::string> read_bytes(const std::filesystem::path& path) {
  const std::string name = display_name(path);
  const InputDescriptor input(path);
  if (input.get() < 0) return system_error(errno, name, "open");
  struct stat status {};
  if (::fstat(input.get(), &status) != 0) return system_error(errno, name, "examine");
  if (S_ISDIR(status.st_mode)) {
    return Error{Errc::invalid_argument, name, "is a folder, not a text", "name a file"};
  }
  std::string text;
  if (S_ISREG(status.st_mode)) {
    if (static_cast<std::uint64_t>(status.st_size) > kMaxTextBytes) return too_large(name);
    text.reserve(static_cast<std::size_t>(status.st_size) + 1);
  }
  for (;;) {
    const std::size_t old_size = text.size();
    const std::size_t room =
        text.capacity() > old_size ? std::min(text.capacity() - old_size, kChunk) : kChunk;
    text.resize(old_size + room);
    const ssize_t got = ::read(input.get(), text.data() + old_size, room);
    text.resize(old_size + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) return system_error(errno, name, "read");
    if (text.size() > kMaxTextBytes) return too_large(name);
  }
  return text;
}

Result<std::string> read_text(const std::filesystem::path& path) {
  AKIN_TRY(std::string bytes, read_bytes(path));
  return checked_text(std::move(bytes), display_name(path));
}

Result<std::string> read_text(ByteSource& source, const std::string& name) {
  std::string bytes;
  for (std::size_t size = 0;;) {
    bytes.resize(size + kChunk);
    AKIN_TRY(const std::size_t got, source.read(bytes.data() + size, kChunk));
    size += got;
    if (size > kMaxTextBytes) return too_large(name);
    bytes.resize(size);
    if (got == 0) break;
  }
  return checked_text(std::move(bytes), name);
}

std::string display_name(const std::filesystem::path& path) {
  if (path == "-") return "standard input";
  const std::string& bytes = path.native();
  const bool utf8 = validate_utf8(bytes, "path").has_value();
  std::string name;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte != 0x7F && (utf8 || byte < 0x80);
    if (plain) {
      name += c;
    } else {
      name += "\\x" + hex_of({&c, 1});
    }
  }
  return name;
}

}  // namespace akin::ingest
