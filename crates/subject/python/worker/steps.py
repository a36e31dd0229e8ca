"""Compiles a program so that it counts its steps."""

import ast
import functools
import types
__builtins__ = dict(__builtins__)  # what a program changes does not reach this module

MARK = "\0tick"  # stands in the tree for the function that counts
tick = functools.partial(int)  # every run gives it another counter


class Counting(ast.NodeTransformer):
    """Makes a program count its steps: the rounds of its loops and comprehensions, and its calls."""

    def call(self, place):
        call = ast.Call(ast.Constant(MARK), [], [])
        return ast.fix_missing_locations(ast.copy_location(call, place))

    def counted_body(self, node):
        self.generic_visit(node)
        first = node.body[0]
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        at = 1 if is_text and not isinstance(node, (ast.For, ast.AsyncFor, ast.While)) else 0
        place = node.body[min(at, len(node.body) - 1)]
        node.body.insert(at, ast.copy_location(ast.Expr(self.call(place)), place))
        return node

    visit_For = visit_AsyncFor = visit_While = counted_body
    visit_FunctionDef = visit_AsyncFunctionDef = counted_body

    def visit_Lambda(self, node):
        self.generic_visit(node)
        body = ast.BoolOp(ast.Or(), [self.call(node.body), node.body])
        node.body = ast.copy_location(body, node.body)
        return node

    def visit_comprehension(self, node):
        self.generic_visit(node)
        place = node.target
        node.ifs.insert(0, ast.copy_location(ast.UnaryOp(ast.Not(), self.call(place)), place))
        return node


def with_counter(code):
    """The code with the function `tick` in place of its mark."""
    consts = tuple(
        tick if const == MARK and isinstance(const, str)
        else with_counter(const) if isinstance(const, types.CodeType)
        else const
        for const in code.co_consts
    )
    return code.replace(co_consts=consts)


def count_steps(tree, path):
    """The code of a program that counts its steps."""
    return with_counter(compile(Counting().visit(tree), path, "exec", dont_inherit=True))
