"""A program as a tree of statements, which can be printed and cut."""
import dataclasses
import re

IDENTIFIER = re.compile(r"(?<!::)\b[a-z]+\d+\b(?!x)")  # what the generator names; each name is used once


@dataclasses.dataclass
class Line:
    """A statement without statements inside. `fixed`: the program means nothing without it."""
    text: str
    fixed: bool = False

    def print(self, indent):
        return ["  " * indent + self.text]

    def count(self):
        return 1


@dataclasses.dataclass
class Compound:
    """A statement with bodies: each has its head line; `end` closes the last."""
    parts: list  # of [head, list of nodes]
    end: str = "}"
    fixed: bool = False

    def print(self, indent):
        result = []
        for head, body in self.parts:
            result.append("  " * indent + head)
            for node in body:
                result += node.print(indent + 1)
        return result + ["  " * indent + self.end]

    def count(self):
        return 1 + sum(node.count() for _, body in self.parts for node in body)


@dataclasses.dataclass
class Argument:
    """A parameter of the program: its type, name, and initialisers at each point."""
    type: str
    name: str
    values: list


@dataclasses.dataclass
class Program:
    """One random program. `definitions` (structs, functions) and `body` are trees."""
    name: str
    definitions: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    result: str = "double"
    body: list = dataclasses.field(default_factory=list)
    points: int = 3
    mixed: bool = False  # computes in float somewhere
    covered: set = dataclasses.field(default_factory=set)

    def text(self):
        lines = []
        for node in self.definitions:
            lines += node.print(0)
        parameters = ", ".join(
            (f"{a.type} {a.name}" if a.type in ("double", "float", "int") else f"const {a.type}& {a.name}")
            for a in self.arguments)
        lines.append(f"{self.result} program({parameters}) {{")
        for node in self.body:
            lines += node.print(1)
        return "\n".join(lines + ["}"])

    def count(self):
        return sum(node.count() for node in self.definitions + self.body)

    def consistent(self):
        """False where a name is used that nothing declares any more."""
        text = self.text()
        declared = set(DECLARED.findall(text))
        declared |= set(CAPTURED.findall(text))
        for names in BINDINGS.findall(text):
            declared |= set(IDENTIFIER.findall(names))
        return set(IDENTIFIER.findall(text)) <= declared


# A name is declared where a type, `&`, `*`, `>` or a capture stands before it; over-accepting here
# only costs a candidate that does not compile.
DECLARED = re.compile(
    r"(?:(?:double|float|int|bool|char|short|auto|void|struct|std::size_t|std::thread|std::any|unsigned|class|[A-Z]\w*|>)[&*]{0,2} "
    r"|\[=, |\(\*(?:const )?|::\*const |int \w+ = 0, )([a-z]+\d+)\b")
CAPTURED = re.compile(r"(?:\[|, )([a-z]+\d+) = ")
BINDINGS = re.compile(r"auto[&]* \[([^\]]*)\]")
