# Disguises modules in Python: functions do what they did, and their code is another one each time. What is learned about one disguise,
# such as how far two instructions or two lines lie apart, does not hold for the next.
import __future__
import ast
import functools
import random
import re
import types

FUTURE = functools.reduce(int.__or__, (getattr(__future__, it).compiler_flag for it in __future__.all_feature_names))
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
# What has variables of its own, and no statements.
SCOPES = ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
# A function that calls one of these may see its variables.
SEE_VARIABLES = {"locals", "vars", "dir", "eval", "exec"}
# Where an expression may become another one with the same value.
VALUES = {
    ast.Return: {"value"}, ast.Assign: {"value"}, ast.AugAssign: {"value"}, ast.AnnAssign: {"value"}, ast.Yield: {"value"},
    ast.Call: {"args"}, ast.keyword: {"value"}, ast.BinOp: {"left", "right"}, ast.UnaryOp: {"operand"}, ast.BoolOp: {"values"},
    ast.Compare: {"left", "comparators"}, ast.IfExp: {"test", "body", "orelse"}, ast.If: {"test"}, ast.While: {"test"},
    ast.For: {"iter"}, ast.Raise: {"exc"}, ast.Assert: {"test"}, ast.Attribute: {"value"}, ast.Subscript: {"value", "slice"},
    ast.FormattedValue: {"value"}, ast.Match: {"subject"}, ast.Dict: {"values"}, ast.List: {"elts"}, ast.Tuple: {"elts"},
    ast.Set: {"elts"},
}
# What a function does not evaluate, and what may only be what it is.
KEPT = {
    ast.AnnAssign: {"target", "annotation"}, ast.match_case: {"pattern"}, ast.Lambda: {"args"}, ast.FormattedValue: {"format_spec"},
}
METHODS = ["append", "insert", "extend", "remove", "pop", "sort", "get", "items", "keys", "join", "split", "add", "copy", "index"]
# Statements without effect: `Z` is false, and `U` and `V` are variables that nothing uses.
NOTHING = [
    "U = 7", "U, V = 7, 7", "U = V = 7", "U = [7]", "U = Z or 7", "if Z: U = Z.M(7)", "if Z: U = Z.M[7]\nelse: V = 7", "U = 'M'",
    "while Z: U = Z.M", "for U in []: V = 7", "try: U = 7\nfinally: V = 7", "assert not Z", "U = 7 if Z else Z", "U = Z, 7",
]
NOTHING_WITHOUT_VARIABLES = ["[]", "{}", "[[], {}]", "if []: [].M(7)", "while []: {}.M", "assert not []", "[[], 7]", "{7: []}"]


