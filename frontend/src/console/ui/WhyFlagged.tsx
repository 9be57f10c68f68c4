import type { EvidenceView } from '../api/admin';
import { sentencesOf } from '../lib/flagEvidence';

interface Props {
  evidence: EvidenceView[];
  /** What staff gave; detection has evidence instead. */
  reason: string;
}

/** Why somebody is flagged: what the detection found, or staff's own reason. */
export function WhyFlagged({ evidence, reason }: Props) {
  if (evidence.length === 0) return reason;
  return (
    <ul className="evidence">
      {sentencesOf(evidence).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
