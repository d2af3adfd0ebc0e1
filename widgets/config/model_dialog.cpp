// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/config/model_dialog.h"

#include "core/config/place/hub_cache.h"
#include "widgets/parts/text.h"

#include <QCompleter>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

QStringList cachedModels() {
  QStringList names;
  for (const auto& id : hub_models(hub_caches())) names << text(id);
  return names;
}

}  // namespace

ModelDialog::ModelDialog(const QString& title, QWidget* parent)
    : QDialog(parent), m_place(new QLineEdit(this)), m_error(new QLabel(this)) {
  setWindowTitle(title);
  setMinimumWidth(520);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(new QLabel(tr("A config, a model folder, or a model of the hub cache"), this));
  auto* row = new QHBoxLayout;
  m_place->setPlaceholderText(tr("path, ORG/NAME or ORG/NAME@REVISION"));
  m_place->setAccessibleName(tr("Path or name of the model"));
  auto* completer = new QCompleter(cachedModels(), m_place);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  completer->setFilterMode(Qt::MatchContains);
  m_place->setCompleter(completer);
  row->addWidget(m_place, 1);
  const auto button = [&](const QString& name, void (ModelDialog::*slot)()) {
    auto* made = new QPushButton(name, this);
    made->setAutoDefault(false);
    connect(made, &QPushButton::clicked, this, slot);
    row->addWidget(made);
  };
  button(tr("File…"), &ModelDialog::chooseFile);
  button(tr("Folder…"), &ModelDialog::chooseFolder);
  layout->addLayout(row);
  m_error->setProperty("class", "error");
  m_error->setWordWrap(true);
  m_error->setTextFormat(Qt::PlainText);
  layout->addWidget(m_error);
  connect(m_place, &QLineEdit::textChanged, this, [this] {
    m_reading.stop();
    m_error->clear();
  });
  connect(&m_reading, &FileReading::lasting, m_error, &QLabel::setText);
  connect(&m_reading, &FileReading::ended, m_error, &QLabel::clear);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &ModelDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
}

void ModelDialog::setPlace(const QString& place) { m_place->setText(place); }

QString ModelDialog::place() const { return m_place->text().trimmed(); }

void ModelDialog::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Choose a model's config"), place(),
                                                    tr("Model configs (*.json *.gguf);;All files (*)"));
  if (!path.isEmpty()) setPlace(path);
}

void ModelDialog::chooseFolder() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("Choose a model folder or a hub snapshot"), place());
  if (!folder.isEmpty()) setPlace(folder);
}

void ModelDialog::accept() {
  if (place().isEmpty()) return m_error->setText(tr("Enter the path or the name of a model"));
  m_reading.run<Result<OpenedConfig>>(
      {place()}, [place = bytesOf(place())](const std::stop_token&) { return open_model(place); },
      [this](Result<OpenedConfig> opened) {
        if (!opened) {
          m_error->setText(text(opened.error().message));
          return m_place->selectAll();
        }
        m_model = std::move(*opened);
        QDialog::accept();
      });
}

}  // namespace vqscope