class Disguise:
    """Disguises one module. Each function gets a variable that is false, one that is a number, and some that nothing uses."""

    def __init__(self, text):
        taken = set(re.findall(r"\w+", text))
        self.taken, self.has_variables = taken, not taken & SEE_VARIABLES
        self.zero, self.number, self.unused = None, None, []
        # How many lines it has become longer.
        self.more = 0

    def name(self):
        while True:
            name = f"_{random.randrange(10 ** 6)}"
            if name not in self.taken:
                return name

    def function(self, node):
        outer = self.zero, self.number, self.unused
        has_text = ast.get_docstring(node, clean=False) is not None
        start, body = node.body[:has_text], node.body[has_text:]
        if self.has_variables:
            self.zero, *self.unused = (self.name() for _ in range(5))
            self.number = self.name(), random.randrange(1, 1000)
            false = random.choice(("0", "None", "False", "()"))
            first = random.sample((f"{self.zero} = {false}", "{} = {}".format(*self.number)), 2)
            start += parsed("\n".join(first), node.lineno + self.more)
        node.body = start + self.block(body)
        self.zero, self.number, self.unused = outer

    def block(self, statements):
        """Statements that do the same."""
        found = []
        for statement in statements:
            while random.random() < 0.4:
                found += self.nothing(statement)
            self.more += random.randrange(3)
            found += self.statement(statement)
        return found

    def nothing(self, where):
        """A statement without effect."""
        text = random.choice(NOTHING if self.zero else NOTHING_WITHOUT_VARIABLES)
        text = re.sub("7", lambda _: str(random.randrange(1000)), text)
        text = re.sub("M", lambda _: random.choice(METHODS), text)
        if self.zero:
            u, v = random.sample(self.unused, 2)
            text = text.replace("Z", self.zero).replace("U", u).replace("V", v)
        return parsed(text, where.lineno + self.more)

    def statement(self, node):
        if isinstance(node, FUNCTIONS):
            self.function(node)
            return [node]
        if isinstance(node, ast.ClassDef):
            # Its variables are its attributes.
            for _, (function, _) in functions(node):
                self.function(function)
            return [node]
        self.inside(node)
        if isinstance(node, ast.If) and random.random() < 0.5:
            node.test = at(node.test, ast.UnaryOp(ast.Not(), node.test))
            node.body, node.orelse = node.orelse or [at(node, ast.Pass())], node.body
        elif isinstance(node, ast.While) and not node.orelse and random.random() < 0.4:
            leave = ast.If(at(node.test, ast.UnaryOp(ast.Not(), node.test)), [at(node, ast.Break())], [])
            node.test, node.body = at(node, ast.Constant(True)), [at(node, leave), *node.body]
        elif isinstance(node, ast.Return) and node.value and self.zero and random.random() < 0.4:
            kept = at(node, ast.Assign([at(node, ast.Name(self.unused[0], ast.Store()))], node.value))
            node.value = at(node, ast.Name(self.unused[0], ast.Load()))
            return [kept, node]
        return [node]

    def inside(self, node):
        """Changes what is in a node, and moves it down as far as there is more before it."""
        if hasattr(node, "lineno"):
            node.lineno += self.more
            node.end_lineno += self.more
        kind = type(node)
        values, kept = VALUES.get(kind, ()), KEPT.get(kind, ())
        is_read = not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        for field in node._fields:
            value = getattr(node, field, None)
            if field in kept or not value:
                continue
            change = self.value if field in values and (is_read or field != "elts") else self.same
            if isinstance(value, ast.AST):
                setattr(node, field, change(value))
            elif isinstance(value, list) and isinstance(value[0], ast.stmt):
                setattr(node, field, self.block(value))
            elif isinstance(value, list):
                setattr(node, field, [change(it) if isinstance(it, ast.AST) else it for it in value])

    def same(self, node):
        if isinstance(node, SCOPES):
            zero, number, self.zero, self.number = self.zero, self.number, None, None
            self.inside(node)
            self.zero, self.number = zero, number
        else:
            self.inside(node)
        return node

    def value(self, node):
        """An expression with the same value."""
        node = self.same(node)
        if isinstance(node, (ast.Starred, ast.Slice)) or random.random() < 0.5:
            return node
        if type(getattr(node, "value", None)) is int and isinstance(node, ast.Constant) and self.number:
            name, number = self.number
            left, right = at(node, ast.Name(name, ast.Load())), at(node, ast.Constant(node.value - number))
            sides = random.sample([left, right], 2)
            return at(node, ast.BinOp(sides[0], ast.Add(), sides[1]))
        return random.choice((self.either, self.chosen, self.only))(node)

    def false(self, node):
        if self.zero and random.random() < 0.8:
            return at(node, ast.Name(self.zero, ast.Load()))
        return at(node, random.choice((ast.List([], ast.Load()), ast.Dict([], []))))

    def either(self, node):
        return at(node, ast.BoolOp(ast.Or(), [self.false(node), node]))

    def chosen(self, node):
        return at(node, ast.IfExp(self.false(node), self.false(node), node))

    def only(self, node):
        display = random.choice((ast.List, ast.Tuple))([node], ast.Load())
        return at(node, ast.Subscript(at(node, display), at(node, ast.Constant(0)), ast.Load()))


def at(place, new):
    return ast.copy_location(new, place)


def parsed(text, line):
    """Statements on a line."""
    module = ast.parse(text)
    ast.increment_lineno(module, line - 1)
    return module.body


# The disguises of each function, by its code. Making one takes longer than all else, so that each is used a few times.
made = {}
MOST = 3
NEW = 1 / 40
IS_OPTIMIZED = 1  # in the flags of a function's code, and not in those of a class


def functions(node, around=()):
    """The functions in a module or a class by their names and first lines, each with the classes around it."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, field, ()):
            if isinstance(inner, FUNCTIONS):
                first = min([inner.lineno, *(it.lineno for it in inner.decorator_list)])
                yield (inner.name, first), (inner, around)
            else:
                yield from functions(inner, (*around, inner.name) if isinstance(inner, ast.ClassDef) else around)


def disguised(text, name):
    """The code of a module with disguises of its functions."""
    @functools.cache
    def found():
        return dict(functions(ast.parse(text, name)))

    def another(code):
        key = code.co_name, code.co_firstlineno
        if key not in found():
            return code
        node, around = found()[key]
        Disguise("\n".join(text.split("\n")[code.co_firstlineno - 1:node.end_lineno])).function(node)
        # The names of classes are a part of some names in them.
        for it in reversed(around):
            node = at(node, ast.ClassDef(it, [], [], [node], []))
        flags = code.co_flags & FUTURE
        inside = compile(ast.Module([node], []), name, "exec", flags, dont_inherit=True)
        for it in (*around, key[0]):
            inside = next(inner for inner in inside.co_consts if isinstance(inner, types.CodeType) and inner.co_name == it)
        return inside

    def one_of(code):
        known = made.setdefault(code.replace(co_firstlineno=1), [])
        if len(known) == MOST and random.random() >= NEW:
            return random.choice(known)
        if len(known) == MOST:
            known.pop(random.randrange(MOST))
        known.append(another(code))
        return known[-1]

    def with_disguises(code):
        def changed(it):
            if not isinstance(it, types.CodeType):
                return it
            return one_of(it) if it.co_flags & IS_OPTIMIZED else with_disguises(it)
        return code.replace(co_consts=tuple(map(changed, code.co_consts)))

    return with_disguises(compile(text, name, "exec", dont_inherit=True))
