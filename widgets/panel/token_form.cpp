// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/token_form.h"

#include "core/session/subject/batch_tokens.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr QSize formSize{320, 240};

}  // namespace

TokenForm::TokenForm(const TokenTexts& texts, std::string tokenizer, QWidget* parent)
    : QWidget(parent),
      m_texts(texts),
      m_tokenizer(std::move(tokenizer)),
      m_edit(new QPlainTextEdit(this)),
      m_message(paragraph(this)),
      m_use(new QPushButton(tr("Use"), this)) {
  setFixedSize(formSize);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 10, 12, 10);
  layout->addWidget(heading(tr("Token texts"), this));
  m_edit->setObjectName(QStringLiteral("tokens"));
  m_edit->setAccessibleName(tr("Token texts"));
  m_edit->setTabChangesFocus(true);
  m_edit->setPlaceholderText(
      m_tokenizer.empty()
          ? tr("Words between spaces, one token a line, or the list that a tokenizer prints: ['The', 'Ġcat']")
          : tr("Token ids, [464, 3797], or texts: words between spaces, one a line, or ['The', 'Ġcat']"));
  m_edit->setPlainText(text(texts.empty() ? std::string() : token_texts_text(texts)));
  layout->addWidget(m_edit, 1);
  layout->addWidget(m_message);
  auto* buttons = new QHBoxLayout;
  auto* clear = new QPushButton(tr("Clear"), this);
  clear->setEnabled(!texts.empty());
  buttons->addWidget(clear);
  buttons->addStretch(1);
  buttons->addWidget(m_use);
  layout->addLayout(buttons);
  connect(m_edit, &QPlainTextEdit::textChanged, this, [this, clear] {
    clear->setEnabled(!m_edit->document()->isEmpty());
    showCount();
  });
  connect(m_use, &QPushButton::clicked, this, &TokenForm::commit);
  connect(clear, &QPushButton::clicked, this, [this] {
    m_edit->clear();
    commit();
  });
  setFocusProxy(m_edit);
  showCount();
}

/// Ids become texts if the model has a tokenizer.json.
Result<TokenTexts> TokenForm::typed() {
  const std::string given = bytesOf(m_edit->toPlainText());
  const auto ids = m_tokenizer.empty() ? std::vector<Index>() : parse_token_ids(given);
  if (ids.empty()) return parse_token_texts(given);
  if (!m_vocabulary) {
    auto read = Tokenizer::open(m_tokenizer);
    if (!read) return read.error();
    m_vocabulary = std::move(*read);
  }
  return m_vocabulary->texts(ids);
}

void TokenForm::showCount() {
  const auto read = typed();
  m_use->setEnabled(read && *read != m_texts);
  if (!read) return showError(text(read.error().message));
  m_message->setText(read->empty() ? tr("Shown on axes and in readouts, beside the numbers.")
                                   : counted(std::ssize(*read), tr("token"), tr("tokens")) + tr("; T becomes as long"));
}

void TokenForm::showError(const QString& sentence) { m_message->setText(sentence); }

void TokenForm::commit() {
  const auto read = typed();
  if (!read || *read == m_texts) return;
  m_texts = *read;
  m_use->setEnabled(false);
  emit entered(*read);
}

}  // namespace vqscope
