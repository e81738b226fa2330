#include "morph/normalize/suspicion.h"

#include "base/cpu.h"

namespace akin {
namespace {

#if defined(__x86_64__)
[[gnu::target("avx2"), gnu::flatten]] std::size_t sweep_with_avx2(std::string_view text, Suspicion& found) {
  return SuspicionSweep<Bytes32>::run(text, found);
}
#endif

std::size_t sweep(std::string_view text, Suspicion& found) {
#if defined(__x86_64__)
  if (cpu_level() >= CpuLevel::v3) return sweep_with_avx2(text, found);
#endif
  return SuspicionSweep<Bytes16>::run(text, found);
}

}  // namespace

Suspicion suspect(std::string_view text) {
  Suspicion found;
  const std::size_t left = sweep(text, found);
  const std::string_view rest = text.substr(text.size() - left);
  found.notes = found.notes || rest.find_first_of("[\xc2\xe2") != std::string_view::npos;
  found.overrides = found.overrides || rest.find("\u202e") != std::string_view::npos;
  found.spaced = found.spaced || begins_spaced_letters(text, text.size() - left, text.size());
  return found;
}

}  // namespace akin
