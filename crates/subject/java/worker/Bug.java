/** What {@code Bug} is to a program that the worker runs: it notes which mutants a run reaches. */
public final class Bug {
    private Bug() {}

    public static boolean on(String id) {
        return SubjectWorker.isOn(id);
    }
}
