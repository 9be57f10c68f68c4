/** Who is signed in: the console asks before it shows anything. */
import { api as generated } from './generatedMe';

export type { OwnAccountView, PermissionView, StaffRoleView } from './generatedMe';

export const me = generated.enhanceEndpoints<'Me'>({
  addTagTypes: ['Me'],
  endpoints: { getMe: { providesTags: ['Me'] } },
});

export const { useGetMeQuery } = me;
