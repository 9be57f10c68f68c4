import { useEffect, useRef } from 'react';
import { useGetShippingListQuery, type ParcelView } from '../../api/admin';
import { formatDateTime } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { Address } from './Address';

/** The prizes that are approved and not sent, with what stands on a label. */
export function ShippingList() {
  // Each look is written down, so nothing asks again by itself.
  const found = useGetShippingListQuery();
  const back = useRef<HTMLDivElement>(null);
  useEffect(() => back.current?.querySelector('a')?.focus(), []); // the link that led here is gone
  return (
    <>
      <header className="screen-head">
        <h1>Shipping list</h1>
        <div ref={back}>
          <QueryLink change={{ view: null }}>Back to drawings</QueryLink>
        </div>
      </header>
      <Card
        title="Prizes to send"
        note="Approved claims whose prize is not sent. Each line is a look in the audit log."
        actions={<Button onClick={() => window.print()}>Print</Button>}
      >
        <QueryView query={found}>
          {({ parcels }) =>
            parcels.length === 0 ? (
              <EmptyState title="Nothing to send">
                A prize stands here from the approval of its claim until you mark it as sent or
                delivered.
              </EmptyState>
            ) : (
              <Table
                caption="Prizes that are to be sent, the oldest claim first"
                columns={columns}
                rows={parcels}
                rowKey={({ claimId }) => claimId}
              />
            )
          }
        </QueryView>
      </Card>
    </>
  );
}

const columns: Column<ParcelView>[] = [
  {
    key: 'prize',
    header: 'Prize',
    cell: ({ claimId, prize, landingPage, drawingId }) => (
      <span className="claim-prize">
        <QueryLink change={{ claim: String(claimId), view: null }}>{prize.name}</QueryLink>
        <span className="quiet-text">
          {raffleName(landingPage)}, drawing {drawingId}
        </span>
      </span>
    ),
  },
  {
    key: 'to',
    header: 'Send to',
    cell: ({ details }) => (
      <>
        <strong>{details.name}</strong>
        <Address of={details} />
      </>
    ),
  },
  {
    key: 'approved',
    header: 'Approved',
    time: true,
    cell: ({ approvedAt }) => (approvedAt ? formatDateTime(approvedAt) : ''),
  },
];
