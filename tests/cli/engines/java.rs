//! The worker for Java: what a program does there is what it does in a process.

use super::{Course, VERDICTS, course, exposed, has, score};
use std::fs;

const JAVA: &str = r#"
import java.util.Scanner;
public class Words {
    private static final Scanner SCANNER = new Scanner(System.in);
    private static int words;
    public static void main(String[] args) {
        while (SCANNER.hasNext()) {
            String word = SCANNER.next();
            if (Bug.on("crashes-at-x") && word.startsWith("x")) throw new IllegalStateException("x");
            while (Bug.on("never-ends-at-y") && word.startsWith("y")) words = 1 - words;
            try {
                if (Bug.on("fails-at-z") && word.startsWith("z")) System.exit(3);
            } catch (Throwable swallowed) {
                System.out.println("still here");
            } finally {
                words += Bug.on("counts-twice") ? 2 : 1;
            }
        }
        System.out.println(words);
    }
}
"#;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn it_gives_the_verdicts_of_processes() {
    if !has(&["java", "javac"]) {
        return;
    }
    let course = course("java", JAVA);
    let fast = score(&course, "auto");
    // An exception that nothing catches is an exit status in Java.
    let expected = VERDICTS.map(|(id, how)| (id, if how == "crash" { "exit" } else { how }));
    assert_eq!(exposed(&fast), expected);
    assert_eq!(fast.assignments[0].engines, []);
    assert_eq!(score(&course, "worker"), fast);
    assert_eq!(score(&course, "process"), fast);
}

/// What programs in Java do beside computing, and whether the worker can run a program that does it.
const DEEDS: [(&str, bool); 13] = [
    (
        "int[] count = {0}; try { deep(count); } catch (StackOverflowError e) { System.out.println(count[0] > 1000); }",
        true,
    ),
    ("for (int i = 0; i < 200_000; i++) System.out.println(i);", true),
    ("System.out.write(0xff); System.out.write(0xfe); System.out.flush();", true),
    ("System.out.print(\"not flushed\"); System.out.write('x');", true),
    ("System.out.println(\"caf\\u00e9 \" + java.nio.charset.Charset.defaultCharset());", true),
    (
        "System.setOut(new java.io.PrintStream(new java.io.ByteArrayOutputStream())); System.out.println(1);",
        true,
    ),
    (
        "System.out.println(System.getProperty(\"mark\")); System.setProperty(\"mark\", \"seen\");",
        true,
    ),
    (
        "System.out.printf(\"%.1f\", 1.5); java.util.Locale.setDefault(java.util.Locale.GERMANY);",
        true,
    ),
    (
        "try { throw new Exception(\"a\", new Exception(\"b\")); } catch (Exception e) { e.printStackTrace(System.out); }",
        true,
    ),
    ("new java.util.Scanner(System.in).next(); new java.util.Scanner(System.in).next();", true),
    (
        "java.nio.file.Files.writeString(java.nio.file.Path.of(\"f\"), \"x\"); System.out.println(new java.io.File(\".\").list().length);",
        true,
    ),
    (
        "Thread t = new Thread(() -> System.out.println(Thread.currentThread().getName())); t.start(); t.join();",
        false,
    ),
    ("Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(\"bye\")));", false),
];

/// A course whose program does one of these deeds if it reads the number of the deed alone, as it does in a test of its own.
fn doing(deeds: &[&str]) -> Course {
    let case = |(number, deed): (usize, &&str)| format!("case \"{number}\": {{ {deed} }} break;");
    let cases: Vec<_> = deeds.iter().enumerate().map(case).collect();
    let end = "        System.out.println(words);\n";
    // The witness has two words, so the mutant counts.
    let choice = format!("{end}        if (words == 1) switch (last) {{ {} }}\n", cases.join(" "));
    let program = JAVA.replace(end, &choice);
    let program = program.replace("SCANNER.next();", "SCANNER.next();\n            last = word;");
    let last = "    private static String last;\n    private static int words;";
    let program = program.replace("    private static int words;", last);
    let program = program.replace("String[] args)", "String[] args) throws Exception");
    let deep = "    static void deep(int[] count) { count[0]++; deep(count); }\n    public static void main";
    let program = program.replace("    public static void main", deep);
    // No other mutant does anything there. Each would run on every test, in a process of its own.
    let others = VERDICTS.map(|(id, _)| id).into_iter().filter(|id| *id != "counts-twice");
    let program = others
        .fold(program, |program, id| program.replace(&format!("Bug.on(\"{id}\")"), "words < 0"));
    let course = course("java", &program);
    course.keep_mutants(&["counts-twice"]);
    fs::remove_dir_all(course.path("suite")).unwrap();
    let add = |course: Course, number| {
        course.file(&format!("suite/test-{}.txt", 1 + number), format!("{number}"))
    };
    (0..deeds.len()).fold(course, add)
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn what_a_program_does_there_is_what_it_does_in_a_process() {
    if !has(&["java", "javac"]) {
        return;
    }
    let of = |wanted| {
        let deeds = DEEDS.iter().filter(move |(_, has_worker)| *has_worker == wanted);
        deeds.map(|(deed, _)| *deed).collect::<Vec<_>>()
    };
    let (with, without) = (of(true), of(false));
    // A suite has at most nine files. A program that does several deeds says nothing of which one keeps it from the worker.
    let groups = with.chunks(6).map(|deeds| (deeds, true));
    for (deeds, has_worker) in groups.chain(without.chunks(1).map(|deeds| (deeds, false))) {
        let course = doing(deeds);
        let fast = score(&course, "auto");
        let engines = &fast.assignments[0].engines;
        assert_eq!(engines.is_empty(), has_worker, "{deeds:?}: {engines:?}");
        let slow = score(&course, "process");
        // One deed prints more than a program may.
        let valid = slow.assignments[0].suites[0].valid_tests();
        assert!(valid > 0 && valid + 1 >= deeds.len(), "{deeds:?}: {valid}");
        assert_eq!(exposed(&slow), exposed(&fast), "{deeds:?}");
        assert_eq!(slow.assignments[0].suites, fast.assignments[0].suites, "{deeds:?}");
    }
}
