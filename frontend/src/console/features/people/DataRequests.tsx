import { useState } from 'react';
import {
  useCreatePersonDataRequestMutation,
  useListPersonDataRequestsQuery,
  type DataRequestView,
} from '../../api/people';
import { formatDateTime } from '../../../shared/lib/format';
import { formatPhone } from '../../../shared/lib/phone';
import { useAct } from '../../lib/useAct';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { QueryView } from '../../ui/states';
import { isProposed, type Proposed } from '../../lib/proposal';
import { useMay } from '../../session/me';
import { ProposedDialog } from '../../ui/Proposed';
import { CodeForm } from './CodeForm';

interface Props {
  id: number;
  phoneNumber: string | null;
}

const typeNames = { export: 'Copy', erasure: 'Deletion' };
const statusNames = {
  pending: 'Waits for the code',
  completed: 'Done',
  failed: 'Failed',
  expired: 'Code not entered in time',
};

/** A copy of everything, or its deletion, for people who ask by phone or by post. */
export function DataRequests({ id, phoneNumber }: Props) {
  const found = useListPersonDataRequestsQuery({ id }, { refetchOnMountOrArgChange: true });
  const [create] = useCreatePersonDataRequestMutation();
  const copy = useAct(({ sentence }) => sentence);
  const [isErasing, setErasing] = useState(false);
  const mayErase = useMay('erase_people');
  const [made, setMade] = useState<DataRequestView>();
  const makeCopy = async () => {
    const answer = await create({ id, dataRequestBody: { requestType: 'export' } }).unwrap();
    if (!isProposed(answer)) setMade(answer); // a copy needs nobody else
  };
  return (
    <Card
      title="Copy and deletion"
      note="For people who ask us by phone or by post. Make sure who they are."
    >
      <div className="actions">
        <Button onClick={() => copy.run(makeCopy)} busy={copy.pending}>
          {copy.pending ? 'Making a copy...' : 'Make a copy'}
        </Button>
        {mayErase && <Button onClick={() => setErasing(true)}>Delete this person's data</Button>}
      </div>
      <div role="alert" className="problem">
        {copy.problem}
      </div>
      {made?.fileUrl && <CopyLink request={made} url={made.fileUrl} />}
      <QueryView query={found} holdsForm>
        {({ requests }) => <Requests id={id} phoneNumber={phoneNumber} requests={requests} />}
      </QueryView>
      {isErasing && <EraseDialog id={id} onClose={() => setErasing(false)} />}
    </Card>
  );
}

interface RequestsProps extends Props {
  requests: DataRequestView[];
}

function Requests({ id, phoneNumber, requests }: RequestsProps) {
  const mayErase = useMay('erase_people');
  if (requests.length === 0) return <p className="quiet-text">No requests yet.</p>;
  const waiting = requests.find(({ verification }) => verification !== null);
  return (
    <>
      {waiting && mayErase && (
        <CodeForm
          key={waiting.id}
          id={id}
          request={waiting}
          phone={phoneNumber ? formatPhone(phoneNumber) : 'the number'}
        />
      )}
      <ul className="person-lines">
        {requests.map((request) => (
          <li key={request.id}>
            {typeNames[request.requestType]}, {formatDateTime(request.createdAt)}{' '}
            <Badge>{statusNames[request.status]}</Badge>
          </li>
        ))}
      </ul>
    </>
  );
}

function CopyLink({ request, url }: { request: DataRequestView; url: string }) {
  return (
    <p className="person-copy">
      <a className="text-link" href={url} download>
        Download the copy
      </a>{' '}
      <span className="quiet-text">
        The link is shown only now. It works until {formatDateTime(request.expiresAt ?? '')}, and
        whoever has it can download the copy. What a winner told us for the delivery is not in it.
      </span>
      <input
        className="person-link"
        readOnly
        aria-label="The link to the copy"
        value={new URL(url, location.origin).href}
        onFocus={(event) => event.target.select()}
      />
    </p>
  );
}

function EraseDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const [create] = useCreatePersonDataRequestMutation();
  const { pending, problem, run } = useAct(({ sentence }) => sentence);
  const [proposal, setProposal] = useState<Proposed>();
  const erase = async () => {
    const answer: unknown = await create({
      id,
      dataRequestBody: { requestType: 'erasure' },
    }).unwrap();
    if (isProposed(answer)) setProposal(answer);
    else onClose();
  };
  if (proposal) return <ProposedDialog proposal={proposal} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Delete this person's data?"
      confirmLabel={pending ? 'Deleting...' : 'Delete'}
      confirmWord="DELETE"
      danger
      busy={pending}
      problem={problem}
      onConfirm={() => run(erase)}
      onClose={onClose}
    >
      <p>
        Their number, texts, replies, addresses and what we noted are deleted for good, and they are
        in no drawing that is not sealed. You cannot undo it.
      </p>
      <p>
        Where numbers are proved with codes, we text a code to the number first: ask the person to
        read it to you.
      </p>
    </ConfirmDialog>
  );
}
