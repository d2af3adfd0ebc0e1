// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/view_options.h"

#include "core/catalogue/registry.h"
#include "widgets/paint/colour_map.h"
#include "widgets/paint/colour_scale.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {

ViewOptions::ViewOptions(QWidget* parent)
    : QWidget(parent),
      m_layout(new QVBoxLayout(this)),
      m_aggregate(new QComboBox(this)),
      m_colourMap(new QComboBox(this)),
      m_keepAspect(new QCheckBox(tr("Square cells"), this)) {
  m_layout->setContentsMargins(0, 4, 0, 0);
  m_layout->setSpacing(8);
  m_layout->addWidget(heading(tr("View"), this));
  for (const auto& name : aggregate_names()) m_aggregate->addItem(text(name));
  m_aggregate->setToolTip(
      tr("Exact summary of the cells under each pixel. Automatic is the mean; for differences it is the largest, the "
         "value furthest from 0, since their mean is near 0. Labels have no mean: a pixel over several labels shows "
         "the one at its centre."));
  addRow(tr("Pixel shows"), m_aggregate);
  connect(m_aggregate, &QComboBox::activated, this, [this](int index) {
    emit chosen(tr("Pixel shows %1").arg(m_aggregate->itemText(index)),
                [index](ShownPage& page) { page.aggregate = static_cast<Aggregate>(index); });
  });
  m_colourMap->addItem(tr("automatic"), QString());
  for (const ColourMap& map : colourMaps()) m_colourMap->addItem(map.title(), text(map.id()));
  addRow(tr("Colours"), m_colourMap);
  connect(m_colourMap, &QComboBox::activated, this, [this](int index) {
    const std::string map = m_colourMap->itemData(index).toString().toStdString();
    emit chosen(tr("Colours"), [map](ShownPage& page) { page.colour_map = map; });
  });
  m_layout->addWidget(m_keepAspect);
  connect(m_keepAspect, &QCheckBox::clicked, this,
          [this](bool on) { emit chosen(tr("Square cells"), [on](ShownPage& page) { page.keep_aspect = on; }); });
}

void ViewOptions::addRow(const QString& title, QComboBox* field) {
  auto* row = new QHBoxLayout;
  auto* label = new QLabel(title, this);
  label->setBuddy(field);
  row->addWidget(label, 1);
  row->addWidget(field);
  field->setAccessibleName(title);
  m_layout->addLayout(row);
}

void ViewOptions::setPage(const ShownPage& page) {
  m_aggregate->setCurrentIndex(static_cast<int>(page.aggregate));
  offerAggregates(page);
  m_colourMap->setCurrentIndex(std::max(0, m_colourMap->findData(text(page.colour_map))));
  m_keepAspect->setChecked(page.keep_aspect);
}

/// Labels have no mean.
void ViewOptions::offerAggregates(const ShownPage& page) {
  const Method* method = find_method(page.method);
  auto* items = qobject_cast<QStandardItemModel*>(m_aggregate->model());
  if (!method || !method->field() || !items) return;
  const auto offered = aggregates_of(*method, page.compare == CompareMode::difference);
  for (int i = 0; i < items->rowCount(); ++i)
    items->item(i)->setEnabled(std::ranges::count(offered, static_cast<Aggregate>(i)) > 0);
}

}  // namespace vqscope
