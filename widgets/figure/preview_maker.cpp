// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/preview_maker.h"

#include "widgets/figure/application_steps.h"
#include "widgets/parts/text.h"

namespace vqscope {
namespace {

FigureThreads threadsFor(const std::stop_token& stop) {
  return {.away = {}, .here = [stop](const std::function<void()>& step) { runOnApplication(step, stop); }};
}

constexpr QLatin1String png("png");

}  // namespace

void PreviewMaker::request(const Wish& wish) {
  m_others.stop();
  m_files.clear();
  ++m_serial;
  m_first.run<Outcome>(
      [wish](std::stop_token stop) {
        Outcome outcome{wish};
        for (FigurePanel& panel : outcome.wish.panels)
          if (auto made = makePanelResults(panel, stop, {}); !made) {
            outcome.pixels = made.error();
            return outcome;
          }
        outcome.pixels = renderPixels(outcome.wish.panels, wish.spec, stop, threadsFor(stop));
        return outcome;
      },
      [this, serial = m_serial](const Outcome& outcome) { take(outcome, serial); });
}

void PreviewMaker::stop() {
  m_first.stop();
  m_others.stop();
  m_files.clear();
}

QByteArray PreviewMaker::bytes(const QString& format) const {
  const auto found = m_files.find(format);
  return found == m_files.end() ? QByteArray() : found->second;
}

void PreviewMaker::take(const Outcome& outcome, std::size_t serial) {
  const Wish& wish = outcome.wish;
  for (std::size_t i = 0; i < wish.panels.size(); ++i)
    if (const MadeBefore& made = wish.panels[i].made; made.field || made.curves) emit resultMade(wish.views[i], made);
  if (outcome.pixels && !outcome.pixels->isNull()) emit pictureMade(*outcome.pixels, wish.spec);
  if (serial != m_serial) return;
  if (!outcome.pixels) {
    if (outcome.pixels.error().code != Errc::cancelled) emit failed(text(outcome.pixels.error().message));
    return;
  }
  Wish next = wish;
  next.pixels = *outcome.pixels;
  next.formats.removeAll(png);
  next.formats.prepend(png);
  makeFiles(std::move(next));
}

/// One after the other.
void PreviewMaker::makeFiles(Wish wish) {
  if (wish.formats.isEmpty()) return;
  const QString format = wish.formats.takeFirst();
  m_others.run<Result<QByteArray>>(
      [wish, format](std::stop_token stop) {
        if (format == png) return pngFile(wish.pixels, wish.panels, wish.spec, stop);
        return renderFigure(wish.panels, wish.spec, format, stop, threadsFor(stop));
      },
      [this, wish, format](const Result<QByteArray>& bytes) {
        if (bytes) {
          m_files[format] = *bytes;
          emit fileMade(format);
        } else if (format == png && bytes.error().code != Errc::cancelled) {
          emit failed(text(bytes.error().message));
        }
        makeFiles(wish);
      });
}

}  // namespace vqscope
