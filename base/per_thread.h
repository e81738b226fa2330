// What each thread keeps between its uses: memory that takes longer to make than to keep.
#pragma once

#include <new>

namespace akin {

namespace per_thread {

/// Something to destroy at the end of a thread.
struct Kept {
  virtual ~Kept() = default;
  Kept* next = nullptr;
};

/// Owns it until the calling thread ends. False, and nothing is owned, without memory for it.
[[nodiscard]] bool keep(Kept* kept) noexcept;

}  // namespace per_thread

/// One `T` a thread, made at its first use and destroyed at the end of the thread; `Tag` distinguishes those
/// of one type. In place of a thread_local with a destructor, whose registration ends the process if there is
/// no memory for it (glibc, __cxa_thread_atexit_impl).
template <class T, class Tag = T>
class PerThread {
 public:
  /// Throws std::bad_alloc.
  static T& get() {
    T* const found = find();
    if (found == nullptr) throw std::bad_alloc();
    return *found;
  }

  /// Null without memory for it.
  static T* find() noexcept {
    if (here_ == nullptr) make();
    return here_ == nullptr ? nullptr : &here_->value;
  }

 private:
  struct Holder final : per_thread::Kept {
    Holder() noexcept = default;
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    ~Holder() override { here_ = nullptr; }
    T value{};
  };

  static void make() noexcept {
    auto* const made = new (std::nothrow) Holder;
    if (made == nullptr) return;
    if (per_thread::keep(made)) {
      here_ = made;
    } else {
      delete made;
    }
  }

  static inline thread_local constinit Holder* here_ = nullptr;
};

}  // namespace akin
