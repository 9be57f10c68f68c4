import type { ComponentType } from 'react';
import { PagesTab } from '../features/analytics/PagesTab';
import type { PermissionView } from '../api/me';
import { appealsOf, type Waits } from './useWaiting';
import { loadable } from '../ui/loadable';

export interface DashboardTab {
  /** In the address: `/admin?section=analytics&tab=pages`. */
  key: string;
  label: string;
  Screen: ComponentType;
  /** What waits there for staff. */
  waits?: Waits;
  /** Who has not got this does not see it. */
  needs?: PermissionView;
}

/** One line for each; every one but the first is a file of its own. */
export const tabs: [DashboardTab, ...DashboardTab[]] = [
  { key: 'pages', label: 'Pages', Screen: PagesTab },
  {
    key: 'conversion',
    label: 'Conversion',
    Screen: loadable(() =>
      import(/* webpackChunkName: "conversion" */ '../features/analytics/ConversionTab').then(
        (file) => file.ConversionTab,
      ),
    ),
  },
  {
    key: 'funnel',
    label: 'Funnel',
    Screen: loadable(() =>
      import(/* webpackChunkName: "funnel" */ '../features/analytics/FunnelTab').then(
        (file) => file.FunnelTab,
      ),
    ),
  },
  {
    key: 'security',
    label: 'Security',
    waits: appealsOf,
    Screen: loadable(() =>
      import(/* webpackChunkName: "security" */ '../features/security/SecurityTab').then(
        (file) => file.SecurityTab,
      ),
    ),
  },
  {
    key: 'pricing',
    label: 'Pricing Control',
    Screen: loadable(() =>
      import(/* webpackChunkName: "pricing" */ './PricingScreen').then(
        (file) => file.PricingScreen,
      ),
    ),
  },
];

export function tabOf(key: string | null): DashboardTab {
  return tabs.find((tab) => tab.key === key) ?? tabs[0];
}
