import type { Drawing, DrawingList } from './api';
import type { NamedRaffle } from '../../lib/pageRaffle';
import { ClaimRecord } from './ClaimRecord';
import { Failed } from './Failed';
import { isAhead } from './NextDrawings';
import {
  countOf,
  dayInWords,
  extraInWords,
  momentInWords,
  prizeInWords,
  raffleNameOf,
} from './words';

export const PAGE_SIZE = 20;

interface Props {
  query: { data?: DrawingList | undefined; error?: unknown; refetch: () => unknown };
  page: number;
  /** The one whose drawings are listed; without it, those of all. */
  raffle: NamedRaffle | undefined;
}

export function PastDrawings({ query: { data, error, refetch }, page, raffle }: Props) {
  return (
    <section aria-labelledby="past">
      <h2 id="past">Past drawings</h2>
      {data ? (
        <Page {...data} page={page} raffle={raffle} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <p role="status" className="needs-script">
          Loading...
        </p>
      )}
    </section>
  );
}

interface PageProps extends DrawingList {
  page: number;
  raffle: NamedRaffle | undefined;
}

function Page({ drawings, totalCount, page, raffle }: PageProps) {
  const pages = Math.ceil(totalCount / PAGE_SIZE);
  // On the first page, those that are still to come stand below.
  const shown = page > 1 ? drawings : drawings.filter((one) => !isAhead(one));
  return (
    <>
      {raffle && (
        <p>
          Only those of {raffle.name}. <a href="/drawings#past">Show all drawings</a>
        </p>
      )}
      {shown.length > 0 ? (
        <ol className="drawn">
          {shown.map((drawing) => (
            <li key={drawing.id} className="card">
              <Row {...drawing} />
            </li>
          ))}
        </ol>
      ) : page > 1 ? (
        <p>There are no drawings on page {page}.</p>
      ) : raffle ? (
        <p>This raffle has none.</p>
      ) : (
        <NoneYet />
      )}
      {(pages > 1 || page > 1) && (
        <nav className="turn" aria-label="Pages of past drawings">
          {page > 1 && (
            <a className="button quiet" href={addressOf(Math.min(page - 1, pages), raffle)}>
              Show later drawings
            </a>
          )}
          {page < pages && (
            <a className="button quiet" href={addressOf(page + 1, raffle)}>
              Show earlier drawings
            </a>
          )}
        </nav>
      )}
    </>
  );
}

function NoneYet() {
  return (
    <div className="card none-yet">
      <p>
        <strong>No drawings yet.</strong> After the first one, its winning ticket appears here, with
        everything you need to check it.
      </p>
      <a className="button" href="/welcome">
        See the raffles
      </a>
    </div>
  );
}

function addressOf(page: number, raffle: NamedRaffle | undefined): string {
  const asked = new URLSearchParams();
  if (raffle) asked.set('raffle', raffle.key);
  if (page > 1) asked.set('page', String(page));
  return `/drawings${asked.size > 0 ? `?${asked}` : ''}#past`;
}

/** A ticket's stub with the number or how far the drawing is, and what it was drawn from. */
function Row(drawing: Drawing) {
  const { id, landingPage, prize, createdAt, drawnAt } = drawing;
  const { totalParticipants, totalEntries, winnerLast4 } = drawing;
  return (
    <>
      <p className="number">
        <Stub {...drawing} />
      </p>
      <div>
        <h3>
          <a href={`/drawings/${id}`}>
            {raffleNameOf(landingPage)}, {dayInWords(drawnAt ?? createdAt)}
          </a>
        </h3>
        <Ahead {...drawing} />
        {prize && (
          <p className="note">
            Prize: <strong>{prizeInWords(prize)}</strong>
          </p>
        )}
        {totalEntries != null && totalParticipants != null && (
          <p className="note">
            Drawn from {countOf(totalEntries, 'entry', 'entries')} of{' '}
            {countOf(totalParticipants, 'participant', 'participants')}
          </p>
        )}
        {winnerLast4 && (
          <p className="note">
            The entry's phone number ends in <strong className="phone">{winnerLast4}</strong>
          </p>
        )}
        <ClaimRecord {...drawing} />
      </div>
    </>
  );
}

function Stub({ status, winningEntryNumber }: Drawing) {
  if (winningEntryNumber != null) {
    return (
      <>
        <span className="note">Entry</span>
        <span className="figure">{winningEntryNumber.toLocaleString('en-US')}</span>
      </>
    );
  }
  return <span className="figure">{status ? states[status] : ''}</span>;
}

const states = { announced: 'Announced', sealed: 'Sealed', drawn: 'Drawn', void: 'Void' };

/** What is still to come, or why nothing will. */
function Ahead({ status, beacon, reason, void: given }: Drawing) {
  const due = beacon?.waitingSince ?? beacon?.expectedAt;
  return (
    <>
      {reason && <p className="note">{extraInWords(reason)}</p>}
      {status === 'sealed' && due && (
        <p className="note">
          {beacon?.waitingSince ? 'Waiting for the beacon since' : 'To be drawn'}{' '}
          {momentInWords(due)}
        </p>
      )}
      {status === 'void' && <p className="note">{given?.reason ?? 'No winner was drawn.'}</p>}
    </>
  );
}
