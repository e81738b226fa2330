"""akin.dedup: tables of each library come back without the rows that others cover."""

import datetime
import json
import pathlib
import unittest

import akin
import datasets
import pandas
import polars
import pyarrow
import pyarrow.parquet
from akin.files import written_alone
from package import COVERED_BY, KEPT, NEWS, TEXTS, PackageTest

# A table of each library, and its rows again.
KINDS = {
    "pandas": (pandas.DataFrame, lambda frame: frame.astype(object).where(frame.notna(), None).to_dict("records")),
    "polars": (polars.DataFrame, polars.DataFrame.to_dicts),
    "pyarrow": (pyarrow.Table.from_pylist, pyarrow.Table.to_pylist),
    "datasets": (datasets.Dataset.from_list, datasets.Dataset.to_list),
    "list": (list, list),
}
NOTICE = "Эта книга принадлежит библиотеке, и выносить её из читального зала нельзя."


class TablesTest(PackageTest):
    def each(self):
        for name, (table, rows) in KINDS.items():
            with self.subTest(name):
                yield table, rows

    def test_kept_rows_have_all_columns_in_order(self):
        for table, rows in self.each():
            kept = akin.dedup(table(NEWS))
            self.assertIs(type(kept), type(table(NEWS)))
            self.assertEqual(rows(kept), rows(table([row for row in NEWS if row["id"] in KEPT])))

    def test_marks_name_the_row_that_covers_another(self):
        for table, rows in self.each():
            by_id = rows(akin.dedup(table(NEWS), mark=True, id="id"))
            self.assertEqual([row["duplicate_of"] for row in by_id], COVERED_BY)
            self.assertEqual([row["cluster"] for row in by_id], [1, 2, 1, 2, 2])
            self.assertEqual([row["share"] is None for row in by_id], [True, True, False, False, False])
            by_number = rows(akin.dedup(table(NEWS), mark=True))
            self.assertEqual([row["duplicate_of"] for row in by_number], [None, None, "0", "1", "1"])

    def test_repeated_paragraphs_go_and_texts_keep_the_rest(self):
        given = [{"n": 1, "text": f"Начало.\n\n{NOTICE}"}, {"n": 2, "text": f"{NOTICE}\n\nКонец."}, {"n": 3, "text": NOTICE}]
        for table, rows in self.each():
            self.assertEqual(rows(akin.dedup(table(given), by="paragraph")), [given[0], {"n": 2, "text": "Конец."}])

    def test_repeated_passages_are_marked(self):
        given = [{"text": NOTICE}, {"text": f"Читатель, помни: {NOTICE}"}]
        cut = akin.dedup(given, by="passage", min_words=8, cut="[…]")
        self.assertEqual(cut, [given[0], {"text": "Читатель, помни: […]."}])

    def test_rows_without_text_stay(self):
        given = [{"text": TEXTS[0]}, {"text": None}, {"text": TEXTS[0]}, {"text": None}]
        for table, rows in self.each():
            self.assertEqual([row["text"] for row in rows(akin.dedup(table(given)))], [TEXTS[0], None, None])
            marked = rows(akin.dedup(table(given), mark=True))
            self.assertEqual([row["cluster"] for row in marked], [1, None, 1, None])

    def test_an_empty_table_stays_empty(self):
        empty = pyarrow.table({"text": pyarrow.array([], pyarrow.string())})
        self.assertEqual(akin.dedup(empty).num_rows, 0)
        self.assertEqual(akin.dedup([]), [])

    def test_nothing_dropped_still_gives_marks_of_their_types(self):
        marked = akin.dedup(pyarrow.table({"text": TEXTS[:1]}), mark=True).schema
        self.assertEqual([str(marked.field(name).type) for name in ("cluster", "duplicate_of", "share")], ["int64", "string", "double"])


class PreferenceTest(PackageTest):
    def test_the_oldest_the_longest_or_the_greatest_stays(self):
        days = [datetime.datetime(2024, 5, day) for day in (3, 1, 2)]
        frame = pandas.DataFrame({"text": [TEXTS[0], TEXTS[0] + " Ещё слово.", TEXTS[0]], "date": days, "score": [1.0, 2.0, 3.0]})
        self.assertEqual(list(akin.dedup(frame, keep="oldest").index), [1])
        self.assertEqual(list(akin.dedup(frame, keep="longest").index), [1])
        self.assertEqual(list(akin.dedup(frame, keep="score").index), [2])
        self.assertEqual(list(akin.dedup(frame).index), [0])

    def test_what_other_data_cover_is_dropped(self):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(NEWS[:1]), "old.parquet")
        self.write("old.jsonl", json.dumps(NEWS[0]))
        for known in (NEWS[:1], pandas.DataFrame(NEWS[:1]), "old.parquet", pathlib.Path("old.jsonl"), "old.jsonl"):
            with self.subTest(type(known)):
                marked = akin.dedup(NEWS, against=known, mark=True)
                self.assertEqual([row["duplicate_of"] is not None for row in marked], [True, False, True, True, True])

    def test_flags_of_the_program_are_taken(self):
        self.assertEqual(len(akin.dedup(NEWS, min_containment=0.85)), 4)
        self.assertEqual(len(akin.dedup(NEWS, min_resemblance=0.8, lang=["ru"], memory="64M")), 4)

    def test_another_column_has_the_text(self):
        frame = polars.DataFrame({"body": TEXTS, "text": [1, 2, 3, 4, 5]})
        self.assertEqual(akin.dedup(frame, text="body")["text"].to_list(), [1, 2])


