import { useState } from 'react';
import { formatDateTime } from '../../../shared/lib/format';
import {
  useListStaffQuery,
  type StaffMemberView,
  type StaffStateView,
  type StaffView,
} from '../../api/staff';
import { anyText, useListState } from '../../lib/useListState';
import { roleNames } from '../../lib/roleWords';
import { useMe } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { SearchField } from '../../ui/SearchField';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { WholeList } from '../../ui/WholeList';
import { MemberDialog, type Asked } from './MemberDialog';

/** Everybody who may sign in here, and what owners can do about it. */
export function Staff() {
  const staff = useListStaffQuery(undefined, { refetchOnMountOrArgChange: true });
  const list = useListState({
    filters: { search: anyText },
    sorts: { name: 'asc', role: 'asc', state: 'asc' },
  });
  const me = useMe();
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <WholeList
        title="Staff"
        note="Everybody who can sign in to this console."
        actions={<Button onClick={() => setAsked({ act: 'invite' })}>Invite somebody</Button>}
        search={<SearchField label="Find a name" list={list} />}
        query={staff}
        rowsOf={byName}
        list={list}
        label="members of staff"
        empty={<EmptyState title="Nobody yet">Whoever you invite appears here.</EmptyState>}
        caption="Who can sign in, with which role"
        columns={columnsWith(setAsked, me?.id)}
        rowKey={({ id }) => id}
      />
      {asked && <MemberDialog asked={asked} ownId={me?.id} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** The order that the headers show before one is pressed; the server lists the oldest account first. */
const byName = ({ staff }: StaffView): StaffMemberView[] =>
  [...staff].sort((one, other) => one.name.localeCompare(other.name, 'en'));

const stateNames: Record<StaffStateView, string> = {
  invited: 'Invited',
  active: 'Active',
  disabled: 'Disabled',
};
const tones = { invited: 'warn', active: 'good', disabled: 'neutral' } as const;

const columnsWith = (
  onAsk: (asked: Asked) => void,
  ownId: number | undefined,
): Column<StaffMemberView>[] => [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    value: ({ name }) => name,
    cell: ({ id, name, environment }) => (
      <span className="who staff-name">
        {name} {id === ownId && <Badge>You</Badge>}
        {environment && <Badge>In the server's settings</Badge>}
      </span>
    ),
  },
  {
    key: 'role',
    header: 'Role',
    sort: 'role',
    value: ({ role }) => roleNames[role],
    cell: ({ role }) => <span className="staff-role">{roleNames[role]}</span>,
  },
  {
    key: 'state',
    header: 'State',
    sort: 'state',
    value: ({ state }) => stateNames[state],
    cell: State,
  },
  {
    key: 'totp',
    header: 'Second factor',
    cell: ({ totp }) => (totp ? 'On' : 'Off'),
  },
  {
    key: 'signedIn',
    header: 'Last sign-in',
    time: true,
    cell: ({ lastSignInAt }) => (lastSignInAt ? formatDateTime(lastSignInAt) : 'Never'),
  },
  {
    key: 'actions',
    header: 'Change',
    actions: true,
    cell: (member) => !member.environment && <Acts member={member} onAsk={onAsk} />,
  },
];

function State({ state, invitationExpiresAt }: StaffMemberView) {
  return (
    <span className="staff-state">
      <Badge tone={tones[state]}>{stateNames[state]}</Badge>
      {state === 'invited' && invitationExpiresAt && (
        <span className="quiet-text">Link works until {formatDateTime(invitationExpiresAt)}</span>
      )}
    </span>
  );
}

interface ActsProps {
  member: StaffMemberView;
  onAsk: (asked: Asked) => void;
}

function Acts({ member, onAsk }: ActsProps) {
  const whose = <span className="unseen">of {member.name}</span>;
  if (member.state === 'disabled') {
    return (
      <Button size="small" onClick={() => onAsk({ act: 'enable', member })}>
        Enable <span className="unseen">{member.name}</span>
      </Button>
    );
  }
  return (
    <span className="act">
      <Button size="small" onClick={() => onAsk({ act: 'role', member })}>
        Role {whose}
      </Button>
      <Button size="small" onClick={() => onAsk({ act: 'link', member })}>
        New link <span className="unseen">for {member.name}</span>
      </Button>
      <Button size="small" onClick={() => onAsk({ act: 'disable', member })}>
        Disable <span className="unseen">{member.name}</span>
      </Button>
    </span>
  );
}
