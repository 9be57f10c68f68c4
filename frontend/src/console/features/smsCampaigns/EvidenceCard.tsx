import type { ReactNode } from 'react';
import { countOf, formatDateTime } from '../../../shared/lib/format';
import { timesNote } from '../../lib/timeZoneWords';
import type { TextEvidenceView } from '../../api/sms';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { FormActions } from '../../ui/FormActions';
import { useEvidence } from './useEvidence';
import { actOf, localTimeOf } from './words';

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
        {found?.evidence && <Facts evidence={found.evidence} />}
      </div>
    </Card>
  );
}

function Facts({ evidence }: { evidence: TextEvidenceView }) {
  const { wording, act, at, ipAddress, optOuts, monthCount, localTime, consentBasis } = evidence;
  return (
    <dl className="sms-facts">
      {wording && <Fact name="They agreed to">“{wording}”</Fact>}
      {act && <Fact name="How">{actOf(act)}</Fact>}
      {at && <Fact name="When">{formatDateTime(at)}</Fact>}
      {act && <Fact name="From">{ipAddress ?? 'No address: it came by text'}</Fact>}
      {consentBasis && <Fact name="Basis of the list">{consentBasis}</Fact>}
      {!wording && !consentBasis && <Fact name="They agreed to">Not recorded for this text</Fact>}
      <Fact name="STOP and START">
        {optOuts.length === 0
          ? 'None'
          : optOuts.map((change) => (
              <span className="sms-change" key={change.at}>
                {change.optedOut ? 'STOP' : 'START'} on {formatDateTime(change.at)}
              </span>
            ))}
      </Fact>
      <Fact name="That month">{countOf(monthCount, 'campaign text')}</Fact>
      <Fact name="Local time when sent">{localTime ? localTimeOf(localTime) : 'Not sent yet'}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
