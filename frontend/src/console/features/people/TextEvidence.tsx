import { useState } from 'react';
import { asApiError } from '../../../shared/api/apiError';
import { sms } from '../../api/sms';
import { Button } from '../../ui/Button';
import { EvidenceFacts } from '../../ui/EvidenceFacts';

/** What allowed a campaign's text, once somebody asks. */
export function TextEvidence({ id }: { id: number }) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <Found id={id} />
  ) : (
    <Button size="small" onClick={() => setOpen(true)}>
      Show
    </Button>
  );
}

function Found({ id }: { id: number }) {
  const { data, error } = sms.endpoints.findEvidence.useQuery({ id });
  if (error) return <span role="alert">{asApiError(error).sentence}</span>;
  return <span role="status">{data ? <EvidenceFacts evidence={data} /> : 'Loading...'}</span>;
}
