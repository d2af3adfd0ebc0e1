// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

namespace vqscope {

/// Makes a context the current one of ImGui for the lifetime of this object.
class CurrentContext {
 public:
  explicit CurrentContext(ImGuiContext* context) : m_before(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext() { ImGui::SetCurrentContext(m_before); }

 private:
  ImGuiContext* m_before;
};

}  // namespace vqscope
