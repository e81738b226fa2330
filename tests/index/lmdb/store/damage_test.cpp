// Single bits of a store flipped on the disk, and every answer compared with the undamaged one.
// AKIN_DAMAGE_TRIES sets the number of bits of each part; the whole measurement takes 2,000.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <sstream>

#include "base/crc32c.h"
#include "index/lmdb/store/store.h"
#include "tests/support/child_process.h"
#include "tests/support/damaged_file.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

constexpr std::uint64_t kRotDocuments = 1'500;
constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

int rot_tries() {
  const char* const number = std::getenv("AKIN_DAMAGE_TRIES");  // NOLINT(concurrency-mt-unsafe)
  return number == nullptr ? 66 : std::atoi(number);
}

Values rot_values(std::uint64_t document) {
  RandomValues random(static_cast<std::uint32_t>(document), 20'000, kSpread);
  Values values = random.values(60);
  for (std::uint64_t common = 0; common < 3; ++common) {
    if (document % (common + 2) == 0) values.push_back((30'000 + common) * kSpread);
  }
  values.push_back(document);
  return values;
}

/// What an answer says: the answers of the undamaged store, or an error.
struct ComparedAnswer {
  bool is_error = false;
  std::string content;
};

class BitRot : public StoreTest {
 protected:
  /// Runs of mixed blocks and of list blocks, recent ones too, tombstones, a change log: every table has
  /// entries.
  BitRot() {
    std::vector<std::pair<std::string, Values>> documents;
    for (std::uint64_t i = 0; i < kRotDocuments; ++i) documents.emplace_back(numbered("d", i), rot_values(i));
    put_all(documents);
    must(store_->flush_and_merge(true));
    must(std::static_pointer_cast<LmdbStore>(store_)->begin_change_log());
    for (std::uint64_t i = 0; i < 40; ++i) put(numbered("d", i * 7), rot_values(i + kRotDocuments));
    erase({"d3", "d500", "d1100"});
    std::vector<std::pair<std::string, Values>> more;
    for (std::uint64_t i = 0; i < 60; ++i) more.emplace_back(numbered("e", i), rot_values(i * 3));
    put_all(more);
    close();
  }

  static std::string summary(const DocumentRecord& record) {
    return record.id + "|" + record.title + "|" + record.metadata + "|" +
           std::to_string(record.revision.value) + "|" + std::to_string(record.features) + "|" +
           std::to_string(record.code_points);
  }
  template <class T, class Show>
  static void add(std::vector<ComparedAnswer>& answers, const Result<T>& result, const Show& show) {
    if (result.has_error() && result.error().code == Errc::not_found) {
      answers.push_back({false, "none"});
    } else if (result.has_error()) {
      answers.push_back({true, std::string(error_name(result.error().code))});
    } else {
      answers.push_back({false, show(*result)});
    }
  }

  static void search_all(const Snapshot& view, std::vector<ComparedAnswer>& answers) {
    for (std::uint64_t query = 0; query < 60; ++query) {
      const FeatureSequence sequence = make_sequence(rot_values(query * 26));
      SearchRequest request;
      request.query = &sequence;
      request.bound = query % 3;
      request.limit = 40;
      request.evidence = query % 4 == 0;
      request.best_only = query % 5 == 0;
      add(answers, view.search(request), [](const SearchResult& result) {
        std::string text = std::to_string(result.total);
        for (const Hit& hit : result.hits) {
          text += ";" + summary(hit.document) + ":" + std::to_string(hit.overlap.x);
          for (const Passage& passage : hit.passages) {
            text += "," + std::to_string(passage.a.begin) + "-" + std::to_string(passage.b.end);
          }
        }
        return text;
      });
    }
  }

  static void read_documents(const Snapshot& view, std::vector<ComparedAnswer>& answers) {
    for (std::uint64_t i = 0; i < 120; ++i) {
      const std::string id =
          numbered(i % 2 == 0 ? "d" : "e", i * 13 % (i % 2 == 0 ? kRotDocuments + 50 : 70));
      add(answers, view.find(id),
          [](const std::optional<StoredDocument>& record) { return record ? summary(*record) : "none"; });
      if (i % 3 != 0) continue;
      add(answers, view.text(id), [](const std::string& text) { return text; });
      add(answers, view.features(id), [](const FeatureSequence& sequence) {
        std::string all;
        for (const Feature feature : sequence.hashes)
          all += std::to_string(static_cast<std::uint64_t>(feature)) + " ";
        return all;
      });
    }
  }

  static void list_all(const Snapshot& view, std::vector<ComparedAnswer>& answers) {
    const auto all = [](const std::vector<StoredDocument>& records) {
      std::string text;
      for (const DocumentRecord& record : records) text += summary(record) + ";";
      return text;
    };
    for (const char* const after : {"", "d1", "d1234", "d7", "e"}) add(answers, view.list(after, 300), all);
    add(answers, view.changes(Revision(), 5'000), all);
    add(answers, view.most_common(5, std::nullopt), [](const std::vector<CommonFeature>& features) {
      std::string text;
      for (const CommonFeature& one : features) text += one.example + std::to_string(one.documents) + ";";
      return text;
    });
    Values common;
    for (std::uint64_t i = 0; i < 3; ++i) common.push_back((30'000 + i) * kSpread);
    add(answers, view.common_features(make_sequence(common).hashes, 300),
        [](const std::vector<Feature>& features) { return std::to_string(features.size()); });
    std::string pairs;
    PairsRequest request;
    request.condition.bound = 12;
    request.threads = 1;
    const auto visit = [&](const DocumentPair& pair) -> Result<void> {
      pairs += std::string(pair.a) + " " + std::string(pair.b) + " " + std::to_string(pair.overlap.x) + ";";
      return {};
    };
    add(answers, view.pairs(request, visit), [&](const PairsSummary&) { return pairs; });
    add(answers, view.stats(), [](const StoreStats& stats) {
      return std::to_string(stats.documents) + " " + std::to_string(stats.postings) + " " +
             std::to_string(stats.text_bytes) + " " + std::to_string(stats.tombstones);
    });
  }

  /// Every answer of the store, from another process: one line each, "!code" or the checksum of what it says.
  std::vector<ComparedAnswer> answers() const {
    ChildProcess child([this](const ChildSide& parent) {
      std::vector<ComparedAnswer> all;
      const auto store = LmdbStore::open(path_);
      add(all, store, [](const auto& opened) {
        return opened->identity().scheme + opened->identity().fingerprint + opened->identity().languages;
      });
      if (!store.has_error()) {
        add(all, (*store)->noted_changes(0, 1'000), [](const NotedChanges& noted) {
          std::string ids;
          for (const std::string& id : noted.ids) ids += id + ";";
          return ids;
        });
        add(all, (*store)->has_change_log(), [](bool is_on) { return std::string(is_on ? "on" : "off"); });
        const auto view = (*store)->snapshot();
        if (view.has_error()) return 1;
        search_all(**view, all);
        read_documents(**view, all);
        list_all(**view, all);
      }
      std::string lines;
      for (const ComparedAnswer& one : all) {
        lines += (one.is_error ? "!" + one.content : std::to_string(crc32c(one.content))) + "\n";
      }
      parent.tell(lines + "end");
      return 0;
    });
    std::vector<ComparedAnswer> all;
    for (const std::string& line : child.lines()) all.push_back({line.starts_with('!'), line});
    child.wait();
    return all;
  }

  struct Outcome {
    int same = 0, named = 0, died = 0, silent = 0;
  };
  /// Compares answers with those of the undamaged store; `what` is added to the failures.
  void judge(const std::vector<ComparedAnswer>& sound, const std::string& what, Outcome& outcome) const {
    const std::vector<ComparedAnswer> found = answers();
    const bool ended = !found.empty() && found.back().content == "end";
    bool is_named = false;
    for (std::size_t i = 0; i < found.size() && i < sound.size(); ++i) {
      if (found[i].is_error) {
        is_named = true;
      } else if (found[i].content != sound[i].content && found[i].content != "end") {
        ADD_FAILURE() << what << ": answer " << i << " differs silently";
        ++outcome.silent;
        return;
      }
    }
    ++(!ended ? outcome.died : is_named ? outcome.named : outcome.same);
  }

  /// Flips single bits of the chosen regions, as many of each table.
  std::map<std::string, Outcome> flip_bits(bool entries) {
    const std::vector<ComparedAnswer> sound = answers();
    EXPECT_GT(sound.size(), 200U);
    for (const ComparedAnswer& answer : sound) EXPECT_FALSE(answer.is_error);
    DamagedFile file(path_ / "data.mdb");
    std::map<std::string, std::vector<FileRegion>> of_table;
    for (const FileRegion& region : file.regions()) {
      const bool wanted =
          region.is_entry == entries && region.table != "free" && (entries || region.table != "main");
      if (wanted && region.size > 0) of_table[region.table].push_back(region);
    }
    EXPECT_EQ(of_table.size(), entries ? 10U : 9U);
    std::map<std::string, Outcome> outcomes;
    std::mt19937 random(7);
    for (int round = 0; round < rot_tries(); ++round) {
      const auto table = std::next(of_table.begin(), round % static_cast<int>(of_table.size()));
      const FileRegion& region = table->second[random() % table->second.size()];
      const std::uint64_t byte = region.begin + random() % region.size;
      const unsigned bit = random() % 8;
      file.flip(byte, bit);
      judge(sound, table->first + ", byte " + std::to_string(byte) + ", bit " + std::to_string(bit),
            outcomes[table->first]);
      file.flip(byte, bit);
    }
    return outcomes;
  }

  static void print(const std::map<std::string, Outcome>& outcomes) {
    for (const auto& [table, outcome] : outcomes) {
      std::printf("%-12s same %4d, named %4d, died %4d, silent %4d\n", table.c_str(), outcome.same,
                  outcome.named, outcome.died, outcome.silent);
    }
  }
};

TEST_F(BitRot, OfASingleBitOfAnyKeyOrValueNeverChangesAnAnswerSilently) {
  const std::map<std::string, Outcome> outcomes = flip_bits(true);
  print(outcomes);
  for (const auto& [table, outcome] : outcomes) {
    EXPECT_EQ(outcome.silent, 0) << table;
  }
}

TEST_F(BitRot, OfASingleBitOfAPagesHeaderNeverChangesAnAnswerSilently) {
  const std::map<std::string, Outcome> outcomes = flip_bits(false);
  print(outcomes);
  for (const auto& [table, outcome] : outcomes) EXPECT_EQ(outcome.silent, 0) << table;
}

struct PageDamage {
  const char* name;
  std::string (*content)(const DamagedFile& file, std::mt19937& random);
};

class RottenPage : public BitRot, public testing::WithParamInterface<PageDamage> {};

TEST_P(RottenPage, IsNamedByVerifyAndEndsNoProcess) {
  DamagedFile file(path_ / "data.mdb");
  std::mt19937 random(11);
  int named = 0;
  int tried = 0;
  const int rounds = std::min(rot_tries(), 250);
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t page = file.pages()[random() % file.pages().size()];
    const std::string sound = file.page(page);
    const std::string content = GetParam().content(file, random);
    if (content == sound) continue;
    ++tried;
    file.overwrite(page, content);
    ChildProcess child([&](const ChildSide& parent) {
      const auto store = LmdbStore::open(path_);
      if (store.has_error()) return parent.tell(store.error().message()), 0;
      const auto report = [&](const Finding& finding) { parent.tell(finding.where + ": " + finding.broken); };
      return must(must((*store)->snapshot())->verify(report, nullptr)) > 0 ? 0 : 1;
    });
    std::string lines;
    for (const std::string& line : child.lines()) lines += line + "\n";
    EXPECT_EQ(child.wait(), 0) << "page " << page << ": " << lines;
    if (lines.find("page " + std::to_string(page)) != std::string::npos) ++named;
    file.overwrite(page, sound);
  }
  std::printf("%d of %d pages named\n", named, tried);
  EXPECT_EQ(named, tried);
}

INSTANTIATE_TEST_SUITE_P(
    Contents, RottenPage,
    testing::Values(PageDamage{"zeros",
                               [](const DamagedFile&, std::mt19937&) { return std::string(4096, '\0'); }},
                    PageDamage{"garbage",
                               [](const DamagedFile&, std::mt19937& random) {
                                 std::string bytes(4096, '\0');
                                 for (char& byte : bytes) byte = static_cast<char>(random());
                                 return bytes;
                               }},
                    PageDamage{"another_page",
                               [](const DamagedFile& file, std::mt19937& random) {
                                 return file.page(file.pages()[random() % file.pages().size()]);
                               }}),
    [](const testing::TestParamInfo<PageDamage>& row) { return row.param.name; });

}  // namespace
}  // namespace akin::test
