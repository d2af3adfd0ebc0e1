// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/text/layer_texts.h"
#include "widgets/model/model_view.h"

#include <benchmark/benchmark.h>

#include <QImage>
#include <QPainter>

namespace vqscope {
namespace {

/// A change of the query or of the tokens to the pixels of the whole view, at 100 layers and
/// 2,097,152 tokens.
void model_view_frame(benchmark::State& state, bool sequence) {
  ModelView view;
  view.resize(1600, 900);
  SequenceOfLayers tokens = SequenceOfLayers::plain(2097152);
  tokens.document_lengths = {1048576, 1048576};
  view.setSequence(tokens);
  view.setSchedule(parse_layers("5*sliding:1024,full; all kv_heads=8 head_dim=128", 100).value(), "model");
  view.show();
  QImage image(view.size(), QImage::Format_RGB32);
  Index query = 1500000;
  for (auto _ : state) {
    tokens.length = tokens.valid.end = 2097152 - query % 2;
    tokens.document_lengths = {1048576, tokens.length - 1048576};
    if (sequence)
      view.setSequence(tokens);
    else
      view.setQuery(query);
    query += 1001;
    if (query > 2000000) query = 1500000;
    view.render(&image);
  }
}
BENCHMARK_CAPTURE(model_view_frame, query, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(model_view_frame, sequence, true)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vqscope
