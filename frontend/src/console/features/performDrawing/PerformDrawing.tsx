import { useState } from 'react';
import { useDispatch } from 'react-redux';
import {
  afterWinner,
  useGetDrawingStatsQuery,
  type DrawingView,
  type RaffleView,
} from '../../api/admin';
import { Card } from '../../ui/Card';
import { QueryView } from '../../ui/states';
import { DrawingForm } from './DrawingForm';
import { Reveal } from './Reveal';
import { Waiting } from './Waiting';

export function PerformDrawing({ raffles }: { raffles: RaffleView[] }) {
  const stats = useGetDrawingStatsQuery();
  const { drawing, attempt, show, end } = useShownDrawing();
  return (
    <Card title="Perform Drawing" note="Every entry has the same chance to win.">
      <QueryView query={stats} quiet>
        {({ landingPageStats }) => (
          <DrawingForm
            key={attempt}
            stats={landingPageStats}
            raffles={raffles}
            isWaiting={drawing !== undefined && isUndecided(drawing)}
            onAsk={() => void stats.refetch()}
            onPerformed={show}
          />
        )}
      </QueryView>
      <div aria-live="polite">
        {drawing && <Shown key={drawing.id} drawing={drawing} onEnd={end} />}
      </div>
    </Card>
  );
}

/** The drawing that was asked for last, from its seal to its winner. */
function useShownDrawing() {
  const [drawing, show] = useState<DrawingView>();
  const [attempt, setAttempt] = useState(0);
  const dispatch = useDispatch();
  function end(decided: DrawingView) {
    show(decided);
    setAttempt((count) => count + 1); // a new form: the choice is cleared
    dispatch(afterWinner());
  }
  return { drawing, attempt, show, end };
}

const isUndecided = ({ status }: DrawingView) => status === 'announced' || status === 'sealed';

interface ShownProps {
  drawing: DrawingView;
  onEnd: (drawing: DrawingView) => void;
}

function Shown({ drawing, onEnd }: ShownProps) {
  if (isUndecided(drawing)) return <Waiting drawing={drawing} onEnd={onEnd} />;
  if (drawing.status === 'drawn') return <Reveal drawing={drawing} />;
  return <p role="alert">This drawing was voided: {drawing.voidReason}</p>;
}
