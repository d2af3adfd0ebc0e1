// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/user_folders.h"

#include "core/io/bytes/whole_file.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <utility>
#include <vector>

using namespace vqscope;

namespace fs = std::filesystem;

class UserFoldersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void home_is_the_variable_or_of_the_account() {
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", "/somewhere");
    COMPARE_TEXT(home_folder(), "/somewhere");
    qunsetenv("HOME");
    const std::string of_account = home_folder();
    QVERIFY(of_account.empty() || of_account.front() == '/');
    for (const char* useless : {"", "not/absolute"}) {
      qputenv("HOME", useless);
      COMPARE_TEXT(home_folder(), of_account);
    }
    qputenv("HOME", before);
  }

  /// The cases of Python's expandvars(expanduser(path)).
  void paths_are_expanded_as_in_python() {
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", "/home/me");
    qputenv("VQSCOPE_PLACE", "/a b");
    const std::vector<std::pair<std::string, std::string>> cases{{"", ""},
                                                                 {"~", "/home/me"},
                                                                 {"~/x", "/home/me/x"},
                                                                 {"/~/x", "/~/x"},
                                                                 {"~no-such-user/x", "~no-such-user/x"},
                                                                 {"$VQSCOPE_PLACE/x", "/a b/x"},
                                                                 {"${VQSCOPE_PLACE}x", "/a bx"},
                                                                 {"$VQSCOPE_PLACEx", "$VQSCOPE_PLACEx"},
                                                                 {"$", "$"},
                                                                 {"${VQSCOPE_PLACE", "${VQSCOPE_PLACE"},
                                                                 {"${}$$VQSCOPE_PLACE", "${}$/a b"},
                                                                 {"~/$HOME", "/home/me//home/me"}};
    for (const auto& [given, expected] : cases) COMPARE_TEXT(expanded_path(given), expected);
    qunsetenv("VQSCOPE_PLACE");
    qputenv("HOME", before);
  }

  void folders_of_state_are_for_their_owner() {
    const QTemporaryDir folder;
    const fs::path made = fs::path(folder.path().toStdString()) / "a" / "b";
    QVERIFY(make_state_folder(made.string()));
    QVERIFY(fs::status(made).permissions() == fs::perms::owner_all);
    QVERIFY(fs::status(made.parent_path()).permissions() == fs::perms::owner_all);
    fs::permissions(made, fs::perms::all);
    QVERIFY(make_state_folder(made.string()));
    QVERIFY(fs::status(made).permissions() == fs::perms::owner_all);
  }

  void a_file_is_no_folder() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString();
    QVERIFY(write_whole_file(file, ""));
    COMPARE_ERROR(make_state_folder(file), "cannot create the folder " + file + ": Not a directory");
    COMPARE_ERROR(make_state_folder(file + "/a"), "cannot create the folder " + file + "/a: Not a directory");
  }
};

VQSCOPE_TEST(UserFoldersTest)
#include "user_folders_test.moc"
