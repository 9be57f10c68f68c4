import type { ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { admin, useListRafflesQuery } from '../../api/admin';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { QueryView } from '../../ui/states';
import { refreshed } from '../../lib/polled';
import { DrawingHistory } from './DrawingHistory';
import { PerformDrawing } from './PerformDrawing';
import { Prizes } from './Prizes';
import { RaffleStatistics } from './RaffleStatistics';
import { WaitingDrawings } from './WaitingDrawings';

interface Props {
  /** The claims of those who were drawn, which stand before the history. */
  claims?: ReactNode;
}

export function DrawingSection({ claims }: Props) {
  const dispatch = useDispatch();
  const raffles = useListRafflesQuery(undefined, refreshed);
  const mayDraw = useMay('manage_drawings');
  const refresh = () =>
    dispatch(admin.util.invalidateTags(['DrawingStats', 'DrawingHistory', 'Raffles', 'Claims']));
  return (
    <>
      <header className="screen-head">
        <h1>Random Drawing</h1>
        <Button onClick={refresh}>
          <Icon name="refresh" />
          Refresh
        </Button>
      </header>
      <div className="grid">
        {mayDraw ? (
          <div className="grid draw-cards">
            <RaffleStatistics />
            <PerformDrawing raffles={raffles.data?.raffles ?? []} />
          </div>
        ) : (
          <RaffleStatistics />
        )}
        <WaitingDrawings
          drawings={(raffles.data?.raffles ?? []).flatMap(({ waiting }) => waiting)}
        />
        {claims}
        <DrawingHistory />
        <QueryView query={raffles}>{(data) => <Prizes raffles={data.raffles} />}</QueryView>
      </div>
    </>
  );
}
