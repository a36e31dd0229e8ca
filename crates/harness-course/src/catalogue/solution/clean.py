"""Removes the bugs from a Python source on standard input, and prints the result as JSON.

Replaces every `bug(...)` by its correct branch. The source is edited as text, at the positions in the syntax tree, so that comments and
layout stay. Each round makes one change and parses the result again.
"""

import ast
import io
import json
import sys
import tokenize

# Methods and functions that change something.
CHANGING = {
    "add", "append", "appendleft", "clear", "discard", "exit", "extend", "input", "insert", "next",
    "pop", "popitem", "popleft", "print", "read", "readline", "readlines", "remove", "reverse",
    "setdefault", "sort", "update", "write",
}
FORM = (
    "this `bug` cannot be replaced by its correct branch",
    'write it as `wrong if bug("id") else right`, or as the condition of an `if`, alone or with `not`, `and` and `or`',
)
EFFECT = (
    "the condition before this `bug` has an effect, so it cannot be removed",
    "put the `bug` first, or move the effect to a statement of its own",
)


class Refused(Exception):
    def __init__(self, node, why):
        super().__init__(why[0])
        self.node, self.why = node, why


def is_bug(node):
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr == "bug" and isinstance(function.value, ast.Name) and function.value.id == "subject"
    return isinstance(function, ast.Name) and function.id == "bug"


