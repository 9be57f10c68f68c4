import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Quote } from '../../ui/Quote';
import type { OwnAppeal, Standing } from './api';
import { AppealForm } from './AppealForm';

export interface NoticeProps {
  id: number;
  standing: Standing;
  /** Asks the server again. */
  refetch: () => unknown;
}

/** First on the page for whoever's entries are on hold, and after the decision of an appeal. */
export function HoldNotice({ id, standing, refetch }: NoticeProps) {
  const { onHold, why, canAppeal, appeal } = standing;
  const [isAnswering, setAnswering] = useState(false);
  const title = useFocusWhen(isAnswering && !canAppeal);
  return (
    <section className="card hold" data-on-hold={onHold} aria-labelledby="hold-title">
      <h2 id="hold-title" ref={title} tabIndex={-1}>
        {titleOf(standing)}
      </h2>
      {onHold ? <p>{why}</p> : <CountAgain appeal={appeal} />}
      {onHold && appeal?.status === 'open' && <Waiting appeal={appeal} />}
      {onHold && appeal?.status === 'rejected' && <Rejected appeal={appeal} />}
      {canAppeal && (
        <AppealForm
          id={id}
          isFirst={appeal?.status !== 'rejected'}
          refetch={refetch}
          onType={() => setAnswering(true)}
        />
      )}
    </section>
  );
}

function titleOf({ onHold, appeal }: Standing): string {
  if (!onHold) return 'Your entries count again';
  return appeal?.status === 'open' ? 'We have your message' : 'Your entries are on hold';
}

/** The form is gone once its message is sent: the focus goes to what stands in its place. */
function useFocusWhen(condition: boolean) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (condition) element.current?.focus();
  }, [condition]);
  return element;
}

function Waiting({ appeal }: { appeal: OwnAppeal }) {
  return (
    <>
      <p>
        A person will read it, and the answer will be on this page. Until then, your entries stay on
        hold.
      </p>
      <Quote title={<>You wrote on {dayOf(appeal.createdAt)}:</>} text={appeal.message} />
    </>
  );
}

function Rejected({ appeal }: { appeal: OwnAppeal }) {
  return (
    <>
      <p>
        We read your message{appeal.decidedAt && <> and answered on {dayOf(appeal.decidedAt)}</>}.
        Your entries stay on hold.
      </p>
      {appeal.note && <Quote title="Our answer:" text={appeal.note} />}
      <Quote title={<>You wrote on {dayOf(appeal.createdAt)}:</>} text={appeal.message} />
    </>
  );
}

function CountAgain({ appeal }: { appeal: OwnAppeal | null }) {
  return (
    <>
      <p>They are no longer on hold and take part in the next drawing.</p>
      {appeal?.status === 'accepted' && appeal.note && (
        <Quote title="Our answer:" text={appeal.note} />
      )}
    </>
  );
}

function dayOf(moment: string): ReactNode {
  const day = new Date(moment).toLocaleDateString(undefined, { dateStyle: 'medium' });
  return <time dateTime={moment}>{day}</time>;
}
