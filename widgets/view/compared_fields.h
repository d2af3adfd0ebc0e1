// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/method.h"
#include "core/field/field.h"
#include "widgets/session/session.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// The fields that a page of maps shows: the maps that its method links, or one; where the session compares, A and B or
/// A − B.
class ComparedFields {
 public:
  struct Side {
    std::string name;  ///< what tells it from the others: A, exact; empty: it is the only one
    const Method* method = nullptr;
    ParameterValues values;  ///< the page's, of which the method carries its own
    std::shared_ptr<const Field> field;
  };

  /// What the state asks for, without the fields. First comes what the page is about: A.
  static std::vector<Side> asked(const WorkspaceState& state);

  /// Makes what the state asks for and is not there yet. All of it or nothing: what is on screen, what is read off it
  /// and what profiles show is one state.
  Result<void> update(const WorkspaceState& state);

  bool isEmpty() const { return m_sides.empty(); }
  const std::vector<Side>& sides() const { return m_sides; }
  /// Nothing unless A − B is shown, in the place of both.
  const std::shared_ptr<const Field>& difference() const { return m_difference; }

 private:
  Result<std::shared_ptr<const Field>> made(const Side& side) const;

  std::vector<Side> m_sides;
  std::shared_ptr<const Field> m_difference;
};

}  // namespace vqscope
