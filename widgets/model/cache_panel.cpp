// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/cache_panel.h"

#include "core/base/text.h"
#include "core/method/method_list.h"
#include "core/schedule/cache/layer_cache.h"
#include "core/schedule/methods.h"
#include "core/schedule/setting/schedule_parameters.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index shortestAxis = 2097152;  ///< so that curves at different lengths can be compared

const Method& cacheMethod() { return *find_method(schedule_methods(), "layer_kv_cache"); }

}  // namespace

CachePanel::CachePanel(QWidget* parent)
    : QWidget(parent), m_summary(paragraph(this, "remark")), m_plot(new QCustomPlot(this)) {
  m_curves = new CurvePlot(*m_plot);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->setMinimumSize(160, 100);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 6, 12, 10);
  layout->setSpacing(5);
  layout->addWidget(heading(tr("Key and value cache"), this));
  layout->addWidget(m_summary);
  layout->addWidget(makeForm());
  layout->addWidget(m_plot, 1);
  restyle();
}

QWidget* CachePanel::makeForm() {
  auto* form = new QWidget(this);
  auto* row = new QHBoxLayout(form);
  row->setContentsMargins(0, 0, 0, 0);
  m_memory = new QDoubleSpinBox(form);
  m_memory->setRange(0.001, 1048576);
  m_memory->setDecimals(1);
  m_memory->setValue(80);
  m_memory->setSuffix(tr(" GiB"));
  m_memory->setToolTip(tr("Memory for the cache: that of the device without the weights"));
  m_memory->setAccessibleName(tr("Memory for the cache"));
  m_type = new QComboBox(form);
  m_type->setAccessibleName(tr("Type of the numbers"));
  for (const ParameterSpec& spec : cacheMethod().parameters)
    if (spec.name == "dtype")
      for (const Choice& choice : spec.choices) {
        m_type->addItem(text(choice.id));
        m_type->setItemData(m_type->count() - 1, text(choice.help), Qt::ToolTipRole);
      }
  m_type->setCurrentText(QStringLiteral("bfloat16"));
  m_longest = paragraph(form, "remark");
  m_longest->setWordWrap(true);
  row->addWidget(m_memory);
  row->addWidget(m_type);
  row->addWidget(m_longest, 1);
  connect(m_memory, &QDoubleSpinBox::valueChanged, this, &CachePanel::compute);
  connect(m_type, &QComboBox::currentTextChanged, this, &CachePanel::compute);
  return form;
}

void CachePanel::setModel(const LayerSchedule& schedule, Index tokens) {
  m_schedule = schedule;
  m_tokens = tokens;
  compute();
}

void CachePanel::setMemory(double gibibytes) { m_memory->setValue(gibibytes); }

QString CachePanel::summary() const { return m_summary->text() + QLatin1Char(' ') + m_longest->text(); }

void CachePanel::compute() {
  if (m_schedule.layers.empty()) {
    m_summary->clear();
    return m_longest->clear();
  }
  ParameterValues values = default_values(cacheMethod().parameters);
  values.set("dtype", m_type->currentText().toStdString());
  const CacheUse use = cache_use(values);
  const LayerSchedule full = all_full(m_schedule);
  const double bytes = cache_bytes(m_schedule, m_tokens, use), all = cache_bytes(full, m_tokens, use);
  const Index unknown = unknown_caches(m_schedule);
  QString words = tr("%1 layers keep %2 of %3 tokens")
                      .arg(m_schedule.layers.size())
                      .arg(text(byte_count(bytes)), text(grouped(m_tokens)));
  if (all > bytes) words += tr("; %1 if all attention layers were full").arg(text(byte_count(all)));
  if (unknown > 0) words += tr("; the sizes of %1 layers are not known and not counted").arg(unknown);
  m_summary->setText(words + QLatin1Char('.'));
  const double budget = m_memory->value() * 1024 * 1024 * 1024;
  const Index most = most_cached_tokens(m_schedule, budget, use);
  if (most >= longest_cached)
    m_longest->setText(tr("hold more than %1 tokens").arg(text(grouped(longest_cached))));
  else {
    QString longest = tr("hold up to %1 tokens").arg(text(grouped(most)));
    if (all > bytes)
      longest += tr(", %1 if all attention layers were full").arg(text(grouped(most_cached_tokens(full, budget, use))));
    m_longest->setText(longest);
  }
  showCurves();
}

/// The same curves as those of the method, so that the window and files agree.
void CachePanel::showCurves() {
  if (!isVisible() || m_schedule.layers.empty()) return;
  ParameterValues values = default_values(cacheMethod().parameters);
  const ParameterValues layers = schedule_values(m_schedule);
  for (const auto& [name, value] : layers.map()) values.set(name, value);
  values.set("dtype", m_type->currentText().toStdString());
  values.set("memory", m_memory->value());
  values.set("length_max", std::max(m_tokens, shortestAxis));
  auto curves = make_curves(cacheMethod(), values);
  if (!curves) return;
  curves->y_title = "bytes";
  curves->x_title = "tokens T";
  if (m_tokens >= 64) curves->marks.insert(curves->marks.begin(), {static_cast<double>(m_tokens), "T"});
  m_curves->setCurves(*curves);
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CachePanel::restyle() { m_curves->setStyle(screenStyle()); }

void CachePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  restyle();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CachePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showCurves();
}

}  // namespace vqscope
