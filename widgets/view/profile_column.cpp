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

std::optional<CurveSet> value(Result<CurveSet> result) {
  return result ? std::optional(std::move(*result)) : std::nullopt;
}

}  // namespace

struct ProfileColumn::Profiles {
  std::optional<CurveSet> row, col, keys;
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
  m_expected = request.field;
  showFreshness();
  m_keys->setVisible(request.visibleKeys);
  m_scheduler.run<Result<Profiles>>(
      [request](std::stop_token stop) -> Result<Profiles> {
        const Field& field = *request.field;
        return Profiles{
            value(row_profile(field, request.row, request.cols, profilePoints, stop)),
            value(col_profile(field, request.col, request.rows, profilePoints, stop)),
            request.visibleKeys ? value(visible_keys(field, request.rows, profilePoints, stop)) : std::nullopt};
      },
      [this, request](Result<Profiles> profiles) { showProfiles(request, profiles); });
}

void ProfileColumn::expect(std::shared_ptr<const Field> field) {
  m_expected = std::move(field);
  m_failure.clear();
  showFreshness();
}

void ProfileColumn::setFreshness(const Freshness& freshness) {
  m_given = freshness;
  for (auto* view : m_others) view->setFreshness(freshness);
  showFreshness();
}

void ProfileColumn::showFreshness() {
  const Freshness own = !m_failure.isEmpty()    ? Freshness::outdated(m_failure)
                        : m_shown != m_expected ? Freshness::computing()
                                                : Freshness();
  for (auto* view : {m_keys, m_row, m_col}) view->setFreshness(worse(m_given, own));
}

void ProfileColumn::showProfiles(const ProfileRequest& request, Result<Profiles>& made) {
  if (!made) {
    m_failure = text(made.error().message);
    return showFreshness();
  }
  Profiles& profiles = *made;
  m_shown = request.field;
  m_failure.clear();
  const QString side = request.side.isEmpty() ? QString() : request.side + QStringLiteral(" · ");
  const FieldRecipe& recipe = *request.recipe;
  const auto show = [&](CurveView* into, const QString& title, const QString& at, std::optional<CurveSet>& set,
                        const std::string& x) {
    if (!set) return;
    set->x_title = x;
    set->y_title = recipe.value_title;
    into->setCurves(side + title, at, *set);
  };
  show(m_row, tr("Row profile"), tr("row %1").arg(text(grouped(request.row))), profiles.row, recipe.col_title);
  show(m_col, tr("Column profile"), tr("column %1").arg(text(grouped(request.col))), profiles.col, recipe.row_title);
  if (profiles.keys) m_keys->setCurves(side + tr("Keys seen by each query"), {}, *profiles.keys);
  showFreshness();
}

}  // namespace vqscope
