import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.UniqueId;

/** Lists the cases: it lets none of them run. */
public final class Listed implements ExecutionCondition {
    static final String REASON = "it is listed";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String type = UniqueId.parse(context.getUniqueId()).getLastSegment().getType();
        boolean isCase = !type.endsWith("class") && !type.equals("test-template") && !type.equals("engine");
        return isCase ? ConditionEvaluationResult.disabled(REASON) : ConditionEvaluationResult.enabled("");
    }
}
