// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/editor/code_view.h"

#include "widgets/form/control/mask_highlighter.h"
#include "widgets/form/control/mask_text_edit.h"
#include "widgets/form/control/mask_typing.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/palette.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPlainTextDocumentLayout>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr int padding = 6;
constexpr int markSide = 7;
constexpr int noteGap = 16;      // between a line and its note
constexpr double oldNote = 0.4;  // opacity of notes of a former text

QTextEdit::ExtraSelection underlined(QTextDocument* document, const SourceError& place, const QColor& colour) {
  const Range range = charactersOf(place, document->toPlainText());
  QTextEdit::ExtraSelection mark;
  mark.cursor = QTextCursor(document);
  mark.cursor.setPosition(static_cast<int>(range.begin));
  mark.cursor.setPosition(static_cast<int>(range.end), QTextCursor::KeepAnchor);
  mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
  mark.format.setUnderlineColor(colour);
  return mark;
}

SourceError placeOf(const TextFix& fix) {
  return {.line = fix.line, .column = fix.column, .length = static_cast<Index>(fix.found.size()), .message = {}};
}

}  // namespace

/// The strip of line numbers.
class CodeView::Gutter : public QWidget {
 public:
  explicit Gutter(CodeView* view) : QWidget(view), m_view(*view) {}
  QSize sizeHint() const override { return {m_view.gutterWidth(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override { m_view.paintGutter(event); }

 private:
  CodeView& m_view;
};

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent),
      m_empty(new QTextDocument(this)),
      m_highlighter(new MaskHighlighter(m_empty)),
      m_typing(new MaskTyping(this)),
      m_gutter(new Gutter(this)) {
  m_empty->setDocumentLayout(new QPlainTextDocumentLayout(m_empty));
  setFont(scaledFont(monospaceFont(), 0.95));
  m_empty->setDefaultFont(font());
  setLineWrapMode(NoWrap);
  setTabChangesFocus(true);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setAccessibleName(tr("Text of the mask"));
  connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::fitGutter);
  connect(this, &QPlainTextEdit::cursorPositionChanged, m_gutter, qOverload<>(&QWidget::update));
  connect(this, &QPlainTextEdit::textChanged, this, &CodeView::onTextChanged);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& part, int dy) {
    if (dy != 0)
      m_gutter->scroll(0, dy);
    else
      m_gutter->update(0, part.y(), m_gutter->width(), part.height());
  });
  follow(nullptr);
}

/// The document is that of another widget, which may live longer.
CodeView::~CodeView() {
  if (m_edit) setDocument(m_empty);
}

void CodeView::follow(MaskTextEdit* edit) {
  if (edit && edit == m_edit) return;
  if (m_edit) m_edit->disconnect(this);
  m_edit = edit;
  m_fix.reset();
  m_notes = {};
  setDocument(edit ? edit->document() : m_empty);
  setReadOnly(!edit);
  if (edit) {
    connect(edit, &MaskTextEdit::reviewed, this, &CodeView::underline);
    // Its document dies with it.
    connect(edit, &MaskTextEdit::closing, this, [this] { follow(nullptr); });
  }
  fitGutter();
  underline();
}

const MaskTextEdit* CodeView::edit() const { return m_edit; }

void CodeView::setOther(const QString& text) {
  if (m_empty->toPlainText() != text) m_empty->setPlainText(text);
}

void CodeView::onTextChanged() {
  if (m_fix && toPlainText() != m_fixed) setFix(std::nullopt);
  viewport()->update();
}

void CodeView::setNotes(TextNotes notes, std::vector<std::string> terms) {
  m_notes = std::move(notes);
  m_terms = std::move(terms);
  viewport()->update();
}

void CodeView::takeNotedText() {
  m_noted = toPlainText();
  viewport()->update();
}

void CodeView::setFix(const std::optional<TextFix>& fix) {
  const QString text = toPlainText();
  m_fix.reset();
  if (fix && m_edit) {
    const Range range = charactersOf(placeOf(*fix), text);
    const QString found = text.mid(range.begin, range.end - range.begin);
    if (found == QString::fromStdString(fix->found)) m_fix = fix;
    m_fixed = text;
  }
  underline();
}

QString CodeView::noteOf(int line) const {
  const auto note = std::ranges::find(m_notes.lines, Index{line}, &LineNote::line);
  return note == m_notes.lines.end() ? QString() : QString::fromStdString(note->words);
}

int CodeView::gutterWidth() const {
  const auto digits = static_cast<int>(QString::number(std::max(10, blockCount())).size());
  return 2 * padding + markSide + padding + digits * fontMetrics().horizontalAdvance(QLatin1Char('9'));
}

void CodeView::fitGutter() {
  setViewportMargins(gutterWidth(), 0, 0, 0);
  const QRect all = contentsRect();
  m_gutter->setGeometry(all.left(), all.top(), gutterWidth(), all.height());
}

void CodeView::goTo(int line, int column) {
  QTextCursor cursor(document()->findBlockByNumber(line - 1));
  cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, column - 1);
  setTextCursor(cursor);
  setFocus();
}

void CodeView::underline() {
  markLines();
  emit reviewed();
}

void CodeView::markLines() {
  QList<QTextEdit::ExtraSelection> marks;
  if (m_edit) {
    const auto& [error, warnings] = m_edit->review();
    for (const SourceError& warning : warnings) marks << underlined(document(), warning, currentPalette().warning);
    if (m_fix) marks << underlined(document(), placeOf(*m_fix), currentPalette().warning);
    if (error) marks << underlined(document(), *error, currentPalette().error);
  }
  setExtraSelections(marks);
  m_gutter->update();
}

