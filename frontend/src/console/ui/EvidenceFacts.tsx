import type { ReactNode } from 'react';
import { countOf, formatDateTime } from '../../shared/lib/format';
import type { TextEvidenceView } from '../api/sms';
import { actOf, localTimeOf } from '../lib/consentWords';

/** What allowed a campaign's text to a number. */
export function EvidenceFacts({ evidence }: { evidence: TextEvidenceView }) {
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
