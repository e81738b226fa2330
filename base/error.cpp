#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>

#include "base/visible_text.h"

namespace akin {

std::string_view error_name(Errc code) noexcept {
  switch (code) {
    case Errc::invalid_argument:
      return "invalid_argument";
    case Errc::invalid_json:
      return "invalid_json";
    case Errc::invalid_utf8:
      return "invalid_utf8";
    case Errc::not_found:
      return "not_found";
    case Errc::already_exists:
      return "already_exists";
    case Errc::precondition_failed:
      return "precondition_failed";
    case Errc::mismatch:
      return "mismatch";
    case Errc::too_large:
      return "too_large";
    case Errc::busy:
      return "busy";
    case Errc::unauthenticated:
      return "unauthenticated";
    case Errc::forbidden:
      return "forbidden";
    case Errc::rate_limited:
      return "rate_limited";
    case Errc::timed_out:
      return "timed_out";
    case Errc::corrupt:
      return "corrupt";
    case Errc::quarantined:
      return "quarantined";
    case Errc::disk_full:
      return "disk_full";
    case Errc::io:
      return "io";
    case Errc::bad_dictionary:
      return "bad_dictionary";
    case Errc::unsupported:
      return "unsupported";
    case Errc::file_encrypted:
      return "file_encrypted";
    case Errc::file_too_large:
      return "file_too_large";
    case Errc::file_damaged:
      return "file_damaged";
    case Errc::type_unsupported:
      return "type_unsupported";
    case Errc::extraction_timed_out:
      return "extraction_timed_out";
    case Errc::unavailable:
      return "unavailable";
    case Errc::internal:
      return "internal";
  }
  return "internal";
}

std::string Error::message() const {
  std::string line = what;
  if (!reason.empty()) {
    if (!line.empty()) line += ": ";
    line += reason;
  }
  if (!remedy.empty()) line += " (" + remedy + ")";
  return visible_text(line);
}

namespace {

/// Shared by the failures for which there was no memory.
Error& shared_error() noexcept {
  static Error error = exhausted_memory();
  return error;
}

}  // namespace

// Its texts fit into the strings themselves.
Error exhausted_memory() noexcept { return {Errc::busy, "memory", "is exhausted", "try again later"}; }

Failure::Failure(Error error) noexcept : error_(new (std::nothrow) Error(std::move(error))) {
  if (error_ == nullptr) error_ = &shared_error();
}

Error* Failure::copy(const Error& error) noexcept {
  try {
    return new Error(error);
  } catch (const std::bad_alloc&) {
    return &shared_error();
  }
}

Error Failure::take() && noexcept {
  assert(error_ != nullptr);
  if (error_ == &shared_error()) return exhausted_memory();
  return std::move(*error_);
}

void Failure::raise() const { throw std::runtime_error(error().message()); }

void Failure::drop(Error* error) noexcept {
  if (error != &shared_error()) delete error;
}

Error system_error(int code, std::string what, std::string_view doing) {
  Errc kind = Errc::io;
  std::string remedy;
  if (code == ENOSPC || code == EDQUOT || code == EFBIG) {
    kind = Errc::disk_full;
    remedy = "free space or raise the limit, then repeat; nothing acknowledged was lost";
  } else if (code == ENOMEM || code == EAGAIN) {
    kind = Errc::busy;
    remedy = "try again later";
  } else if (code == EMFILE || code == ENFILE) {
    kind = Errc::busy;
    remedy = "try again later, or raise the limit of open files with ulimit -n";
  } else if (code == ENOENT) {
    kind = Errc::not_found;
    remedy = "check the path";
  } else if (code == ENOTDIR) {
    remedy = "check the path: what should be a folder is a file";
  } else if (code == EISDIR || code == ELOOP || code == ENAMETOOLONG) {
    remedy = "check the path";
  } else if (code == EIO) {
    remedy = "look for errors of the disk in the system's log";
  } else if (code == EROFS) {
    remedy = "mount it for writing; the system mounts a disk with errors read-only, and logs them";
  } else if (code == EACCES || code == EPERM) {
    remedy = "check the owner and the permissions";
  }
  // strerror_r's GNU form returns the text and is thread-safe.
  char buffer[128];
  const char* text = strerror_r(code, buffer, sizeof buffer);
  return Error{kind, std::move(what), "cannot " + std::string(doing) + ": " + text, std::move(remedy)};
}

}  // namespace akin
