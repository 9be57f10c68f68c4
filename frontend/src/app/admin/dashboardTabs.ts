import type { ComponentType } from 'react';
import { PagesTab } from '../../features/analytics/PagesTab';

export interface DashboardTab {
  /** In the address: `/admin?section=analytics&tab=pages`. */
  key: string;
  label: string;
  Screen: ComponentType;
}

/** One line for each; every one but the first is a file of its own, through `loadable`. */
export const tabs: [DashboardTab, ...DashboardTab[]] = [
  { key: 'pages', label: 'Pages', Screen: PagesTab },
];

export function tabOf(key: string | null): DashboardTab {
  return tabs.find((tab) => tab.key === key) ?? tabs[0];
}
