// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/model_reach.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class ModelReachTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void of_kinds_of_attention() {
    TransformerConfig config{.n_layers = 3};
    QVERIFY(!model_reach(config));
    config.attn = AttentionKind::window;
    config.window = 9;
    QCOMPARE(model_reach(config), 24);
    config.attn = AttentionKind::vq;
    config.block_len = 16;
    QVERIFY(!model_reach(config));
    config.cache = false;
    QCOMPARE(model_reach(config), 48);
  }

  /// The distance is that of the problems themselves.
  void the_passkey_is_never_nearer() {
    const Index n = task_info(Task::passkey).trained_size;
    const Index needed = needed_reach(Task::passkey).value();
    Index nearest = n;
    for (Index step = 0; step < 50; ++step) {
      const TokenBatch batch = task_batch(Task::passkey, n, 8, 1, step);
      for (Index row = 0; row < batch.rows; ++row) {
        const auto tokens = std::span(batch.tokens).subspan(static_cast<std::size_t>(row * batch.length));
        for (Index t = 0; t < batch.length; ++t) {
          const auto token = tokens[static_cast<std::size_t>(t)];
          if (token >= task_token::first_symbol && token < task_token::first_filler)
            nearest = std::min(nearest, batch.length - 1 - t);
        }
      }
    }
    QCOMPARE(nearest, needed);
    QVERIFY(!needed_reach(Task::copy));
  }

  void a_model_that_cannot_solve_it() {
    TransformerConfig config{.n_layers = 2, .attn = AttentionKind::vq, .block_len = 16, .cache = false};
    const auto too_short = short_reach(config, Task::passkey);
    QVERIFY(too_short && too_short->reach == 32 && too_short->needed == 46);
    config.block_len = 23;
    QVERIFY(!short_reach(config, Task::passkey));
  }
};

VQSCOPE_TEST(ModelReachTest)
#include "model_reach_test.moc"
