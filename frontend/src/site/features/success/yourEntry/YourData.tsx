import { useState, type ReactNode, type ToggleEvent } from 'react';
import { forget, recall, remember } from '../../../lib/tabStorage';
import { useLater } from '../../../lib/useLater';
import { DataWaiting } from './DataWaiting';

const load = () => import(/* webpackChunkName: "your-data" */ './yourData/DataRequests');

/** People look at a text with a code in another app and come back: what was open stays open in this tab. */
const OPEN = 'tombola.data';

interface Props {
  id: number;
  /** In full: this is the browser that entered. */
  phoneNumber: string;
  /** The entrant is deleted: what the page shows from then on. */
  onDeleted: (instead: ReactNode) => void;
}

/** The way to a copy of one's data and to its deletion. Only the browser that entered has it. */
export function YourData({ id, phoneNumber, onDeleted }: Props) {
  const [isOpen, setOpen] = useState(() => recall(OPEN) !== null);
  const { file, problem, retry } = useLater(load, isOpen);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    setOpen(currentTarget.open);
    if (currentTarget.open) remember(OPEN, '1');
    else forget(OPEN);
  };
  return (
    <details className="card data" open={isOpen} onToggle={onToggle}>
      <summary>
        <h2>Your data</h2>
      </summary>
      {file ? (
        <file.DataRequests id={id} phoneNumber={phoneNumber} onDeleted={onDeleted} />
      ) : problem ? (
        <div className="failed" role="alert">
          <p>{problem}</p>
          <button type="button" className="button quiet" onClick={retry}>
            Try again
          </button>
        </div>
      ) : (
        isOpen && <DataWaiting />
      )}
    </details>
  );
}
