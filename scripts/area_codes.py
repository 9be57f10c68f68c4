"""Makes the tables of numbers that texts may go to, from the data of the package `phonenumbers` (Apache-2.0), which is
Google's libphonenumber in Python.

    pip install phonenumbers==9.0.43
    python scripts/area_codes.py            writes both tables
    python scripts/area_codes.py --check    fails when they differ from what the package says

crates/sms/data/area_codes.csv has the area codes of +1 that are in use: what kind of number they are, their country (ISO
3166-1; the territories of the United States count as US), their states or provinces, and their time zones. A code that
spans several states or zones has all of them. crates/sms/data/calling_codes.csv has the other calling codes, each with
the countries that share it.

The tables are reviewed by hand: look at every line of the difference before you commit a new version.
"""

import argparse
import csv
import io
import re
import sys
from pathlib import Path

import phonenumbers
from phonenumbers import PhoneNumberType as Type
from phonenumbers.data import _COUNTRY_CODE_TO_REGION_CODE as REGIONS
from phonenumbers.geodata import GEOCODE_DATA
from phonenumbers.tzdata import TIMEZONE_DATA

VERSION = "9.0.43"
DATA = Path(__file__).parents[1] / "crates" / "sms" / "data"

TERRITORIES = {"PR", "VI", "GU", "AS", "MP"}

KINDS = {
    Type.TOLL_FREE: "toll_free",
    Type.PREMIUM_RATE: "premium",
    Type.PERSONAL_NUMBER: "personal",
    Type.FIXED_LINE: "geographic",
    Type.MOBILE: "geographic",
    Type.FIXED_LINE_OR_MOBILE: "geographic",
}

STATES = {
    "Alabama": "AL", "Alaska": "AK", "Arizona": "AZ", "Arkansas": "AR", "California": "CA", "Colorado": "CO",
    "Connecticut": "CT", "Delaware": "DE", "Washington D.C.": "DC", "Florida": "FL", "Georgia": "GA", "Hawaii": "HI",
    "Idaho": "ID", "Illinois": "IL", "Indiana": "IN", "Iowa": "IA", "Kansas": "KS", "Kentucky": "KY", "Louisiana": "LA",
    "Maine": "ME", "Maryland": "MD", "Massachusetts": "MA", "Michigan": "MI", "Minnesota": "MN", "Mississippi": "MS",
    "Missouri": "MO", "Montana": "MT", "Nebraska": "NE", "Nevada": "NV", "New Hampshire": "NH", "New Jersey": "NJ",
    "New Mexico": "NM", "New York": "NY", "North Carolina": "NC", "North Dakota": "ND", "Ohio": "OH", "Oklahoma": "OK",
    "Oregon": "OR", "Pennsylvania": "PA", "Rhode Island": "RI", "South Carolina": "SC", "South Dakota": "SD",
    "Tennessee": "TN", "Texas": "TX", "Utah": "UT", "Vermont": "VT", "Virginia": "VA", "Washington State": "WA",
    "West Virginia": "WV", "Wisconsin": "WI", "Wyoming": "WY", "Puerto Rico": "PR",
    "Alberta": "AB", "British Columbia": "BC", "Manitoba": "MB", "New Brunswick": "NB", "Newfoundland and Labrador": "NL",
    "Nova Scotia": "NS", "Ontario": "ON", "Prince Edward Island": "PE", "Quebec": "QC", "Saskatchewan": "SK",
    "Yukon": "YT", "Northwest Territories": "NT", "Nunavut": "NU",
}  # fmt: skip
ABBREVIATIONS = set(STATES.values())

# The package has no state for these, or too many.
STATES_BY_HAND = {
    "201": "NJ", "257": "BC", "203": "CT", "310": "CA", "713": "TX", "718": "NY", "787": "PR", "939": "PR", "340": "VI", "671": "GU", "670": "MP",
    "684": "AS",
}  # fmt: skip