class ParquetTest(PackageTest):
    def setUp(self):
        super().setUp()
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(NEWS), "news.parquet", row_group_size=2)

    def rows(self, path: str) -> list[dict]:
        return pyarrow.parquet.read_table(path).to_pylist()

    def test_a_file_is_written_with_the_kept_rows(self):
        akin.dedup("news.parquet", out="kept.parquet")
        self.assertEqual(self.rows("kept.parquet"), [row for row in NEWS if row["id"] in KEPT])
        self.assertEqual(pyarrow.parquet.read_schema("kept.parquet"), pyarrow.parquet.read_schema("news.parquet"))
        self.assertFalse(pathlib.Path("kept.parquet.tmp").exists())

    def test_a_file_is_written_by_one_run_at_a_time(self):
        refused = self.assertRaisesRegex(BlockingIOError, "is being written already .*kept.parquet")
        with written_alone(pathlib.Path("kept.parquet")), refused:
            akin.dedup("news.parquet", out="kept.parquet")
        with self.assertRaises(KeyError):
            akin.dedup("news.parquet", out="kept.parquet", text="nothing")
        self.assertFalse(pathlib.Path("kept.parquet.tmp").exists())
        akin.dedup("news.parquet", out="kept.parquet")
        self.assertEqual([row["id"] for row in self.rows("kept.parquet")], KEPT)
        self.assertEqual(list(self.folder.glob("*.tmp")), [])

    def test_several_files_are_one_dataset(self):
        akin.dedup([pathlib.Path("news.parquet")] * 2, out="marked.parquet", mark=True, id="id")
        again = [covered or row["id"] for covered, row in zip(COVERED_BY, NEWS)]
        self.assertEqual([row["duplicate_of"] for row in self.rows("marked.parquet")], COVERED_BY + again)

    def test_a_file_that_cannot_be_read_is_named(self):
        pathlib.Path("cut.parquet").write_bytes(pathlib.Path("news.parquet").read_bytes()[:-9])
        pyarrow.parquet.write_table(pyarrow.table({"body": TEXTS}), "body.parquet")
        for error, name, *names in ((ValueError, "cut.parquet", "cut.parquet"), (ValueError, "cut.parquet", "news.parquet", "cut.parquet"),
                                    (KeyError, "body.parquet", "news.parquet", "body.parquet")):  # fmt: skip
            with self.assertRaisesRegex(error, name):
                akin.dedup(list(map(pathlib.Path, names)), out="kept.parquet")

    def test_no_file_gets_another_format_than_its_name_says(self):
        pathlib.Path("news.jsonl").write_text("".join(json.dumps(row) + "\n" for row in NEWS), encoding="utf-8")
        for data, out in (("news.parquet", "kept.jsonl"), ("news.jsonl", "kept.parquet")):
            self.assertRaisesRegex(ValueError, f"{out}: ", akin.dedup, data, out=out)
            self.assertFalse(pathlib.Path(out).exists())

    def test_shortened_texts_are_written(self):
        given = pyarrow.table({"text": pyarrow.array([NOTICE, f"Начало.\n\n{NOTICE}"], pyarrow.large_string())})
        pyarrow.parquet.write_table(given, "texts.parquet")
        akin.dedup("texts.parquet", out="kept.parquet", by="paragraph")
        self.assertEqual(self.rows("kept.parquet"), [{"text": NOTICE}, {"text": "Начало.\n\n"}])

    def test_a_dataset_on_disk_in_shards(self):
        datasets.Dataset.from_list(NEWS).to_parquet("data/train-00000-of-00001.parquet")
        loaded = datasets.load_dataset("parquet", data_files="data/*.parquet", split="train", cache_dir="cache")
        akin.dedup(loaded).save_to_disk("kept")
        self.assertEqual(datasets.load_from_disk("kept")["id"][:], KEPT)


class ErrorTest(PackageTest):
    def test_a_missing_column_a_wrong_kind_and_a_missing_out(self):
        with self.assertRaises(KeyError):
            akin.dedup(pandas.DataFrame(NEWS), text="body")
        for data, flags in ((pandas.Series(TEXTS), {}), ("news.parquet", {}), (NEWS, {"out": "kept.jsonl"})):
            with self.assertRaises(TypeError):
                akin.dedup(data, **flags)

    def test_what_the_program_says_is_raised(self):
        with self.assertRaisesRegex(akin.ProgramError, "--min-containment"):
            akin.dedup(NEWS, min_containment=2)
        with self.assertRaisesRegex(akin.ProgramError, "--nonsense"):
            akin.dedup(NEWS, nonsense=1)

    def test_an_error_of_the_data_is_raised(self):
        def texts():
            yield "a"
            raise OSError("the disk is gone")

        with self.assertRaisesRegex(OSError, "the disk is gone"):
            list(akin.features(texts()))

    def test_an_error_of_the_data_is_no_end_of_the_input(self):
        """The program would write what it has read as if it were all."""
        import os
        from unittest import mock

        def texts():
            yield "a"
            raise OSError("the disk is gone")

        program = self.write("program", "#!/bin/sh\nwhile read -r line; do :; done\ntouch ended\n")
        program.chmod(0o755)
        with mock.patch.dict(os.environ, {"AKIN": str(program)}):
            for _ in range(100):
                with self.assertRaisesRegex(OSError, "the disk is gone"):
                    list(akin.features(texts()))
        self.assertFalse(pathlib.Path("ended").exists())

    def test_a_missing_program_is_named(self):
        import os
        from unittest import mock

        with mock.patch.dict(os.environ, {"AKIN": "", "PATH": ""}), self.assertRaisesRegex(akin.ProgramError, "AKIN"):
            akin.dedup(NEWS)
        with mock.patch.dict(os.environ, {"AKIN": "/nowhere/akin"}), self.assertRaisesRegex(akin.ProgramError, "/nowhere/akin"):
            akin.dedup(NEWS)


if __name__ == "__main__":
    unittest.main()
