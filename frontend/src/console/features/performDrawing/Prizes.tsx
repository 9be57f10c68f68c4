import { useState } from 'react';
import type { RaffleView } from '../../api/admin';
import { raffleName } from '../../../shared/lib/raffleNames';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Table, type Column } from '../../ui/Table';
import { PrizeDialog } from './PrizeDialog';

/** The prize of each raffle for its next drawing. */
export function Prizes({ raffles }: { raffles: RaffleView[] }) {
  const [edited, setEdited] = useState<RaffleView>();
  const mayChange = useMay('manage_drawings');
  const columns: Column<RaffleView>[] = [
    { key: 'raffle', header: 'Raffle', cell: ({ landingPage }) => raffleName(landingPage) },
    { key: 'prize', header: 'Prize', cell: ({ prize }) => prize?.name ?? 'The kit on its page' },
    { key: 'value', header: 'Value', cell: ({ prize }) => prize?.value ?? '–' },
  ];
  const change: Column<RaffleView> = {
    key: 'edit',
    header: 'Change',
    actions: true,
    cell: (raffle) => (
      <Button onClick={() => setEdited(raffle)}>
        Change<span className="unseen"> the prize of {raffleName(raffle.landingPage)}</span>
      </Button>
    ),
  };
  return (
    <Card title="Prizes" note="The seal of a drawing writes its prize into the public record.">
      <Table
        caption="Prizes of the raffles"
        columns={mayChange ? [...columns, change] : columns}
        rows={raffles}
        rowKey={({ landingPage }) => landingPage}
      />
      {edited && <PrizeDialog raffle={edited} onClose={() => setEdited(undefined)} />}
    </Card>
  );
}
