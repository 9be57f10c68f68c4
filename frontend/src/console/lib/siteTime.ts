/** Times as people write them where the site is: `2026-11-21T15:04`, as inputs of the type datetime-local give them. */

const HOUR_MS = 3_600_000;

/**
 * The moments at which a clock of this zone shows this time: none where the clocks skip it in spring, two
 * where they show it twice in autumn, one on any other day. None either for an invalid time.
 */
export function momentsOf(wallTime: string, timeZone: string): Date[] {
  const asUtc = Date.parse(`${wallTime}Z`);
  if (Number.isNaN(asUtc)) return [];
  // The zone's offsets shortly before and after: they differ only around a change of the clocks.
  const offsets = [-24 * HOUR_MS, 24 * HOUR_MS].map((away) => offsetAt(asUtc + away, timeZone));
  return [...new Set(offsets)]
    .map((offset) => new Date(asUtc - offset))
    .filter((moment) => wallTimeOf(moment, timeZone) === wallTime)
    .sort((one, other) => one.getTime() - other.getTime());
}

/** What a clock of this zone shows at this moment, to the minute. */
export function wallTimeOf(moment: Date, timeZone: string): string {
  // The Swedish way of writing times is the ISO one, but for the T.
  const words = moment.toLocaleString('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return words.replace(' ', 'T');
}

/** How far the zone's clocks are ahead of UTC. */
function offsetAt(time: number, timeZone: string): number {
  const minute = Math.floor(time / 60_000) * 60_000;
  return Date.parse(`${wallTimeOf(new Date(minute), timeZone)}Z`) - minute;
}

/** What the zone calls itself at this moment: `EST`, `GMT+2`. */
export function zoneNameAt(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  const name = parts.formatToParts(moment).find(({ type }) => type === 'timeZoneName');
  return name?.value ?? timeZone;
}
