// Every fallible call of akin returns its failure as a value. The libraries never print, never exit, and let
// no exception of another library escape.
#pragma once

#include <cassert>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace akin {

/// The kind of a failure. `error_name` gives the stable name used in JSON; server/ has the one table that
/// maps codes to HTTP statuses.
enum class Errc {
  invalid_argument,     ///< a flag, parameter, name or field is malformed or out of range
  invalid_json,         ///< a body that should be JSON is not
  invalid_utf8,         ///< a text is not UTF-8; `what` names the byte offset
  not_found,            ///< the named document, collection, file or dictionary does not exist
  already_exists,       ///< the thing to be created exists already, or two inputs claim one id
  precondition_failed,  ///< the caller's condition for a write does not hold
  mismatch,   ///< an index was built with another scheme, dictionary or format; `remedy` names `akin reindex`
  too_large,  ///< over a stated limit
  busy,       ///< another process holds what is needed; trying again later may succeed
  unauthenticated,       ///< no access key where one is needed, or an invalid one
  forbidden,             ///< the access key does not allow this
  rate_limited,          ///< the access key has sent too many requests, or too many at once
  timed_out,             ///< the other side did not send or take its bytes in the time allowed
  corrupt,               ///< stored bytes violate the format; `what` names key, offset, broken invariant
  quarantined,           ///< a crash hit the collection; it is closed until it is verified or restored
  disk_full,             ///< the disk (or a file-size limit) is exhausted; nothing acknowledged was lost
  io,                    ///< the operating system refused
  bad_dictionary,        ///< an .aff, .dic or supplement file cannot be read; `what` names file and line
  unsupported,           ///< understood, but not offered here; `reason` says why
  file_encrypted,        ///< a file handed in needs a password to be read
  file_too_large,        ///< a file handed in, or the text in it, is over a stated limit of its reading
  file_damaged,          ///< a file handed in breaks the rules of its format, or its reader died of it
  type_unsupported,      ///< a file handed in has a type whose text akin does not read
  extraction_timed_out,  ///< reading a file handed in took longer than allowed
  unavailable,           ///< the database does not answer; trying again later may succeed
  internal               ///< akin broke one of its own guarantees
};

/// The stable lower-case name of a code, for instance "invalid_utf8".
[[nodiscard]] std::string_view error_name(Errc code) noexcept;

/// One failure, described so that its reader can act: the thing, why it failed, what to do.
struct Error {
  Errc code = Errc::internal;
  std::string what;    ///< the thing: "collection 'books'", "ru_RU.aff line 12"
  std::string reason;  ///< why, in one sentence without a full stop
  std::string remedy;  ///< what the user can do; empty if nothing can be done

  /// "what: reason (remedy)", one line, for terminals and logs.
  [[nodiscard]] std::string message() const;
};

/// An Error on its way to the caller: a pointer, so that passing it up costs no code in any of the functions
/// between. If memory for it runs out, it becomes the error of exhausted_memory(): a failure never throws.
class [[nodiscard]] Failure {
 public:
  explicit Failure(Error error) noexcept;
  Failure(Failure&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  Failure(const Failure& other) noexcept : error_(other.error_ == nullptr ? nullptr : copy(*other.error_)) {}
  Failure& operator=(Failure other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~Failure() {
    if (error_ != nullptr) drop(error_);
  }

  /// Requires that the error was not moved out.
  [[nodiscard]] const Error& error() const noexcept { return assert(error_ != nullptr), *error_; }
  [[nodiscard]] Error take() && noexcept;
  /// Throws std::runtime_error with the error's message.
  [[noreturn]] void raise() const;

 private:
  Error* error_;

  static Error* copy(const Error& error) noexcept;
  static void drop(Error* error) noexcept;
};

/// A value or an Error; `return value;` and `return Error{…};` both construct one. The caller tests
/// has_error() before it reads: reading the part that is absent breaks the contract and fails an assertion.
/// It replaces boost::system::result, whose header was a cost to every unit (docs/decisions.md has the
/// figures).
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  // NOLINTBEGIN(bugprone-forwarding-reference-overload): the constraint excludes copies and moves.
  template <class U = T>
  requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, Result> &&
           !std::same_as<std::remove_cvref_t<U>, Error> && !std::same_as<std::remove_cvref_t<U>, Failure>)
      Result(U&& value)
      : value_(std::forward<U>(value)), failed_(false) {}
  // NOLINTEND(bugprone-forwarding-reference-overload)
  Result(Error error) : failure_(std::move(error)), failed_(true) {}
  Result(Failure failure) noexcept : failure_(std::move(failure)), failed_(true) {}
  Result(Result&& other) noexcept : failed_(other.failed_) { fill(std::move(other)); }
  Result(const Result& other) : failed_(other.failed_) { fill(other); }
  Result& operator=(Result other) noexcept {
    destroy();
    failed_ = other.failed_;
    fill(std::move(other));
    return *this;
  }
  ~Result() { destroy(); }

