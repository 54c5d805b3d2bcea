"""Compiles and runs units of random programs, and says what became of each program."""
import dataclasses
import os
import pathlib
import re
import signal
import subprocess

import unit

# What is a finding, the worst first. `refused` may be one: the generator keeps to what is accepted.
FINDINGS = ("compiler crash", "compiler hang", "bad text", "crash", "hang", "sanitizer", "wrong")


@dataclasses.dataclass
class Verdict:
    kind: str  # right, skipped, refused, invalid, or one of FINDINGS
    detail: str = ""

    def __post_init__(self):
        self.detail = " ".join(self.detail.split())


@dataclasses.dataclass
class Setting:
    """How units are compiled."""
    root: pathlib.Path
    compiler: pathlib.Path
    work: pathlib.Path
    options: tuple = ("-O0",)
    compile_limit: int = 400  # seconds
    run_limit: int = 60
    second: bool = False  # second derivatives too


SANITIZERS = ("-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


class Judge:
    def __init__(self, setting):
        self.setting = setting
        self.units = 0

    def verdicts(self, programs):
        """What became of each program, by name."""
        result = {}
        left = list(programs)
        while left:
            self.units += 1
            source = self.setting.work / f"unit{self.units % 4}.cpp"
            binary = source.with_suffix("")
            source.write_text(unit.unit(left, self.setting.second), encoding="utf-8")
            failure = self.compile(source, binary)
            if failure is None:
                result |= self.run(binary, left)
                break
            found = self.blame(failure, left, source)
            if not found:  # no program is named: judge each alone
                if len(left) == 1:
                    result[left[0].name] = Verdict(failure[0], failure[1][-2000:])
                    break
                half = len(left) // 2
                return result | self.verdicts(left[:half]) | self.verdicts(left[half:])
            result |= found
            left = [p for p in left if p.name not in found]
        return result

    def compile(self, source, binary):
        """None, or (kind, text) of the failure."""
        s = self.setting
        command = [s.compiler, "-std=c++20", "-w", "-ferror-limit=0", "-ffp-contract=off", *s.options,
                   *(f"-I{s.root / folder}" for folder in ("include", "tests/support", "tests/fuzz")),
                   source, "-o", binary]
        # The driver starts processes of its own: they end with it.
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                              start_new_session=True) as running:
            try:
                errors = running.communicate(timeout=s.compile_limit)[1]
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                return "compiler hang", ""
        if running.returncode == 0:
            return None
        crashed = running.returncode != 1 or re.search(r"PLEASE submit|Stack dump|Assertion .* failed|unable to execute command", errors)
        return ("compiler crash" if crashed else "refused"), errors

    def blame(self, failure, programs, source):
        """The programs whose lines the errors name."""
        kind, text = failure
        if kind != "refused":
            return {}
        starts = []
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            if (found := re.match(r"namespace (\w+) \{$", line)) and found[1] not in ("plain", "dual", "twice"):
                starts.append((number, found[1]))
        names = {p.name for p in programs}
        result = {}
        for line in text.splitlines():
            found = re.match(rf"{re.escape(str(source))}:(\d+):\d+: (?:fatal )?error: (.*)", line)
            if not found:
                continue
            owner = [name for number, name in starts if number <= int(found[1])]
            if owner and owner[-1] in names and owner[-1] not in result:
                message = found[2]
                kind = "refused" if message.startswith(("cannot differentiate", "ddx:")) else "invalid"
                result[owner[-1]] = Verdict(kind, message)
        if not result and len(programs) == 1:
            errors = re.findall(r"error: .*", text)
            # What cannot be differentiated twice is refused in the text of the first derivative.
            refused = errors and errors[0].startswith("error: cannot differentiate") and "internal error" not in text
            ours = "internal error" in text or "<derivatives>" in text
            result[programs[0].name] = Verdict("refused" if refused else "bad text" if ours else "invalid",
                                               errors[0] if errors else text[-500:])
        return result

    def run(self, binary, programs):
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=0"}

        def start(names):
            try:
                done = subprocess.run([binary, *names], capture_output=True, text=True, errors="replace",
                                      timeout=self.setting.run_limit, env=environment)
                return done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired:
                return -1000, "", ""

        code, out, errors = start([])
        if code in (0, 1) and "Sanitizer" not in errors:
            return self.read(out, programs)
        result = {}
        for p in programs:
            code, out, errors = start([p.name])
            if "Sanitizer" in errors or "runtime error" in errors:
                found = re.search(r"(SUMMARY|runtime error).*", errors)
                result[p.name] = Verdict("sanitizer", found[0] if found else errors[-500:])
            elif code == -1000:
                result[p.name] = Verdict("hang")
            elif code not in (0, 1):
                result[p.name] = Verdict("crash", f"exit status {code} {errors[-300:]}")
            else:
                result |= self.read(out, [p])
        return result

    @staticmethod
    def read(out, programs):
        result = {p.name: Verdict("skipped", "") for p in programs}
        for line in out.splitlines():
            word, name, *rest = line.split(" ", 2)
            if word == "right" and result[name].kind == "skipped":
                result[name] = Verdict("right")
            elif word == "wrong":
                kind = "invalid" if "oracle" in line else "wrong"
                result[name] = Verdict(kind, rest[0])
            elif word == "skipped" and result[name].kind == "skipped":
                result[name] = Verdict("skipped", rest[0].split(": ")[-1])
        return result
