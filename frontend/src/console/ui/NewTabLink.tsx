import type { ReactNode } from 'react';
import { Icon } from './Icon';

export function NewTabLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="text-link" href={href} target="_blank" rel="noreferrer">
      {children}
      <Icon name="external" />
      <span className="unseen"> (opens in a new tab)</span>
    </a>
  );
}
