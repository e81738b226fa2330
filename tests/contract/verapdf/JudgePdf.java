import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Says of each file whether it conforms to PDF/UA-1 (ISO 14289-1), and which rules it breaks; exit status 1 if one does not. */
class JudgePdf {
  public static void main(String[] files) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    boolean all = files.length > 0;
    for (String file : files) {
      PDFAFlavour flavour = PDFAFlavour.PDFUA_1;
      try (PDFAParser parser = Foundries.defaultInstance().createParser(Files.newInputStream(Path.of(file)), flavour)) {
        ValidationResult result = Foundries.defaultInstance().createValidator(flavour, false).validate(parser);
        TreeMap<String, String> broken = new TreeMap<>();
        for (TestAssertion one : result.getTestAssertions()) {
          if (one.getStatus() == TestAssertion.Status.FAILED) {
            broken.putIfAbsent(one.getRuleId().toString(), one.getMessage() + " " + one.getLocation().getContext());
          }
        }
        System.out.println(Path.of(file).getFileName() + ": " + result.getTotalAssertions() + " assertions, broken: " + broken);
        all &= result.isCompliant();
      }
    }
    System.exit(all ? 0 : 1);
  }
}
