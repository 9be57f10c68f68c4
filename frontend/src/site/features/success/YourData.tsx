import { useState, type ReactNode, type ToggleEvent } from 'react';
import { forget, recall, remember } from '../../lib/tabStorage';
import { useLater } from '../../lib/useLater';
import { useGetConsentQuery, type User } from './api';
import { DataWaiting } from './DataWaiting';
import { isOwn } from './isOwn';

const load = () => import(/* webpackChunkName: "your-data" */ './yourData/DataRequests');

/** People look at a text with a code in another app and come back: what was open stays open in this tab. */
const OPEN = 'tombola.data';

interface Props {
  id: number;
  user: User;
  /** The entrant is deleted: what the page shows from then on. */
  onDeleted: (instead: ReactNode) => void;
}

/** The way to a copy of one's data and to its deletion. Only the browser that entered has it. */
export function YourData({ id, user, onDeleted }: Props) {
  const [isOpen, setOpen] = useState(() => recall(OPEN) !== null);
  const { file, problem, retry } = useLater(load, isOpen);
  const isMine = isOwn(user, id);
  // The switch for texts stands above it, and comes first so that it pushes nothing down.
  const { isLoading } = useGetConsentQuery({ id }, { skip: !isMine });
  if (!isMine || isLoading) return null;

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
        <file.DataRequests id={id} phoneNumber={user.phoneNumber} onDeleted={onDeleted} />
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
