// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/retrieval_search.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Small whole numbers, whose products float32 holds exactly: there are many ties.
std::vector<float> whole_numbers(Random& random, Index count, Index most) {
  std::vector<float> numbers;
  for (Index i = 0; i < count; ++i) numbers.push_back(static_cast<float>(pick(random, -most, most)));
  return numbers;
}

StridedMatrix rows_of_width(const std::vector<float>& numbers, Index width) {
  return {numbers.data(), static_cast<Index>(numbers.size()) / width, width, width};
}

std::vector<Index> positions_of(const std::vector<RetrievedKey>& keys) {
  std::vector<Index> positions;
  for (const auto& key : keys) positions.push_back(key.position);
  return positions;
}

}  // namespace

class RetrievalSearchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Scores 1, 3, 2, 3, 0, 3: the best three are 1, 3 and 5; of two equal ones the first. Buckets
  /// of two are the even and the odd positions.
  void by_hand() {
    const std::vector<float> keys{1, 3, 2, 3, 0, 3};
    const std::vector<float> query{1};
    const auto found = [&](Index top_k, RetrievalSearch search) {
      return *find_keys(rows_of_width(query, 1), rows_of_width(keys, 1), {.top_k = top_k, .search = search});
    };
    QCOMPARE(positions_of(found(3, RetrievalSearch::exact)), (std::vector<Index>{1, 3, 5}));
    QCOMPARE(positions_of(found(2, RetrievalSearch::exact)), (std::vector<Index>{1, 3}));
    QCOMPARE(positions_of(found(6, RetrievalSearch::exact)), (std::vector<Index>{1, 3, 5, 2, 0, 4}));
    QCOMPARE(positions_of(found(2, RetrievalSearch::bucket_maximum)), (std::vector<Index>{1, 2}));
    QCOMPARE(found(2, RetrievalSearch::bucket_maximum)[1].score, 2.0F);
  }

  void fast_search_agrees_with_the_definition() {
    Random random(7);
    for (int round = 0; round < 60; ++round) {
      const Index width = pick(random, 1, 20), top_k = pick(random, 1, 40);
      const Index count = pick(random, top_k, 1500), n_queries = pick(random, 1, 70), most = pick(random, 1, 9);
      const auto keys = whole_numbers(random, count * width, most);
      const auto queries = whole_numbers(random, n_queries * width, most);
      for (const auto search : {RetrievalSearch::exact, RetrievalSearch::bucket_maximum}) {
        const SearchOptions options{.top_k = top_k, .search = search, .threads = static_cast<int>(pick(random, 1, 3))};
        const auto got = find_keys(rows_of_width(queries, width), rows_of_width(keys, width), options);
        QVERIFY(*got == define_found_keys(rows_of_width(queries, width), rows_of_width(keys, width), options));
      }
    }
  }

  /// More keys than one thread takes at a time.
  void threads_and_kernels_find_the_same() {
    Random random(3);
    const auto keys = whole_numbers(random, 200000, 3);
    const auto queries = whole_numbers(random, 12, 3);
    for (const auto search : {RetrievalSearch::exact, RetrievalSearch::bucket_maximum}) {
      SearchOptions options{.top_k = 33, .search = search};
      const auto expected = define_found_keys(rows_of_width(queries, 2), rows_of_width(keys, 2), options);
      for (const int threads : {1, 2, 5})
        for (const AttentionKernels* kernels : usable_kernels()) {
          options.threads = threads;
          options.kernels = kernels;
          QVERIFY(*find_keys(rows_of_width(queries, 2), rows_of_width(keys, 2), options) == expected);
        }
    }
  }

  void block_with_fewer_than_top_k_keys_has_gaps() {
    const std::vector<float> keys{2, 5};
    const std::vector<float> query{1};
    Scratch scratch;
    for (const auto search : {RetrievalSearch::exact, RetrievalSearch::bucket_maximum}) {
      std::vector<RetrievedKey> found(3);
      find_keys_of_block(rows_of_width(query, 1), rows_of_width(keys, 1), {.top_k = 3, .search = search}, scratch, {},
                         found.data());
      QCOMPARE(positions_of(found), (std::vector<Index>{1, 0, -1}));
    }
  }

  void bad_input() {
    const std::vector<float> keys{2, 5};
    COMPARE_ERROR(find_keys(rows_of_width(keys, 1), rows_of_width(keys, 1), {.top_k = 3}),
                  "top_k is 3 but must be 1 to 2, the keys in the memory");
    COMPARE_ERROR(find_keys(rows_of_width(keys, 2), rows_of_width(keys, 1), {.top_k = 1}),
                  "queries have 2 dimensions, keys 1: both must have the same d_k");
    std::stop_source source;
    source.request_stop();
    QCOMPARE(
        find_keys(rows_of_width(keys, 1), rows_of_width(keys, 1), {.top_k = 1}, {{}, source.get_token()}).error().code,
        Errc::cancelled);
  }
};

VQSCOPE_TEST(RetrievalSearchTest)
#include "retrieval_search_test.moc"