QColor CodeView::markOf(int line) const {
  if (!m_edit) return {};
  const auto& [error, warnings] = m_edit->review();
  if (error && error->line == line + 1) return currentPalette().error;
  const bool isWarned = std::ranges::any_of(warnings, [&](const SourceError& each) { return each.line == line + 1; });
  return isWarned || (m_fix && m_fix->line == line + 1) ? currentPalette().warning : QColor();
}

void CodeView::paintGutter(QPaintEvent* event) {
  const Palette& p = currentPalette();
  QPainter painter(m_gutter);
  painter.fillRect(event->rect(), p.window);
  painter.setFont(font());
  const int current = textCursor().blockNumber();
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
    if (line.top() > event->rect().bottom()) break;
    const int number = block.blockNumber();
    painter.setPen(number == current ? p.text : p.secondary);
    painter.drawText(QRectF(0, line.top(), m_gutter->width() - padding, line.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(number + 1));
    if (const QColor mark = markOf(number); mark.isValid()) {
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(Qt::NoPen);
      painter.setBrush(mark);
      painter.drawEllipse(QRectF(padding, line.center().y() - markSide / 2.0, markSide, markSide));
    }
  }
}

/// Lines with an error, a warning or a fix, behind the text.
void CodeView::paintMarkedLines(QPaintEvent* event) {
  constexpr float tint = 0.1F;
  QPainter painter(viewport());
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
    if (line.top() > event->rect().bottom()) break;
    QColor mark = markOf(block.blockNumber());
    if (!mark.isValid()) continue;
    mark.setAlphaF(tint);
    painter.fillRect(QRectF(0, line.top(), viewport()->width(), line.height()), mark);
  }
}

QFont CodeView::noteFont() const { return scaledFont(font(), 0.92); }

double CodeView::spaceBehind(const QTextBlock& block) const {
  const double text = block.layout()->lineCount() > 0 ? block.layout()->lineAt(0).naturalTextWidth() : 0;
  const double left = blockBoundingGeometry(block).translated(contentOffset()).left();
  return viewport()->width() - left - text - noteGap - padding;
}

void CodeView::paintEvent(QPaintEvent* event) {
  paintMarkedLines(event);
  QPlainTextEdit::paintEvent(event);
  if (m_notes.lines.empty()) return;
  QPainter painter(viewport());
  painter.setFont(noteFont());
  painter.setPen(currentPalette().secondary);
  if (toPlainText() != m_noted) painter.setOpacity(oldNote);
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
    if (line.top() > event->rect().bottom()) break;
    const QString note = noteOf(block.blockNumber());
    if (note.isEmpty() || block.layout()->lineCount() == 0) continue;
    const double space = spaceBehind(block), left = viewport()->width() - space - padding;
    painter.drawText(QRectF(left, line.top(), std::max(space, 0.0), line.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(note, Qt::ElideRight, static_cast<int>(space)));
  }
}

void CodeView::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  fitGutter();
}

void CodeView::keyPressEvent(QKeyEvent* event) {
  if (!m_edit) return QPlainTextEdit::keyPressEvent(event);
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (m_typing->take(event)) return;
  if (isReturn) return m_edit->finish();  // with Ctrl
  QPlainTextEdit::keyPressEvent(event);
  m_typing->follow(*event);
}

void CodeView::focusOutEvent(QFocusEvent* event) {
  QPlainTextEdit::focusOutEvent(event);
  if (m_edit && event->reason() != Qt::PopupFocusReason) m_edit->finish();
}

/// The narrowest place under the mouse, else the term whose name is there.
std::optional<std::size_t> CodeView::termAt(const QPoint& position) const {
  const QString text = toPlainText();
  if (text != m_noted || m_terms.empty()) return std::nullopt;
  QTextCursor cursor = cursorForPosition(position);
  const Index at = text.left(cursor.position()).toUtf8().size();
  cursor.select(QTextCursor::WordUnderCursor);
  const auto named = std::ranges::find(m_terms, cursor.selectedText().toStdString());
  if (named != m_terms.end()) return static_cast<std::size_t>(named - m_terms.begin());
  const TermRange* best = nullptr;
  for (const TermRange& each : m_notes.terms)
    if (each.range.contains(at) && (!best || each.range.size() < best->range.size())) best = &each;
  return best ? std::optional(best->term) : std::nullopt;
}

void CodeView::point(const std::optional<std::size_t>& term) {
  if (std::exchange(m_pointed, term) != term) emit termPointed(term);
}

void CodeView::mouseMoveEvent(QMouseEvent* event) {
  QPlainTextEdit::mouseMoveEvent(event);
  point(event->buttons() == Qt::NoButton ? termAt(event->position().toPoint()) : std::nullopt);
}

/// A note that is cut is whole in the tooltip of its line.
bool CodeView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QTextBlock block = cursorForPosition(help->pos()).block();
  const QString note = noteOf(block.blockNumber());
  const bool isCut = QFontMetricsF(noteFont()).horizontalAdvance(note) > spaceBehind(block);
  QToolTip::showText(help->globalPos(), isCut ? note : QString(), this);
  return true;
}

void CodeView::leaveEvent(QEvent* event) {
  QPlainTextEdit::leaveEvent(event);
  point(std::nullopt);
}

void CodeView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  m_highlighter->restyle();
  markLines();
}

}  // namespace vqscope
