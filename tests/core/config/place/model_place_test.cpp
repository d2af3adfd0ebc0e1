// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/place/model_place.h"

#include "core/config/place/hub_cache.h"
#include "core/io/bytes/user_folders.h"
#include "tests/core/config/place/model_folder.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Variables that name the cache, as they were when this object is destroyed.
class CacheVariables {
 public:
  CacheVariables() {
    for (const char* name : names) {
      m_before.push_back(qEnvironmentVariableIsSet(name) ? qgetenv(name) : QByteArray());
      qunsetenv(name);
    }
  }
  CacheVariables(const CacheVariables&) = delete;
  CacheVariables& operator=(const CacheVariables&) = delete;
  ~CacheVariables() {
    for (std::size_t i = 0; i < m_before.size(); ++i)
      m_before[i].isEmpty() ? qunsetenv(names[i]) : qputenv(names[i], m_before[i]);
  }

 private:
  static constexpr std::array<const char*, 5> names{"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME",
                                                    "XDG_CACHE_HOME", "TRANSFORMERS_CACHE"};
  std::vector<QByteArray> m_before;
};

std::string refusalOf(const std::string& given) {
  const auto place = find_model(given);
  return place ? "found " + place->file : place.error().message;
}

}  // namespace

class ModelPlaceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_cache_is_where_the_library_looks() {
    const CacheVariables variables;
    qputenv("XDG_CACHE_HOME", "/x");
    COMPARE_TEXT(hub_caches().front(), "/x/huggingface/hub");
    qputenv("HF_HOME", "/h");
    COMPARE_TEXT(hub_caches().front(), "/h/hub");
    qputenv("HF_HUB_CACHE", "");
    COMPARE_TEXT(hub_caches().front(), "/h/hub");
    qputenv("HF_HUB_CACHE", "/c");
    COMPARE_TEXT(hub_caches().front(), "/c");
    qputenv("HF_HUB_CACHE", "~/c");
    QVERIFY(hub_caches().front().ends_with("/c") && hub_caches().front().front() == '/');
    qputenv("HF_HUB_CACHE", "$HF_HOME/${XDG_CACHE_HOME}c");
    COMPARE_TEXT(hub_caches().front(), "/h//xc");
    qunsetenv("HF_HUB_CACHE");
    qputenv("HUGGINGFACE_HUB_CACHE", "/old/$VQSCOPE_NO_VARIABLE");
    COMPARE_TEXT(hub_caches().front(), "/old/$VQSCOPE_NO_VARIABLE");
    QCOMPARE(hub_caches().size(), std::size_t{1});
    qputenv("TRANSFORMERS_CACHE", "~/t");
    COMPARE_TEXT(hub_caches().back(), expanded_path("~/t"));
  }

  void a_model_of_the_older_cache() {
    const CacheVariables variables;
    const ModelFolder folder;
    qputenv("HF_HUB_CACHE", folder.path("none").c_str());
    qputenv("TRANSFORMERS_CACHE", folder.path("hub").c_str());
    QVERIFY(folder.writeSnapshot(QStringLiteral("models--org--name"), "abc1", "config.json", plainLlama));
    COMPARE_TEXT(find_model("org/name")->file, folder.path("hub/models--org--name/snapshots/abc1/config.json"));
    QCOMPARE(hub_models(hub_caches()), (std::vector<std::string>{"org/name"}));
    COMPARE_TEXT(refusalOf("org/names"), "org/names is no file and no model in the hub cache " + folder.path("none") +
                                             "; did you mean org/name?");
  }

  void ids_have_the_form_of_the_hub() {
    const auto id = parse_model_id("a-b/c.d_1@refs/pr/1");
    QVERIFY(id);
    COMPARE_TEXT(id->id, "a-b/c.d_1");
    COMPARE_TEXT(id->revision, "refs/pr/1");
    QVERIFY(parse_model_id("gpt2"));
    for (const char* none : {"", "a/b/c", "-a/b", "a/b.", "a--b", "a/b@", "a/b@../x", "a/b@/x", "a b", "a/..", "{"})
      QVERIFY2(!parse_model_id(none), none);
  }

  void a_folder_has_its_config() {
    const ModelFolder folder;
    QVERIFY(folder.write("one/model/params.json", "{}"));
    COMPARE_TEXT(find_model(folder.path("one/model/"))->file, folder.path("one/model/params.json"));
    QVERIFY(folder.write("one/model/config.json", plainLlama));
    const auto place = find_model(folder.path("one/model"));
    COMPARE_TEXT(place->file, folder.path("one/model/config.json"));
    COMPARE_TEXT(place->name, "model");
    QVERIFY(place->found);
    QVERIFY(folder.write("two/model/config.json", plainLlama));
    const auto other = find_model(folder.path("two/model/config.json"));
    QVERIFY(!other->found);
    const auto [a, b] = told_apart(*place, *other);
    COMPARE_TEXT(a, "one/model/config.json");
    COMPARE_TEXT(b, "two/model/config.json");
  }

  void a_folder_with_gguf_files() {
    const ModelFolder folder;
    COMPARE_TEXT(refusalOf(folder.path()),
                 folder.path() + ": the directory has no config.json, params.json or GGUF file");
    QVERIFY(folder.write("m-00001-of-00002.gguf", "") && folder.write("m-00002-of-00002.gguf", ""));
    COMPARE_TEXT(find_model(folder.path())->file, folder.path("m-00001-of-00002.gguf"));
    QVERIFY(folder.write("q.gguf", ""));
    COMPARE_TEXT(refusalOf(folder.path()),
                 folder.path() + ": the directory has 2 GGUF files, name one: m-00001-of-00002.gguf, q.gguf");
  }

  void a_model_of_the_cache() {
    const CacheVariables variables;
    const ModelFolder folder;
    qputenv("HF_HUB_CACHE", folder.path("hub").c_str());
    const QString model = QStringLiteral("models--org--name");
    QVERIFY(folder.writeSnapshot(model, "abc1", "config.json", plainLlama));
    QVERIFY(folder.writeSnapshot(model, "abd2", "config.json", plainLlama));
    QVERIFY(folder.write("hub/models--org--name/refs/main", "abd2\n"));
    QVERIFY(folder.write("hub/models--org--name/refs/v1", "abc1"));
    const auto snapshot = [&](const QString& commit) {
      return folder.path("hub/models--org--name/snapshots/" + commit + "/config.json");
    };
    COMPARE_TEXT(find_model("org/name")->file, snapshot("abd2"));
    COMPARE_TEXT(find_model("org/name")->name, "org/name");
    COMPARE_TEXT(find_model("org/name@v1")->file, snapshot("abc1"));
    COMPARE_TEXT(find_model("org/name@abc")->file, snapshot("abc1"));
    COMPARE_TEXT(find_model(folder.path("hub/models--org--name"))->file, snapshot("abd2"));
    COMPARE_TEXT(find_model(folder.path("hub/models--org--name/snapshots/abc1"))->name, "org/name@abc1");
    COMPARE_TEXT(find_model(snapshot("abc1"))->name, "org/name@abc1");
    COMPARE_TEXT(refusalOf("org/name@ab"), "org/name: revision ab is the beginning of 2 commits: abc1, abd2");
    COMPARE_TEXT(refusalOf("org/name@v2"), "org/name has no revision v2 in " +
                                               folder.path("hub/models--org--name/snapshots") +
                                               ", only the commits abc1, abd2");
    COMPARE_TEXT(refusalOf("org/names"), "org/names is no file and no model in the hub cache " + folder.path("hub") +
                                             "; did you mean org/name?");
    COMPARE_TEXT(refusalOf(folder.path("hub")),
                 folder.path("hub") + ": the directory is a hub cache of 1 model, name one: org/name");
    COMPARE_TEXT(find_model("none.json")->file, "none.json");
  }

  /// A reference that leaves the cache, or to a snapshot that is not there, is not followed.
  void references_that_lead_nowhere() {
    const ModelFolder folder;
    QVERIFY(folder.writeSnapshot("models--a--b", "only", "config.json", plainLlama));
    for (const char* reference : {"../../../etc", "", "gone", "/etc"}) {
      QVERIFY(folder.write("hub/models--a--b/refs/main", reference));
      COMPARE_TEXT(find_model(folder.path("hub/models--a--b"))->file,
                   folder.path("hub/models--a--b/snapshots/only/config.json"));
    }
  }

  void a_snapshot_whose_blob_is_not_there() {
    const ModelFolder folder;
    QVERIFY(folder.writeSnapshot("models--a--b", "c", "config.json", plainLlama));
    QVERIFY(QFile::remove(QString::fromStdString(folder.path("hub/models--a--b/blobs/0"))));
    const std::string given = folder.path("hub/models--a--b/snapshots/c");
    COMPARE_TEXT(refusalOf(given),
                 given + ": config.json is a link to a file that is not there, the download is not complete");
  }
};

VQSCOPE_TEST(ModelPlaceTest)
#include "model_place_test.moc"
