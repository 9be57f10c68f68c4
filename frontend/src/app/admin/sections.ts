import type { ComponentProps, ComponentType } from 'react';
import type { Icon } from '../../shared/ui/console/Icon';
import { Analytics } from './Analytics';

export interface Section {
  /** In the address: `/admin?section=analytics`. */
  key: string;
  label: string;
  icon: ComponentProps<typeof Icon>['name'];
  Screen: ComponentType;
}

/**
 * The side menu. A section is one line here; every one but the first is a file of its own:
 * `Screen: loadable(() => import('…').then((file) => file.SettingsSection))`.
 */
export const sections: [Section, ...Section[]] = [
  { key: 'analytics', label: 'Analytics', icon: 'chart', Screen: Analytics },
];

export function sectionOf(key: string | null): Section {
  return sections.find((section) => section.key === key) ?? sections[0];
}
