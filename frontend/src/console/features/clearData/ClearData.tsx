import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { ClearDialog } from './ClearDialog';
import { words, type Kind } from './clearing';

interface Props {
  title: string;
  kinds: Kind[];
  /** Settings tells of a failure in a toast too; the dashboard's card only where it happened. */
  announcesFailures?: boolean;
}

export function ClearData({ title, kinds, announcesFailures = false }: Props) {
  const [asking, setAsking] = useState<Kind>();
  return (
    <Card title={title} note="Cleared data can’t be restored.">
      <ul className="clearing">
        {kinds.map((kind) => (
          <li key={kind}>
            <p className="quiet-text">{words[kind].means}</p>
            <Button onClick={() => setAsking(kind)}>{words[kind].button}</Button>
          </li>
        ))}
      </ul>
      {asking && (
        <ClearDialog
          kind={asking}
          announcesFailures={announcesFailures}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Card>
  );
}
