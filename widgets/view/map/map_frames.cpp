// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/map_frames.h"

#include <array>

namespace vqscope {
namespace {

/// Limits of visited cells for fields without a closed form: for one frame, and for the pictures
/// that refine it at rest until one is exact.
constexpr Index frameCells = Index{1} << 20;
constexpr std::array restCells{Index{1} << 25, Index{1} << 28, Index{1} << 31};
constexpr int restMilliseconds = 150;

}  // namespace

MapFrames::MapFrames(std::function<std::optional<PictureRequest>()> makeRequest, QObject* parent)
    : QObject(parent), m_makeRequest(std::move(makeRequest)) {
  m_requestTimer.setSingleShot(true);
  m_requestTimer.setInterval(0);
  connect(&m_requestTimer, &QTimer::timeout, this, &MapFrames::begin);
  m_refineTimer.setSingleShot(true);
  m_refineTimer.setInterval(restMilliseconds);
  connect(&m_refineTimer, &QTimer::timeout, this, &MapFrames::refine);
}

/// Starts the clock of the frame, unless a frame is waiting already.
void MapFrames::request() {
  if (!m_requestTimer.isActive()) m_clock.start();
  m_requestTimer.start();
}

void MapFrames::begin() {
  m_refineTimer.stop();
  m_refinements = 0;
  emit beginning();
  if (const auto request = m_makeRequest()) draw(*request, {frameCells, FieldScheduler::threads()});
}

void MapFrames::draw(const PictureRequest& request, const PictureEffort& effort) {
  using Picture = Result<std::shared_ptr<const MatrixPicture>>;
  m_scheduler.run<Picture>(
      [effort, request](std::stop_token stop) -> Picture {
        std::optional<Error> why;
        auto picture = renderPicture(request, effort, std::move(stop), &why);
        // If an exact picture takes too long, the sampled one stays.
        if (!picture && why && !effort.exactOnly) return *why;
        return picture;
      },
      [this, content = m_contents](const Picture& picture) {
        if (picture && *picture) m_madeContent = content;
        emit made(picture);
      });
}

void MapFrames::shown(const MatrixPicture& picture) {
  if (!picture.exact && m_refinements < restCells.size()) m_refineTimer.start();
}

void MapFrames::refine() {
  if (m_scheduler.isBusy()) return;
  const auto request = m_makeRequest();
  if (!request) return;
  m_clock.start();
  const Index cells = restCells[m_refinements++];
  // The last refinement is final: another sample would not be better.
  draw(*request, {cells, FieldScheduler::threads(), m_refinements == restCells.size()});
}

void MapFrames::stop() {
  m_requestTimer.stop();
  m_refineTimer.stop();
  m_scheduler.stop();
}

}  // namespace vqscope