# Overlays of areas with several zones: the package has only the first of them, and the same numbers are given out in the
# whole area.
OVERLAYS = {
    "448": ["850"], "364": ["270"], "930": ["812"], "458": ["541"], "986": ["208"], "879": ["709"],
    "236": ["250", "604"], "257": ["250", "604"], "672": ["250", "604"], "778": ["250", "604"],
    "273": ["418"], "367": ["418"], "581": ["418"],
}  # fmt: skip

# The package is wrong: 689 is Orlando, an overlay of 407, and 474 is Saskatchewan, which has no summer time.
ZONES_BY_HAND = {"689": "America/New_York", "474": "America/Regina"}


def numbers(code):
    """Numbers of an area code in many of its exchanges."""
    return [phonenumbers.parse(f"+1{code}{exchange}1234") for exchange in range(200, 1000)]


def kind_and_country(code):
    found = set()
    for number in numbers(code):
        region = phonenumbers.region_code_for_number(number)
        kind = KINDS.get(phonenumbers.number_type(number))
        if region and kind:
            found.add((kind, "US" if region in TERRITORIES else region))
    return found


def states(code):
    if code in STATES_BY_HAND:
        return {STATES_BY_HAND[code]}
    found = set()
    for prefix, names in GEOCODE_DATA.items():
        if not prefix.startswith("1" + code):
            continue
        for name in re.split("/", names.get("en", "")):
            last = name.rsplit(", ", 1)[-1].strip()
            found |= {last} & ABBREVIATIONS or ({STATES[last]} if last in STATES else set())
    return found


def zones(code):
    if code in ZONES_BY_HAND:
        return {ZONES_BY_HAND[code]}
    found = set()
    for prefix, names in TIMEZONE_DATA.items():
        if prefix.startswith("1" + code):
            found.update(names)
    return found


def area_codes():
    for npa in range(200, 1000):
        code = str(npa)
        found = kind_and_country(code)
        if not found:
            continue
        # Some countries have a toll-free exchange within their area code.
        found = {(kind, country) for kind, country in found if kind == "geographic"} or found
        if len(found) > 1:
            raise SystemExit(f"{code} is {sorted(found)}: decide by hand")
        [(kind, country)] = found
        area = [code, *OVERLAYS.get(code, [])]
        geographic = kind == "geographic"
        own_states = sorted(set().union(*map(states, area))) if geographic and country in ("US", "CA") else []
        own_zones = sorted(set().union(*map(zones, area))) if geographic else []
        if geographic and not own_zones:
            raise SystemExit(f"{code} has no time zone: decide by hand")
        if geographic and country in ("US", "CA") and not own_states:
            raise SystemExit(f"{code} has no state: decide by hand")
        yield [code, kind, country, ";".join(own_states), ";".join(own_zones)]


def calling_codes():
    for code, regions in sorted(REGIONS.items(), key=lambda item: str(item[0])):
        if code != 1 and regions[0] != "001":
            yield [str(code), ";".join(regions)]


def table(columns, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="compare only")
    check = parser.parse_args().check
    if phonenumbers.__version__ != VERSION:
        raise SystemExit(f"phonenumbers is {phonenumbers.__version__}, not {VERSION}")
    tables = {
        "area_codes.csv": table(["area_code", "kind", "country", "states", "time_zones"], area_codes()),
        "calling_codes.csv": table(["calling_code", "countries"], calling_codes()),
    }
    wrong = [name for name, text in tables.items() if check and (DATA / name).read_text() != text]
    if wrong:
        sys.exit(f"differ from the package: {', '.join(wrong)}")
    if not check:
        DATA.mkdir(exist_ok=True)
        for name, text in tables.items():
            (DATA / name).write_text(text)
    print(f"{sum(text.count(chr(10)) - 1 for text in tables.values())} codes")


if __name__ == "__main__":
    main()
