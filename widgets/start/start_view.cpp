// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_view.h"

#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/parts.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/start/card.h"
#include "widgets/start/start_parts.h"
#include "widgets/theme/fonts.h"

#include <QEvent>
#include <QLabel>
#include <QLayoutItem>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int pageMargin = 28;
constexpr int pageGap = 14;
constexpr int sideWidth = 264;
constexpr int leastHave = 150;
constexpr int leastGallery = 204;
constexpr int mostGalleryColumns = 8;  ///< on a large screen, larger pictures say more than many beside each other
constexpr int widthForSide = 900;
constexpr int mostRecent = 8;
/// The size settles before thumbnails of another size are made.
constexpr int settleMilliseconds = 120;

QVBoxLayout* plainColumn(QWidget* parent) {
  auto* column = new QVBoxLayout(parent);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

QLabel* title(const QString& words, QWidget* parent) {
  auto* label = new QLabel(words, parent);
  QFont font = scaledFont(uiFont(), 1.5);
  font.setWeight(QFont::Bold);
  label->setFont(font);
  return label;
}

}  // namespace

StartView::StartView(QWidget* parent) : QWidget(parent), m_scroll(new QScrollArea(this)) {
  auto* content = new QWidget;
  m_halves = new QBoxLayout(QBoxLayout::LeftToRight, content);
  m_halves->setContentsMargins(pageMargin, pageMargin - 4, pageMargin, pageMargin);
  m_halves->setSpacing(pageMargin);
  m_main = new QVBoxLayout;
  m_main->setSpacing(pageGap);
  auto* purpose = paragraph(content, "secondary");
  purpose->setTextFormat(Qt::RichText);
  purpose->setText(tensor_view().empty()
                       ? tr("<b>VQScope</b> shows how attention knows about position: masks, RoPE and biases.")
                       : tr("<b>VQScope</b> shows how attention knows about position: masks, RoPE, biases and vector "
                            "quantisation."));
  m_main->addWidget(purpose);
  m_main->addWidget(title(tr("What do you have?"), content));
  m_main->addWidget(makeHaves());
  m_main->addSpacing(6);
  m_main->addWidget(heading(tr("Gallery"), content));
  m_main->addWidget(makeGallery());
  m_main->addStretch(1);
  m_sideFrame = new QWidget;
  m_side = plainColumn(m_sideFrame);
  m_notice = makeNotice();
  m_halves->addLayout(m_main, 1);
  m_halves->addWidget(m_sideFrame, 0, Qt::AlignTop);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  m_scroll->setWidget(content);
  plainColumn(this)->addWidget(m_scroll);
  m_resized.setSingleShot(true);
  m_resized.setInterval(settleMilliseconds);
  connect(&m_resized, &QTimer::timeout, this, &StartView::requestThumbnails);
  connect(&m_maker, &ThumbnailMaker::ready, this, [this](const QString& id, const QImage& image) {
    const auto card = m_cards.find(id);
    if (card != m_cards.end() && !image.isNull()) card->second->setPicture(image);
  });
  fillSide();
}

QWidget* StartView::makeHaves() {
  auto* frame = new QWidget;
  auto* grid = new WrapGrid(leastHave, pageGap, true, frame);
  const auto add = [&](const QString& name, const QString& words, auto run) {
    auto* card = new Card(name, words, frame);
    connect(card, &QAbstractButton::clicked, this, [card, run] { run(card); });
    connect(card, &Card::arrowPressed, this, [this, card](int key) { moveFocus(card, key); });
    grid->addWidget(card);
    return card;
  };
  Card* first = add(tr("A mask_mod"), tr("Paste FlexAttention Python: see every row, and why each key is masked."),
                    [this](const Card*) { emit maskTextRequested(); });
  add(tr("A mask tensor"), tr("NumPy, safetensors, torch, .csv, .png: identified, compared, linted."),
      [this](const Card*) { emit maskFileRequested(); });
  add(tr("A config.json"), tr("Which RoPE, window and layers a model really uses, and where readers differ."),
      [this](const Card*) { emit configRequested(); });
  if (!tensor_view().empty())
    add(tr("q, k, v"), tr("Weights, quantised keys, codebooks and cost on your own tensors."),
        [this](const Card*) { emit tensorsRequested(); });
  if (!experiment_presets().empty())
    add(tr("A question"), tr("Does VQ attention extrapolate? What does it cost? Train small models and measure."),
        [this](const Card* card) { showQuestions(card); });
  first->installEventFilter(this);
  return frame;
}

void StartView::showQuestions(const Card* card) {
  QMenu menu;
  for (const ExperimentPreset& preset : experiment_presets()) {
    QAction* action = menu.addAction(text(preset.title));
    action->setToolTip(text(preset.note));
    connect(action, &QAction::triggered, this, [this, id = text(preset.id)] { emit questionRequested(id); });
  }
  menu.setToolTipsVisible(true);
  menu.exec(card->mapToGlobal(QPoint(0, card->height())));
}

QWidget* StartView::makeGallery() {
  auto* frame = new QWidget;
  auto* grid = new WrapGrid(leastGallery, pageGap, false, frame);
  grid->setMostColumns(mostGalleryColumns);
  for (const GalleryEntry& entry : gallery_entries()) {
    auto* card = new Card(text(entry.title), text(entry.what_to_try), frame);
    card->reservePicture();
    card->setMostLines(4);
    card->setFooter(text(entry.source));
    card->setToolTip(
        QStringLiteral("<p>%1</p><p>%2</p>").arg(text(entry.note).toHtmlEscaped(), text(entry.source).toHtmlEscaped()));
    card->setAccessibleDescription(text(entry.note + " " + entry.what_to_try));
    connect(card, &QAbstractButton::clicked, this, [this, id = text(entry.id)] { emit galleryRequested(id); });
    connect(card, &Card::arrowPressed, this, [this, card](int key) { moveFocus(card, key); });
    grid->addWidget(card);
    m_cards.emplace(text(entry.id), card);
  }
  return frame;
}

