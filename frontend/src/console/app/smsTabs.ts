import { Overview } from '../features/smsCampaigns/Overview';
import { loadable } from '../ui/loadable';
import type { DashboardTab } from './dashboardTabs';

/** One line for each; every one but the first is a file of its own. */
export const smsTabs: [DashboardTab, ...DashboardTab[]] = [
  { key: 'overview', label: 'Overview', Screen: Overview },
  {
    key: 'templates',
    label: 'Templates',
    Screen: loadable(() =>
      import(/* webpackChunkName: "sms-templates" */ '../features/smsCampaigns/Templates').then(
        (file) => file.Templates,
      ),
    ),
  },
  {
    key: 'campaigns',
    label: 'Campaigns',
    Screen: loadable(() =>
      import(/* webpackChunkName: "sms-campaigns" */ '../features/smsCampaigns/CampaignsTab').then(
        (file) => file.CampaignsTab,
      ),
    ),
  },
  {
    key: 'replies',
    label: 'Replies',
    needs: 'view_people',
    Screen: loadable(() =>
      import(/* webpackChunkName: "sms-replies" */ '../features/replies/Replies').then(
        (file) => file.Replies,
      ),
    ),
  },
  {
    key: 'analytics',
    label: 'Analytics',
    Screen: loadable(() =>
      import(/* webpackChunkName: "sms-analytics" */ '../features/smsCampaigns/SmsAnalytics').then(
        (file) => file.SmsAnalytics,
      ),
    ),
  },
  {
    key: 'welcome',
    label: 'Welcome SMS',
    Screen: loadable(() =>
      import(/* webpackChunkName: "welcome-sms" */ '../features/welcomeSms/WelcomeSms').then(
        (file) => file.WelcomeSms,
      ),
    ),
  },
];

export function smsTabOf(key: string | null): DashboardTab {
  return smsTabs.find((tab) => tab.key === key) ?? smsTabs[0];
}
