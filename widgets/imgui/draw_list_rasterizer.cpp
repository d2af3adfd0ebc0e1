// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/imgui/draw_list_rasterizer.h"

#include "widgets/imgui/pixel_painter.h"

namespace vqscope {
namespace {

class ListPainter {
 public:
  ListPainter(const ImDrawData& data, const ImDrawList& list, QImage& image)
      : m_origin(data.DisplayPos), m_scale(data.FramebufferScale), m_list(list), m_image(image) {}

  void paint(const ImDrawCmd& command) const {
    const auto* texture = static_cast<const AlphaTexture*>(command.GetTexID());
    const ImVec4& clip = command.ClipRect;
    PixelPainter painter(m_image, texture,
                         {pixelFrom(deviceX(clip.x)), pixelFrom(deviceY(clip.y)), pixelFrom(deviceX(clip.z)),
                          pixelFrom(deviceY(clip.w))});
    if (painter.isEmpty()) return;
    const ImDrawIdx* index = m_list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawVert* vertices = m_list.VtxBuffer.Data + command.VtxOffset;
    const auto corner = [&](unsigned i) {
      const ImDrawVert& vertex = vertices[index[i]];
      const float width = texture ? static_cast<float>(texture->width) : 1;
      const float height = texture ? static_cast<float>(texture->height) : 1;
      return Corner{deviceX(vertex.pos.x), deviceY(vertex.pos.y), vertex.uv.x * width, vertex.uv.y * height,
                    vertex.col};
    };
    for (unsigned i = 0; i + 3 <= command.ElemCount; i += 3) {
      const bool four = i + 6 <= command.ElemCount && index[i] == index[i + 3] && index[i + 2] == index[i + 4];
      if (four && painter.rectangle(corner(i), corner(i + 1), corner(i + 2), corner(i + 5)))
        i += 3;
      else
        painter.triangle(corner(i), corner(i + 1), corner(i + 2));
    }
  }

 private:
  float deviceX(float x) const { return (x - m_origin.x) * m_scale.x; }
  float deviceY(float y) const { return (y - m_origin.y) * m_scale.y; }

  ImVec2 m_origin;
  ImVec2 m_scale;
  const ImDrawList& m_list;
  QImage& m_image;
};

}  // namespace

void paintDrawData(const ImDrawData& data, QImage& image) {
  Q_ASSERT(image.format() == QImage::Format_ARGB32_Premultiplied);
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (!command.UserCallback)
        ListPainter(data, list, image).paint(command);
      else if (command.UserCallback != ImDrawCallback_ResetRenderState)
        command.UserCallback(&list, &command);
    }
  }
}

}  // namespace vqscope
