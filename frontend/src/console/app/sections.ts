import type { ComponentProps, ComponentType } from 'react';
import type { Icon } from '../ui/Icon';
import { loadable } from '../ui/loadable';
import { Analytics } from './Analytics';
import type { Waits } from './useWaiting';

export interface Section {
  /** In the address: `/admin?section=analytics`. */
  key: string;
  label: string;
  icon: ComponentProps<typeof Icon>['name'];
  Screen: ComponentType;
  /** What waits there for staff. */
  waits?: Waits;
}

/** The side menu. Every section but the first is a file of its own. */
export const sections: [Section, ...Section[]] = [
  {
    key: 'analytics',
    label: 'Analytics',
    icon: 'chart',
    Screen: Analytics,
    waits: ({ appeals }) => appeals, // in its tab Security
  },
  {
    key: 'drawing',
    label: 'Drawing',
    icon: 'ticket',
    waits: ({ claims }) => claims,
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
    Screen: loadable(() =>
      import(/* webpackChunkName: "settings" */ './SettingsScreen').then(
        (file) => file.SettingsScreen,
      ),
    ),
  },
  {
    key: 'people',
    label: 'People',
    icon: 'people',
    Screen: loadable(() =>
      import(/* webpackChunkName: "people" */ '../features/people/PeopleScreen').then(
        (file) => file.PeopleScreen,
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

export function sectionOf(key: string | null): Section {
  return sections.find((section) => section.key === key) ?? sections[0];
}
