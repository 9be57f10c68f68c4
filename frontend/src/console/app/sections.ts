import type { ComponentProps, ComponentType } from 'react';
import type { PermissionView } from '../api/me';
import type { Icon } from '../ui/Icon';
import { loadable } from '../ui/loadable';
import { Analytics } from './Analytics';
import { appealsOf, approvalsOf, claimsOf, type Waits } from './useWaiting';

export interface Section {
  /** In the address: `/admin?section=analytics`. */
  key: string;
  label: string;
  icon: ComponentProps<typeof Icon>['name'];
  Screen: ComponentType;
  /** What waits there for staff. */
  waits?: Waits;
  /** Stands under a rule, with all that follow. */
  isUnderRule?: boolean;
  /** Who has not got this does not see it. */
  needs?: PermissionView;
}

/** The side menu. Every section but the first is a file of its own. */
export const sections: [Section, ...Section[]] = [
  {
    key: 'analytics',
    label: 'Analytics',
    icon: 'chart',
    Screen: Analytics,
    waits: appealsOf, // in its tab Security
  },
  {
    key: 'drawing',
    label: 'Drawing',
    icon: 'ticket',
    waits: claimsOf,
    Screen: loadable(() =>
      import(/* webpackChunkName: "drawing" */ './DrawingScreen').then(
        (file) => file.DrawingScreen,
      ),
    ),
  },
  {
    key: 'sms',
    label: 'SMS Campaigns',
    icon: 'message',
    Screen: loadable(() =>
      import(/* webpackChunkName: "sms" */ './SmsCampaigns').then((file) => file.SmsCampaigns),
    ),
  },
  {
    key: 'settings',
    label: 'Settings',
    icon: 'sliders',
    needs: 'manage_settings',
    waits: approvalsOf, // in its tab Approvals
    Screen: loadable(() =>
      import(/* webpackChunkName: "settings" */ './SettingsScreen').then(
        (file) => file.SettingsScreen,
      ),
    ),
  },
  {
    key: 'raffles',
    label: 'Raffles',
    isUnderRule: true,
    icon: 'play',
    Screen: loadable(() =>
      import(/* webpackChunkName: "raffles" */ '../features/raffles/Raffles').then(
        (file) => file.Raffles,
      ),
    ),
  },
  {
    key: 'people',
    label: 'People',
    icon: 'people',
    needs: 'view_people',
    Screen: loadable(() =>
      import(/* webpackChunkName: "people" */ '../features/people/PeopleScreen').then(
        (file) => file.PeopleScreen,
      ),
    ),
  },
  {
    key: 'sales',
    label: 'Sales',
    icon: 'table',
    needs: 'view_sales',
    Screen: loadable(() =>
      import(/* webpackChunkName: "sales" */ '../features/sales/SalesScreen').then(
        (file) => file.SalesScreen,
      ),
    ),
  },
  {
    key: 'opening',
    label: 'Before you open',
    icon: 'list',
    Screen: loadable(() =>
      import(/* webpackChunkName: "opening" */ '../features/opening/Opening').then(
        (file) => file.Opening,
      ),
    ),
  },
];

/** Not in the menu: the name in the bar leads there. */
export const account: Section = {
  key: 'account',
  label: 'Your account',
  icon: 'people',
  Screen: loadable(() =>
    import(/* webpackChunkName: "account" */ '../features/account/AccountScreen').then(
      (file) => file.AccountScreen,
    ),
  ),
};

export function sectionOf(key: string | null): Section {
  return [...sections, account].find((section) => section.key === key) ?? sections[0];
}
