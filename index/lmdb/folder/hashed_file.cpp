#include "index/lmdb/folder/hashed_file.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/hex.h"

namespace akin {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;

EVP_MD_CTX* context(const auto& state) { return static_cast<EVP_MD_CTX*>(state.get()); }

Error hash_failed() { return Error{Errc::internal, "SHA-256", "the library refused it", "report it"}; }

}  // namespace

void HashedFile::FreeState::operator()(void* state) const noexcept {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(state));
}

Result<HashedFile> HashedFile::make(const std::filesystem::path& path, mode_t mode) {
  FileHandle file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (file.get() < 0) {
    if (errno == EEXIST)
      return Error{Errc::already_exists, path.string(), "a file with this name exists", ""};
    return system_error(errno, path.string(), "make");
  }
  HashedFile made(path, std::move(file), EVP_MD_CTX_new());
  if (made.state_ == nullptr || EVP_DigestInit_ex(context(made.state_), EVP_sha256(), nullptr) != 1)
    return hash_failed();
  return made;
}

Result<void> HashedFile::write(std::string_view bytes) {
  if (EVP_DigestUpdate(context(state_), bytes.data(), bytes.size()) != 1) return hash_failed();
  bytes_ += bytes.size();
  return write_all(file_, bytes, path_.string());
}

Result<FileDigest> HashedFile::finish() {
  if (fsync(file_.get()) != 0) return system_error(errno, path_.string(), "write");
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_DigestFinal_ex(context(state_), digest.data(), &length) != 1) return hash_failed();
  return FileDigest{bytes_, hex_of({reinterpret_cast<const char*>(digest.data()), length})};
}

}  // namespace akin
