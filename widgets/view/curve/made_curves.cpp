// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve/made_curves.h"

#include "core/base/text.h"

#include <QElapsedTimer>

#include <cmath>
#include <memory>
#include <utility>

namespace vqscope {
namespace {

constexpr int keepInterval = 5000;  // milliseconds

/// Gaps for values that are not computed yet.
void keepKnown(const KeepCurves& keep, const Method& method, const ParameterValues& values, CurveSet known,
               const LiveCurves& live, bool complete) {
  if (!keep || known.x.empty()) return;
  for (auto& curve : known.curves) curve.y.resize(known.x.size(), no_value);
  keep(method, values, known, live.seconds(), complete);
}

}  // namespace

Result<CurveSet> madeCurves(const Method& method, const ParameterValues& values, LiveCurves& live,
                            const MakeCurves& make, const KeepCurves& keep, const std::stop_token& stop) {
  CurveSet known;
  QElapsedTimer sinceKept;
  sinceKept.start();
  const std::stop_callback ends(stop, [&live] { live.finish(); });
  const Work work = live.work([&](const CurveSet& newest) {
    if (keep) known = newest;
    if (sinceKept.elapsed() < keepInterval) return;
    keepKnown(keep, method, values, known, live, false);
    sinceKept.restart();
  });
  auto curves = make ? make(method, values, work) : make_curves(method, values, work);
  const bool complete = curves && !live.isFinishing();
  live.end(complete ? std::make_shared<const CurveSet>(*curves) : nullptr);
  keepKnown(keep, method, values, curves ? *curves : std::move(known), live, complete);
  return curves;
}

QString explanationOf(const Method& method, const CurveSet& curves) {
  QString text = QStringLiteral("<p><b>%1</b>: %2</p><p>%3</p>")
                     .arg(QString::fromStdString(name_of(method.curves()->origin)).toHtmlEscaped(),
                          QString::fromStdString(curves.formula).toHtmlEscaped(),
                          QString::fromStdString(method.citation.paper).toHtmlEscaped());
  if (curves.published)
    text += QStringLiteral("<p><b>published</b>: %1</p>")
                .arg(QString::fromStdString(curves.published->source).toHtmlEscaped());
  return text;
}

CellReport reportAt(const CurveSet& curves, std::size_t sample) {
  CellReport report{{{curves.x_name, curves.x_names.empty() ? to_text(curves.x[sample], 7) : curves.x_names[sample]}},
                    curves.formula};
  for (const Curve& curve : curves.curves)
    report.facts.emplace_back(curve.name, std::isnan(curve.y[sample]) ? "–"
                                          : curves.is_bytes()         ? byte_count(curve.y[sample])
                                                                      : to_text(curve.y[sample], 7));
  return report;
}

}  // namespace vqscope
