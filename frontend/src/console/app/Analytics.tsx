import { useState } from 'react';
import { RefreshBar } from '../features/analytics/RefreshBar';
import { Summary } from '../features/analytics/Summary';
import { paused, refreshed, Refreshing } from '../lib/polled';
import { useQueryState } from '../lib/useQueryState';
import { Tabs } from '../ui/Tabs';
import { tabOf, tabs } from './dashboardTabs';
import { useWaiting } from './useWaiting';

/** The dashboard: figures, and tabs that several features fill. */
export function Analytics() {
  const [query, setQuery] = useQueryState();
  const tab = tabOf(query.get('tab'));
  const { Screen } = tab;
  const waiting = useWaiting();
  const [isPaused, setPaused] = useState(false);
  const shown = tabs.map((each) => ({ ...each, waiting: waiting(each.waits) }));
  // Tabs share the dates. Pages, orders and other filters belong to the lists of one tab.
  const open = (key: string) => {
    const [startDate, endDate] = [query.get('startDate'), query.get('endDate')];
    setQuery({ section: 'analytics', tab: key, startDate, endDate }, { clear: true });
  };
  return (
    <Refreshing value={isPaused ? paused : refreshed}>
      <header className="screen-head">
        <h1>Admin Dashboard</h1>
        <RefreshBar isPaused={isPaused} onPause={setPaused} />
      </header>
      <Summary />
      <Tabs label="Analytics" tabs={shown} value={tab.key} onChange={open}>
        <Screen />
      </Tabs>
    </Refreshing>
  );
}
