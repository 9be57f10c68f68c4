import { createContext, useContext } from 'react';
import type { OwnAccountView, PermissionView } from '../api/me';

/** Who is signed in. Nothing of the console is shown before that is known. */
export const Me = createContext<OwnAccountView | undefined>(undefined);

export const useMe = (): OwnAccountView | undefined => useContext(Me);

/** Whether the role of whoever is signed in has this permission. The server checks it again. */
export function useMay(permission: PermissionView): boolean {
  return useMe()?.permissions.includes(permission) ?? false;
}

/** The same for several permissions at once. */
export function useAllowed(): (permission: PermissionView) => boolean {
  const me = useMe();
  return (permission) => me?.permissions.includes(permission) ?? false;
}
