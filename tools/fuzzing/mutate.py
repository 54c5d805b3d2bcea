"""Malformed programs: tests of the compiler with some of their tokens deleted, doubled, moved or exchanged."""
import re
import subprocess

TOKEN = re.compile(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\d[\w.']*|\s+|->|\+\+|--|&&|\|\||::|[-+*/%=<>!&|^]=|.",
                   re.DOTALL)


def parts(text):
    """What stands before the first definition, and the tokens after."""
    lines = text.split("\n")
    start = max([n for n, line in enumerate(lines) if line.startswith("#include")], default=-1) + 1
    return "\n".join(lines[:start]) + "\n", TOKEN.findall("\n".join(lines[start:]))


def mutated(random, text, donor):
    """`text` with one to four changes; tokens come from `donor` too."""
    head, tokens = parts(text)
    others = [t for t in parts(donor)[1] if not t.isspace()]
    for _ in range(random.randint(1, 4)):
        real = [n for n, t in enumerate(tokens) if not t.isspace() and not t.startswith("//")]
        if len(real) < 3:
            break
        at = random.choice(real)
        how = random.randrange(7)
        if how == 0:
            del tokens[at]
        elif how == 1:
            tokens.insert(at, tokens[at] + " ")
        elif how == 2:
            other = random.choice(real)
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif how == 3:
            tokens[at] = random.choice(others)
        elif how == 4:  # a name for another name: often still well formed
            names = [n for n in real if re.match(r"[A-Za-z_]", tokens[n])]
            if names:
                tokens[random.choice(names)] = tokens[random.choice(names)]
        elif how == 5:
            tokens[at] = random.choice(["+", "-", "*", "=", "*=", "&", "&&", "?", ":", ",", ";", "<", "++", "0", "1.5", "[0]", "return", "const",
                                        "auto", "double", "int", "static", "goto", "break;", "continue;", "()", "{}", "(*this)"])
        else:
            other = random.choice(real)
            first, last = sorted((at, other))
            del tokens[first:min(last, first + 12)]
    return head + "".join(tokens)


def verdict(compiler, includes, source, limit=120):
    """None where the compiler ends as it should, else what it did."""
    command = [compiler, "-std=c++20", "-w", "-fsyntax-only", *includes, source]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, errors="replace")
    except subprocess.TimeoutExpired:
        return "hang"
    found = re.search(r"PLEASE submit|Stack dump|Assertion .* failed|error: internal error[^\n]*", done.stderr)
    if found:
        return found[0]
    return None if done.returncode in (0, 1) else f"exit status {done.returncode}"
