// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/model_start.h"

#include "widgets/parts/parts.h"
#include "widgets/theme/icons.h"

#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int widest = 620;
constexpr int columnsOfModels = 3;
constexpr int mostModels = 12;

}  // namespace

ModelStart::ModelStart(QWidget* parent) : QWidget(parent), m_reason(paragraph(this, "warning")) {
  auto* column = new QWidget(this);
  column->setMaximumWidth(widest);
  auto* layout = new QVBoxLayout(column);
  layout->setSpacing(10);
  auto* title = paragraph(column, "title");
  title->setText(tr("Which tokens can a model's layers bring together?"));
  auto* words = paragraph(column, "secondary");
  words->setText(
      tr("Open a config.json, drop it on the window or paste its text. This page then lists the layers with "
         "their masks and positions, shows which tokens reach a query through them, and counts the key and "
         "value cache."));
  auto* buttons = new QHBoxLayout;
  auto* open = new QPushButton(tr("Open config.json…"), column);
  open->setProperty("class", "primary");
  auto* paste = new QPushButton(tr("Paste config"), column);
  buttons->addWidget(open);
  buttons->addWidget(paste);
  buttons->addStretch(1);
  layout->addWidget(m_reason);
  layout->addWidget(title);
  layout->addWidget(words);
  layout->addLayout(buttons);
  layout->addSpacing(8);
  layout->addWidget(heading(tr("Or a published model"), column));
  ensureResources();
  auto* models = new QGridLayout;
  int count = 0;
  for (const QFileInfo& file : QDir(QStringLiteral(":/configs")).entryInfoList({QStringLiteral("*.json")})) {
    if (count == mostModels) break;
    auto* model = new QPushButton(file.completeBaseName(), column);
    connect(model, &QPushButton::clicked, this, [this, path = file.filePath()] { emit sampleRequested(path); });
    models->addWidget(model, count / columnsOfModels, count % columnsOfModels);
    ++count;
  }
  layout->addLayout(models);
  auto* page = new QGridLayout(this);
  page->addWidget(column, 1, 1);
  page->setRowStretch(0, 1);
  page->setRowStretch(2, 2);
  page->setColumnStretch(0, 1);
  page->setColumnStretch(1, 100);
  page->setColumnStretch(2, 1);
  connect(open, &QPushButton::clicked, this, &ModelStart::openRequested);
  connect(paste, &QPushButton::clicked, this, &ModelStart::pasteRequested);
  m_reason->hide();
}

void ModelStart::setReason(const QString& reason) {
  m_reason->setText(reason);
  m_reason->setVisible(!reason.isEmpty());
}

}  // namespace vqscope
