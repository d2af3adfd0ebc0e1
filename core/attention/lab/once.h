// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

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

/// One Once for all who ask with the same key while any of them has it: maps beside each other of one experiment.
template <class Key, class T>
class SharedOnce {
 public:
  std::shared_ptr<const Once<T>> get(const Key& key, std::function<T()> make) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_known, [](const auto& entry) { return entry.second.expired(); });
    for (const auto& [known, value] : m_known)
      if (known == key)
        if (auto shared = value.lock()) return shared;
    auto made = std::make_shared<const Once<T>>(std::move(make));
    m_known.emplace_back(key, made);
    return made;
  }

 private:
  std::mutex m_mutex;
  std::vector<std::pair<Key, std::weak_ptr<const Once<T>>>> m_known;
};

}  // namespace vqscope
