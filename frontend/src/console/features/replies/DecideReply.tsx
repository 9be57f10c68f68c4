import { useDecideReplyMutation, type ReplyView } from '../../api/sms';
import type { ApiError } from '../../../shared/api/apiError';
import { maskPhone } from '../../../shared/lib/phone';
import { useToast } from '../../../shared/ui/toast/useToast';
import { useAct } from '../../lib/useAct';
import { Button } from '../../ui/Button';

/** After these the reply has nothing to decide any more, and may not be in the list. */
const SETTLED = ['reply_decided', 'not_found'];

/** Decides in one press whether a reply asks us to stop. */
export function DecideReply({ id, phoneNumber }: ReplyView) {
  const { busy, problem, decide } = useDecision(id);
  const sender = maskPhone(phoneNumber);
  return (
    <span className="reply-decision">
      <span className="stale" role="status">
        {problem}
      </span>
      <span className="act reply-acts">
        <Button size="small" busy={busy} onClick={() => decide(true)}>
          Stop texts <span className="unseen">to {sender}</span>
        </Button>
        <Button size="small" busy={busy} onClick={() => decide(false)}>
          Leave as it is <span className="unseen">the reply of {sender}</span>
        </Button>
      </span>
    </span>
  );
}

function useDecision(id: number) {
  const [send, { isSuccess }] = useDecideReplyMutation();
  const toast = useToast();
  // The buttons go with what is settled: what is said beside them would go too.
  const explain = ({ code, sentence }: ApiError) => {
    if (!code || !SETTLED.includes(code)) return sentence;
    toast({ title: sentence, tone: 'bad' });
  };
  const { pending, problem, run } = useAct(explain);

  const decide = (optsOut: boolean) =>
    run(async () => {
      await send({ id, replyDecisionBody: { optsOut } }).unwrap();
      toast({ title: optsOut ? 'This number gets no more texts' : 'The reply stays as it is' });
    });

  // Still busy until the list is there again: a second press would only be told that it is decided.
  return { busy: pending || isSuccess, problem, decide };
}
