// One node of OpenSearch, as its distribution starts it, from the jars of pom.xml: java -cp 'jars/*' OpenSearchNode.java FOLDER name=value…
import java.nio.file.Path;
import java.util.List;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

public final class OpenSearchNode extends Node {
  private OpenSearchNode(Settings settings) {
    super(new Environment(settings, null), List.<Class<? extends Plugin>>of(Netty4Plugin.class, CommonAnalysisPlugin.class), true);
  }

  public static void main(String[] args) throws Exception {
    Settings.Builder settings = Settings.builder();
    settings.put("path.home", Path.of(args[0]).toAbsolutePath().toString());
    settings.put("transport.type", "netty4").put("http.type", "netty4").put("network.host", "127.0.0.1");
    settings.put("action.auto_create_index", "false");
    for (int i = 1; i < args.length; ++i) {
      int equals = args[i].indexOf('=');
      settings.put(args[i].substring(0, equals), args[i].substring(equals + 1));
    }
    Node node = new OpenSearchNode(settings.build());
    node.start();
    Thread.currentThread().join();
  }
}
