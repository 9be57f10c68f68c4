import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  /** One line under the title. */
  note?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A titled part of a screen. */
export function Card({ title, note, actions, children }: Props) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header className="panel-head">
        <div>
          <h2 id={id}>{title}</h2>
          {note && <p className="quiet-text">{note}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

interface FigureProps {
  label: string;
  /** Undefined while it is not known yet. */
  value: string | undefined;
  note?: string;
  /** A note with more than words. */
  children?: ReactNode;
}

/** One big plain figure; a list of them stands in <Figures>. */
export function Figure({ label, value, note, children = note }: FigureProps) {
  return (
    <div className="figure-card">
      <dt>{label}</dt>
      <dd className="figure-value">{value ?? <span className="bone" />}</dd>
      {children && <dd className="quiet-text">{children}</dd>}
    </div>
  );
}

export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label}>
      <dl className="figures">{children}</dl>
    </div>
  );
}
