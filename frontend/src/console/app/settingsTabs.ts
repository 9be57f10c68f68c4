import { loadable } from '../ui/loadable';
import type { DashboardTab } from './dashboardTabs';
import { GeneralSettings } from './GeneralSettings';
import { approvalsOf } from './useWaiting';

/** One line for each; every one but the first is a file of its own. */
export const settingsTabs: [DashboardTab, ...DashboardTab[]] = [
  { key: 'general', label: 'General', Screen: GeneralSettings },
  {
    key: 'staff',
    label: 'Staff',
    needs: 'manage_staff',
    Screen: loadable(() =>
      import(/* webpackChunkName: "staff" */ '../features/staff/Staff').then((file) => file.Staff),
    ),
  },
  {
    key: 'approvals',
    label: 'Approvals',
    needs: 'view_approvals',
    waits: approvalsOf,
    Screen: loadable(() =>
      import(/* webpackChunkName: "approvals" */ '../features/approvals/Approvals').then(
        (file) => file.Approvals,
      ),
    ),
  },
];
