// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the sweep dialog and their layout.
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/sweep/merged_table.h"
#include "widgets/sweep/point_table.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/sweep/sweep_setup.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int tick = 100;         // milliseconds between two updates of the points
constexpr int widthOfStart = 92;  // wide enough for "Continue" in bold

QPushButton* dialogButton(const char* name, const QString& title, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(title, parent);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  button->setAutoDefault(false);
  return button;
}

}  // namespace

SweepDialog::SweepDialog(std::string version, FindMethod find, QWidget* parent)
    : QDialog(parent),
      m_version(std::move(version)),
      m_find(std::move(find)),
      m_setup(new SweepSetup(this)),
      m_points(new PointTable(this)),
      m_merged(new MergedTable(this)) {
  setWindowTitle(tr("Sweep"));
  setWindowFlag(Qt::WindowMaximizeButtonHint);
  resize(onScreen(*this, {900, 560}));
  auto* across = new QSplitter(Qt::Horizontal, this);
  across->setChildrenCollapsible(false);
  across->setHandleWidth(1);
  across->addWidget(makeLeft());
  across->addWidget(makeRight());
  across->setSizes({360, 540});
  across->setStretchFactor(0, 0);
  across->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->addWidget(across, 1);
  column->addWidget(makeFoot());
  m_tick.setInterval(tick);
  connect(&m_tick, &QTimer::timeout, this, &SweepDialog::takeProgress);
  connect(m_setup, &SweepSetup::changed, this, &SweepDialog::edited);
  connect(m_tabs, &QTabWidget::currentChanged, this, &SweepDialog::showMerged);
  connect(m_points, &PointTable::opened, this, [this](int row) {
    if (m_checked) emit runsRequested(text(m_checked->folder), text(sweep_point(*m_checked->sweep, row).id));
  });
  connect(m_points->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& line) {
    if (line.isValid()) showFailure(line.row());
  });
  m_merged->show(nullptr, {});
  showState();
}

QWidget* SweepDialog::makeLeft() {
  auto* content = new QWidget(this);
  auto* inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 12, 0);
  inner->addWidget(m_setup);
  inner->addStretch(1);
  auto* left = new QWidget(this);
  left->setMinimumWidth(300);
  m_count = paragraph(left);
  m_count->setObjectName(QStringLiteral("count"));
  m_start = dialogButton("start", tr("Start"), tr("Compute the points that are not finished"), left);
  m_start->setDefault(true);
  m_start->setMinimumWidth(widthOfStart);
  m_stop = dialogButton("stop", tr("Stop"), tr("End the sweep; finished points are kept"), left);
  m_copy = dialogButton("copy", tr("Copy command"), tr("Copy the vqscope sweep command that computes the same points"),
                        left);
  m_takeForm = dialogButton("takeForm", tr("Take the values of the form"),
                            tr("Use the values of the form, which has changed since this sweep was started"), left);
  m_load = dialogButton(
      "load", tr("Load the sweep of the folder"),
      tr("Enter the varying parameters of the sweep in this folder, and its other values in the form"), left);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 12, 0);
  row->addWidget(m_start);
  row->addWidget(m_stop);
  row->addStretch(1);
  row->addWidget(m_copy);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(scrolled(content), 1);
  column->addWidget(m_count);
  column->addWidget(m_takeForm, 0, Qt::AlignLeft);
  column->addWidget(m_load, 0, Qt::AlignLeft);
  column->addLayout(row);
  connect(m_start, &QPushButton::clicked, this, &SweepDialog::start);
  connect(m_stop, &QPushButton::clicked, this, &SweepDialog::stopSweep);
  connect(m_takeForm, &QPushButton::clicked, this, &SweepDialog::takeForm);
  connect(m_load, &QPushButton::clicked, this, &SweepDialog::loadSweep);
  connect(m_copy, &QPushButton::clicked, this, &SweepDialog::copyCommand);
  return left;
}

QWidget* SweepDialog::makeRight() {
  auto* right = new QWidget(this);
  right->setMinimumWidth(300);
  m_state = new QLabel(right);
  m_state->setObjectName(QStringLiteral("state"));
  m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_bar = new QProgressBar(right);
  m_bar->setRange(0, 1000);
  m_bar->setTextVisible(false);
  m_tabs = new QTabWidget(right);
  m_tabs->addTab(m_points, tr("Points"));
  m_tabs->addTab(m_merged, tr("Merged table"));
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(12, 0, 0, 0);
  column->addWidget(m_state);
  column->addWidget(m_bar);
  column->addWidget(m_tabs, 1);
  return right;
}

QWidget* SweepDialog::makeFoot() {
  auto* foot = new QWidget(this);
  m_words = paragraph(foot);
  m_words->setObjectName(QStringLiteral("words"));
  m_runs = dialogButton("runs", tr("Show runs"), tr("List the runs of the folder on the page"), foot);
  m_save = dialogButton("save", tr("Save table…"), tr("Save the table as CSV, as vqscope merge writes it"), foot);
  auto* close = dialogButton("close", tr("Close"), tr("Close the dialog; a running sweep continues"), foot);
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_words, 1);
  row->addWidget(m_runs);
  row->addWidget(m_save);
  row->addWidget(close);
  connect(m_runs, &QPushButton::clicked, this, [this] {
    if (m_checked) emit runsRequested(text(m_checked->folder), {});
  });
  connect(m_save, &QPushButton::clicked, this, &SweepDialog::chooseAndSave);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  return foot;
}

}  // namespace vqscope
