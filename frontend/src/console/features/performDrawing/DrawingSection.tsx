import type { ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { admin, useListRafflesQuery } from '../../api/admin';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { refreshed } from '../../lib/polled';
import { DrawingHistory } from './DrawingHistory';
import { PerformDrawing } from './PerformDrawing';
import { RaffleStatistics } from './RaffleStatistics';
import { WaitingDrawings } from './WaitingDrawings';

interface Props {
  /** The claims of those who were drawn, which stand before the history. */
  claims?: ReactNode;
}

export function DrawingSection({ claims }: Props) {
  const dispatch = useDispatch();
  const raffles = useListRafflesQuery(undefined, refreshed);
  // Nobody has entered a draft.
  const opened = (raffles.data?.raffles ?? []).filter(({ status }) => status !== 'draft');
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
            <PerformDrawing raffles={opened} />
          </div>
        ) : (
          <RaffleStatistics />
        )}
        <WaitingDrawings drawings={opened.flatMap(({ waiting }) => waiting)} />
        {claims}
        <DrawingHistory />
      </div>
    </>
  );
}
