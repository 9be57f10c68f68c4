import { useState } from 'react';
import { useGetDrawingStatsQuery, type DrawingView } from '../../api/admin';
import { Card } from '../../ui/Card';
import { QueryView } from '../../ui/states';
import { DrawingForm } from './DrawingForm';
import { Reveal } from './Reveal';

export function PerformDrawing() {
  const stats = useGetDrawingStatsQuery();
  const [drawn, setDrawn] = useState<DrawingView>();
  return (
    <Card title="Perform Drawing" note="Every entry has the same chance to win.">
      <QueryView query={stats} quiet>
        {({ landingPageStats }) => (
          <DrawingForm
            raffles={landingPageStats}
            onAsk={() => void stats.refetch()}
            onDrawn={setDrawn}
          />
        )}
      </QueryView>
      <div aria-live="polite">{drawn && <Reveal key={drawn.id} drawing={drawn} />}</div>
    </Card>
  );
}
