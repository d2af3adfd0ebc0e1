// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/parity/parity_pictures.h"
#include "app/cli/output/parity/picture_parts.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// The tensor of a layer that is farthest beyond noise.
struct WorstTensor {
  TensorRole role = TensorRole::q;
  double relative = 0, allowed = 0;
  bool exceeds = false;
};

WorstTensor worstOf(const CaptureComparison& comparison, const ComparedLayer& layer) {
  WorstTensor worst;
  for (const auto& [role, difference] : layer.tensors) {
    const double allowed = layer.allowed.at(role);
    const WorstTensor each{role, difference.relative, allowed, comparison.exceeds(layer.layer, role)};
    const double own = each.relative / std::max(each.allowed, 1e-12);
    if (each.exceeds != worst.exceeds ? each.exceeds : own > worst.relative / std::max(worst.allowed, 1e-12))
      worst = each;
  }
  return worst;
}

/// Pixels of a decade axis from `least` to `most`, powers of ten.
struct DecadeAxis {
  double least = -9, most = 0, top = 0, height = 0;

  double at(double value) const {
    const double power = value > 0 ? std::clamp(std::log10(value), least, most) : least;
    return top + height * (most - power) / (most - least);
  }
};

void drawLayers(SvgDrawing& drawing, const CaptureComparison& comparison, const std::vector<WorstTensor>& worst) {
  const double width = pictureWidth - marginLeft - marginRight;
  const DecadeAxis axis{-9, 1, marginTop, 190};
  for (int power = -9; power <= 1; power += 2) {
    const double y = axis.at(std::pow(10.0, power));
    drawing.line({marginLeft, y}, {marginLeft + width, y}, Ink::line);
    drawing.text({marginLeft - 6, y + 4}, fmt::format("1e{}", power), TextAnchor::end);
  }
  const double step = width / static_cast<double>(worst.size()), bar = std::min(36.0, 0.7 * step);
  const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(34 / step)));
  for (std::size_t i = 0; i < worst.size(); ++i) {
    const double x = marginLeft + (static_cast<double>(i) + 0.5) * step, y = axis.at(worst[i].relative);
    const Ink ink = worst[i].exceeds ? Ink::error : Ink::accent;
    drawing.rectangle({x - bar / 2, y}, bar, std::max(1.0, axis.top + axis.height - y), ink, 0.8);
    const double noise = axis.at(worst[i].allowed);
    drawing.line({x - step / 2, noise}, {x + step / 2, noise}, Ink::text, true);
    if (i % every == 0) drawing.text({x, 222}, to_text(comparison.layers[i].layer), TextAnchor::middle);
    if (step > 60) drawing.text({x, y - 5}, name_of(worst[i].role), TextAnchor::middle, Ink::text);
  }
  drawing.text({marginLeft + width / 2, 242}, "layer", TextAnchor::middle);
  drawing.upright_text({16, axis.top + axis.height / 2}, "difference / size of A");
}

}  // namespace

ReportPicture layersPicture(const CaptureComparison& comparison) {
  std::vector<WorstTensor> worst;
  for (const ComparedLayer& layer : comparison.layers) worst.push_back(worstOf(comparison, layer));
  return pictureOf("A bar for each layer; its numbers stand in the table of layers.",
                   "For each layer the tensor that differs most beside noise (dashed: what rounding explains). Red is "
                   "more than noise.",
                   254, [&](SvgDrawing& drawing) { drawLayers(drawing, comparison, worst); });
}

}  // namespace vqscope
