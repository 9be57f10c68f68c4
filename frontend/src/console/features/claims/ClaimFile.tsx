import { useEffect, useRef, useState, type ReactNode } from 'react';
import { areDetailsHidden, useGetClaimDetailsQuery, type ClaimDetailView } from '../../api/admin';
import { countOf, formatDateTime } from '../../../shared/lib/format';
import { formatPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { timesNote } from '../../lib/timeZoneWords';
import { useAllowed, useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { PersonLink } from '../../ui/PersonLink';
import { QueryLink } from '../../ui/QueryLink';
import { QueryView } from '../../ui/states';
import { Address } from './Address';
import { ClaimBadges } from './claimColumns';
import { ClaimDialog, type Taking } from './ClaimDialog';
import { actNames, actsOf, methodNames, permissions, rankOf, reasonNames, type Act } from './words';

/** One claim: how far it is, what the winner sent, and what staff can do. */
export function ClaimFile({ id }: { id: number }) {
  // A look at the details is written down, so nothing asks again by itself.
  const found = useGetClaimDetailsQuery({ id });
  const [taking, setTaking] = useState<Taking>();
  const back = useRef<HTMLDivElement>(null);
  useEffect(() => back.current?.querySelector('a')?.focus(), []); // the link that led here is gone
  return (
    <>
      <header className="screen-head">
        <h1>Winner's claim</h1>
        <div ref={back}>
          <QueryLink change={{ claim: null }}>Back to drawings</QueryLink>
        </div>
      </header>
      <QueryView query={found}>
        {(claim) => (
          <div className="grid">
            <Summary
              claim={claim}
              now={found.fulfilledTimeStamp ?? 0}
              onAct={(act) => setTaking({ claim, act })}
            />
            <div className="grid" data-columns="2">
              <Details claim={claim} onShow={() => void found.refetch()} />
              <History claim={claim} />
            </div>
          </div>
        )}
      </QueryView>
      {/* Outside of the answer, which is forgotten when the session ends: what was typed stays. */}
      {taking && <ClaimDialog {...taking} onClose={() => setTaking(undefined)} />}
    </>
  );
}

interface SummaryProps {
  claim: ClaimDetailView;
  /** When the server said so, in milliseconds. */
  now: number;
  onAct: (act: Act) => void;
}

function Summary({ claim, now, onAct }: SummaryProps) {
  const allowed = useAllowed();
  const acts = actsOf(claim, now).filter((act) => allowed(permissions[act]));
  return (
    <Card title={claim.prize.name} note={timesNote()}>
      <ClaimBadges {...claim} />
      <Warnings claim={claim} />
      <dl className="claim-facts">
        <Fact name="Raffle">{raffleName(claim.landingPage)}</Fact>
        <Fact name="Drawing">
          <a className="text-link" href={`/drawings/${claim.drawingId}`}>
            {claim.drawingId}
          </a>
        </Fact>
        <Fact name="Rank">{rankOf(claim)}</Fact>
        <Fact name="Phone">
          <PersonLink id={claim.entrantId} phoneNumber={claim.phoneNumber} />
        </Fact>
        {claim.publicName && <Fact name="Published if approved">{claim.publicName}</Fact>}
        <Fact name="Deadline">
          {claim.expiresAt ? formatDateTime(claim.expiresAt) : 'None now'}
        </Fact>
        <Fact name="Number proved">
          {claim.verifiedAt && claim.verificationMethod
            ? `${methodNames[claim.verificationMethod]}, ${formatDateTime(claim.verifiedAt)}`
            : 'Not yet'}
        </Fact>
        <Fact name="Texts">
          {countOf(claim.notificationsSent, 'text')}
          {claim.lastNotificationAt && `, the last ${formatDateTime(claim.lastNotificationAt)}`}
        </Fact>
      </dl>
      {acts.length > 0 && (
        <div className="claim-acts">
          {acts.map((act) => (
            <Button key={act} onClick={() => onAct(act)}>
              {actNames[act].act}
            </Button>
          ))}
        </div>
      )}
    </Card>
  );
}

function Warnings({ claim }: { claim: ClaimDetailView }) {
  const waits = claim.status === 'pending' || claim.status === 'code_verified';
  return (
    <>
      {claim.paused && (
        <p className="notice">
          A payment dispute about counted entries is open. The claim goes on once it is decided,
          with the time that was left.
        </p>
      )}
      {!claim.numberMatches && (
        <p className="notice">
          The number is not the drawn one any more. It gets no texts about the claim, and the claim
          cannot be approved.
        </p>
      )}
      {waits && claim.needsCall && (
        <p className="notice">
          No text reaches this winner. Call {formatPhone(claim.phoneNumber)}. Once you have
          confirmed the number, you get a code to read out, which opens the claim. After three calls
          on three days without an answer, you can end the claim.
        </p>
      )}
    </>
  );
}

function Details({ claim, onShow }: { claim: ClaimDetailView; onShow: () => void }) {
  const { details, detailsErasedAt, submittedAt } = claim;
  const maySee = useMay('view_claim_details');
  if (!maySee) {
    return (
      <Card title="Name and address">
        <p className="quiet-text">Only owners see what the winner sent.</p>
      </Card>
    );
  }
  return (
    <Card title="Name and address" note="Each look is in the audit log.">
      {details ? (
        <dl className="claim-facts">
          <Fact name="Name">{details.name}</Fact>
          <Fact name="Address">
            <Address of={details} />
          </Fact>
          <Fact name="May be named">
            {details.publicity ? 'Yes, by first name and state' : 'No'}
          </Fact>
          {submittedAt && <Fact name="Sent">{formatDateTime(submittedAt)}</Fact>}
        </dl>
      ) : areDetailsHidden(claim) ? (
        <Button onClick={onShow}>Show the name and the address</Button>
      ) : (
        <p className="quiet-text">
          {detailsErasedAt
            ? `Erased on ${formatDateTime(detailsErasedAt)}.`
            : 'The winner has not sent them.'}
        </p>
      )}
    </Card>
  );
}

function History({ claim }: { claim: ClaimDetailView }) {
  const { noteCalls, rejection, decidedAt, shipment, deliveredAt } = claim;
  const isEmpty = noteCalls.length === 0 && !decidedAt;
  return (
    <Card title="Calls and decisions">
      {isEmpty && <p className="quiet-text">None yet.</p>}
      <ul className="claim-events">
        {noteCalls.map(({ at, note }) => (
          <Entry key={at} title={`Call on ${formatDateTime(at)}`} text={note} />
        ))}
        {rejection && (
          <Entry
            title={`Rejected on ${formatDateTime(rejection.rejectedAt)}: ${reasonNames[rejection.reason]}`}
            text={rejection.note}
          />
        )}
        {rejection?.objection && (
          <Entry
            title={`Objection on ${formatDateTime(rejection.objection.at)}`}
            text={rejection.objection.message}
          />
        )}
        {rejection && claim.status === 'rejected' && (
          <Entry title={`The winner can object until ${formatDateTime(rejection.objectUntil)}`} />
        )}
        {decidedAt && claim.status !== 'rejected' && (
          <Entry title={`Approved on ${formatDateTime(decidedAt)}`} />
        )}
        {shipment && (
          <Entry
            title={`Sent on ${formatDateTime(shipment.shippedAt)} with ${shipment.carrier}`}
            text={shipment.trackingNumber}
            href={shipment.trackingUrl}
          />
        )}
        {deliveredAt && <Entry title={`Delivered on ${formatDateTime(deliveredAt)}`} />}
      </ul>
    </Card>
  );
}

interface EntryProps {
  title: string;
  text?: string;
  href?: string | null;
}

function Entry({ title, text, href }: EntryProps) {
  return (
    <li>
      <p>{title}</p>
      {text && (
        <p className="own-words">
          {href ? (
            <a className="text-link" href={href} target="_blank" rel="noreferrer">
              {text}
            </a>
          ) : (
            text
          )}
        </p>
      )}
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
