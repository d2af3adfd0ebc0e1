// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/control/entry_box.h"
#include "widgets/form/parameter_form.h"

#include <QAbstractButton>
#include <QTest>

#include <string>
#include <vector>

namespace vqscope::test {

/// A parameter of every kind.
inline std::vector<ParameterSpec> everyKind() {
  return {{.name = "q_length",
           .label = "T",
           .group = "Sequence",
           .help = "Number of queries <n>.",
           .default_value = Index{512},
           .minimum = 1,
           .maximum = 4294967296.0,
           .logarithmic = true,
           .unit = "tokens"},
          {.name = "kv_length", .group = "Sequence", .maximum = 4294967296.0, .automatic = "q_length + past_len"},
          {.name = "factor",
           .group = "Rotary",
           .kind = ParameterKind::real,
           .default_value = 1.0,
           .minimum = 1,
           .maximum = 64,
           .relevant = {{"rope_type", {"yarn"}}}},
          {.name = "rope_type",
           .group = "Type",
           .kind = ParameterKind::choice,
           .default_value = std::string("default"),
           .choices = {{"default", ""}, {"linear", "positions / factor"}, {"dynamic", ""}, {"yarn", ""}}},
          {.name = "side",
           .group = "Type",
           .kind = ParameterKind::choice,
           .default_value = std::string("left"),
           .choices = {{"left", ""}, {"right", ""}}},
          {.name = "causal", .group = "Type", .kind = ParameterKind::boolean, .default_value = true},
          {.name = "curves",
           .group = "Type",
           .kind = ParameterKind::choice_set,
           .default_value = std::vector<std::string>{"alibi"},
           .choices = {{"alibi", ""}, {"t5", ""}, {"xpos", ""}}},
          {.name = "document_lengths",
           .group = "Type",
           .kind = ParameterKind::integer_list,
           .default_value = std::vector<Index>{},
           .minimum = 1,
           .maximum = 1000,
           .automatic = "one document"}};
}

/// What a form emits.
struct Edit {
  QString name;
  ParameterValue value;
  bool finished;
};

/// A form on screen, and its signals.
struct ShownForm {
  ParameterForm form{everyKind()};
  std::vector<Edit> edits;

  ShownForm() {
    QObject::connect(&form, &ParameterForm::valueEdited, &form,
                     [this](const QString& name, const ParameterValue& value, bool finished) {
                       edits.push_back({name, value, finished});
                     });
    form.resize(288, 700);
    form.show();
    form.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&form);
  }

  template <class Widget = QWidget>
  Widget* part(const char* name) {
    return form.findChild<Widget*>(name);
  }

  EntryBox* type(const char* name, const char* text) {
    auto* box = part<EntryBox>(name);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    return box;
  }

  void press(QAbstractButton* button) { QTest::mouseClick(button, Qt::LeftButton); }
};

}  // namespace vqscope::test
