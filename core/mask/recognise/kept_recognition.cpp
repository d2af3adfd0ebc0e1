// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/kept_recognition.h"

#include "core/mask/recognise/recognise.h"

#include <mutex>

namespace vqscope {

struct KeptRecognition::State {
  std::mutex mutex;
  std::weak_ptr<const Mask> mask;  // which may own a copy of this
  std::shared_ptr<const Recognition> found;
  Index steps = 0;  ///< within which it was searched for

  bool holds(const std::shared_ptr<const Mask>& other, Index most_steps) const {
    return mask.lock() == other && (steps >= most_steps || (found && found->searched_all));
  }
};

KeptRecognition::KeptRecognition() : m_state(std::make_shared<State>()) {}

std::shared_ptr<const Recognition> KeptRecognition::of(const std::shared_ptr<const Mask>& mask, Index most_steps,
                                                       const std::stop_token& stop) const {
  const std::scoped_lock lock(m_state->mutex);
  if (m_state->holds(mask, most_steps)) return m_state->found;
  auto found = recognise(*mask, {.most_steps = most_steps, .stop = stop});
  if (stop.stop_requested()) return nullptr;
  m_state->mask = mask;
  m_state->steps = most_steps;
  m_state->found = found ? std::make_shared<const Recognition>(std::move(*found)) : nullptr;
  return m_state->found;
}

}  // namespace vqscope
