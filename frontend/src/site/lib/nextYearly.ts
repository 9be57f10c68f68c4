import { today } from '../../shared/lib/days';

/** The year of the next such day (`12-31`) on or after today, in the site's time zone. */
export function yearOfNext(day: string, now = new Date()): number {
  const here = today(now);
  const year = Number(here.slice(0, 4));
  return day < here.slice(5) ? year + 1 : year;
}