  [[nodiscard]] bool has_value() const noexcept { return !failed_; }
  [[nodiscard]] bool has_error() const noexcept { return failed_; }
  explicit operator bool() const noexcept { return !failed_; }

  [[nodiscard]] T& operator*() & noexcept { return assert(!failed_), value_; }
  [[nodiscard]] const T& operator*() const& noexcept { return assert(!failed_), value_; }
  [[nodiscard]] T&& operator*() && noexcept { return assert(!failed_), std::move(value_); }
  T* operator->() noexcept { return assert(!failed_), std::addressof(value_); }
  const T* operator->() const noexcept { return assert(!failed_), std::addressof(value_); }

  /// The value, checked: throws std::runtime_error with the error's message if there is none. For tests, and
  /// for calls that cannot fail.
  T& value() & { return require(), value_; }
  const T& value() const& { return require(), value_; }
  T value() && { return require(), std::move(value_); }

  [[nodiscard]] const Error& error() const& noexcept { return assert(failed_), failure_.error(); }
  [[nodiscard]] Error error() && noexcept { return assert(failed_), std::move(failure_).take(); }
  [[nodiscard]] Failure failure() && noexcept { return assert(failed_), std::move(failure_); }

 private:
  void require() const {
    if (failed_) failure_.raise();
  }
  template <class Other>
  void fill(Other&& other) {
    if (failed_) {
      std::construct_at(std::addressof(failure_), std::forward<Other>(other).failure_);
    } else {
      std::construct_at(std::addressof(value_), std::forward<Other>(other).value_);
    }
  }
  void destroy() noexcept {
    if (failed_) {
      std::destroy_at(std::addressof(failure_));
    } else {
      std::destroy_at(std::addressof(value_));
    }
  }

  union {
    T value_;
    Failure failure_;
  };
  bool failed_;
};

/// Success without a value, `return {};`, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : failure_(std::in_place, std::move(error)) {}
  Result(Failure failure) noexcept : failure_(std::move(failure)) {}

  [[nodiscard]] bool has_value() const noexcept { return !failure_; }
  [[nodiscard]] bool has_error() const noexcept { return failure_.has_value(); }
  explicit operator bool() const noexcept { return !failure_; }

  [[nodiscard]] const Error& error() const& noexcept { return failure_->error(); }
  [[nodiscard]] Error error() && noexcept { return (*std::move(failure_)).take(); }
  [[nodiscard]] Failure failure() && noexcept { return *std::move(failure_); }

 private:
  std::optional<Failure> failure_;
};

/// The error of work that found no memory: busy. Making it needs none.
[[nodiscard]] Error exhausted_memory() noexcept;

/// The error for a failed system call: `code` is the value of `errno`, `doing` what was attempted with
/// `what`. ENOSPC, EDQUOT and EFBIG become `disk_full`, ENOMEM, EAGAIN, EMFILE and
/// ENFILE `busy`, ENOENT `not_found`, the rest `io`.
[[nodiscard]] Error system_error(int code, std::string what, std::string_view doing);

}  // namespace akin

#define AKIN_CONCAT_(a, b) a##b
#define AKIN_CONCAT(a, b) AKIN_CONCAT_(a, b)

/// Evaluates a Result; on failure returns its error from the enclosing function.
#define AKIN_CHECK(expression)                                          \
  do {                                                                  \
    auto akin_check = (expression);                                     \
    if (akin_check.has_error()) return std::move(akin_check).failure(); \
  } while (false)

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot be parenthesised.
/// `AKIN_TRY(auto x, f());` declares x as the value of f(), or returns f()'s error.
#define AKIN_TRY(declaration, expression) AKIN_TRY_(AKIN_CONCAT(akin_try_, __LINE__), declaration, expression)
#define AKIN_TRY_(name, declaration, expression)          \
  auto name = (expression);                               \
  if (name.has_error()) return std::move(name).failure(); \
  declaration = std::move(*name)
// NOLINTEND(bugprone-macro-parentheses)