QWidget* StartView::makeNotice() {
  auto* frame = new QFrame(this);
  frame->setProperty("class", "notice");
  auto* row = new QVBoxLayout(frame);
  row->setContentsMargins(14, 12, 14, 12);
  m_noticeWords = paragraph(frame, "remark");
  auto* restore = new QPushButton(tr("Restore"), frame);
  restore->setAccessibleName(tr("Restore the lost session"));
  connect(restore, &QPushButton::clicked, this, &StartView::restoreRequested);
  row->addWidget(m_noticeWords);
  row->addWidget(restore, 0, Qt::AlignLeft);
  frame->hide();
  return frame;
}

void StartView::setRecent(const std::vector<RecentFile>& files) {
  m_recent = files;
  if (m_recent.size() > mostRecent) m_recent.resize(mostRecent);
  fillSide();
}

void StartView::setGuide(const std::vector<GuideQuestion>& questions) {
  m_questions = questions;
  fillSide();
}

void StartView::setLostSession(const QString& words) {
  m_noticeWords->setText(words);
  m_notice->setVisible(!words.isEmpty());
}

void StartView::fillSide() {
  m_side->removeWidget(m_notice);
  while (QLayoutItem* item = m_side->takeAt(0)) {
    // A row may be the sender of the change.
    if (QWidget* row = item->widget()) {
      row->setParent(nullptr);
      row->deleteLater();
    }
    delete item;
  }
  const auto addList = [this](const QString& name) {
    if (m_side->count() > 0) m_side->addSpacing(22);
    m_side->addWidget(heading(name, m_sideFrame));
    m_side->addSpacing(4);
  };
  const auto add = [this](const QString& words, const QString& detail) {
    auto* row = new LinkRow(words, detail, m_sideFrame);
    m_side->addWidget(row);
    return row;
  };
  const QDateTime now = QDateTime::currentDateTime();
  if (!m_recent.empty()) addList(tr("Recent"));
  for (const RecentFile& file : m_recent) {
    // The folder distinguishes files of one name, such as config.json.
    auto* row = add(file.path.section(QLatin1Char('/'), -1),
                    file.path.section(QLatin1Char('/'), -2, -2) + QStringLiteral(" · ") + dayText(file.when, now));
    row->setToolTip(file.path);
    connect(row, &QAbstractButton::clicked, this, [this, path = file.path] { emit recentRequested(path); });
  }
  if (!m_questions.empty()) addList(tr("Guide"));
  for (const GuideQuestion& question : m_questions) {
    auto* row = add(question.words, {});
    row->setToolTip(question.words);
    connect(row, &QAbstractButton::clicked, this,
            [this, question] { emit guideRequested(question.page, question.anchor); });
  }
  m_side->addSpacing(20);  // above the notice
  m_beside.reset();
  placeSide();
}

/// The notice of a lost session is in sight in either place.
void StartView::placeSide() {
  const bool beside = width() >= widthForSide;
  if (m_beside == beside) return;
  m_beside = beside;
  const bool offered = !m_notice->isHidden();
  m_halves->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  m_sideFrame->setMinimumWidth(beside ? sideWidth : 0);
  m_sideFrame->setMaximumWidth(beside ? sideWidth : QWIDGETSIZE_MAX);
  m_halves->setAlignment(m_sideFrame, beside ? Qt::AlignTop : Qt::Alignment());
  m_side->removeWidget(m_notice);
  m_main->removeWidget(m_notice);
  if (beside)
    m_side->addWidget(m_notice);
  else
    m_main->insertWidget(0, m_notice);
  m_notice->setVisible(offered);  // a change of parent hides it
}

void StartView::requestThumbnails() {
  if (!isVisible()) return;
  for (const GalleryEntry& entry : gallery_entries()) {
    const Card* card = m_cards.at(text(entry.id));
    m_maker.request(text(entry.id), galleryThumbnail(entry, card->picturePixels(), devicePixelRatioF()));
  }
}

void StartView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeSide();
  m_resized.start();
}

void StartView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_resized.start();
}

/// Thumbnails of a hidden page are not needed.
void StartView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  m_maker.cancelAll();
}

void StartView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_resized.start();
}

bool StartView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Paint && !m_maker.isStarted()) QTimer::singleShot(0, &m_maker, &ThumbnailMaker::start);
  return QWidget::eventFilter(watched, event);
}

void StartView::moveFocus(const Card* from, int key) {
  const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
  const QPoint centre = from->mapTo(this, from->rect().center());
  Card* best = nullptr;
  int least = 0;
  for (auto* to : findChildren<Card*>()) {
    const QPoint by = to->mapTo(this, to->rect().center()) - centre;
    const int along = across ? by.x() : by.y(), aside = std::abs(across ? by.y() : by.x());
    const int ahead = key == Qt::Key_Right || key == Qt::Key_Down ? along : -along;
    if (ahead <= 4 || aside > (across ? from->height() / 2 : from->width())) continue;
    if (best && ahead + 2 * aside >= least) continue;
    best = to;
    least = ahead + 2 * aside;
  }
  if (best) best->setFocus(Qt::TabFocusReason);
}

}  // namespace vqscope
