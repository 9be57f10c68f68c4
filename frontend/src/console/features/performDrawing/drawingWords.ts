import type { DrawingView, RaffleView } from '../../api/admin';
import { formatDateTime } from '../../../shared/lib/format';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';

/** `December 1st`, in the time zone of the site. */
export function dayInWords(moment: string): string {
  const timeZone = siteTimeZone();
  const date = new Date(moment);
  const month = date.toLocaleString('en-US', { timeZone, month: 'long' });
  const day = Number(date.toLocaleString('en-US', { timeZone, day: 'numeric' }));
  return `${month} ${day}${ordinalEnd(day)}`;
}

function ordinalEnd(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/** `12 s`, `2 min 5 s`, `1 h 10 min`; nothing once the time has come. */
export function timeUntil(moment: string, now: number): string | undefined {
  const seconds = Math.ceil((Date.parse(moment) - now) / 1_000);
  if (seconds <= 0) return undefined;
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** Why a raffle cannot have its regular drawing now; nothing when it can. A second one in a month is an additional drawing. */
export function whyNotNow(raffle: RaffleView): string | undefined {
  if (raffle.drawsAt) return `Draws ${dayInWords(raffle.drawsAt)}`;
  if (raffle.isDrawn) return 'Already drawn this month';
  return undefined;
}

/** Where a drawing stands that is not drawn yet. */
export function standing(drawing: DrawingView): string {
  const { status, sealDueAt, beacon } = drawing;
  if (status === 'announced') return `Sealed at ${formatDateTime(sealDueAt)}`;
  if (beacon?.waitingSince) {
    return `Waiting for the beacon since ${formatDateTime(beacon.waitingSince)}`;
  }
  return beacon ? `Drawn at ${formatDateTime(beacon.expectedAt)}` : 'Sealed';
}
