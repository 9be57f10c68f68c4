import { useEffect, useRef, type ReactNode } from 'react';
import { momentInWords } from '../../lib/moments';
import { raffleName } from '../../lib/pageRaffle';
import { Confetti } from '../../ui/Confetti';
import type { Claim } from './api';
import { DetailsStep } from './DetailsStep';
import { Delivered, Ended, Shipped, Submitted, Verified } from './Outcome';
import { PrizeScene } from './PrizeScene';
import { ProveStep } from './ProveStep';
import { Rejected } from './Rejected';
import { isOpen, isOver, isWon, stepOf, type Step, type StepProps } from './steps';
import type { Act } from './useClaim';
import { daysLeft, titles } from './words';

interface Props extends StepProps {
  token: string;
  act: Act;
  refetch: () => Promise<void>;
}

/** The drawn entry's ticket: the prize, and on the stub what is to do now. */
export function ClaimTicket(props: Props) {
  const { claim, now } = props;
  const step = stepOf(claim);
  const title = useFocusOnChange(step);
  return (
    <div className="ticket claim">
      <section className="ticket-body">
        {isWon(claim) && <Confetti />}
        <p className="ribbon">{raffleName(claim.landingPage)}</p>
        <PrizeScene raffle={claim.landingPage} />
        <div className="pitch">
          <h1 tabIndex={-1}>{titles[claim.status]}</h1>
          {claim.rank > 0 && isOpen(claim) && (
            <p>
              The entries that were drawn before yours did not take the prize, so it is offered to
              you.
            </p>
          )}
          <dl className="facts">
            <div>
              <dt>Prize</dt>
              <dd className="figure">{claim.prize.name}</dd>
            </div>
            <div>
              <dt>Value</dt>
              <dd className="figure">{claim.prize.value}</dd>
            </div>
          </dl>
          {isOpen(claim) && <Deadline claim={claim} now={now} />}
          <p>
            <a href={`/drawings/${claim.drawingId}`}>See how the entry was drawn</a>
          </p>
          {!isOver(claim) && (
            <p className="note">
              The prize and its shipping are free. We never ask a winner for a fee, a card number, a
              bank account or a tax number. If somebody asks you for one, it is not us.
            </p>
          )}
        </div>
      </section>
      <section className="ticket-stub" aria-labelledby="claim-step">
        <h2 id="claim-step" tabIndex={-1} ref={title}>
          {stepTitles[step]}
        </h2>
        <div className="claim-step">
          {claim.paused && !isOver(claim) && <Paused />}
          <Current {...props} step={step} />
        </div>
      </section>
    </div>
  );
}

const stepTitles: Record<Step, string> = {
  prove: 'Confirm your number',
  details: 'Claim your prize',
  submitted: 'We have your details',
  verified: 'Your claim is approved',
  shipped: 'Your prize is on its way',
  delivered: 'Your prize was delivered',
  rejected: 'We did not approve your claim',
  declined: 'You declined the prize',
  expired: 'The time to claim is over',
  unreachable: 'We could not reach you',
};

/** The step before is gone: the focus goes to the title of what stands in its place. */
function useFocusOnChange(step: Step) {
  const title = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) title.current?.focus();
    shown.current = step;
  }, [step]);
  return title;
}

function Current({ step, ...props }: Props & { step: Step }): ReactNode {
  const { token, claim, act } = props;
  switch (step) {
    case 'prove':
      return claim.paused ? null : <ProveStep {...props} />;
    case 'details':
      return claim.paused ? null : <DetailsStep token={token} act={act} />;
    case 'submitted':
      return <Submitted canText={claim.canText} />;
    case 'rejected':
      return <Rejected {...props} />;
    case 'verified':
      return <Verified />;
    case 'shipped':
      return <Shipped shipment={claim.shipment} />;
    case 'delivered':
      return <Delivered />;
    case 'declined':
    case 'expired':
    case 'unreachable':
      return <Ended status={step} />;
  }
}

function Deadline({ claim, now }: { claim: Claim; now: number }) {
  const { expiresAt, paused } = claim;
  if (!expiresAt) {
    return (
      <p className="drawing">
        You have 14 days to claim it. They begin when our text is delivered to you, or when we call
        you.
      </p>
    );
  }
  return (
    <p className="drawing">
      {paused ? 'Before the pause, the deadline was' : 'Claim it by'}{' '}
      <time dateTime={expiresAt}>{momentInWords(expiresAt)}</time>
      {!paused && ` (${daysLeft(expiresAt, now)})`}.
    </p>
  );
}

function Paused() {
  return (
    <div role="status" className="claim-paused">
      <h3>Your claim is paused</h3>
      <p>
        A bank is looking into a payment for entries of yours. Until that is settled, nothing can be
        sent here, and your time to claim does not run. You don't have to do anything on this page.
      </p>
    </div>
  );
}
