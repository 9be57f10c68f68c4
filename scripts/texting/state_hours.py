"""Checks crates/sms/data/state_hours.csv, and writes it as the table of docs/texting.md.

    python3 scripts/texting/state_hours.py            writes the table into docs/texting.md
    python3 scripts/texting/state_hours.py --check    fails when a line is not sound or the table differs

Each line has the hours of a state that are stricter than federal law, the state's own holidays, and their source. Where
sources disagree, the stricter one counts. The lines are written and reviewed by hand: the tests in
crates/sms/src/recipient_hours/tests.rs say what each means on a working day, a Saturday, a Sunday and a holiday.
"""

import csv
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATES = ROOT / "crates" / "sms" / "data" / "state_hours.csv"
AREA_CODES = ROOT / "crates" / "sms" / "data" / "area_codes.csv"
DOCUMENT = ROOT / "docs" / "texting.md"
BEGIN, END = "<!-- state hours: scripts/texting/state_hours.py -->", "<!-- end of state hours -->"

FEDERAL = (8 * 60, 21 * 60)
DAYS = ["weekdays", "saturday", "sunday", "holidays"]
HOURS = re.compile(r"(\d\d):([0-5]\d)-(\d\d):([0-5]\d)")


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def problems(rows, known_states):
    """What is wrong with the lines."""
    names = [row["state"] for row in rows]
    if names != sorted(set(names)):
        yield "the states are not in order, or one is there twice"
    for row in rows:
        state = row["state"]
        if state not in known_states:
            yield f"{state}: no area code is there"
        if not row["source"]:
            yield f"{state}: no source"
        if row["own_holidays"] and not row["holidays"]:
            yield f"{state}: has holidays of its own, and no hours on holidays"
        for day in DAYS:
            if (row[day] or day != "holidays") and not is_sound(row[day]):
                yield f"{state}: {day}: {row[day]!r} is neither closed nor within the federal hours"


def is_sound(hours):
    if hours == "closed":
        return True
    match = HOURS.fullmatch(hours)
    if match is None:
        return False
    from_hour, from_minute, to_hour, to_minute = (int(part) for part in match.groups())
    return FEDERAL[0] <= from_hour * 60 + from_minute < to_hour * 60 + to_minute <= FEDERAL[1]


def markdown(rows):
    """The table. An empty cell for holidays means that they are like other days."""
    lines = ["| state | Monday to Friday | Saturday | Sunday | holidays | own holidays | source |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        own = ", ".join(name.replace("_", " ").title() for name in row["own_holidays"].split(";"))
        cells = [row["state"], *(row[day].replace("-", " to ") for day in DAYS), own, row["source"]]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    rows = read(STATES)
    known_states = {state for row in read(AREA_CODES) for state in row["states"].split(";")}
    found = list(problems(rows, known_states))
    before, rest = DOCUMENT.read_text().split(BEGIN)
    _, after = rest.split(END)
    document = f"{before}{BEGIN}\n{markdown(rows)}\n{END}{after}"
    if "--check" not in sys.argv[1:]:
        DOCUMENT.write_text(document)
    elif document != DOCUMENT.read_text():
        found.append("docs/texting.md has another table: run scripts/texting/state_hours.py")
    if found:
        sys.exit("\n".join(found))
    print(f"{len(rows)} states")


if __name__ == "__main__":
    main()
