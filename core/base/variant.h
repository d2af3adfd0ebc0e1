// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <variant>

namespace vqscope {

/// A std::variant whose copy may throw for want of memory. libstdc++ 12 takes a variant of numbers,
/// strings and vectors alone for one that always has a value; when a copy throws, it destroys a
/// value that was never made.
template <class... Types>
class Variant : public std::variant<Types...> {
  using Base = std::variant<Types...>;

 public:
  using Base::Base;
  using Base::operator=;
  Variant() = default;
  Variant(Variant&&) = default;  // NOLINT(performance-noexcept-move-constructor): as its base
  Variant(const Variant& other) : Base(copy_of(other)) {}
  Variant& operator=(Variant&&) = default;  // NOLINT(performance-noexcept-move-constructor)
  Variant& operator=(const Variant& other) { return *this = Variant(other); }
  ~Variant() = default;

 private:
  /// Made in place: what throws here is no part of a variant yet.
  static Base copy_of(const Base& other) {
    return std::visit([]<class T>(const T& value) { return Base(std::in_place_type<T>, value); }, other);
  }
};

}  // namespace vqscope
