// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/preset/presets.h"
#include "widgets/mask/row/row_debugger.h"

#include <QAction>
#include <QTest>

#include <memory>
#include <utility>
#include <vector>

namespace vqscope::test {

/// Causal, within documents and past the padding.
inline std::shared_ptr<const Mask> packed(Index length, std::vector<Index> documents, Index padding = 0) {
  SequenceInput input{.q_length = length, .padding = padding};
  input.document_lengths = std::move(documents);
  return make_terms_mask({.names = {"key_valid", "same_document", "causal"}}, *SequenceLayout::make(input));
}

/// A row debugger on screen, and what it emits.
struct ShownRows {
  RowDebugger debugger;
  std::vector<Cell> picked;
  std::vector<Index> rows;
  QStringList messages;

  explicit ShownRows(std::shared_ptr<const Mask> mask) {
    QObject::connect(&debugger, &RowDebugger::cellPicked, &debugger, [this](Cell cell) { picked.push_back(cell); });
    QObject::connect(&debugger, &RowDebugger::rowChanged, &debugger, [this](Index row) { rows.push_back(row); });
    QObject::connect(&debugger, &RowDebugger::notified, &debugger, [this](const QString& text) { messages << text; });
    debugger.resize(900, 260);
    debugger.setMask(std::move(mask));
    debugger.show();
    debugger.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&debugger);
    QTRY_VERIFY(debugger.paintedFrames() > 0);
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!debugger.isBusy(), 120000);
    debugger.grab();
  }
  QAction* action(const QString& name) {
    for (QAction* each : debugger.actions())
      if (each->text() == name) return each;
    return nullptr;
  }
  void trigger(const QString& name) {
    QAction* found = action(name);
    QVERIFY2(found && found->isEnabled(), qPrintable(name));
    found->trigger();
    settle();
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&debugger, key, modifiers);
    settle();
  }
  Index topKey() const { return debugger.table().content().keys.at(debugger.table().firstLine()); }
};

}  // namespace vqscope::test
