import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { ErrorBoundary } from './ErrorBoundary';

interface Props {
  label: string;
  tabs: { key: string; label: string }[];
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
  return (
    <RadixTabs.Root value={value} onValueChange={onChange} activationMode="manual">
      <RadixTabs.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.key} value={tab.key} className="tab">
            {tab.label}
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
