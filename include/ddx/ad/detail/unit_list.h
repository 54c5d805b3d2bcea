/// \file
/// Lists of what the units of a program know, one node for each unit.

#pragma once

namespace ddx::detail {

/// The functions of a list whose nodes have a member `next_`; its owner is a class with the first
/// node as a static member. Nodes enter and are read without locks.
class UnitList {
 public:
  template <class Node>
  static void enter(Node*& first, Node& node) noexcept {
    node.next_ = __atomic_load_n(&first, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&first, &node.next_, &node, /*weak=*/true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
  }

  /// While no other node enters or leaves, and this one is not in use.
  template <class Node>
  static void leave(Node*& first, Node& node) noexcept {
    Node** place = &first;
    while (Node* const at = __atomic_load_n(place, __ATOMIC_ACQUIRE)) {
      if (at == &node) {
        __atomic_store_n(place, node.next_, __ATOMIC_RELEASE);
        return;
      }
      place = &at->next_;
    }
  }

  /// Returns the first node for which `accepts(node)` is true, or null.
  template <class Node, class Accepts>
  [[nodiscard]] static Node* find(Node* const& first, const Accepts& accepts) {
    Node* node = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
    while (node != nullptr && !accepts(*node)) {
      node = __atomic_load_n(&node->next_, __ATOMIC_ACQUIRE);
    }
    return node;
  }
};

}  // namespace ddx::detail
