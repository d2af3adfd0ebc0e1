// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/parameter.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <memory>
#include <vector>

class QSplitter;

namespace vqscope {

class CurveView;
struct FieldRecipe;

/// The row and the column of a field to profile, and the range of each.
struct ProfileRequest {
  std::shared_ptr<const Field> field;
  const FieldRecipe* recipe = nullptr;
  Index row = 0;
  Index col = 0;
  Range rows;
  Range cols;
  bool visibleKeys = false;                       ///< for a mask: also the number of keys that each query sees
  QString side;                                   ///< "A" or "B" if there are two maps; empty: a single map
  ParameterValues values;                         ///< of the side
  bool difference = false;                        ///< the field is a difference
  std::shared_ptr<const Field> second = nullptr;  ///< B beside A: the curves of both are shown

  /// Whether the cells are labels.
  bool labels() const;
};

/// The plots beside the maps: related curves of the method above, then the profiles of row and
/// column under the cursor, computed in the background.
class ProfileColumn : public QWidget {
  Q_OBJECT
 public:
  explicit ProfileColumn(QWidget* parent = nullptr);

  /// A plot above the profiles.
  CurveView* addCurves();
  void show(const ProfileRequest& request);
  /// Marks profiles of another field as outdated until show() has those of this field.
  void expect(std::shared_ptr<const Field> field);
  /// Freshness of all curves against the values in the form.
  void setFreshness(const Freshness& freshness);
  /// Of each view, where the column has the place of the map and scrolls.
  void setLeastHeight(int height);
  void stop();
  /// Forgets all curves.
  void clear();
  bool isBusy() const { return m_scheduler.isBusy() || m_keysScheduler.isBusy(); }

 signals:
  void readoutChanged(const std::optional<vqscope::CellReport>& report);

 private:
  struct Profiles;
  CurveView* addView(int at);
  void countKeys(const ProfileRequest& request);
  void showProfiles(const ProfileRequest& request, Result<Profiles>& made);
  /// Of the field, or of both sides.
  template <class Make>
  static Result<CurveSet> curvesOf(const ProfileRequest& request, const Make& make);
  static void showOne(CurveView* into, const ProfileRequest& request, const QString& title, const QString& at,
                      const Result<CurveSet>& set);
  void showFreshness();

  QSplitter* m_column;
  int m_leastHeight;
  CurveView* m_keys;
  CurveView* m_row;
  CurveView* m_col;
  std::vector<CurveView*> m_others;
  std::shared_ptr<const Field> m_expected;
  std::shared_ptr<const Field> m_shown;          ///< field of the shown profiles
  std::shared_ptr<const Field> m_keysRequested;  ///< field whose keys are or were counted
  std::shared_ptr<const Field> m_keysSecond;     ///< the same of the other side
  Range m_keysRows;
  QString m_keysSide;
  bool m_counting = false;
  std::shared_ptr<const Field> m_keysShown;
  Freshness m_given;
  FieldScheduler m_scheduler;
  FieldScheduler m_keysScheduler;
};

}  // namespace vqscope
