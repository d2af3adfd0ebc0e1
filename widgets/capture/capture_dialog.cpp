// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/capture_dialog.h"

#include "widgets/capture/capture_watch.h"
#include "widgets/capture/captured_tensor_dialog.h"
#include "widgets/capture/head_map.h"
#include "widgets/capture/layer_ropes.h"
#include "widgets/capture/tensor_index.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QVBoxLayout>

namespace vqscope {
namespace {

QString nameOf(const Capture& capture) { return text(shownPath(QFileInfo(textOfBytes(capture.path)).fileName())); }

QString engineOf(const CaptureInfo& info) {
  if (info.engine.empty()) return CaptureDialog::tr("Unnamed engine");
  return text(info.version.empty() ? info.engine : info.engine + " " + info.version);
}

/// "step 3, the newest of 4 · 32 layers · 2 samples of 64 tokens after 20 · config kept"
QString factsOf(const Capture& capture) {
  const auto tr = [](const char* words) { return CaptureDialog::tr(words); };
  QStringList facts;
  QString step = tr("step %1").arg(capture.is_whole ? std::max(capture.info.step, capture.step) : capture.step);
  const bool isNewest = capture.steps.empty() || capture.step == capture.steps.back();
  if (capture.steps.size() > 1)
    step += (isNewest ? tr(", the newest of %1") : tr(", the newest whole one of %1")).arg(capture.steps.size());
  facts << step << counted(std::ssize(capture.layers), tr("layer"), tr("layers"));
  if (capture.inputs.batch > 0)
    facts << tr("%1 of %2")
                 .arg(counted(capture.inputs.batch, tr("sample"), tr("samples")),
                      counted(capture.inputs.tokens, tr("token"), tr("tokens")));
  if (capture.info.past > 0) facts << tr("past of %1").arg(capture.info.past);
  facts << (capture.info.config ? tr("config kept") : tr("no config kept"));
  return facts.join(QStringLiteral(" · "));
}

QStringList remarksOf(const Capture& capture) {
  QStringList remarks;
  if (!capture.is_whole && QFileInfo(textOfBytes(capture.path)).isDir())
    remarks << CaptureDialog::tr(
        "There is no capture.json: a dump, or a capture that is still being written, of which each new "
        "step is shown.");
  if (!capture.info.notes.empty()) remarks << text(capture.info.notes);
  for (const std::string& remark : capture.remarks) remarks << text(remark);
  return remarks;
}

}  // namespace

CaptureDialog::CaptureDialog(std::shared_ptr<const Capture> capture, std::optional<Index> layer, QWidget* parent)
    : QDialog(parent), m_capture(std::move(capture)), m_tabs(new QTabWidget(this)) {
  setWindowTitle(tr("%1 – capture").arg(nameOf(*m_capture)));
  resize(onScreen(*this, {980, 620}));
  auto* column = new QVBoxLayout(this);
  column->setSpacing(10);
  column->addWidget(head());
  makeTabs();
  column->addWidget(m_tabs, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_open = buttons->addButton(QString(), QDialogButtonBox::ActionRole);
  m_open->setAutoDefault(false);
  auto* compare = buttons->addButton(tr("Compare with…"), QDialogButtonBox::ActionRole);
  compare->setAutoDefault(false);
  connect(compare, &QPushButton::clicked, this, &CaptureDialog::comparisonRequested);
  column->addWidget(buttons);
  connect(m_open, &QPushButton::clicked, this, &CaptureDialog::openLayer);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_tabs, &QTabWidget::currentChanged, this, &CaptureDialog::showTab);
  m_watch = new CaptureWatch(m_capture, this);
  connect(m_watch, &CaptureWatch::captureGrew, this, &CaptureDialog::take);
  if (layer) m_index->showLayer(*layer);
  showLayer();
}

QWidget* CaptureDialog::head() {
  auto* head = new QWidget(this);
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(0, 0, 0, 0);
  m_engine = heading(QString(), head);
  m_facts = paragraph(head);
  m_remark = paragraph(head);
  for (QLabel* each : {m_engine, m_facts, m_remark}) column->addWidget(each);
  showFacts();
  return head;
}

void CaptureDialog::showFacts() {
  m_engine->setText(engineOf(m_capture->info));
  m_facts->setText(factsOf(*m_capture));
  const QStringList remarks = remarksOf(*m_capture);
  m_remark->setText(remarks.join(QLatin1Char('\n')));
  m_remark->setHidden(remarks.isEmpty());
}

void CaptureDialog::makeTabs() {
  m_index = new TensorIndex(m_capture, this);
  m_heads = new HeadMap(m_capture, this);
  m_ropes = new LayerRopes(m_capture, this);
  m_tabs->addTab(m_index, tr("Tensors"));
  m_tabs->addTab(m_heads, tr("Heads"));
  m_tabs->addTab(m_ropes, tr("RoPE"));
  connect(m_index, &TensorIndex::layerChanged, this, &CaptureDialog::showLayer);
  connect(m_index, &TensorIndex::tensorChosen, this, [this](Index layer, TensorRole role) { openTensor(layer, role); });
  connect(m_heads, &HeadMap::headChosen, this, &CaptureDialog::openHead);
  connect(m_ropes, &LayerRopes::positionsRequested, this, &CaptureDialog::positionsRequested);
  connect(m_ropes, &LayerRopes::codeRequested, this, &CaptureDialog::codeRequested);
}

void CaptureDialog::take(const std::shared_ptr<const Capture>& capture) {
  const int tab = m_tabs->currentIndex();
  const Index layer = m_index->layer();
  m_capture = capture;
  showFacts();
  {
    const QSignalBlocker blocker(m_tabs);
    for (QWidget* each : std::initializer_list<QWidget*>{m_index, m_heads, m_ropes}) delete each;
    makeTabs();
    m_tabs->setCurrentIndex(tab);
  }
  m_index->showLayer(layer);
  showLayer();
  showTab();
}

bool CaptureDialog::isBusy() const { return m_index->isBusy() || m_heads->isBusy() || m_ropes->isBusy(); }

/// Weights and rotations are read when they are looked at.
void CaptureDialog::showTab() {
  if (m_tabs->currentWidget() == m_heads) m_heads->read();
  if (m_tabs->currentWidget() == m_ropes) m_ropes->read();
}

void CaptureDialog::showLayer() {
  const Index layer = m_index->layer();
  const bool has = !filesOf(layer).isEmpty();
  m_open->setText(tr("Show q, k and v of layer %1").arg(layer));
  m_open->setEnabled(has);
  const bool isRotated = m_capture->find(layer, TensorRole::q_rot) && m_capture->find(layer, TensorRole::k_rot);
  m_open->setToolTip(!has        ? tr("Layer %1 has no q and k").arg(layer)
                     : isRotated ? tr("q_rot and k_rot, which the kernel reads, in place of q and k")
                                 : QString());
  m_ropes->showLayer(layer);
}

void CaptureDialog::openLayer() {
  const Index layer = m_index->layer();
  const QStringList files = filesOf(layer);
  if (!files.isEmpty()) emit layerRequested(files, layer);
}

/// Several can be open beside each other.
void CaptureDialog::openTensor(Index layer, TensorRole role, Index head) {
  auto* dialog = new CapturedTensorDialog(m_capture, layer, role, this, head);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void CaptureDialog::openHead(Index layer, Index head) {
  for (const TensorRole role : {TensorRole::weights, TensorRole::scores})
    if (m_capture->find(layer, role)) return openTensor(layer, role, head);
}

QStringList CaptureDialog::filesOf(Index layer) const {
  const CapturedTensor* q = m_capture->find(layer, TensorRole::q_rot);
  const CapturedTensor* k = m_capture->find(layer, TensorRole::k_rot);
  if (!q || !k) {
    q = m_capture->find(layer, TensorRole::q);
    k = m_capture->find(layer, TensorRole::k);
  }
  if (!q || !k) return {};
  QStringList files;
  for (const CapturedTensor* each :
       {q, k, m_capture->find(layer, TensorRole::v), m_capture->find(layer, TensorRole::mask)})
    if (each) files << textOfBytes(each->file);
  files.removeDuplicates();
  return files;
}

}  // namespace vqscope
