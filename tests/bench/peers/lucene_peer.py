"""Lucene on the same features: runs Lucene.java, which needs a JDK, with lucene-core from Maven Central."""
import os
import pathlib
import shutil
import subprocess
import sys

import exported

ARTIFACT = "org.apache.lucene:lucene-core:9.11.1"


def core() -> pathlib.Path:
    """lucene-core's JAR, in the folder that AKIN_BENCH_JARS names, else in the scratch folder."""
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            exported.skip(f"Lucene: {program} is not installed (a JDK and Maven)")
    folder = pathlib.Path(os.environ.get("AKIN_BENCH_JARS") or exported.folder() / "jars")
    _, name, version = ARTIFACT.split(":")
    jar = folder / f"{name}-{version}.jar"
    if not jar.exists():
        command = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={folder}"]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0 or not jar.exists():
            exported.skip(f"{ARTIFACT} cannot be had from Maven Central")
    return jar


def main() -> None:
    index = exported.folder() / "lucene"
    shutil.rmtree(index, ignore_errors=True)
    answers = exported.folder() / "lucene.tsv"
    source = pathlib.Path(__file__).with_name("Lucene.java")
    done = subprocess.run(["java", "-cp", str(core()), str(source), str(exported.folder()), str(index), str(answers)],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"Lucene.java failed with {done.returncode}")
    seconds, postings, *milliseconds = (float(line) for line in done.stdout.split())
    exported.row("Lucene: build", seconds, "s",
                 f"{ARTIFACT}, one thread, merged into one segment; {exported.size(index) / postings:.1f} bytes a posting")
    exported.row_of_queries("Lucene", milliseconds, "the query's terms and the search, warm, one core")
    exported.rows_of_documents_found("Lucene", set(exported.numbers("lucene.tsv")))


main()
