import { useState } from 'react';
import type { DrawingView } from '../../api/admin';
import { raffleName } from '../../lib/raffles';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { NewTabLink } from '../../ui/NewTabLink';
import { BeaconDialog } from './BeaconDialog';
import { standing } from './drawingWords';
import { useNow } from './useNow';
import { VoidDialog } from './VoidDialog';

interface Asked {
  act: 'beacon' | 'void';
  drawing: DrawingView;
}

/** Drawings that are announced or sealed: what they wait for, and what staff can do when the beacon stays away. */
export function WaitingDrawings({ drawings }: { drawings: DrawingView[] }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  if (drawings.length === 0) return null;
  return (
    <Card title="Waiting to Be Drawn" note="The server seals and draws them by itself.">
      <ul className="waiting-drawings">
        {drawings.map((drawing) => (
          <WaitingDrawing key={drawing.id} drawing={drawing} onAsk={setAsked} />
        ))}
      </ul>
      {asked?.act === 'beacon' && <BeaconDialog drawing={asked.drawing} onClose={close} />}
      {asked?.act === 'void' && <VoidDialog drawing={asked.drawing} onClose={close} />}
    </Card>
  );
}

interface RowProps {
  drawing: DrawingView;
  onAsk: (asked: Asked) => void;
}

function WaitingDrawing({ drawing, onAsk }: RowProps) {
  const mayAct = useMay('manage_drawings');
  const now = useNow();
  const { id, landingPage, kind, beacon, voidableAt, status } = drawing;
  const isLate = mayAct && beacon?.waitingSince != null;
  const isVoidable = mayAct && voidableAt != null && Date.parse(voidableAt) <= now;
  return (
    <li>
      <div>
        <p>
          {raffleName(landingPage)}
          {kind === 'additional' && ' (additional)'}
        </p>
        <p className="quiet-text">{standing(drawing)}</p>
      </div>
      <div className="actions">
        {status === 'sealed' && (
          <NewTabLink href={`/drawings/${id}`}>
            See the list<span className="unseen"> of drawing {id}</span>
          </NewTabLink>
        )}
        {isLate && (
          <Button onClick={() => onAsk({ act: 'beacon', drawing })}>Enter the beacon</Button>
        )}
        {isVoidable && <Button onClick={() => onAsk({ act: 'void', drawing })}>Void</Button>}
      </div>
    </li>
  );
}
