import { timesNote } from '../../lib/timeZoneWords';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { FormActions } from '../../ui/FormActions';
import { EvidenceFacts } from '../../ui/EvidenceFacts';
import { useEvidence } from './useEvidence';

/** What allowed a campaign's text to a number. */
export function EvidenceCard({ campaignId }: { campaignId: number }) {
  const { register, errors, isSubmitting, problem, submit, found } = useEvidence(campaignId);
  return (
    <Card title="What allowed a text" note={timesNote()}>
      <form className="sms-form" onSubmit={submit} noValidate aria-label="Look up a text">
        <Field
          label="Phone number"
          hint="Of somebody who got a text of this campaign."
          error={errors.phoneNumber?.message}
        >
          {(props) => (
            <input {...props} type="tel" autoComplete="off" required {...register('phoneNumber')} />
          )}
        </Field>
        <FormActions
          submitLabel={isSubmitting ? 'Looking...' : 'Look up'}
          busy={isSubmitting}
          problem={problem}
          variant="secondary"
        />
      </form>
      <div role="status">
        {found && found.evidence === undefined && <p>This campaign sent no text to this number.</p>}
        {found?.evidence && <EvidenceFacts evidence={found.evidence} />}
      </div>
    </Card>
  );
}
