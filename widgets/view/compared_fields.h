// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/lint/contract_case.h"
#include "core/mask/map/block_view.h"
#include "core/method/method.h"
#include "core/session/session.h"
#include "widgets/plot/row_marks.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// The fields that a page of maps shows: the maps that its method links, or one; where the session compares, A and B or
/// A − B. With them what else is told of the same values. All of it is of one state.
class ComparedFields {
 public:
  struct Side {
    std::string name;  ///< what tells it from the others: A, exact; empty: it is the only one
    const Method* method = nullptr;
    ParameterValues values;  ///< the page's
    std::shared_ptr<const Field> field;
    ParameterValues carried = {};  ///< of them the method's own, with which the field was made
  };

  /// What the state asks for, without the fields. First comes what the page is about: A.
  static std::vector<Side> asked(const WorkspaceState& state);

  /// Makes what the state asks for; fields that are `there` of the same values are taken over. For a worker: a field
  /// may take its time. The error is the first side's that cannot be made, or says why they cannot be subtracted.
  static Result<ComparedFields> make(const WorkspaceState& state, const ComparedFields& there, const Work& work);

  bool isEmpty() const { return m_sides.empty(); }
  const std::vector<Side>& sides() const { return m_sides; }
  /// Nothing unless A − B is shown, in the place of both.
  const std::shared_ptr<const Field>& difference() const { return m_difference; }

  /// The mask of the first side and of the one that it is compared to; nothing where other matrices are shown.
  std::shared_ptr<const Mask> mask() const;
  std::shared_ptr<const Mask> secondMask() const;
  /// The blocks of mask() where they are shown.
  std::shared_ptr<const BlockView> blocks() const;
  /// The mask with what it says of itself; nothing where there is none.
  const std::shared_ptr<const ContractCase>& contractCase() const { return m_case; }
  /// Which rows have a loss; nothing where that is not stated.
  const std::optional<RowMarks>& rowMarks() const { return m_rowMarks; }

 private:
  Result<std::shared_ptr<const Field>> made(const Side& side, const Work& work) const;

  std::vector<Side> m_sides;
  std::shared_ptr<const Field> m_difference;
  bool m_compared = false;
  std::shared_ptr<const ContractCase> m_case;
  std::optional<RowMarks> m_rowMarks;
};

/// The blocks that a field shows, which keep it alive; none of other fields.
std::shared_ptr<const BlockView> blocksOf(const std::shared_ptr<const Field>& field);

}  // namespace vqscope
