import { isMasked } from '../../shared/lib/phone';
import type { UserView } from '../api/generated';

/** Whether this browser entered: the server names the number in full to that one alone. */
export const isOwn = (user: UserView | undefined, id: number): boolean =>
  user?.id === id && !isMasked(user.phoneNumber);
