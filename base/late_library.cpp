#include "base/late_library.h"

#include <dlfcn.h>

namespace akin {

Result<void> load_library(const char* file, const char* remedy,
                          std::initializer_list<LateSymbol*> functions) {
  const auto refuse = [=](std::string reason) {
    return Error{Errc::unsupported, file, std::move(reason), remedy};
  };
  void* const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    return refuse(reason == nullptr ? "it cannot be loaded" : "it cannot be loaded: " + std::string(reason));
  }
  for (LateSymbol* const function : functions) {
    function->address_ = dlsym(library, function->name_);
    if (function->address_ == nullptr) return refuse("it has no function " + std::string(function->name_));
  }
  return {};
}

}  // namespace akin
