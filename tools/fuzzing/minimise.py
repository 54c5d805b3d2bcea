"""Cuts a program down while what is found of it stays the same."""
import copy
import re

from tree import Compound, Line


def bodies(program):
    """Every list of nodes in the program."""
    found = [program.definitions, program.body]
    for nodes in found:  # grows while it is walked
        for node in nodes:
            if isinstance(node, Compound):
                found += [body for _, body in node.parts]
    return found


def groups(text):
    """The balanced parentheses in `text`, as (start, end), the longest first."""
    found, open_ = [], []
    for at, c in enumerate(text):
        if c == "(":
            open_.append(at)
        elif c == ")" and open_:
            start = open_.pop()
            found.append((start, at + 1))
    return sorted(found, key=lambda g: g[0] - g[1])


def simpler_lines(text):
    """Shorter forms of a statement: part of an expression becomes one of its operands or a number."""
    result = []
    for start, end in groups(text):
        begin = start
        while begin > 0 and re.match(r"[\w:<>]", text[begin - 1]):
            begin -= 1
        inside = text[start + 1:end - 1]
        for replacement in [*re.split(r" [-+*/?:] |, ", inside), "1.5", "0.5"]:
            candidate = text[:begin] + replacement + text[end:]
            if len(candidate) < len(text):
                result.append(candidate)
    for found in re.finditer(r"(?<= )[-+*/] [\w.\[\]]+(?=[;)])", text):
        result.append(text[:found.start()].rstrip() + text[found.end():])
    return list(dict.fromkeys(result))


def candidates(program):
    """Programs with one cut each, the deepest cuts first."""
    result = []

    def cut(change):
        changed = copy.deepcopy(program)
        change(changed)
        if changed.consistent():
            result.append(changed)

    lists = bodies(program)
    for number, nodes in enumerate(lists):
        run = len(nodes) // 2
        while run > 1:
            for at in range(0, len(nodes) - run + 1, run):
                if not any(node.fixed for node in nodes[at:at + run]):
                    def cut_run(p, n=number, a=at, k=run):
                        del bodies(p)[n][a:a + k]
                    cut(cut_run)
            run //= 2
        for at in range(len(nodes)):
            node = nodes[at]
            if not node.fixed:
                cut(lambda p, n=number, a=at: bodies(p)[n].pop(a))
            if isinstance(node, Compound):
                if not node.fixed:
                    for part in range(len(node.parts)):
                        def splice(p, n=number, a=at, k=part):
                            target = bodies(p)[n]
                            target[a:a + 1] = target[a].parts[k][1]
                        cut(splice)
                for part in range(1, len(node.parts)):
                    cut(lambda p, n=number, a=at, k=part: bodies(p)[n][a].parts.pop(k))
    result.sort(key=lambda p: p.count())
    for at in range(len(program.arguments)):
        if len(program.arguments) > 1:
            cut(lambda p, a=at: p.arguments.pop(a))
    for number, nodes in enumerate(lists):
        for at, node in enumerate(nodes):
            if isinstance(node, Line):
                for text in simpler_lines(node.text):
                    def replace(p, n=number, a=at, t=text):
                        bodies(p)[n][a].text = t
                    cut(replace)
            elif node.parts:
                for text in simpler_lines(node.parts[0][0]):
                    def head(p, n=number, a=at, t=text):
                        bodies(p)[n][a].parts[0][0] = t
                    cut(head)
    return result


def minimise(program, kind, judge, batch=14, rounds=400):
    """The smallest program found of which `judge` says `kind`."""
    program = copy.deepcopy(program)
    detail = judge.verdicts([program])[program.name].detail
    found = re.search(r"point (\d)", detail)
    if found:
        single = copy.deepcopy(program)
        for a in single.arguments:
            a.values = [a.values[int(found[1])]]
        single.points = 1
        if judge.verdicts([single])[single.name].kind == kind:
            program = single

    def same(verdict):
        return verdict and verdict.kind == kind and (kind != "refused" or verdict.detail == detail)

    alone = kind.startswith("compiler") or kind == "bad text"
    for _ in range(rounds):
        left = candidates(program)
        better = None
        while left and better is None:
            now, left = left[:1 if alone else batch], left[1 if alone else batch:]
            for number, p in enumerate(now):
                p.name = f"c{number}"
            verdicts = judge.verdicts(now)
            better = next((p for p in now if same(verdicts.get(p.name))), None)
        if better is None:
            break
        better.name = program.name
        program = better
    return program
