import type { ReactNode } from 'react';

interface Props {
  id: string;
  title: string;
  /** Opens by itself once this holds; closed otherwise, until somebody opens it. */
  isOpen?: boolean;
  children: ReactNode;
}

/** What few people want to see: one line that opens. */
export function Fold({ id, title, isOpen = false, children }: Props) {
  return (
    <section className="fold" aria-labelledby={id}>
      <details open={isOpen}>
        <summary>
          <h2 id={id}>{title}</h2>
        </summary>
        <div className="folded">{children}</div>
      </details>
    </section>
  );
}
