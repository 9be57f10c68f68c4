import type { StaffRoleView } from '../api/me';

export const roleNames: Record<StaffRoleView, string> = {
  owner: 'Owner',
  manager: 'Manager',
  support: 'Support',
  viewer: 'Viewer',
};

/** What somebody with the role can do. */
export const roleWords: Record<StaffRoleView, string> = {
  owner: 'Can do everything.',
  manager:
    "Can do everything except staff, credentials, clearing data, approving, and winners' names and addresses.",
  support: 'Looks after people, appeals and claims. Sees no names or addresses of winners.',
  viewer: 'Reads figures. Sees no full phone numbers.',
};
