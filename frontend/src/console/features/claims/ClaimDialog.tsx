import type { ClaimDetailView } from '../../api/admin';
import { maskPhone } from '../../../shared/lib/phone';
import { CallCode } from '../../ui/CallCode';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Field } from '../../ui/Field';
import { ProposedDialog } from '../../ui/Proposed';
import { useClaimForm } from './useClaimForm';
import { actNames, consequences, reasonNames, type Act } from './words';

/** Whose parcels the winner can follow from the page of the claim. */
const CARRIERS = ['USPS', 'UPS', 'FedEx', 'DHL'];

/** A step that staff are about to take. */
export interface Taking {
  claim: ClaimDetailView;
  act: Act;
}

interface Props extends Taking {
  onClose: () => void;
}

const noteHints: Partial<Record<Act, string>> = {
  reject: 'The winner reads it: say why.',
  call: 'For staff. It stays with the claim.',
  confirm: 'For staff: how you know that it was the owner of the number.',
};

/** Asks before a step with a claim, and takes what has to be said about it. */
export function ClaimDialog({ claim, act, onClose }: Props) {
  const form = useClaimForm(claim, act, onClose);
  const { register, errors, formState, isSubmitting, problem, submit } = form;
  const { act: name, acting } = actNames[act];
  const hint = noteHints[act];
  if (form.callCode) return <CallCode shown={form.callCode} onClose={onClose} />;
  if (form.proposal) return <ProposedDialog proposal={form.proposal} onClose={onClose} />;

  return (
    <ConfirmDialog
      title={`${name}: the claim of ${maskPhone(claim.phoneNumber)}?`}
      confirmLabel={isSubmitting ? acting : name}
      danger={act === 'reject' || act === 'give-up'}
      busy={isSubmitting}
      dirty={formState.isDirty}
      problem={problem}
      onConfirm={submit}
      onClose={onClose}
    >
      <p>{consequences[act]}</p>
      {act === 'reject' && (
        <Field label="Reason" error={errors.reason?.message}>
          {(props) => (
            <select {...props} required {...register('reason')}>
              <option value="">Choose a reason</option>
              {Object.entries(reasonNames).map(([key, text]) => (
                <option key={key} value={key}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {act === 'ship' && <ShipmentFields {...{ register, errors }} />}
      {hint && (
        <Field label="Note" hint={hint} error={errors.note?.message}>
          {(props) => <textarea {...props} rows={3} required {...register('note')} />}
        </Field>
      )}
    </ConfirmDialog>
  );
}

type ShipmentProps = Pick<ReturnType<typeof useClaimForm>, 'register' | 'errors'>;

function ShipmentFields({ register, errors }: ShipmentProps) {
  return (
    <>
      <Field label="Carrier" error={errors.carrier?.message}>
        {(props) => (
          <>
            <input {...props} list="carriers" required {...register('carrier')} />
            <datalist id="carriers">
              {CARRIERS.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Tracking number" error={errors.trackingNumber?.message}>
        {(props) => (
          <input {...props} autoComplete="off" required {...register('trackingNumber')} />
        )}
      </Field>
    </>
  );
}
