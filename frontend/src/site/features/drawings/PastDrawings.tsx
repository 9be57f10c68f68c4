import { useListDrawingsQuery, type Drawing } from './api';
import { ClaimRecord } from './ClaimRecord';
import { Failed } from './Failed';
import { countOf, dayInWords, momentInWords, raffleNameOf } from './words';

export const PAGE_SIZE = 20;

/** The pages are links, so that each has an address and going back works. */
export function PastDrawings() {
  const page = pageOf(typeof location === 'undefined' ? '' : location.search);
  const offset = (page - 1) * PAGE_SIZE;
  const { data, error, refetch } = useListDrawingsQuery({ limit: PAGE_SIZE, offset });
  return (
    <section aria-labelledby="past">
      <h2 id="past">Past drawings</h2>
      {data ? (
        <Page {...data} page={page} />
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

function pageOf(search: string): number {
  const page = Number(new URLSearchParams(search).get('page'));
  return Number.isSafeInteger(page) && page > 1 && page < 1e9 ? page : 1;
}

interface PageProps {
  drawings: Drawing[];
  totalCount: number;
  page: number;
}

function Page({ drawings, totalCount, page }: PageProps) {
  const pages = Math.ceil(totalCount / PAGE_SIZE);
  if (totalCount === 0) {
    return (
      <p>
        No drawings yet. After the first one, its winning ticket appears here, with everything you
        need to check it.
      </p>
    );
  }
  return (
    <>
      {drawings.length === 0 && <p>There are no drawings on page {page}.</p>}
      <ol className="drawn">
        {drawings.map((drawing) => (
          <li key={drawing.id} className="card">
            <Row {...drawing} />
          </li>
        ))}
      </ol>
      {(pages > 1 || page > 1) && (
        <nav className="turn" aria-label="Pages of past drawings">
          {page > 1 && (
            <a className="button quiet" href={addressOf(Math.min(page - 1, pages))}>
              Show later drawings
            </a>
          )}
          {page < pages && (
            <a className="button quiet" href={addressOf(page + 1)}>
              Show earlier drawings
            </a>
          )}
        </nav>
      )}
    </>
  );
}

const addressOf = (page: number) => (page > 1 ? `/drawings?page=${page}#past` : '/drawings#past');

/** A ticket's stub with the number or how far the drawing is, and what it was drawn from. */
function Row(drawing: Drawing) {
  const { id, landingPage, createdAt, totalParticipants, totalEntries, winnerLast4 } = drawing;
  return (
    <>
      <p className="number">
        <Stub {...drawing} />
      </p>
      <div>
        <h3>
          <a href={`/drawings/${id}`}>
            {raffleNameOf(landingPage)}, {dayInWords(createdAt)}
          </a>
        </h3>
        <Ahead {...drawing} />
        {totalEntries != null && totalParticipants != null && (
          <p className="note">
            Drawn from {countOf(totalEntries, 'entry', 'entries')} of{' '}
            {countOf(totalParticipants, 'participant', 'participants')}
          </p>
        )}
        {winnerLast4 && (
          <p className="note">
            The entry’s phone number ends in <strong className="phone">{winnerLast4}</strong>
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
      {reason && <p className="note">Additional drawing: {reason}</p>}
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
