#include "base/per_thread.h"

#include <pthread.h>

#include <utility>

namespace akin::per_thread {
namespace {

void destroy(void* first) {
  auto* kept = static_cast<Kept*>(first);
  while (kept != nullptr) delete std::exchange(kept, kept->next);
}

/// For all threads; to set one of the first 32 keys of a process needs no memory.
struct Key {
  Key() noexcept : made(pthread_key_create(&key, destroy) == 0) {}
  pthread_key_t key{};
  bool made;
};

const Key& key() noexcept {
  static const Key of_process;
  return of_process;
}

}  // namespace

bool keep(Kept* kept) noexcept {
  if (!key().made) return false;
  kept->next = static_cast<Kept*>(pthread_getspecific(key().key));
  return pthread_setspecific(key().key, kept) == 0;
}

}  // namespace akin::per_thread
