import type { ComponentProps, ComponentType } from 'react';
import type { Icon } from '../ui/Icon';
import { loadable } from '../ui/loadable';
import { Analytics } from './Analytics';

export interface Section {
  /** In the address: `/admin?section=analytics`. */
  key: string;
  label: string;
  icon: ComponentProps<typeof Icon>['name'];
  Screen: ComponentType;
}

/** The side menu. Every section but the first is a file of its own. */
export const sections: [Section, ...Section[]] = [
  { key: 'analytics', label: 'Analytics', icon: 'chart', Screen: Analytics },
  {
    key: 'drawing',
    label: 'Drawing',
    icon: 'ticket',
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
];

export function sectionOf(key: string | null): Section {
  return sections.find((section) => section.key === key) ?? sections[0];
}
