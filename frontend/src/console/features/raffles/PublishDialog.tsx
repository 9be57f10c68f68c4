import { useState } from 'react';
import {
  usePublishRaffleMutation,
  type Content,
  type DraftView,
  type RaffleCard,
} from '../../api/raffles';
import { formatDateTime } from '../../../shared/lib/format';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { useAct } from '../../lib/useAct';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { MessageDialog } from '../../ui/MessageDialog';
import { ProposedDialog } from '../../ui/Proposed';
import { hasSamePrize, labelOf, pathOf } from './content';

interface Props {
  raffle: RaffleCard;
  /** As it is stored. */
  draft: DraftView;
  inForce: Content | undefined;
  /** From when on another prize counts. */
  anotherPrizeFrom: string | null;
  onClose: () => void;
}

/** Makes the draft what the pages say, at once or with a month. */
export function PublishDialog({ raffle, draft, inForce, anotherPrizeFrom, onClose }: Props) {
  const [publish] = usePublishRaffleMutation();
  const [proposal, setProposal] = useState<Proposed>();
  const { pending, problem, run } = useAct(({ sentence }) => sentence);
  const toast = useToast();
  const { landingPage } = raffle;

  async function send() {
    const { revision, hash } = draft;
    const answer = await publish({ landingPage, publishBody: { revision, hash } }).unwrap();
    if (isProposed(answer)) return setProposal(answer);
    onClose();
    const isLater = Date.parse(answer.takesEffectAt) > Date.now();
    toast({
      title: `Version ${answer.number} published`,
      ...(isLater && { description: `It takes effect ${formatDateTime(answer.takesEffectAt)}.` }),
    });
  }

  if (proposal) return <ProposedDialog proposal={proposal} onClose={onClose} />;
  if (draft.missing.length > 0) {
    return (
      <MessageDialog title="Not complete yet" onClose={onClose}>
        <p>This is missing:</p>
        <ul className="raffle-missing">
          {draft.missing.map(({ field, message }) => (
            <li key={field + message}>
              {labelOf(pathOf(field))}: {message}
            </li>
          ))}
        </ul>
      </MessageDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Publish ${draft.content.name}?`}
      confirmLabel={pending ? 'Publishing...' : 'Publish'}
      busy={pending}
      problem={problem}
      onConfirm={() => run(send)}
      onClose={onClose}
    >
      <p>{whenOf(raffle, hasPrizeOf(draft.content, inForce) ? null : anotherPrizeFrom)}</p>
      {raffle.waitingVersion && (
        <p>
          It takes the place of version {raffle.waitingVersion.number}, which has not taken effect
          yet.
        </p>
      )}
    </ConfirmDialog>
  );
}

const hasPrizeOf = (next: Content, inForce: Content | undefined): boolean =>
  !inForce || hasSamePrize(next, inForce);

/** `from`: from when on it counts, if it has another prize. */
function whenOf({ status }: RaffleCard, from: string | null): string {
  if (status === 'draft') return 'Its pages say this once it opens.';
  if (!from || Date.parse(from) <= Date.now()) return 'The pages say this within seconds.';
  return `This is another prize. It counts from ${formatDateTime(from)} on. Until then, the official rules show both.`;
}
