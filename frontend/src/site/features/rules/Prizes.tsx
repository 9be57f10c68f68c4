import { inDollars } from '../../../shared/lib/inDollars';
import { dayInWords, momentInWords } from '../../lib/moments';
import type { PrizeThen, PromisedPrize } from './api';
import { monthOf } from './months';

/** The section's heading and its place on the page, to which the text of the rules leads. */
export const prizesSection = { id: 'what-can-be-won', heading: 'What can be won' };

/** The prize of each raffle, as its announcement or its pages promise it, and what comes after it. */
export function Prizes({ prizes }: { prizes: PromisedPrize[] }) {
  return (
    <section>
      <h2 id={prizesSection.id}>{prizesSection.heading}</h2>
      {prizes.length === 0 && <p>No raffle is open now, and no drawing is to come.</p>}
      {prizes.map((prize) => (
        <Promised key={prize.landingPage} promised={prize} />
      ))}
    </section>
  );
}

function Promised({ promised }: { promised: PromisedPrize }) {
  const { landingPage, name, value, period, countsFrom, version, next } = promised;
  return (
    <div className="promised">
      <h3>
        <a href={`/${landingPage}`}>{name}</a>
      </h3>
      <p>
        Worth {value} at retail, in the drawing of {monthOf(period)}. <Until promised={promised} />
      </p>
      <Kit prize={promised} />
      <p className="note">
        <Promise landingPage={landingPage} version={version} /> says so
        {isOfOldest(countsFrom) ? '' : ` since ${dayInWords(countsFrom)}`}.
      </p>
      {next && <Next landingPage={landingPage} next={next} />}
    </div>
  );
}

/** What a new site has counts from the first moment of the calendar on. */
const isOfOldest = (countsFrom: string): boolean => Date.parse(countsFrom) === 0;

function Until({ promised: { drawing, cutOff } }: { promised: PromisedPrize }) {
  if (drawing?.status === 'drawn') {
    return (
      <>
        It <a href={`/drawings/${drawing.id}`}>has been drawn</a>. Later entries count for the next
        drawing.
      </>
    );
  }
  if (drawing?.status === 'sealed') {
    return 'Its list of entries is final. Later entries count for the next drawing.';
  }
  if (!cutOff) {
    return drawing
      ? 'The drawing is announced. Entries count until its list is frozen.'
      : 'The announcement of the drawing will say until when entries count.';
  }
  const moment = momentInWords(cutOff);
  return drawing
    ? `The drawing is announced, with the entries from before ${moment}.`
    : `Entries from before ${moment} count.`;
}

function Next({ landingPage, next }: { landingPage: string; next: PrizeThen }) {
  return (
    <>
      <p>
        <strong>From {dayInWords(next.countsFrom)} on:</strong> {next.name}, worth {next.value} at
        retail.
      </p>
      <Kit prize={next} />
      <p className="note">
        <Promise landingPage={landingPage} version={next.version} /> will say so from then on.
      </p>
    </>
  );
}

function Kit({ prize: { kit } }: { prize: Pick<PrizeThen, 'kit'> }) {
  return (
    <ul>
      {kit.map(({ item, detail, valueInCents }, index) => (
        <li key={index}>
          {[item, detail].filter((words) => words !== '').join(': ')}, {inDollars(valueInCents)}
        </li>
      ))}
    </ul>
  );
}

function Promise({ landingPage, version }: { landingPage: string; version: number | null }) {
  return (
    <a href={`/api/raffles/${landingPage}/versions/${version}`}>Version {version} of this raffle</a>
  );
}
