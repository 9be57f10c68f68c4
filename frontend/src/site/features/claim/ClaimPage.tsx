import { useEffect } from 'react';
import { useRefresh } from '../../lib/useRefresh';
import { looks } from '../../lib/pageRaffle';
import { PageFrame } from '../../ui/PageFrame';
import { PageScene } from '../../ui/PageScene';
import { ClaimTicket } from './ClaimTicket';
import { forgetDraft } from './draft';
import { EnterCallCode } from './EnterCallCode';
import { NeedsScript } from './NeedsScript';
import { isOpen, isOver } from './steps';
import { useClaim } from './useClaim';
import { siteName } from '../../../shared/lib/siteName';

const REFRESH_MS = 60_000;

export interface ClaimPageProps {
  /** The secret of the link in the text. A winner whom staff called has none yet. */
  token: string | undefined;
}

/** Where the holder of a drawn entry claims the prize. */
export function ClaimPage({ token }: ClaimPageProps) {
  return token === undefined ? <EnterCallCode /> : <OpenClaim token={token} />;
}

function OpenClaim({ token }: { token: string }) {
  const { claim, receivedAt, now, error, refetch, retry, act } = useClaim(token);
  useRefresh(refetch, claim && !isOver(claim) ? REFRESH_MS : undefined);

  const raffle = claim?.landingPage;
  useEffect(() => {
    const [palette] = looks()[raffle ?? ''] ?? [];
    if (palette) document.documentElement.dataset.palette = palette;
  }, [raffle]);

  const isSent = claim !== undefined && !isOpen(claim);
  useEffect(() => {
    if (isSent) forgetDraft(token);
  }, [isSent, token]);

  if (error?.status === 404 || error?.status === 400) return <UnknownClaim />;
  return (
    <PageFrame>
      {claim ? (
        <ClaimTicket
          token={token}
          claim={claim}
          receivedAt={receivedAt}
          now={now}
          act={act}
          refetch={refetch}
        />
      ) : (
        <WaitingTicket problem={error?.sentence} onRetry={retry} />
      )}
      <NeedsScript />
    </PageFrame>
  );
}

interface WaitingProps {
  problem: string | undefined;
  onRetry: () => void;
}

function WaitingTicket({ problem, onRetry }: WaitingProps) {
  return (
    <div className="ticket claim" aria-busy={!problem}>
      <section className="ticket-body">
        <p className="ribbon">{siteName}</p>
        <PageScene />
        <h1 tabIndex={-1}>Your prize claim</h1>
      </section>
      <section className="ticket-stub needs-script" aria-label="Your claim">
        {problem ? (
          <div className="failed" role="alert">
            <p>{problem}</p>
            <button type="button" className="button quiet" onClick={onRetry}>
              Try again
            </button>
          </div>
        ) : (
          <p role="status">Loading...</p>
        )}
      </section>
    </div>
  );
}

function UnknownClaim() {
  return (
    <PageFrame>
      <div className="hello">
        <PageScene />
        <div>
          <h1 tabIndex={-1}>We cannot find this claim</h1>
          <p className="lead">
            The address may be incomplete. Open the link in our text again. If it still does not
            work, write to us.
          </p>
          <a className="button" href="/contact">
            Contact us
          </a>
        </div>
      </div>
    </PageFrame>
  );
}
