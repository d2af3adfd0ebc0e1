// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/guide/guide_pages.h"
#include "widgets/theme/palette.h"

#include <QTextDocument>

#include <memory>

namespace vqscope {

/// A page as a document in our style: headings and entries of the glossary are anchors, the first
/// mention of a term in a section is a link "glossary:ANCHOR" whose tooltip is its definition.
std::unique_ptr<QTextDocument> makeGuideDocument(const GuidePage& page, const Palette& colours);

}  // namespace vqscope
