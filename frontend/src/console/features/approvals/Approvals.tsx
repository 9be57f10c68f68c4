import { useState } from 'react';
import { useListApprovalsQuery, type ApprovalView } from '../../api/staff';
import { refreshed } from '../../lib/polled';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { useMe } from '../../session/me';
import { Card } from '../../ui/Card';
import { EmptyState, QueryView } from '../../ui/states';
import { DecideProposal, type Deciding } from './DecideProposal';
import { OpenProposal } from './OpenProposal';
import { PastProposals } from './PastProposals';

/** As many as anybody reads at once; more wait until these are decided. */
const MOST = 50;

/** What one person proposed and another one has to approve. */
export function Approvals() {
  const [deciding, setDeciding] = useState<Deciding>();
  return (
    <div className="grid">
      <OpenOnes onDecide={setDeciding} />
      <PastProposals />
      {deciding && <DecideProposal {...deciding} onClose={() => setDeciding(undefined)} />}
    </div>
  );
}

function OpenOnes({ onDecide }: { onDecide: (deciding: Deciding) => void }) {
  const open = useListApprovalsQuery({ status: 'open', limit: MOST, offset: 0 }, refreshed);
  const part = useKeptFocus();
  return (
    <Card title="Waiting for approval" note="Nothing of it is done before somebody else approves.">
      <div {...part}>
        <QueryView query={open}>
          {({ approvals }) => <Rows approvals={approvals} onDecide={onDecide} />}
        </QueryView>
      </div>
    </Card>
  );
}

interface RowsProps {
  approvals: ApprovalView[];
  onDecide: (deciding: Deciding) => void;
}

function Rows({ approvals, onDecide }: RowsProps) {
  const isOn = useMe()?.twoPerson ?? false;
  if (approvals.length === 0) {
    return (
      <EmptyState title="Nothing waits">
        {isOn
          ? 'What one person must not do alone appears here once somebody proposes it.'
          : 'Approvals are off: one person is enough for everything. TWO_PERSON=on on the server turns them on.'}
      </EmptyState>
    );
  }
  return (
    <ul className="proposals">
      {approvals.map((approval) => (
        <OpenProposal key={approval.id} approval={approval} onDecide={onDecide} />
      ))}
    </ul>
  );
}
