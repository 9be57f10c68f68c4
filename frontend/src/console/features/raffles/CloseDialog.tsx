import { useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useCloseRaffleMutation } from '../../api/admin';
import type { RaffleView } from '../../api/raffles';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Field } from '../../ui/Field';
import { ProposedDialog } from '../../ui/Proposed';
import type { Closing } from './schema';
import { WhenField } from './WhenField';

const loadSchema = () =>
  import(/* webpackChunkName: "raffle-rules" */ './schema').then((file) => file.closingSchema);

interface Props {
  raffle: RaffleView;
  onClose: () => void;
}

/** Closes a raffle when the month ends, or at once with a public reason. */
export function CloseDialog({ raffle, onClose }: Props) {
  const [closeRaffle] = useCloseRaffleMutation();
  const [proposal, setProposal] = useState<Proposed>();
  const toast = useToast();
  const textId = useId();
  const form = useAppForm<Closing>({
    schema: loadSchema,
    defaultValues: { when: 'month', reason: '' },
    send: async ({ when, reason }) => {
      const closeRaffleBody = when === 'now' ? { now: true, reason } : {};
      const { landingPage } = raffle;
      const answer = await closeRaffle({ landingPage, closeRaffleBody }).unwrap();
      if (isProposed(answer)) return setProposal(answer);
      onClose();
      toast({ title: when === 'now' ? 'Raffle closed' : 'Closes when the month ends' });
    },
    explain: ({ sentence }) => sentence,
  });
  const values = useWatch({ control: form.control });
  if (proposal) return <ProposedDialog proposal={proposal} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Close ${raffle.name}?`}
      confirmLabel={form.isSubmitting ? 'Closing...' : 'Close'}
      closeLabel="Keep open"
      danger
      busy={form.isSubmitting}
      dirty={values.reason?.trim() !== ''}
      problem={form.problem}
      onConfirm={form.submit}
      onClose={onClose}
    >
      <p id={textId}>
        From then on nobody enters, buys entries or gets free ones. A drawing that is announced
        takes place, and a text that is scheduled goes out unless you cancel it.
      </p>
      <WhenField
        legend="When"
        options={{ month: 'When the month ends', now: 'At once' }}
        register={form.register('when')}
      />
      {values.when === 'now' && (
        <Field
          label="Reason"
          hint="Public. 3 to 500 characters."
          error={form.errors.reason?.message}
        >
          {(props) => <textarea {...props} rows={3} {...form.register('reason')} />}
        </Field>
      )}
    </ConfirmDialog>
  );
}
