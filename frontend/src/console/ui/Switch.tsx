import { useId, type MouseEvent } from 'react';

interface Props {
  label: string;
  /** What it is like now, in words. */
  state: string;
  checked: boolean;
  /** The change is under way: it keeps the focus, and does nothing when pressed again. */
  busy?: boolean;
  onChange: (checked: boolean) => void;
}

/** Takes effect at once. A double click is one change. */
export function Switch({ label, state, checked, busy = false, onChange }: Props) {
  const id = useId();
  const press = ({ detail: clicks }: MouseEvent) => {
    if (!busy && clicks < 2) onChange(!checked);
  };
  return (
    <div className="switch">
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        aria-disabled={busy || undefined}
        aria-describedby={`${id}-state`}
        onClick={press}
      />
      <label htmlFor={id}>{label}</label>
      <p className="quiet-text" id={`${id}-state`}>
        {state}
      </p>
    </div>
  );
}
