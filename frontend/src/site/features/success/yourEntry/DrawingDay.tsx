import { useState, type ReactNode } from 'react';
import { siteTimeZone } from '../../../../shared/lib/nextDrawing';
import { siteName } from '../../../../shared/lib/siteName';
import { NextDrawing } from '../../../ui/NextDrawing';
import { calendarFile, nextDrawingDay, noonIn } from './calendarFile';
import { saveCalendar } from './saveCalendar';

const HALF_AN_HOUR_MS = 1_800_000;

interface Props {
  /** What can be won, such as `the Garden Bag Essentials`. */
  prize: string;
  raffle: string;
  /** Where it has ended, no next drawing is planned. */
  isOpen: boolean;
  /** Stands before the calendar, where the browser can tell by itself. */
  push?: ReactNode;
}

/** When it is drawn, and how not to miss it. */
export function DrawingDay({ prize, raffle, isOpen, push }: Props) {
  const [saved, setSaved] = useState('');
  const save = () => {
    const day = nextDrawingDay(new Date());
    saveCalendar(`drawing-${day}.ics`, drawingAsFile(day, prize, raffle));
    setSaved('Saved to your downloads. Open the file to add the drawing to your calendar.');
  };
  if (!isOpen) {
    return (
      <section className="card day" aria-labelledby="day-title">
        <h2 id="day-title">This raffle has ended</h2>
        <p>
          A drawing that was announced still takes place, with everybody who is in it. The result is
          under <a href={`/drawings?raffle=${raffle}`}>Drawings</a>.
        </p>
        {push}
      </section>
    );
  }
  return (
    <section className="card day" aria-labelledby="day-title">
      <h2 id="day-title">The next drawing</h2>
      <p>
        It is planned for <NextDrawing />. We'll publish the result under{' '}
        <a href="/drawings">Drawings</a>.
      </p>
      {push}
      <button type="button" className="button quiet" onClick={save}>
        Add the drawing to your calendar
      </button>
      <p className="note" role="status">
        {saved}
      </p>
    </section>
  );
}

/** The plan names a day and no hour: the calendar reminds at noon where the site is. */
function drawingAsFile(day: string, prize: string, raffle: string): string {
  const start = noonIn(siteTimeZone(), day);
  const url = `${location.origin}/drawings`;
  return calendarFile(
    {
      uid: `${raffle}-${day}@${location.hostname}`,
      start,
      end: new Date(start.getTime() + HALF_AN_HOUR_MS),
      title: `${siteName}: drawing of ${prize}`,
      text: `The drawing is planned for this day.\nSee the result: ${url}`,
      url,
    },
    new Date(),
  );
}
