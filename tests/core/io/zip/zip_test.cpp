// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip/zip.h"

#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Result<std::vector<ZipMember>> directory_of(const std::string& archive) {
  return read_zip_directory(MemorySource(archive));
}

/// The bytes of a member, or its error.
Result<std::string> content_of(const std::string& archive, std::size_t which) {
  const auto source = source_of(archive);
  const auto members = read_zip_directory(*source);
  if (!members) return members.error();
  const auto member = open_zip_member(source, (*members)[which]);
  if (!member) return member.error();
  std::string bytes((*member)->size(), '\0');
  if (auto read = (*member)->read(0, bytes); !read) return read.error();
  return bytes;
}

/// The same archive with other bytes in its end record, of which `at` counts from its beginning.
std::string with_end(std::string archive, std::size_t at, const std::string& bytes) {
  return archive.replace(archive.size() - 22 + at, bytes.size(), bytes);
}

ZipBytes two_members() {
  ZipBytes zip;
  zip.add("a.txt", "stored bytes", false);
  zip.add("sub/b.txt", std::string(1000, 'b'), true);
  return zip;
}

}  // namespace

class ZipTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void an_archive_without_members_by_hand() {
    const std::string end = std::string("PK\5\6", 4) + std::string(18, '\0');
    QVERIFY(directory_of(end)->empty());
    QVERIFY(directory_of("anything" + end)->empty());
  }

  void members_agree_with_the_directory() {
    for (const bool zip64 : {false, true}) {
      const std::string archive = two_members().bytes(zip64);
      const auto members = *directory_of(archive);
      QCOMPARE(members.size(), std::size_t{2});
      COMPARE_TEXT(members[0].name, "a.txt");
      COMPARE_TEXT(members[1].name, "sub/b.txt");
      QCOMPARE(members[0].method, 0);
      QCOMPARE(members[1].method, 8);
      QCOMPARE(members[0].stored, std::uint64_t{12});
      QCOMPARE(members[1].size, std::uint64_t{1000});
      COMPARE_TEXT(archive.substr(members[0].offset, 12), "stored bytes");
      COMPARE_TEXT(*content_of(archive, 0), "stored bytes");
      COMPARE_TEXT(*content_of(archive, 1), std::string(1000, 'b'));
    }
  }

  /// The end record is looked for from behind: a comment may be as long as 65535 bytes, and hold
  /// anything.
  void comments() {
    for (const std::string& comment :
         {std::string("short"), std::string(65'535, 'c'), std::string("PK\5\6 not the end"),
          std::string("PK\5\6") + std::string(18, '\0') + "none either"})
      QCOMPARE(directory_of(two_members().bytes(false, comment))->size(), std::size_t{2});
  }

  void an_end_record_that_is_missing() {
    const std::string archive = two_members().bytes();
    const std::string missing = "the zip archive is cut short or not a zip file: its end record is missing";
    for (const std::size_t kept : {std::size_t{0}, std::size_t{3}, std::size_t{21}, archive.size() - 1})
      COMPARE_ERROR(directory_of(archive.substr(0, kept)), missing);
    COMPARE_ERROR(directory_of(archive + "x"), missing);
  }

  void a_directory_that_is_not_there() {
    const std::string archive = two_members().bytes();
    COMPARE_ERROR(directory_of(with_end(archive, 16, number_bytes(1'000'000, 4))),
                  "the zip archive is cut short: its directory does not lie within it");
    COMPARE_ERROR(directory_of(with_end(archive, 12, number_bytes(0xfffffff0, 4))),
                  "the zip archive is cut short: its directory does not lie within it");
    COMPARE_ERROR(directory_of(with_end(archive, 10, number_bytes(60'000, 2))),
                  "the zip archive is damaged: its directory is too short for its entries");
    COMPARE_ERROR(directory_of(with_end(archive, 16, number_bytes(0, 4))),
                  "the zip archive is damaged: entry 1 of its directory is not valid");
  }

  void an_entry_that_leaves_the_directory() {
    std::string archive = two_members().bytes();
    const auto second = archive.rfind("PK\1\2");
    archive.replace(second + 28, 2, number_bytes(5'000, 2));
    COMPARE_ERROR(directory_of(archive), "the zip archive is damaged: entry 2 extends beyond its directory");
  }

  void zip64_end_record_must_be_at_its_locator() {
    const std::string archive = two_members().bytes(true);
    const auto locator = archive.rfind("PK\6\7");
    const auto pointed = [&](std::uint64_t at) {
      std::string changed = archive;
      return changed.replace(locator + 8, 8, number_bytes(at, 8));
    };
    QVERIFY(directory_of(pointed(archive.rfind("PK\6\6"))).has_value());
    COMPARE_ERROR(directory_of(pointed(1)),
                  "the zip archive is damaged: its 64-bit end record is not where it should be");
    for (const std::uint64_t beyond : {std::uint64_t{archive.size()}, ~std::uint64_t{0}})
      COMPARE_ERROR(directory_of(pointed(beyond)),
                    "the zip archive is cut short: its 64-bit end record lies outside it");
  }

  void many_members() {
    ZipBytes zip;
    for (int i = 0; i < 3'000; ++i)
      zip.add(std::to_string(i) + ".txt", std::string(static_cast<std::size_t>(i % 90 * 60), 'a'), false);
    const std::string archive = zip.bytes();
    const auto members = directory_of(archive);
    QVERIFY(members && members->size() == 3'000);
    for (std::size_t i = 0; i < members->size(); ++i) {
      const ZipMember& member = (*members)[i];
      QVERIFY(member.size == i % 90 * 60 &&
              archive.substr(member.offset, member.size) == std::string(member.size, 'a'));
    }
    ZipBytes tiny;
    for (int i = 0; i < 65'537; ++i) tiny.add("a", "", false);
    COMPARE_ERROR(directory_of(tiny.bytes(true)), "the zip archive has 65537 members but must have at most 65536");
  }

  void a_directory_of_gibibytes_is_not_read() {
    std::string archive = two_members().bytes(true);
    archive.replace(archive.rfind("PK\6\6") + 40, 8, number_bytes(std::uint64_t{1} << 40, 8));
    COMPARE_ERROR(directory_of(archive), "the zip archive is cut short: its directory does not lie within it");
  }

  /// 42.zip and its kind let several entries point at the same bytes.
  void members_that_overlap_are_refused() {
    ZipBytes zip = two_members();
    zip.members[1].shift = std::uint64_t{0} - 1;
    COMPARE_ERROR(directory_of(zip.bytes()), "the member a.txt does not lie within the archive, or overlaps another");
  }

  /// Deflate makes at most 1032 bytes of one.
  void sizes_that_deflate_cannot_make_are_refused() {
    ZipBytes zip = two_members();
    const std::uint64_t stored = zip.members[1].stored.size();
    zip.members[1].size = stored * 1032 + 1031;
    QVERIFY(directory_of(zip.bytes()).has_value());
    zip.members[1].size = stored * 1032 + 1032;
    COMPARE_ERROR(directory_of(zip.bytes()), "the member sub/b.txt says that it has " +
                                                 std::to_string(zip.members[1].size) +
                                                 " bytes, which deflate cannot hold in " + std::to_string(stored));
  }

  void a_checksum_is_checked_with_the_last_byte() {
    ZipBytes zip = two_members();
    zip.members[0].checksum ^= 1;
    const auto source = source_of(zip.bytes());
    const auto member = open_zip_member(source, read_zip_directory(*source)->front());
    std::string bytes(12, '\0');
    const auto span = std::span(bytes);
    QVERIFY2((*member)->read(4, span.first(8)), "what does not begin at the first byte is not held against it");
    QVERIFY((*member)->read(0, span.first(11)));
    COMPARE_ERROR((*member)->read(11, span.first(1)),
                  "the member a.txt is damaged: its checksum does not match its bytes");
  }

  void reading_twice_does_not_disturb_the_checksum() {
    const auto source = source_of(two_members().bytes());
    const auto member = *open_zip_member(source, read_zip_directory(*source)->back());
    std::string bytes(1000, '\0');
    for (const std::size_t first : {400U, 300U, 400U, 700U, 100U, 1000U, 1000U})
      QVERIFY(member->read(0, std::span(bytes).first(first)));
    COMPARE_TEXT(bytes, std::string(1000, 'b'));
  }

  void unsupported_members_are_errors() {
    ZipBytes zip = two_members();
    zip.members[0].method = 12;
    zip.members[1].flags = 1;
    const std::string archive = zip.bytes();
    COMPARE_ERROR(content_of(archive, 0),
                  "the member a.txt is compressed by method 12 but must be 0 (stored) or 8 (deflated)");
    COMPARE_ERROR(content_of(archive, 1), "the member sub/b.txt is encrypted, which is not supported");
  }

  void damaged_archives_never_crash() {
    Random random(9);
    for (int i = 0; i < 20'000; ++i) {
      std::string archive = two_members().bytes(i % 2 == 1);
      for (Index changes = pick(random, 1, 4); changes > 0; --changes)
        archive[static_cast<std::size_t>(pick(random, 0, std::ssize(archive) - 1))] =
            static_cast<char>(pick(random, 0, 255));
      for (const std::size_t which : {0U, 1U}) {
        const auto members = directory_of(archive);
        if (members && members->size() <= which) continue;
        const auto content = content_of(archive, which);
        QVERIFY(content ? content->size() < 2'000'000 : content.error().message.size() <= 400);
      }
    }
  }
};

VQSCOPE_TEST(ZipTest)
#include "zip_test.moc"
