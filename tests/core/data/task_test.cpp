// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task.h"

#include "core/data/alphabet.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace vqscope;

namespace {

using Tokens = std::vector<std::int32_t>;

struct Row {
  Tokens tokens;
  Tokens labels;
};

Row row_of(const TokenBatch& batch, Index row) {
  const auto cut = [&](const Tokens& all) {
    return Tokens(all.begin() + row * batch.length, all.begin() + (row + 1) * batch.length);
  };
  return {cut(batch.tokens), cut(batch.labels)};
}

}  // namespace

class TaskTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// begin x separator y end, of which inputs lack the last token and labels the first.
  void sequences() {
    for (const Task task : {Task::copy, Task::reverse, Task::sort}) {
      const auto batch = task_batch(task, 7, 5, 4242, 7);
      QCOMPARE(batch.length, Index{16});
      for (Index i = 0; i < batch.rows; ++i) {
        const auto [tokens, labels] = row_of(batch, i);
        Tokens answer(tokens.begin() + 1, tokens.begin() + 8);
        QVERIFY(std::ranges::all_of(answer, [](auto x) { return x >= 4 && x < 20; }));
        if (task == Task::reverse) std::ranges::reverse(answer);
        if (task == Task::sort) std::ranges::sort(answer);
        QCOMPARE(tokens[0], 1);
        QCOMPARE(tokens[8], 2);
        QCOMPARE(Tokens(tokens.begin() + 9, tokens.end()), answer);
        answer.push_back(3);
        answer.insert(answer.begin(), 8, ignored_label);
        QCOMPARE(labels, answer);
      }
    }
  }

  void recall_gives_each_key_its_value() {
    for (const Index n : {1, 6, 48}) {
      const auto batch = task_batch(Task::recall, n, 4, 3, n);
      for (Index i = 0; i < batch.rows; ++i) {
        const auto [tokens, labels] = row_of(batch, i);
        std::map<std::int32_t, std::int32_t> pairs;
        const auto size = static_cast<std::size_t>(n);
        for (std::size_t p = 0; p < size; ++p) pairs[tokens[1 + 2 * p]] = tokens[2 + 2 * p];
        QCOMPARE(pairs.size(), size);
        QVERIFY(pairs.begin()->first >= 4 && pairs.rbegin()->first < 52);
        for (std::size_t t = 0; t < tokens.size(); ++t) {
          const bool scored = t >= 2 * size + 2 && t % 2 == 0;
          QCOMPARE(labels[t], scored ? pairs.at(tokens[t]) : ignored_label);
        }
      }
    }
  }

  void passkeys_lie_in_the_first_quarter() {
    for (const Index n : {1, 3, 60}) {
      const auto batch = task_batch(Task::passkey, n, 8, 1, 0);
      for (Index i = 0; i < batch.rows; ++i) {
        const auto [tokens, labels] = row_of(batch, i);
        QCOMPARE(tokens.size(), static_cast<std::size_t>(n + 2));
        const auto found = std::ranges::find(tokens, labels.back());
        QVERIFY(found - tokens.begin() - 1 < std::max<Index>(1, n / 4));
        QVERIFY(labels.back() >= 4 && labels.back() < 20);
        QCOMPARE(std::ranges::count(labels, ignored_label), static_cast<std::ptrdiff_t>(n + 1));
      }
    }
  }

  /// Made by a program of a few lines in another language, from the definition.
  void pinned_batches() {
    QCOMPARE(row_of(task_batch(Task::copy, 3, 2, 4242, 3), 1).tokens, (Tokens{1, 10, 11, 6, 2, 10, 11, 6}));
    QCOMPARE(row_of(task_batch(Task::reverse, 3, 2, 0, 1), 1).tokens, (Tokens{1, 5, 16, 6, 2, 6, 16, 5}));
    QCOMPARE(row_of(task_batch(Task::sort, 4, 2, 1, 5), 1).tokens, (Tokens{1, 9, 16, 12, 10, 2, 9, 10, 12, 16}));
    QCOMPARE(row_of(task_batch(Task::recall, 3, 2, 4242, 3), 1).tokens,
             (Tokens{1, 8, 79, 9, 82, 34, 69, 2, 9, 82, 8, 79, 34}));
    QCOMPARE(row_of(task_batch(Task::passkey, 9, 2, 2, 399), 1).tokens,
             (Tokens{1, 4, 31, 21, 26, 23, 20, 21, 27, 23, 2}));
    for (Index step = 0; const Index size : {9, 8, 8, 6, 7, 9}) QCOMPARE(task_size(Task::copy, 0, step++), size);
    for (Index step = 0; const Index size : {52, 11, 56, 1, 44, 51})
      QCOMPARE(task_size(Task::passkey, 3, step++), size);
  }

  void sizes_alternate() {
    for (const TaskInfo& info : task_infos()) {
      Index smallest = info.trained_size, largest = 0, smallest_even = info.trained_size;
      for (Index step = 0; step < 400; ++step) {
        const Index n = task_size(info.task, 2, step);
        smallest = std::min(smallest, n);
        largest = std::max(largest, n);
        if (step % 2 == 0) smallest_even = std::min(smallest_even, n);
      }
      QCOMPARE(smallest, Index{1});
      QCOMPARE(largest, info.trained_size);
      QCOMPARE(smallest_even, info.trained_size / 2 + 1);
    }
  }

  void bytes_are_tokens() { QCOMPARE(tokens_of_bytes("a\xff"), (Tokens{97, 255})); }
};

VQSCOPE_TEST(TaskTest)
#include "task_test.moc"
