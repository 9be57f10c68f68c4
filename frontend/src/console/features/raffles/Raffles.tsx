import { useState } from 'react';
import { useListRafflesQuery, type RaffleView } from '../../api/admin';
import { formatDateTime } from '../../../shared/lib/format';
import { refreshed } from '../../lib/polled';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { NewTabLink } from '../../ui/NewTabLink';
import { QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { CloseDialog } from './CloseDialog';
import { OpenDialog } from './OpenDialog';
import { TakeBackDialog } from './TakeBackDialog';

const badges = {
  draft: ['neutral', 'Draft'],
  open: ['good', 'Open'],
  closed: ['neutral', 'Closed'],
} as const;

/** All raffles, and when each can be entered. */
export function Raffles() {
  const query = useListRafflesQuery(undefined, refreshed);
  return (
    <>
      <header className="screen-head">
        <h1>Raffles</h1>
      </header>
      <QueryView query={query}>{({ raffles }) => <List raffles={raffles} />}</QueryView>
    </>
  );
}

function List({ raffles }: { raffles: RaffleView[] }) {
  const [chosen, setChosen] = useState<RaffleView>();
  const mayChange = useMay('manage_raffles');
  const columns: Column<RaffleView>[] = [
    {
      key: 'raffle',
      header: 'Raffle',
      cell: ({ landingPage, name }) => <NewTabLink href={`/${landingPage}`}>{name}</NewTabLink>,
    },
    { key: 'status', header: 'Status', cell: (raffle) => <Status raffle={raffle} /> },
  ];
  const change: Column<RaffleView> = {
    key: 'change',
    header: 'Change',
    actions: true,
    cell: (raffle) => (
      <Button onClick={() => setChosen(raffle)}>
        {actOf(raffle)} <span className="unseen">{raffle.name}</span>
      </Button>
    ),
  };
  return (
    <Card
      title="Open and closed"
      note="Nobody can enter a closed raffle. A drawing that is announced takes place."
    >
      <Table
        caption="Raffles"
        columns={mayChange ? [...columns, change] : columns}
        rows={raffles}
        rowKey={({ landingPage }) => landingPage}
      />
      {chosen && <Change raffle={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  );
}

function Status({ raffle: { status, nextStatus, nextAt } }: { raffle: RaffleView }) {
  const [tone, word] = badges[status];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {nextAt && (
        <span className="quiet-text">
          {' '}
          {nextStatus === 'open' ? 'Opens' : 'Closes'} {formatDateTime(nextAt)}
        </span>
      )}
    </>
  );
}

/** What was decided and is to come is taken back first. */
function actOf({ status, nextStatus }: RaffleView): string {
  if (nextStatus === 'closed') return 'Keep open';
  if (nextStatus === 'open') return 'Keep closed';
  return status === 'open' ? 'Close' : 'Open';
}

function Change({ raffle, onClose }: { raffle: RaffleView; onClose: () => void }) {
  if (raffle.nextStatus) return <TakeBackDialog raffle={raffle} onClose={onClose} />;
  if (raffle.status === 'open') return <CloseDialog raffle={raffle} onClose={onClose} />;
  return <OpenDialog raffle={raffle} onClose={onClose} />;
}
