// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/generate_dialog.h"

#include "core/base/machine.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/export/number_files.h"
#include "core/method/run_result.h"
#include "widgets/form/parameter_form.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

#include <cmath>

namespace vqscope {
namespace {

constexpr double nucleus = 0.9;
constexpr int formWidth = 320;    // pixels
constexpr int buttonWidth = 120;  // both of its labels

/// A content of the run as a file in memory.
class ContentSource : public MemorySource {
 public:
  explicit ContentSource(std::string bytes) : ContentSource(std::make_shared<const std::string>(std::move(bytes))) {}

 private:
  explicit ContentSource(std::shared_ptr<const std::string> bytes) : MemorySource(*bytes), m_bytes(std::move(bytes)) {}
  std::shared_ptr<const std::string> m_bytes;
};

Result<RunFile> fileOf(const RunResult& result, const char* suffix) {
  StringSink sink;
  if (auto written = write_run_content(result.contents.at(suffix), sink, {}); !written) return written.error();
  return RunFile{"the trained model", std::make_shared<const ContentSource>(sink.text())};
}

/// Alphabet for a value of the parameter `data` of train_model.
const char* alphabetOf(const std::string& data) {
  if (data == "text") return "bytes";
  return data == "language" ? "language" : "task";
}

/// On a worker.
Result<RunResult> generated(const Method& method, const RunResult& trained, const ParameterValues& values,
                            const std::stop_token& stop) {
  auto config = fileOf(trained, "config.json");
  if (!config) return config.error();
  auto weights = fileOf(trained, "safetensors");
  if (!weights) return weights.error();
  RunRequest request{.inputs = {}, .memory = this_machine().memory};
  request.files = {{"config", std::move(*config)}, {"weights", std::move(*weights)}};
  return make_run(method, std::move(request), values, {.progress = {}, .stop = stop});
}

}  // namespace

GenerateDialog::GenerateDialog(QWidget* parent)
    : QDialog(parent),
      m_method(*find_method("generate_tokens")),
      m_form(new ParameterForm(m_method.parameters, this)),
      m_text(new QPlainTextEdit(this)),
      m_state(paragraph(this, "secondary")),
      m_write(new QPushButton(tr("Generate"), this)) {
  setWindowTitle(tr("Generate tokens"));
  resize(onScreen(*this, {860, 560}));
  m_text->setObjectName(QStringLiteral("written"));
  m_text->setReadOnly(true);
  m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_text->setPlaceholderText(tr("The prompt and the tokens after it"));
  m_state->setObjectName(QStringLiteral("writtenState"));
  m_write->setObjectName(QStringLiteral("write"));
  m_write->setDefault(true);
  m_write->setMinimumWidth(buttonWidth);
  auto* right = new QVBoxLayout;
  right->addWidget(m_text, 1);
  right->addWidget(m_state);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(m_write);
  right->addLayout(buttons);
  auto* row = new QHBoxLayout(this);
  row->addWidget(makeForm());
  row->addLayout(right, 1);
  connect(m_write, &QPushButton::clicked, this, [this] {
    if (!isBusy()) return write();
    m_scheduler.stop();
    showState();
  });
  connect(m_form, &ParameterForm::valueEdited, this, &GenerateDialog::showState);
  connect(m_form, &ParameterForm::refusalChanged, this, &GenerateDialog::showState);
}

QWidget* GenerateDialog::makeForm() {
  m_form->setCitation(m_method.citation);
  ParameterValues sampled = m_form->values();  // the most likely tokens soon repeat themselves
  sampled.set("temperature", 1.0);
  sampled.set("top_p", nucleus);
  m_form->setValues(sampled);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_form);
  column->addStretch(1);
  QWidget* area = scrolled(content);
  area->setFixedWidth(formWidth);
  return area;
}

void GenerateDialog::setModel(const TrainedRun& trained, const std::string& prompt) {
  if (trained.result == m_trained) return;
  m_scheduler.stop();
  m_trained = trained.result;
  ParameterValues values = m_form->values();
  values.set("alphabet", std::string(alphabetOf(trained.values.choice("data"))));
  values.set("prompt_text", prompt);
  m_form->setValues(values);
  m_text->clear();
  m_state->clear();
  m_written.reset();
  showState();
}

void GenerateDialog::write() {
  if (!m_form->refusal().isEmpty()) return;
  m_scheduler.run<Result<RunResult>>(
      [&method = m_method, trained = m_trained, values = m_form->values()](const std::stop_token& stop) {
        return generated(method, *trained, values, stop);
      },
      [this, values = m_form->values()](const Result<RunResult>& outcome) { showDone(outcome, values); });
  showState();
}

void GenerateDialog::showDone(const Result<RunResult>& outcome, const ParameterValues& values) {
  if (outcome) {
    m_text->setPlainText(text(std::get<std::string>(outcome->contents.at("txt"))));
    m_state->setText(tr("%1 tokens, %2 tokens/s")
                         .arg(outcome->facts.integers("tokens").size())
                         .arg(text(grouped(std::llround(outcome->facts.real("tokens_per_second"))))));
    m_written = values;
  } else {
    m_state->setText(sentence(outcome.error().message));
  }
  showState();
}

/// A text that was written with other values is grey.
void GenerateDialog::showState() {
  m_write->setText(isBusy() ? tr("Stop") : tr("Generate"));
  m_write->setEnabled(m_form->refusal().isEmpty());
  m_text->setEnabled(!isBusy() && (!m_written || m_form->values() == *m_written));
}

}  // namespace vqscope
