// Shared libraries that are loaded when they are first needed. A library that the program names when it is
// linked is loaded at every start, with all that it needs itself: half of the time that `akin --help` takes.
#pragma once

#include <initializer_list>
#include <string>

#include "base/error.h"

namespace akin {

/// The name and, once its library is loaded, the address of a function.
class LateSymbol {
 public:
  explicit constexpr LateSymbol(const char* name) noexcept : name_(name) {}
  LateSymbol(const LateSymbol&) = delete;
  LateSymbol& operator=(const LateSymbol&) = delete;

 protected:
  ~LateSymbol() = default;
  void* address_ = nullptr;

 private:
  friend Result<void> load_library(const char* file, const char* remedy,
                                   std::initializer_list<LateSymbol*> functions);
  const char* name_;
};

/// A function of such a library, called like the function itself: `Function` is its type. Calling it requires
/// that load_library has succeeded.
template <class Function>
class LateFunction : public LateSymbol {
 public:
  using LateSymbol::LateSymbol;
  // The language calls an object that converts to a pointer to a function.
  operator Function*() const noexcept { return reinterpret_cast<Function*>(address_); }
};

/// Loads a library by its file name ("libsvm.so.3") and finds the functions; it stays loaded. Call it once,
/// and let no thread call a function before it returns. Error: unsupported (the library is not installed, or
/// lacks one of the functions; `remedy` is the error's).
[[nodiscard]] Result<void> load_library(const char* file, const char* remedy,
                                        std::initializer_list<LateSymbol*> functions);

}  // namespace akin
