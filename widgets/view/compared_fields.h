// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/lint/lint_case.h"
#include "core/mask/map/block_view.h"
#include "core/method/method.h"
#include "core/session/session.h"
#include "widgets/plot/row_marks.h"

#include <QString>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// The fields of a page of maps: one, or the linked maps of the method; in a comparison, A and B or
/// A − B. Other results of the same values come with them, so that all belong to one state.
class ComparedFields {
 public:
  struct Side {
    std::string name;  ///< its name among several: A, exact; empty: it is the only one
    const Method* method = nullptr;
    ParameterValues values;  ///< the page's
    std::shared_ptr<const Field> field;
    ParameterValues carried = {};      ///< the method's own values among them, which determine the field
    std::set<std::string> named = {};  ///< parameters whose values the name stands for
    QString file = {};                 ///< of the mask's text; empty: it is from none
  };

  /// The requested sides, without fields. The main side, A, comes first.
  static std::vector<Side> sidesOf(const ShownPage& state);

  /// Makes the fields of the state, reusing fields of `there` with the same values. Call it on a
  /// worker, because a field can take long. The error is that of the first side that fails, or why
  /// they cannot be subtracted.
  static Result<ComparedFields> make(const ShownPage& state, const ComparedFields& there, const Work& work);

  bool isEmpty() const { return m_sides.empty(); }
  const std::vector<Side>& sides() const { return m_sides; }
  /// The field A − B, or null if it is not shown.
  const std::shared_ptr<const Field>& difference() const { return m_difference; }

  /// Title and subtitle of the map of a side: in a comparison "A: yarn" and "RoPE phase · T 8192",
  /// else the method's title and its values.
  std::pair<QString, QString> titlesOf(const Side& side) const;
  /// The same for the map of A − B: "yarn − ntk".
  std::pair<QString, QString> differenceTitles() const;

  /// The mask of the first side, and the mask to compare with; null for other matrices.
  std::shared_ptr<const Mask> mask() const;
  std::shared_ptr<const Mask> secondMask() const;
  /// The blocks of mask(), if they are shown.
  std::shared_ptr<const BlockView> blocks() const;
  /// The mask with its own expectations; null if there is none.
  const std::shared_ptr<const LintCase>& lintCase() const { return m_case; }
  /// The same of the mask to compare with.
  const std::shared_ptr<const LintCase>& secondLintCase() const { return m_secondCase; }
  /// The rows with a loss; null if not stated.
  const std::optional<RowMarks>& rowMarks() const { return m_rowMarks; }

 private:
  Result<std::shared_ptr<const Field>> made(const Side& side, const Work& work) const;

  std::vector<Side> m_sides;
  std::shared_ptr<const Field> m_difference;
  bool m_compared = false;
  std::shared_ptr<const LintCase> m_case;
  std::shared_ptr<const LintCase> m_secondCase;
  std::optional<RowMarks> m_rowMarks;
};

/// The blocks that a field shows, which keep the field alive; null for other fields.
std::shared_ptr<const BlockView> blocksOf(const std::shared_ptr<const Field>& field);

}  // namespace vqscope
