import { useDispatch } from 'react-redux';
import { admin } from '../../api/admin';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { DrawingHistory } from './DrawingHistory';
import { PerformDrawing } from './PerformDrawing';
import { RaffleStatistics } from './RaffleStatistics';

export function DrawingSection() {
  const dispatch = useDispatch();
  const refresh = () => dispatch(admin.util.invalidateTags(['DrawingStats', 'DrawingHistory']));
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
        <div className="grid draw-cards">
          <RaffleStatistics />
          <PerformDrawing />
        </div>
        <DrawingHistory />
      </div>
    </>
  );
}
