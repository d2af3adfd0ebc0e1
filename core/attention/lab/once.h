// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <mutex>
#include <optional>

namespace vqscope {

/// A value that is computed when it is first asked for, by whichever thread asks; others wait for it.
template <class T>
class Once {
 public:
  explicit Once(std::function<T()> make) : m_make(std::move(make)) {}

  const T& get() const {
    std::call_once(m_once, [this] { m_value.emplace(m_make()); });
    return *m_value;
  }

 private:
  std::function<T()> m_make;
  mutable std::once_flag m_once;
  mutable std::optional<T> m_value;
};

}  // namespace vqscope
