import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { useNextDrawing } from '../../ui/NextDrawing';
import type { Drawing } from './api';
import { allRaffles, type NamedRaffle } from '../../lib/pageRaffle';
import { momentInWords, raffleNameOf } from './words';

export const isAhead = ({ status }: Drawing): boolean =>
  status === 'announced' || status === 'sealed';

interface Props {
  drawings: Drawing[];
  /** The one whose drawings these are; without it, those of all. */
  raffle: NamedRaffle | undefined;
}

/** A line for each raffle that is open or still has a drawing to come, and one for each extra drawing; the newest drawings say how far it is. */
export function NextDrawings({ drawings, raffle }: Props) {
  const raffles = (raffle ? [raffle] : allRaffles()).filter(
    ({ key, isOpen }) => isOpen || drawings.some(isRegularOf(key)),
  );
  const extra = drawings.filter(isExtra);
  if (raffles.length + extra.length === 0) return null;
  return (
    <section aria-labelledby="next">
      <h2 id="next">Next drawings</h2>
      <ul className="next">
        {raffles.map(({ key }) => (
          <Raffle key={key} raffle={key} drawings={drawings} />
        ))}
        {extra.map((drawing) => (
          <li key={drawing.id}>
            {raffleNameOf(drawing.landingPage)}, extra drawing: <When drawing={drawing} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const isRegularOf = (raffle: string) => (drawing: Drawing) =>
  isAhead(drawing) && drawing.kind === 'regular' && drawing.landingPage === raffle;

const isExtra = (drawing: Drawing) => isAhead(drawing) && drawing.kind === 'additional';

function Raffle({ raffle, drawings }: { raffle: string; drawings: Drawing[] }) {
  const regular = drawings.filter((one) => one.landingPage === raffle && one.kind === 'regular');
  const drawn = regular.find(wasDrawnThisMonth)?.drawnAt;
  return (
    <li>
      <a href={`/${raffle}`}>{raffleNameOf(raffle)}</a>: next drawing{' '}
      <When drawing={regular.find(isAhead)} />
      {drawn && <strong className="done">✓ Drawn {monthAndDay(drawn)}</strong>}
    </li>
  );
}

/** Without a drawing that is announced, the 1st of next month: so the rules say. */
function When({ drawing }: { drawing: Drawing | undefined }) {
  const first = useNextDrawing().replace(/, \d+$/, '');
  const { beacon, id, status } = drawing ?? {};
  const day = beacon ? monthAndDay(beacon.expectedAt) : first;
  if (status !== 'sealed') return <span className="date">{day}</span>;
  return (
    <>
      <a href={`/drawings/${id}`}>{day}</a>, its list is final
      {beacon?.waitingSince && (
        <>. Waiting for the beacon since {momentInWords(beacon.waitingSince)}</>
      )}
    </>
  );
}

const monthAndDay = (moment: string): string =>
  new Date(moment).toLocaleString('en-US', {
    timeZone: siteTimeZone(),
    month: 'long',
    day: 'numeric',
  });

function wasDrawnThisMonth({ drawnAt }: Drawing): boolean {
  const monthOf = (moment: Date) =>
    moment.toLocaleString('en-US', { timeZone: siteTimeZone(), year: 'numeric', month: 'numeric' });
  return drawnAt != null && monthOf(new Date(drawnAt)) === monthOf(new Date());
}
