// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/method.h"
#include "core/field/field.h"
#include "widgets/session/session.h"

#include <memory>

namespace vqscope {

/// The fields that a page of maps shows: A, and where the session compares, B or A − B.
class ComparedFields {
 public:
  struct Side {
    std::string method;  ///< whose field it is
    ParameterValues values;
    std::shared_ptr<const Field> field;
  };

  /// Makes what the state asks for and is not there yet. All of it or nothing: what is on screen, what is read off it
  /// and what profiles show is one state.
  Result<void> update(const WorkspaceState& state);

  const Side& a() const { return m_a; }
  const Side& b() const { return m_b; }
  /// Nothing unless A − B is shown.
  const std::shared_ptr<const Field>& difference() const { return m_difference; }

 private:
  Side m_a;
  Side m_b;
  std::shared_ptr<const Field> m_difference;
};

}  // namespace vqscope
