import { Tabs as RadixTabs } from 'radix-ui';
import { useEffect, useRef, type ReactNode } from 'react';
import { center } from './center';
import { ErrorBoundary } from './ErrorBoundary';
import { WaitingCount, waitingName } from './WaitingCount';

interface Props {
  label: string;
  tabs: { key: string; label: string; waiting?: number }[];
  value: string;
  onChange: (key: string) => void;
  /** The open tab's content. */
  children: ReactNode;
}

/**
 * Arrow keys move between tabs, Enter or Space opens one: each opening is a step in the history.
 * A tab whose content breaks leaves the others usable.
 */
export function Tabs({ label, tabs, value, onChange, children }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => center(list.current, '[role=tab][data-state=active]'), [value]);

  return (
    <RadixTabs.Root value={value} onValueChange={onChange} activationMode="manual">
      <RadixTabs.List ref={list} className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.key}
            value={tab.key}
            className="tab"
            {...waitingName(tab.label, tab.waiting ?? 0)}
          >
            {tab.label}
            <WaitingCount count={tab.waiting ?? 0} />
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.key} value={tab.key} className="tab-panel">
          {tab.key === value && <ErrorBoundary>{children}</ErrorBoundary>}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
