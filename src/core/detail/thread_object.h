/// \file
/// An object of each thread.

#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>

namespace ddx::detail {

/// The object of the calling thread, made when it is first asked for and destroyed when the thread
/// ends; that of the main thread stays.
///
/// For a `thread_local` object with a destructor the C library ends the process where it has no
/// memory to note the destructor. Here the object is then just never destroyed.
template <class T>
class ThreadObject {
 public:
  /// Null once the thread has destroyed it.
  ///
  /// Throws:  what the constructor throws; the next call tries again.
  [[nodiscard]] static T* get() { return object_ != nullptr ? object_ : made(); }

  /// Null where there is none.
  [[nodiscard]] static T* current() noexcept { return object_; }

 private:
  [[gnu::noinline]] static T* made() {
    if (has_ended_) {
      return nullptr;
    }
    const pthread_key_t key = noticed_ends();
    object_ = ::new (static_cast<void*>(place_)) T;
    (void)pthread_setspecific(key, object_);
    return object_;
  }

  /// The key by which the ends of threads are noticed.
  static pthread_key_t noticed_ends() noexcept {
    static constinit std::once_flag once;
    static constinit pthread_key_t key = 0;
    std::call_once(once, [] {
      (void)pthread_key_create(&key, [](void* object) {
        has_ended_ = true;
        object_ = nullptr;
        std::destroy_at(static_cast<T*>(object));
      });
    });
    return key;
  }

  static constinit thread_local T* object_;
  static constinit thread_local bool has_ended_;
  alignas(T) static constinit thread_local std::byte place_[sizeof(T)];
};

template <class T>
constinit thread_local T* ThreadObject<T>::object_ = nullptr;
template <class T>
constinit thread_local bool ThreadObject<T>::has_ended_ = false;
template <class T>
alignas(T) constinit thread_local std::byte ThreadObject<T>::place_[sizeof(T)] = {};

}  // namespace ddx::detail
