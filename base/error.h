// How every fallible call of akin reports failure: as a value. Nothing in the libraries prints, exits or lets
// an exception of another library through.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

namespace akin {

/// What kind of failure it is. `error_name` gives the stable name used in JSON; server/ has the one table to
/// HTTP.
enum class Errc {
  invalid_argument,     ///< a flag, parameter, name or field is not of its form or range
  invalid_json,         ///< a body that should be JSON is not
  invalid_utf8,         ///< a text is not UTF-8; `what` names the byte offset
  not_found,            ///< the named document, collection, file or dictionary does not exist
  already_exists,       ///< the thing to be made is there already, or two inputs claim one id
  precondition_failed,  ///< what the caller made the condition of a write does not hold
  mismatch,   ///< an index was built with another scheme, dictionary or format; `remedy` names `akin reindex`
  too_large,  ///< over a stated limit
  busy,       ///< another process holds what is needed; trying again later may succeed
  unauthenticated,  ///< no access key where one is needed, or one that is not valid
  forbidden,        ///< the access key does not allow this
  rate_limited,     ///< the access key has asked too often or too much at once
  timed_out,        ///< the other side did not send or take its bytes in the time allowed
  corrupt,          ///< stored bytes violate the format; `what` names key, offset, broken invariant
  disk_full,        ///< the disk (or a file-size limit) is exhausted; nothing acknowledged was lost
  io,               ///< the operating system refused
  bad_dictionary,   ///< an .aff, .dic or supplement file cannot be read; `what` names file and line
  unsupported,      ///< understood, but not offered here; `reason` says why
  internal          ///< a broken promise of akin itself
};

/// The stable lower-case name of a code, for instance "invalid_utf8".
[[nodiscard]] std::string_view error_name(Errc code) noexcept;

/// One failure, told so that its reader can act: the thing, why it failed, what to do.
struct Error {
  Errc code = Errc::internal;
  std::string what;    ///< the thing: "collection 'books'", "ru_RU.aff line 12"
  std::string reason;  ///< why, in one sentence without a final stop
  std::string remedy;  ///< what the user can do; empty where nothing can be done

  /// "what: reason (remedy)", one line, for terminals and logs.
  [[nodiscard]] std::string message() const;
};

template <class T>
using Result = boost::system::result<T, Error>;

/// Lets `Result::value()` throw; akin itself tests before it takes.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

/// The error for a failed system call: `errno` value `code` while doing `reason` to `what`. ENOSPC, EDQUOT
/// and EFBIG become `disk_full`, ENOENT becomes `not_found`, the rest `io`.
[[nodiscard]] Error system_error(int code, std::string what, std::string_view doing);

}  // namespace akin

#define AKIN_CONCAT_(a, b) a##b
#define AKIN_CONCAT(a, b) AKIN_CONCAT_(a, b)

/// Evaluates a Result; on failure returns its error from the enclosing function.
#define AKIN_CHECK(expression)                                        \
  do {                                                                \
    auto akin_check = (expression);                                   \
    if (akin_check.has_error()) return std::move(akin_check).error(); \
  } while (false)

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in parentheses.
/// `AKIN_TRY(auto x, f());` declares x as the value of f(), or returns f()'s error.
#define AKIN_TRY(declaration, expression) AKIN_TRY_(AKIN_CONCAT(akin_try_, __LINE__), declaration, expression)
#define AKIN_TRY_(name, declaration, expression)        \
  auto name = (expression);                             \
  if (name.has_error()) return std::move(name).error(); \
  declaration = std::move(*name)
// NOLINTEND(bugprone-macro-parentheses)
