import { today } from '../../../../shared/lib/days';

/** What stands in the calendar. */
interface CalendarEvent {
  /** Unique, and the same for the same event, so that a second file replaces the first. */
  uid: string;
  start: Date;
  end: Date;
  title: string;
  text: string;
  url: string;
}

/** The planned day of the next drawing, `2026-12-01`: the 1st of the coming month where the site is. */
export function nextDrawingDay(now: Date): string {
  const [year = 0, month = 0] = today(now).split('-').map(Number);
  // Date.UTC counts months from 0, so this month's number is the next month's index.
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/** The moment at which it is noon in a time zone. */
export function noonIn(timeZone: string, day: string): Date {
  const noon = Date.parse(`${day}T12:00:00Z`);
  // The Swedish way of writing moments is the ISO one.
  const clock = new Date(noon).toLocaleString('sv-SE', { timeZone });
  const ahead = Date.parse(`${clock.replace(' ', 'T')}Z`) - noon;
  return new Date(noon - ahead);
}

/** An event as a file that calendars read (RFC 5545). */
export function calendarFile(event: CalendarEvent, now: Date): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tombola//Drawing//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${inUtc(now)}`,
    `DTSTART:${inUtc(event.start)}`,
    `DTEND:${inUtc(event.end)}`,
    `SUMMARY:${escaped(event.title)}`,
    `DESCRIPTION:${escaped(event.text)}`,
    `URL:${event.url}`,
    'TRANSP:TRANSPARENT', // nobody is busy because of a drawing
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('');
}

/** `20261201T170000Z` */
const inUtc = (moment: Date) => moment.toISOString().replace(/[-:]|\.\d+/g, '');

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** At most 75 bytes to a line; a space starts the continuation, and no character is split. */
function folded(line: string): string {
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  const lines = [''];
  for (const character of line) {
    const last = lines.at(-1) ?? '';
    if (bytes(last + character) > 75) lines.push(` ${character}`);
    else lines[lines.length - 1] = last + character;
  }
  return lines.join('\r\n');
}
