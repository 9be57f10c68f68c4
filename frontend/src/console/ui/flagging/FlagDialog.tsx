import { useWatch } from 'react-hook-form';
import type { PublicReasonView } from '../../api/admin';
import { useGetPersonQuery } from '../../api/people';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { ConfirmDialog } from '../ConfirmDialog';
import { Field } from '../Field';
import { PersonLink } from '../PersonLink';
import { useFlagForm } from './useFlagForm';

interface Props {
  userId: number;
  /** Stands in the field for the reason at first. */
  reason?: string;
  onClose: () => void;
}

/** What the entrant reads. */
const publicReasons: Record<PublicReasonView, string> = {
  several_accounts: 'Several accounts',
  duplicate: 'A second entry of the same person',
  automated: 'An automated entry',
  not_eligible: 'Not eligible',
  rules: 'Against the official rules',
};

/** Keeps a user out of the drawings: says whom, and asks why. */
export function FlagDialog({ userId, reason: first = '', onClose }: Props) {
  const person = useGetPersonQuery({ id: userId });
  const { register, control, errors, isSubmitting, problem, submit } = useFlagForm(
    userId,
    first,
    onClose,
  );
  const reason = useWatch({ control, name: 'reason' });
  const profile = person.data?.profile;
  const phoneNumber = profile?.phoneNumber ?? null;

  return (
    <ConfirmDialog
      title={`Flag ${phoneNumber ? maskPhone(phoneNumber) : `user ${userId}`}?`}
      confirmLabel={isSubmitting ? 'Flagging...' : 'Flag'}
      busy={isSubmitting}
      dirty={reason.trim() !== first}
      problem={problem}
      onConfirm={submit}
      onClose={onClose}
    >
      <p>
        {profile
          ? `This user entered ${raffleName(profile.landingPage)} and has ${entriesOf(profile.totalEntries)}. `
          : ''}
        A flagged user is left out of all drawings, reads why on their own page, and can appeal.
      </p>
      <p>
        <PersonLink id={userId} phoneNumber={phoneNumber}>
          See everything about them
        </PersonLink>
      </p>
      <Field label="Reason for staff" error={errors.reason?.message}>
        {(props) => (
          <input {...props} autoComplete="off" required maxLength={200} {...register('reason')} />
        )}
      </Field>
      <Field label="Reason that the user reads" error={errors.publicReason?.message}>
        {(props) => (
          <select {...props} {...register('publicReason')}>
            {Object.entries(publicReasons).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
    </ConfirmDialog>
  );
}

const entriesOf = (count: number) => (count === 1 ? '1 entry' : `${count} entries`);