def has_effect(node):
    """Whether an expression certainly has an effect."""
    for inner in ast.walk(node):
        if isinstance(inner, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return True
        if isinstance(inner, ast.Call):
            name = getattr(inner.func, "attr", getattr(inner.func, "id", ""))
            if name in CHANGING:
                return True
    return False


def value(node):
    """What the reference makes of a condition that bugs decide; None for any other."""
    if is_bug(node):
        return False
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = value(node.operand)
        return None if inner is None else not inner
    if isinstance(node, ast.BoolOp):
        decides = isinstance(node.op, ast.Or)
        values = [value(operand) for operand in node.values]
        if decides in values:
            at = values.index(decides)
            if any(has_effect(operand) for operand in node.values[:at]):
                raise Refused(first_bug(node.values[at]), EFFECT)
            return decides
        return None if None in values else not decides
    if isinstance(node, ast.IfExp):
        test = value(node.test)
        if test is not None:
            return value(node.body if test else node.orelse)
        branches = value(node.body), value(node.orelse)
        if None not in branches and branches[0] == branches[1] and not has_effect(node.test):
            return branches[0]
    return None


def first_bug(node):
    return next(inner for inner in ast.walk(node) if is_bug(inner))


class Source:
    def __init__(self, text):
        self.text = text
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.tree = ast.parse(text)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def offset(self, line, column):
        """Positions in the tree count bytes of UTF-8."""
        before = self.lines[line - 1].encode()[:column].decode() if line <= len(self.lines) else ""
        return self.starts[line - 1] + len(before)

    def start(self, node):
        return self.offset(node.lineno, node.col_offset)

    def end(self, node):
        return self.offset(node.end_lineno, node.end_col_offset)

    def outer(self, node, low, high):
        """The range of an operand with the parentheses around it."""
        start, end = self.start(node), self.end(node)
        while True:
            left, right = start - 1, end
            while left >= low and self.text[left].isspace():
                left -= 1
            while right < high and self.text[right].isspace():
                right += 1
            if left < low or right >= high or self.text[left] != "(" or self.text[right] != ")":
                return start, end
            start, end = left, right + 1

    def parts(self, node, children):
        low, high = self.start(node), self.end(node)
        return [self.outer(child, low, high) for child in children]

    def changed(self, edits):
        text = self.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def simplified(source, node):
    """The text of a condition without the bugs in it."""
    if isinstance(node, ast.BoolOp):
        ranges = source.parts(node, node.values)
        text, last = "", None
        for child, (start, end), before in zip(node.values, ranges, [None] + ranges):
            if value(child) is not None:
                continue
            if text:
                text += source.text[before[1]:start]
            text += inside(source, child, start, end)
            last = child
        assert last is not None
        return text
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        ((start, end),) = source.parts(node, [node.operand])
        return source.text[source.start(node):start] + inside(source, node.operand, start, end)
    if isinstance(node, ast.IfExp):
        ranges = source.parts(node, [node.body, node.test, node.orelse])
        test = value(node.test)
        if test is not None:
            child, (start, end) = (node.body, ranges[0]) if test else (node.orelse, ranges[2])
            return inside(source, child, start, end)
        if value(node.body) is not None or value(node.orelse) is not None:
            raise Refused(first_bug(node), FORM)
        edits = [
            (start, end, inside(source, child, start, end))
            for child, (start, end) in zip([node.body, node.test, node.orelse], ranges)
        ]
        low, high = source.start(node), source.end(node)
        text = source.text[low:high]
        for start, end, new in sorted(edits, reverse=True):
            text = text[: start - low] + new + text[end - low:]
        return text
    return source.text[source.start(node):source.end(node)]


def inside(source, node, start, end):
    """The simplified text of an operand in its parentheses."""
    own = source.start(node), source.end(node)
    return source.text[start:own[0]] + simplified(source, node) + source.text[own[1]:end]


def top(source, node):
    """The largest condition that the bug is in."""
    while isinstance(source.parents[node], (ast.BoolOp, ast.IfExp)) or (
        isinstance(source.parents[node], ast.UnaryOp) and isinstance(source.parents[node].op, ast.Not)
    ):
        node = source.parents[node]
    return node


def is_primary(text):
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return False
    return isinstance(node, (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict))


def fold_expression(source, node):
    start, end = source.start(node), source.end(node)
    new = simplified(source, node)
    before = source.text[:start].rstrip()
    is_call = before[:-1].rstrip()[-1:].isalnum() or before[:-1].rstrip()[-1:] in (")", "]", "_")
    is_group = before.endswith("(") and source.text[end:].lstrip().startswith(")")
    word = before[:-1].split()[-1:] or [""]
    if is_group and is_primary(new) and (not is_call or word[0] in ("return", "in", "and", "or", "not", "if", "else")):
        start = len(before) - 1
        end = source.text.index(")", end) + 1
    return source.changed([(start, end, new)])


def lines_in_strings(source):
    """The numbers of the lines that start inside a string."""
    inside_strings = set()
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.STRING or "FSTRING" in tokenize.tok_name[token.type]:
            inside_strings.update(range(token.start[0] + 1, token.end[0] + 1))
    return inside_strings


def block(source, body, column):
    """The lines of statements, indented to the column."""
    first, last = body[0].lineno, body[-1].end_lineno
    while source.lines[first - 2].lstrip().startswith("#") and first > 1:
        first -= 1
    less = body[0].col_offset - column
    fixed = lines_in_strings(source)
    lines = []
    for number in range(first, last + 1):
        line = source.lines[number - 1]
        is_movable = number not in fixed and line[:less].isspace()
        lines.append(line[less:] if is_movable else line)
    return "".join(lines)


def fold_if(source, node, taken):
    """Replaces an `if` by the branch that the reference takes."""
    is_elif = source.text.startswith("elif", source.start(node))
    body = node.body if taken else node.orelse
    first, last = node.lineno, node.end_lineno
    before, after = source.lines[: first - 1], source.lines[last:]
    indent = source.lines[first - 1][: len(source.lines[first - 1]) - len(source.lines[first - 1].lstrip())]
    continues = not taken and len(body) == 1 and source.text.startswith("elif", source.start(body[0]))
    starts_line = not body or continues or not source.lines[body[0].lineno - 1][: body[0].col_offset].strip()
    if not starts_line or not source.lines[first - 1].lstrip().startswith(("if", "elif")):
        raise Refused(first_bug(node.test), FORM)
    if continues:
        rest = "".join(source.lines[body[0].lineno - 1 : last])
        rest = rest if is_elif else rest.replace("elif", "if", 1)
        return "".join(before) + rest + "".join(after)
    if is_elif and body:
        column = node.col_offset + (body[0].col_offset - node.col_offset)
        return "".join(before) + indent + "else:\n" + block(source, body, column) + "".join(after)
    if not body:
        return without(source, node, before, after, indent, is_elif)
    rest = after
    if isinstance(body[-1], (ast.Return, ast.Raise, ast.Break, ast.Continue)):
        siblings = next(
            found for _, found in ast.iter_fields(source.parents[node]) if isinstance(found, list) and node in found
        )
        rest = source.lines[siblings[-1].end_lineno:]
    return "".join(before) + block(source, body, node.col_offset) + "".join(rest)


def without(source, node, before, after, indent, is_elif):
    """The source without a statement and the comment above it."""
    siblings = next(
        found for _, found in ast.iter_fields(source.parents[node]) if isinstance(found, list) and node in found
    )
    if len(siblings) == 1 and not is_elif:
        return "".join(before) + indent + "pass\n" + "".join(after)
    while not is_elif and before and before[-1].startswith(indent + "#"):
        before.pop()
    return joined(before, after)


def joined(before, after):
    """Both parts, with the larger of the gaps between them."""
    gap = []
    while before and after and not before[-1].strip() and not after[0].strip():
        before = before[:-1]
        gap.append(after[0])
        after = after[1:]
    return "".join(before + gap + after)


def step(source, bug):
    node = bug
    while node in source.parents:
        node = source.parents[node]
        # Before Python 3.12, the tree has no places in an f-string.
        if isinstance(node, ast.JoinedStr):
            raise Refused(bug, FORM)
    node = top(source, bug)
    decided = value(node)
    parent = source.parents[node]
    if decided is None:
        return fold_expression(source, node)
    if isinstance(parent, ast.If) and parent.test is node:
        return fold_if(source, parent, decided)
    if isinstance(parent, ast.Return):
        return source.changed([(source.start(node), source.end(node), str(decided))])
    raise Refused(first_bug(node), FORM)


def remove_import(text):
    source = Source(text)
    for node in ast.walk(source.tree):
        is_from = isinstance(node, ast.ImportFrom) and node.module == "subject"
        is_plain = isinstance(node, ast.Import) and [name.name for name in node.names] == ["subject"]
        if is_from or is_plain:
            return joined(source.lines[: node.lineno - 1], source.lines[node.end_lineno:])
    return text


def place(node):
    return node.lineno, node.col_offset


def same(bug, other):
    return bug.args[0].value == other.args[0].value


def clean(text):
    while True:
        source = Source(text)
        bugs = [node for node in ast.walk(source.tree) if is_bug(node)]
        if not bugs:
            return remove_import(text)
        first = min(bugs, key=place)
        try:
            text = step(source, first)
        except Refused as refused:
            # Everything after it is still as it was.
            refused.left = sum(same(bug, refused.node) and place(bug) >= place(refused.node) for bug in bugs)
            raise


def main():
    sys.stdin.reconfigure(encoding="utf-8", newline="")
    try:
        answer = {"text": clean(sys.stdin.read())}
    except Refused as refused:
        answer = {"id": refused.node.args[0].value, "left": refused.left, "message": refused.why[0], "hint": refused.why[1]}
    except SyntaxError as error:
        answer = {"line": error.lineno, "message": f"not valid Python: {error.msg}"}
    print(json.dumps(answer))


main()
