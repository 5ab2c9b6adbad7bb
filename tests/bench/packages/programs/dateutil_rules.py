"""dateutil: recurring dates, relative dates and texts parsed to dates."""

import datetime
import hashlib
import sys

from dateutil import easter, parser, rrule
from dateutil.relativedelta import FR, MO, relativedelta

BENCH = {"size": 250, "small": 2}


def run(size):
    start = datetime.datetime(2020, 1, 31, 9, 30)
    lines = []
    for k in range(size):
        rules = rrule.rruleset()
        rules.rrule(rrule.rrule(rrule.MONTHLY, dtstart=start, byweekday=(MO(1), FR(-1)), count=24))
        rules.rrule(rrule.rrulestr(f"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT={20 + k}", dtstart=start))
        rules.exrule(rrule.rrule(rrule.YEARLY, dtstart=start, byeaster=k % 3, count=5))
        days = list(rules)
        lines.append(f"{len(days)} {days[-1]} {easter.easter(1990 + k)}")
        moved = start + relativedelta(months=+k, day=31, weekday=MO(-1), hours=-k)
        lines.append(f"{moved} {relativedelta(moved, start)}")
        spoken = moved.strftime("%d %B %Y at %I:%M %p")
        for text in (moved.ctime(), moved.isoformat() + "+02:00", spoken, f"{k % 28 + 1}.3.21"):
            lines.append(str(parser.parse(text, dayfirst=True, default=start)))
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
