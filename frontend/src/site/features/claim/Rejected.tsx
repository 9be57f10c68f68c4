import { momentInWords } from '../../lib/moments';
import { Quote } from '../../ui/Quote';
import type { Claim, Rejection } from './api';
import { ObjectionForm } from './ObjectionForm';
import type { StepProps } from './steps';
import type { Act } from './useClaim';
import { reasons } from './words';

export function Rejected({ claim, now, act }: StepProps & { act: Act }) {
  const { rejection } = claim;
  if (!rejection) return null;
  const isLate = Date.parse(rejection.objectUntil) <= now;
  return (
    <>
      <p>{reasons[rejection.reason]}</p>
      <Quote title="What we wrote about it:" text={rejection.note} />
      {isLate ? (
        <Late until={rejection.objectUntil} />
      ) : rejection.objection ? (
        <Objected rejection={rejection} />
      ) : (
        <CanObject claim={claim} until={rejection.objectUntil} act={act} />
      )}
      {rejection.objection && <Quote title="You wrote:" text={rejection.objection.message} />}
    </>
  );
}

function Late({ until }: { until: string }) {
  return (
    <p>
      The time to object ended {momentInWords(until)}. The prize goes to the next entry that was
      drawn.
    </p>
  );
}

function Objected({ rejection }: { rejection: Rejection }) {
  return (
    <p role="status">
      We have your objection. A person reads it. If we change our decision, this page says so; if
      not, the prize goes to the next entry that was drawn, after{' '}
      {momentInWords(rejection.objectUntil)}.
    </p>
  );
}

interface CanObjectProps {
  claim: Claim;
  until: string;
  act: Act;
}

function CanObject({ claim, until, act }: CanObjectProps) {
  if (claim.paused) return null; // the notice above says why
  if (!claim.isThisBrowser) {
    return (
      <p>
        You can object until {momentInWords(until)}, on this page, in the browser in which you sent
        your details. You can also write to us through the <a href="/contact">contact page</a>.
      </p>
    );
  }
  return <ObjectionForm until={until} act={act} />;
}
