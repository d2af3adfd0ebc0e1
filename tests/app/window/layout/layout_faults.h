// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QWidget;

namespace vqscope::test {

/// What a person could not read or reach in a widget as it is laid out now, one sentence each, which
/// names the widget: text that is cut without a tooltip that has it whole, widgets outside their
/// parent, and sibling widgets that lie over each other. Overlays, which let mouse events through,
/// and marked floating parts are meant to lie over others.
QStringList layoutFaults(const QWidget& root);

/// The names of a widget and of those around it, up to its window.
QString wayTo(const QWidget& widget);

}  // namespace vqscope::test
