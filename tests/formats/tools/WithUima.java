// Reads zip files of XMI and its type system with Apache UIMA, says what is in them, and writes them again.
//
// java -cp uimaj-core.jar:… WithUima.java FOLDER: reads FOLDER/given/*.zip, writes FOLDER/returned/*.zip, and prints a
// line an annotation: file, type, covered text, and features, in the hexadecimal digits of UTF-8.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.apache.uima.UIMAFramework;
import org.apache.uima.cas.CAS;
import org.apache.uima.cas.Feature;
import org.apache.uima.cas.impl.XmiCasDeserializer;
import org.apache.uima.cas.impl.XmiCasSerializer;
import org.apache.uima.cas.text.AnnotationFS;
import org.apache.uima.resource.metadata.TypeSystemDescription;
import org.apache.uima.util.CasCreationUtils;
import org.apache.uima.util.XMLInputSource;

public class WithUima {
    public static void main(String[] given) throws Exception {
        File folder = new File(given[0]);
        File returned = new File(folder, "returned");
        returned.mkdirs();
        File[] files = new File(folder, "given").listFiles();
        for (File file : files) {
            if (file.getName().endsWith(".zip")) {
                read(file, new File(returned, file.getName()));
            }
        }
        System.out.println("VERSION apache-uima " + UIMAFramework.getVersionString());
    }

    private static void read(File file, File returned) throws Exception {
        byte[] types = null;
        byte[] xmi = null;
        String name = null;
        try (ZipFile archive = new ZipFile(file)) {
            for (ZipEntry entry : archive.stream().toArray(ZipEntry[]::new)) {
                try (InputStream in = archive.getInputStream(entry)) {
                    if (entry.getName().equals("TypeSystem.xml")) {
                        types = in.readAllBytes();
                    } else {
                        name = entry.getName();
                        xmi = in.readAllBytes();
                    }
                }
            }
        }
        TypeSystemDescription described = UIMAFramework.getXMLParser()
                .parseTypeSystemDescription(new XMLInputSource(new ByteArrayInputStream(types), null));
        CAS cas = CasCreationUtils.createCas(described, null, null);
        XmiCasDeserializer.deserialize(new ByteArrayInputStream(xmi), cas);
        for (AnnotationFS one : cas.getAnnotationIndex()) {
            StringBuilder line = new StringBuilder("SEEN " + file.getName() + " " + one.getType().getName());
            line.append(" " + hex(one.getCoveredText()));
            for (Feature feature : one.getType().getFeatures()) {
                String value = feature.getRange().isPrimitive() ? one.getFeatureValueAsString(feature) : null;
                if (value != null && !feature.getShortName().matches("begin|end")) {
                    line.append(" " + feature.getShortName() + "=" + hex(value));
                }
            }
            System.out.println(line);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        XmiCasSerializer.serialize(cas, out);
        ByteArrayOutputStream system = new ByteArrayOutputStream();
        described.toXML(system);
        try (ZipOutputStream archive = new ZipOutputStream(new FileOutputStream(returned))) {
            archive.putNextEntry(new ZipEntry(name));
            archive.write(out.toByteArray());
            archive.putNextEntry(new ZipEntry("TypeSystem.xml"));
            archive.write(system.toByteArray());
        }
    }

    private static String hex(String text) {
        StringBuilder found = new StringBuilder(":");
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            found.append(String.format("%02x", one));
        }
        return found.toString();
    }
}
