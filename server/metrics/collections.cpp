#include "server/metrics/collections.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

namespace akin::metrics {

namespace {

struct Figure {
  const char* name;
  const char* help;
  std::uint64_t StoreStats::*value;
};

constexpr std::array kFigures = {
    Figure{"akin_collection_documents", "Stored documents.", &StoreStats::documents},
    Figure{"akin_collection_features", "Features of all documents, counted with repeats.",
           &StoreStats::features},
    Figure{"akin_collection_postings", "Pairs of a feature and a document.", &StoreStats::postings},
    Figure{"akin_collection_text_bytes", "Bytes of the original texts.", &StoreStats::text_bytes},
    Figure{"akin_collection_text_stored_bytes", "Bytes of the texts as they are stored.",
           &StoreStats::text_stored_bytes},
    Figure{"akin_collection_disk_bytes", "Bytes of the collection's file.", &StoreStats::disk_bytes},
    Figure{"akin_collection_map_bytes", "Address space of the collection; grows automatically.",
           &StoreStats::map_bytes},
    Figure{"akin_collection_map_used_bytes", "Of it, pages that have ever been used.",
           &StoreStats::map_used_bytes},
    Figure{
        "akin_collection_runs",
        "Runs of packed postings: a look-up touches each. In PostgreSQL: packed rows that a look-up reads.",
        &StoreStats::runs},
    Figure{"akin_collection_recent_postings",
           "Postings in small runs that the next writes take over. In PostgreSQL: those that a merge would "
           "compact now.",
           &StoreStats::recent_postings},
    Figure{"akin_collection_dead_documents", "Removed or replaced documents whose postings are still there.",
           &StoreStats::tombstones},
};

struct FileFigure {
  const char* name;
  const char* help;
  std::uint64_t FileSizes::*value;
};

constexpr std::array kFileFigures = {
    FileFigure{"akin_collection_file_bytes",
               "Bytes of the files that documents were read from, if they are kept.", &FileSizes::bytes},
    FileFigure{"akin_collection_file_stored_bytes", "Bytes of these files as they are stored.",
               &FileSizes::stored_bytes},
};

}  // namespace

void append_collections(Catalog& catalog, std::vector<prometheus::MetricFamily>& families) {
  const auto open = catalog.open_now();
  families.push_back(gauge_family("akin_collections_open", "Collections that are open."));
  families.back().metric.push_back(gauge(static_cast<double>(open.size()), {}));
  if (const auto outdated = catalog.outdated(); outdated.has_value()) {
    families.push_back(gauge_family("akin_collections_outdated",
                                    "Collections built with other dictionaries than those configured."));
    families.back().metric.push_back(gauge(static_cast<double>(outdated->in_use.size()), {}));
    families.push_back(gauge_family(
        "akin_collections_unreadable",
        "Collections that cannot be read: another akin made them, or what they need is missing or damaged."));
    families.back().metric.push_back(gauge(static_cast<double>(outdated->unreadable.size()), {}));
  }
  if (const auto staleness = catalog.staleness(); staleness.has_value() && *staleness) {
    families.push_back(
        gauge_family("akin_standby_staleness_seconds", "Age of the view of a database that is a standby."));
    families.back().metric.push_back(gauge(std::chrono::duration<double>((*staleness)->age).count(), {}));
    families.push_back(gauge_family("akin_standby_unapplied_bytes",
                                    "Bytes of the primary's log that the standby has and has not applied."));
    families.back().metric.push_back(gauge(static_cast<double>((*staleness)->bytes), {}));
  }
  if (const auto quarantined = catalog.quarantined(); quarantined.has_value() && !quarantined->empty()) {
    families.push_back(gauge_family("akin_collection_quarantined",
                                    "1 for each collection that is closed because a crash hit it."));
    for (const std::string& name : *quarantined)
      families.back().metric.push_back(gauge(1, {prometheus::ClientMetric::Label{"collection", name}}));
  }
  if (const auto damaged = catalog.damaged(); damaged.has_value() && !damaged->empty()) {
    families.push_back(gauge_family("akin_collection_damaged",
                                    "1 for each collection in which the last scrub found damage."));
    for (const std::string& name : *damaged)
      families.back().metric.push_back(gauge(1, {prometheus::ClientMetric::Label{"collection", name}}));
  }
  const std::size_t first = families.size();
  for (const Figure& figure : kFigures) families.push_back(gauge_family(figure.name, figure.help));
  const std::size_t first_of_files = families.size();
  for (const FileFigure& figure : kFileFigures) families.push_back(gauge_family(figure.name, figure.help));
  families.push_back(gauge_family("akin_collection_merging", "1 while a thread of this server merges runs."));
  prometheus::MetricFamily scrubbed = gauge_family(
      "akin_collection_scrubbed_seconds", "When the last scrub ended, in seconds since the Unix epoch.");
  for (const auto& collection : open) {
    const auto snapshot = collection->snapshot();
    if (snapshot.has_error()) continue;
    const auto stats = (*snapshot)->stats();
    if (stats.has_error()) continue;
    const prometheus::ClientMetric::Label label{"collection", collection->name()};
    if (const auto scrub = catalog.last_scrub(collection->name())) {
      const std::chrono::duration<double> since_epoch = scrub->ended->time_since_epoch();
      scrubbed.metric.push_back(gauge(since_epoch.count(), {label}));
    }
    for (std::size_t number = 0; number < kFigures.size(); ++number) {
      families[first + number].metric.push_back(
          gauge(static_cast<double>((*stats).*kFigures[number].value), {label}));
    }
    for (std::size_t number = 0; stats->files && number < kFileFigures.size(); ++number) {
      families[first_of_files + number].metric.push_back(
          gauge(static_cast<double>((*stats->files).*kFileFigures[number].value), {label}));
    }
    families.back().metric.push_back(gauge(stats->merging ? 1 : 0, {label}));
  }
  families.push_back(std::move(scrubbed));
}

}  // namespace akin::metrics
