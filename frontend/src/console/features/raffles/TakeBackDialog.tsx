import { useState } from 'react';
import { useCloseRaffleMutation, useOpenRaffleMutation } from '../../api/admin';
import type { RaffleView } from '../../api/raffles';
import { formatDateTime } from '../../../shared/lib/format';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { useAct } from '../../lib/useAct';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ProposedDialog } from '../../ui/Proposed';

interface Props {
  raffle: RaffleView;
  onClose: () => void;
}

/** Takes back that a raffle opens or closes. */
export function TakeBackDialog({ raffle, onClose }: Props) {
  const [open] = useOpenRaffleMutation();
  const [close] = useCloseRaffleMutation();
  const [proposal, setProposal] = useState<Proposed>();
  const { pending, problem, run } = useAct(({ sentence }) => sentence);
  const toast = useToast();
  const { landingPage, name, nextAt } = raffle;
  const stays = raffle.nextStatus === 'closed' ? 'open' : 'closed';

  async function takeBack() {
    const sent =
      stays === 'open'
        ? open({ landingPage, openRaffleBody: {} })
        : close({ landingPage, closeRaffleBody: {} });
    const answer = await sent.unwrap();
    if (isProposed(answer)) return setProposal(answer);
    onClose();
    toast({ title: stays === 'open' ? 'Stays open' : 'Stays closed' });
  }

  if (proposal) return <ProposedDialog proposal={proposal} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Keep ${name} ${stays}?`}
      confirmLabel={`Keep ${stays}`}
      busy={pending}
      problem={problem}
      onConfirm={() => run(takeBack)}
      onClose={onClose}
    >
      <p>
        It would {stays === 'open' ? 'close' : 'open'} {formatDateTime(nextAt ?? '')}.
      </p>
    </ConfirmDialog>
  );
}
