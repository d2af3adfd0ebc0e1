// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/profile_column.h"

#include "core/base/text.h"
#include "core/mask/map/read_visible.h"
#include "core/method/method.h"
#include "core/method/profile/compared_curves.h"
#include "core/method/profile/profile.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/view/curve_view.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr Index profilePoints = 512;

/// A few labels have names of their own; groups of many are named at their first.
std::vector<std::pair<double, std::string>> namesOfLabels(const ProfileRequest& request) {
  std::vector<std::pair<double, std::string>> names;
  if (!request.recipe->categories) return names;
  for (const auto& group : request.recipe->categories(request.values).groups)
    names.emplace_back(static_cast<double>(group.first), group.label);
  return names;
}

/// The range without cells that the map mutes, of a decoder keys after the query; all of it if no other cell is left.
Range withoutFuture(const ProfileRequest& request, bool isRow) {
  const Range all = isRow ? request.cols : request.rows;
  const auto past = request.recipe->decoder_past ? request.recipe->decoder_past(request.values) : std::nullopt;
  if (!past) return all;
  const Range used = isRow ? Range{all.begin, std::min(all.end, *past + request.row + 1)}
                           : Range{std::max(all.begin, request.col - *past), all.end};
  return used.begin < used.end ? used : all;
}

}  // namespace

bool ProfileRequest::labels() const { return recipe->scale == ValueScale::categorical && !difference; }

struct ProfileColumn::Profiles {
  Result<CurveSet> row, col;
};

ProfileColumn::ProfileColumn(QWidget* parent)
    : QWidget(parent), m_column(new QSplitter(Qt::Vertical, this)), m_leastHeight(CurveView::usualHeight) {
  m_column->setChildrenCollapsible(false);
  m_column->setHandleWidth(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  // The column scrolls if the plots do not fit; it does not make the window taller.
  layout->addWidget(scrolled(m_column));
  m_keys = addView(0);
  m_row = addView(1);
  m_col = addView(2);
  for (auto* view : {m_keys, m_row, m_col})
    connect(view, &CurveView::readoutChanged, this, &ProfileColumn::readoutChanged);
}

CurveView* ProfileColumn::addView(int at) {
  auto* view = new CurveView(m_column, CurveView::Banner::hidden);
  view->setLeastHeight(m_leastHeight);
  m_column->insertWidget(at, view);
  return view;
}

CurveView* ProfileColumn::addCurves() {
  m_others.push_back(addView(m_column->count() - 3));
  m_others.back()->setFreshness(m_given);
  return m_others.back();
}

template <class Make>
Result<CurveSet> ProfileColumn::curvesOf(const ProfileRequest& request, const Make& make) {
  auto first = make(*request.field);
  if (!first || !request.second) return first;
  const auto second = make(*request.second);
  if (!second) return second.error();
  return curves_of_both(*first, *second);
}

void ProfileColumn::show(const ProfileRequest& request) {
  expect(request.field);
  m_keys->setVisible(request.visibleKeys);
  m_scheduler.run<Result<Profiles>>(
      [request](std::stop_token stop) -> Result<Profiles> {
        const bool labels = request.labels();
        const auto ofRow = [&](const Field& field) {
          return row_profile(field, request.row, withoutFuture(request, true), profilePoints, stop, labels);
        };
        const auto ofCol = [&](const Field& field) {
          return col_profile(field, request.col, withoutFuture(request, false), profilePoints, stop, labels);
        };
        return Profiles{curvesOf(request, ofRow), curvesOf(request, ofCol)};
      },
      [this, request](Result<Profiles> made) { showProfiles(request, made); });
  if (request.visibleKeys) countKeys(request);
}

/// Counting takes seconds if a mask cannot be solved. It is independent of the picked cell, so
/// profiles do not wait for it or restart it.
void ProfileColumn::countKeys(const ProfileRequest& request) {
  const bool isSame = m_keysRequested == request.field && m_keysSecond == request.second;
  if (isSame && m_keysRows == request.rows && m_keysSide == request.side) return;
  m_keysRequested = request.field;
  m_keysSecond = request.second;
  m_keysRows = request.rows;
  m_keysSide = request.side;
  m_counting = true;
  m_keysScheduler.run<Result<CurveSet>>(
      [request](const std::stop_token& stop) {
        return curvesOf(request,
                        [&](const Field& field) { return visible_keys(field, request.rows, profilePoints, stop); });
      },
      [this, request](const Result<CurveSet>& keys) {
        m_counting = m_keysScheduler.isBusy();
        m_keysShown = request.field;
        showFreshness();
        showOne(m_keys, request, tr("Keys seen by each query"), {}, keys);
      });
}

void ProfileColumn::stop() {
  m_scheduler.stop();
  m_keysScheduler.stop();
  if (std::exchange(m_counting, false)) m_keysRequested.reset();
}

void ProfileColumn::clear() {
  stop();
  for (auto* view : {m_keys, m_row, m_col}) view->clear();
  for (auto* view : m_others) view->clear();
  m_shown.reset();
  m_keysShown.reset();
  m_keysRequested.reset();
  expect(nullptr);
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

void ProfileColumn::setLeastHeight(int height) {
  m_leastHeight = height;
  for (auto* view : findChildren<CurveView*>()) view->setLeastHeight(height);
}

void ProfileColumn::showFreshness() {
  const auto show = [this](CurveView* view, const std::shared_ptr<const Field>& shown) {
    view->setFreshness(worse(m_given, shown != m_expected ? Freshness::computing() : Freshness()));
  };
  show(m_row, m_shown);
  show(m_col, m_shown);
  show(m_keys, m_keysShown);
}

void ProfileColumn::showProfiles(const ProfileRequest& request, Result<Profiles>& made) {
  m_shown = request.field;
  showFreshness();
  if (!made) {
    for (auto* view : {m_row, m_col}) view->setFailure(text(made.error().message));
    return;
  }
  const FieldRecipe& recipe = *request.recipe;
  const auto show = [&](CurveView* into, const QString& title, const QString& at, Result<CurveSet>& set,
                        const std::string& x) {
    if (set) {
      set->x_title = x;
      set->y_title = recipe.value_title;
      if (request.labels()) set->y_names = namesOfLabels(request);
    }
    showOne(into, request, title, at, set);
  };
  show(m_row, tr("Row profile"), tr("row %1").arg(text(grouped(request.row))), made->row, recipe.col_title);
  show(m_col, tr("Column profile"), tr("column %1").arg(text(grouped(request.col))), made->col, recipe.row_title);
}

/// Each can fail separately: a row can be sampled even if the keys of all queries cannot be
/// counted.
void ProfileColumn::showOne(CurveView* into, const ProfileRequest& request, const QString& title, const QString& at,
                            const Result<CurveSet>& set) {
  if (!set) return into->setFailure(text(set.error().message));
  const bool isOne = request.side.isEmpty() || request.second;
  const QString side = isOne ? QString() : request.side + QStringLiteral(" · ");
  into->setCurves(side + title, at, *set);
}

}  // namespace vqscope
