// Lucene on exported features: each is a term, a query asks for documents that have at least four of its terms.
//
//   java -cp lucene-core.jar Lucene.java EXPORTED INDEX ANSWERS
//
// Prints the seconds of building, the number of postings, and the milliseconds of each query of the second of two rounds; writes
// lines "query document".
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

public final class Lucene {
  private static Map<Long, List<String>> features(Path file) throws IOException {
    Map<Long, List<String>> found = new TreeMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split("\t");
        found.computeIfAbsent(Long.valueOf(cells[0]), number -> new ArrayList<>()).add(cells[1]);
      }
    }
    return found;
  }

  /** The numbers of all documents that match, in no order. */
  private static final class Numbers extends SimpleCollector {
    final List<Long> found = new ArrayList<>();
    private NumericDocValues numbers;

    @Override
    protected void doSetNextReader(LeafReaderContext context) throws IOException {
      numbers = context.reader().getNumericDocValues("number");
    }

    @Override
    public void collect(int document) throws IOException {
      if (numbers.advanceExact(document)) found.add(numbers.longValue());
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  private static double build(FSDirectory directory, Map<Long, List<String>> documents) throws IOException {
    long begun = System.nanoTime();
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig().setRAMBufferSizeMB(512))) {
      for (Map.Entry<Long, List<String>> one : documents.entrySet()) {
        Document document = new Document();
        document.add(new NumericDocValuesField("number", one.getKey()));
        for (String feature : one.getValue()) document.add(new StringField("feature", feature, Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
      writer.commit();
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Map<Long, List<String>> documents = features(folder.resolve("documents.tsv"));
    Map<Long, List<String>> queries = features(folder.resolve("queries.tsv"));
    IndexSearcher.setMaxClauseCount(100_000);
    try (FSDirectory directory = FSDirectory.open(Path.of(arguments[1]))) {
      System.out.println(build(directory, documents));
      System.out.println(documents.values().stream().mapToLong(List::size).sum());
      try (DirectoryReader reader = DirectoryReader.open(directory);
          PrintWriter answers = new PrintWriter(arguments[2], "US-ASCII")) {
        IndexSearcher searcher = new IndexSearcher(reader);
        for (boolean warm : new boolean[] {false, true}) {
          for (Map.Entry<Long, List<String>> query : queries.entrySet()) {
            long begun = System.nanoTime();
            BooleanQuery.Builder terms = new BooleanQuery.Builder().setMinimumNumberShouldMatch(4);
            for (String feature : query.getValue())
              terms.add(new TermQuery(new Term("feature", feature)), BooleanClause.Occur.SHOULD);
            Numbers numbers = new Numbers();
            searcher.search(terms.build(), numbers);
            double milliseconds = (System.nanoTime() - begun) / 1e6;
            if (!warm) continue;
            System.out.println(milliseconds);
            for (long document : numbers.found) answers.println(query.getKey() + "\t" + document);
          }
        }
      }
    }
  }
}
