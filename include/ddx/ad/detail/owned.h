/// \file
/// Owners of one object, as std::unique_ptr and std::shared_ptr are: <memory> is two fifths of what
/// a program reads with the headers of `ad`, most of it input and output streams.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// The only owner of an object made by `new`, or of none.
template <class T>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T* object) noexcept : object_(object) {}
  Owned(Owned&& other) noexcept : object_(other.release()) {}
  template <class Other>
    requires(std::is_convertible_v<Other*, T*>)
  Owned(Owned<Other>&& other) noexcept  // NOLINT(google-explicit-constructor): as T* from Other*.
      : object_(other.release()) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() { delete object_; }

  /// Gives the object up to the caller.
  [[nodiscard]] T* release() noexcept { return std::exchange(object_, nullptr); }

  [[nodiscard]] T* get() const noexcept { return object_; }
  [[nodiscard]] T& operator*() const noexcept { return *object_; }
  [[nodiscard]] T* operator->() const noexcept { return object_; }
  [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

/// Returns the owner of a new `T`.
template <class T, class... Args>
[[nodiscard]] Owned<T> make_owned(Args&&... args) {
  return Owned<T>(new T(std::forward<Args>(args)...));
}

/// What shared owners have in common: their number, and the object.
class SharedBlock {
 public:
  SharedBlock() = default;
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;
  virtual ~SharedBlock() = default;

  void add_owner() noexcept { __atomic_add_fetch(&owners_, 1, __ATOMIC_RELAXED); }
  /// Returns whether that was the last one.
  [[nodiscard]] bool remove_owner() noexcept {
    return __atomic_sub_fetch(&owners_, 1, __ATOMIC_ACQ_REL) == 0;
  }

 private:
  std::size_t owners_ = 1;
};

template <class T>
class SharedValue final : public SharedBlock {
 public:
  template <class... Args>
  explicit SharedValue(Args&&... args) : value(std::forward<Args>(args)...) {}

  T value;
};

template <class T>
class SharedPointee final : public SharedBlock {
 public:
  explicit SharedPointee(Owned<T> pointee) noexcept : pointee_(std::move(pointee)) {}

 private:
  Owned<T> pointee_;
};

/// One of several owners of an object, or of none. Owners may live in different threads.
template <class T>
class Shared {
  template <class Other>
  friend class Shared;

 public:
  Shared() = default;
  /// Takes over an object made by `new`.
  template <class Made>
  explicit Shared(Made* object) : Shared(object, Owned<Made>(object)) {}
  template <class Made>
  Shared(Owned<Made> owner)  // NOLINT(google-explicit-constructor): as above.
      : Shared(owner.get(), std::move(owner)) {}
  Shared(const Shared& other) noexcept : Shared(other.object_, other.block_) {}
  template <class Other>
    requires(std::is_convertible_v<Other*, T*>)
  Shared(const Shared<Other>& other) noexcept  // NOLINT(google-explicit-constructor): as above.
      : Shared(other.object_, other.block_) {}
  Shared(Shared&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)),
        block_(std::exchange(other.block_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(object_, other.object_);
    std::swap(block_, other.block_);
    return *this;
  }
  ~Shared() {
    if (block_ != nullptr && block_->remove_owner()) {
      delete block_;
    }
  }

  /// Returns the first owner of a new `T`, in one piece with the number of owners.
  template <class... Args>
  [[nodiscard]] static Shared make(Args&&... args) {
    auto* const block = new SharedValue<std::remove_const_t<T>>(std::forward<Args>(args)...);
    Shared made;
    made.object_ = &block->value;
    made.block_ = block;
    return made;
  }

  [[nodiscard]] T* get() const noexcept { return object_; }
  [[nodiscard]] auto& operator*() const noexcept { return *object_; }
  [[nodiscard]] T* operator->() const noexcept { return object_; }
  [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  template <class Made>
  Shared(Made* object, Owned<Made> owner)
      : object_(object),
        block_(object == nullptr ? nullptr : new SharedPointee<Made>(std::move(owner))) {}
  Shared(T* object, SharedBlock* block) noexcept : object_(object), block_(block) {
    if (block_ != nullptr) {
      block_->add_owner();
    }
  }

  T* object_ = nullptr;
  SharedBlock* block_ = nullptr;
};

}  // namespace ddx::detail
