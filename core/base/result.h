// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace vqscope {

enum class Errc { invalid_argument, not_found, io, too_large, cancelled };

/// `message` is one sentence for the user: what is wrong, where, and what is valid. `detail` is
/// further lines that show the place, for where there is room: a line of a text with a caret below.
struct Error {
  Errc code = Errc::invalid_argument;
  std::string message;
  std::string detail = {};
};

inline Error invalid(std::string message) { return {Errc::invalid_argument, std::move(message), {}}; }
inline Error cancelled() { return {Errc::cancelled, "cancelled", {}}; }

/// A value or an Error, with the names of C++23's std::expected (which C++20 lacks).
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return m_state.index() == 0; }
  explicit operator bool() const { return has_value(); }

  const T& value() const& { return assert(has_value()), std::get<0>(m_state); }
  T& value() & { return assert(has_value()), std::get<0>(m_state); }
  T&& value() && { return assert(has_value()), std::get<0>(std::move(m_state)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const { return assert(!has_value()), std::get<1>(m_state); }

 private:
  std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)), m_ok(false) {}

  bool has_value() const { return m_ok; }
  explicit operator bool() const { return m_ok; }
  const Error& error() const { return assert(!m_ok), m_error; }

 private:
  Error m_error;
  bool m_ok = true;
};

/// The same error with the place that it is in, such as a file's name, before its sentence.
inline Error within(const std::string& place, const Error& error) {
  return {error.code, place + ": " + error.message, error.detail};
}

}  // namespace vqscope
