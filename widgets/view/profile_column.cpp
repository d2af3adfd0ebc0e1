// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/profile_column.h"

#include "core/base/text.h"
#include "core/curve/profile.h"
#include "widgets/text.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/parts.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr Index profilePoints = 512;

}  // namespace

struct ProfileColumn::Profiles {
  Result<CurveSet> row, col;
  std::optional<Result<CurveSet>> keys;  ///< nothing: not asked for
};

ProfileColumn::ProfileColumn(QWidget* parent) : QWidget(parent), m_column(new QSplitter(Qt::Vertical, this)) {
  m_column->setChildrenCollapsible(false);
  m_column->setHandleWidth(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  // Where there is no room for all plots the column scrolls; it does not make the window taller.
  layout->addWidget(scrolled(m_column));
  m_keys = addView(0);
  m_row = addView(1);
  m_col = addView(2);
  for (auto* view : {m_keys, m_row, m_col})
    connect(view, &CurveView::readoutChanged, this, &ProfileColumn::readoutChanged);
}

CurveView* ProfileColumn::addView(int at) {
  auto* view = new CurveView(m_column, CurveView::Banner::hidden);
  m_column->insertWidget(at, view);
  return view;
}

CurveView* ProfileColumn::addCurves() {
  m_others.push_back(addView(m_column->count() - 3));
  m_others.back()->setFreshness(m_given);
  return m_others.back();
}

void ProfileColumn::show(const ProfileRequest& request) {
  expect(request.field);
  m_keys->setVisible(request.visibleKeys);
  m_scheduler.run<Result<Profiles>>(
      [request](std::stop_token stop) -> Result<Profiles> {
        const Field& field = *request.field;
        Profiles made{row_profile(field, request.row, request.cols, profilePoints, stop),
                      col_profile(field, request.col, request.rows, profilePoints, stop),
                      {}};
        if (request.visibleKeys) made.keys = visible_keys(field, request.rows, profilePoints, stop);
        return made;
      },
      [this, request](Result<Profiles> made) { showProfiles(request, made); });
}

void ProfileColumn::expect(std::shared_ptr<const Field> field) {
  if (field != m_expected)
    for (auto* view : {m_keys, m_row, m_col}) view->setFailure({});
  m_expected = std::move(field);
  showFreshness();
}

void ProfileColumn::setFreshness(const Freshness& freshness) {
  m_given = freshness;
  for (auto* view : m_others) view->setFreshness(freshness);
  showFreshness();
}

void ProfileColumn::showFreshness() {
  const Freshness own = m_shown != m_expected ? Freshness::computing() : Freshness();
  for (auto* view : {m_keys, m_row, m_col}) view->setFreshness(worse(m_given, own));
}

void ProfileColumn::showProfiles(const ProfileRequest& request, Result<Profiles>& made) {
  m_shown = request.field;
  showFreshness();
  if (!made) {
    for (auto* view : {m_keys, m_row, m_col}) view->setFailure(text(made.error().message));
    return;
  }
  const QString side = request.side.isEmpty() ? QString() : request.side + QStringLiteral(" · ");
  const FieldRecipe& recipe = *request.recipe;
  // Each may fail by itself: a row can be sampled where the keys of all queries cannot be counted.
  const auto show = [&](CurveView* into, const QString& title, const QString& at, const Result<CurveSet>& set) {
    if (!set) return into->setFailure(text(set.error().message));
    into->setCurves(side + title, at, *set);
  };
  const auto showCut = [&](CurveView* into, const QString& title, const QString& at, Result<CurveSet>& set,
                           const std::string& x) {
    if (set) {
      set->x_title = x;
      set->y_title = recipe.value_title;
    }
    show(into, title, at, set);
  };
  showCut(m_row, tr("Row profile"), tr("row %1").arg(text(grouped(request.row))), made->row, recipe.col_title);
  showCut(m_col, tr("Column profile"), tr("column %1").arg(text(grouped(request.col))), made->col, recipe.row_title);
  if (made->keys) show(m_keys, tr("Keys seen by each query"), {}, *made->keys);
}

}  // namespace vqscope
