import { useState } from 'react';
import { useOpenRaffleMutation } from '../../api/admin';
import type { RaffleView } from '../../api/raffles';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ProposedDialog } from '../../ui/Proposed';
import type { Opening } from './schema';
import { WhenField } from './WhenField';

const loadSchema = () =>
  import(/* webpackChunkName: "raffle-rules" */ './schema').then((file) => file.openingSchema);

interface Props {
  raffle: RaffleView;
  onClose: () => void;
}

/** Opens a raffle at once, or when the next month begins. */
export function OpenDialog({ raffle, onClose }: Props) {
  const [openRaffle] = useOpenRaffleMutation();
  const [proposal, setProposal] = useState<Proposed>();
  const toast = useToast();
  const form = useAppForm<Opening>({
    schema: loadSchema,
    defaultValues: { when: 'now' },
    send: async ({ when }) => {
      const openRaffleBody = when === 'month' ? { at: when } : {};
      const { landingPage } = raffle;
      const answer = await openRaffle({ landingPage, openRaffleBody }).unwrap();
      if (isProposed(answer)) return setProposal(answer);
      onClose();
      toast({ title: when === 'now' ? 'Raffle opened' : 'Opens when the month begins' });
    },
    explain: ({ sentence }) => sentence,
  });
  if (proposal) return <ProposedDialog proposal={proposal} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Open ${raffle.name}?`}
      confirmLabel={form.isSubmitting ? 'Opening...' : 'Open'}
      busy={form.isSubmitting}
      problem={form.problem}
      onConfirm={form.submit}
      onClose={onClose}
    >
      <p>
        It is drawn for the month in which it opens. If less than a day of that month is left, it is
        drawn for the next one.
      </p>
      <WhenField
        legend="When"
        options={{ now: 'At once', month: 'When the next month begins' }}
        register={form.register('when')}
      />
    </ConfirmDialog>
  );
}
