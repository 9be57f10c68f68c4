import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { formatDateTime } from '../../../shared/lib/format';
import { useToast } from '../../../shared/ui/toast/useToast';
import {
  useEndSessionMutation,
  useEndSessionsMutation,
  useListSessionsQuery,
  type StaffSessionView,
} from '../../api/staff';
import { deviceOf } from '../../lib/deviceWords';
import { useAct } from '../../lib/useAct';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { sessionSlice } from '../../session/sessionSlice';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';

/** Where one is logged in. */
export function Sessions() {
  const sessions = useListSessionsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [asked, setAsked] = useState<StaffSessionView | 'all'>();
  const close = () => setAsked(undefined);
  const part = useKeptFocus();
  return (
    <Card
      title="Where you are logged in"
      note="A session ends after two hours without use, and after twelve hours at the latest."
      actions={<Button onClick={() => setAsked('all')}>Log out everywhere</Button>}
    >
      <div {...part}>
        <QueryView query={sessions}>
          {(list) => (
            <Table
              caption="Your sessions"
              columns={columnsWith(setAsked)}
              rows={list.sessions}
              rowKey={({ id }) => id}
            />
          )}
        </QueryView>
      </div>
      {asked === 'all' && <EndAll onClose={close} />}
      {asked && asked !== 'all' && <EndOne session={asked} onClose={close} />}
    </Card>
  );
}

const columnsWith = (onEnd: (session: StaffSessionView) => void): Column<StaffSessionView>[] => [
  {
    key: 'device',
    header: 'Device',
    cell: ({ device, current }) => (
      <span className="who">
        {deviceOf(device)} {current && <Badge tone="good">This one</Badge>}
      </span>
    ),
  },
  {
    key: 'address',
    header: 'IP address',
    cell: ({ address }) => (address ? <span className="code">{address}</span> : 'Not known'),
  },
  {
    key: 'created',
    header: 'Logged in',
    time: true,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  {
    key: 'used',
    header: 'Last used',
    time: true,
    cell: ({ lastUsedAt }) => formatDateTime(lastUsedAt),
  },
  {
    key: 'end',
    header: 'End',
    actions: true,
    cell: (session) =>
      !session.current && (
        <Button size="small" onClick={() => onEnd(session)}>
          End <span className="unseen">the session of {deviceOf(session.device)}</span>
        </Button>
      ),
  },
];

function EndOne({ session, onClose }: { session: StaffSessionView; onClose: () => void }) {
  const [end] = useEndSessionMutation();
  const { pending, problem, run } = useAct(({ sentence }) => sentence);
  const toast = useToast();
  const act = async () => {
    await end({ id: session.id }).unwrap();
    onClose();
    toast({ title: 'Session ended' });
  };
  return (
    <ConfirmDialog
      title={`End the session of ${deviceOf(session.device)}?`}
      confirmLabel={pending ? 'Ending...' : 'End session'}
      danger
      busy={pending}
      problem={problem}
      onConfirm={() => run(act)}
      onClose={onClose}
    >
      <p>Whoever uses it has to log in again. If it was not you, change your password too.</p>
    </ConfirmDialog>
  );
}

function EndAll({ onClose }: { onClose: () => void }) {
  const [end] = useEndSessionsMutation();
  const { pending, problem, run } = useAct(({ sentence }) => sentence);
  const dispatch = useDispatch();
  const act = async () => {
    await end().unwrap();
    dispatch(sessionSlice.actions.closed('everywhere'));
  };
  return (
    <ConfirmDialog
      title="Log out everywhere?"
      confirmLabel={pending ? 'Logging out...' : 'Log out everywhere'}
      danger
      busy={pending}
      problem={problem}
      onConfirm={() => run(act)}
      onClose={onClose}
    >
      <p>All of your sessions end, this one too. You then log in again.</p>
    </ConfirmDialog>
  );
}
